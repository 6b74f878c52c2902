// SPDX-License-Identifier: Apache-2.0
//
// A message as text for people, of whatever type it is: `shop.Order/1 {sku: "tea", count: 2}`.
#pragma once

#include <actord/plugin.h>

#include <functional>
#include <string>

namespace actord::testkit {

/// `path` names actors.
std::string text_of_message(const actord_message_type& type, const void* message,
                            const std::function<std::string(actord_ref)>& path);

}  // namespace actord::testkit
