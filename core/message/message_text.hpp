// SPDX-License-Identifier: Apache-2.0
//
// A message of any type as text for people: `shop.Order/1 {sku: "tea", count: 2}`.
#pragma once

#include <actord/plugin.h>

#include <functional>
#include <string>

namespace actord::message {

/// `path` returns the path of an actor. Secret members are "…".
std::string text_of_message(const actord_message_type& type, const void* message,
                            const std::function<std::string(actord_ref)>& path);

}  // namespace actord::message
