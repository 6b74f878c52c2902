// SPDX-License-Identifier: Apache-2.0
//
// What the verbs that do something to one actor have in common: start, stop, tell.
#pragma once

#include <optional>
#include <string>

#include "ctl/verb.hpp"
#include "wire/control_message.hpp"

namespace actord::ctl {

/// Has the daemon carry the verb out. The result has the texts "path" and "outcome"; with -o json
/// it is printed. Null after reporting a failure.
std::optional<wire::Json> order_actor(const Call& call, const std::string& verb,
                                      wire::Json arguments, Exit& exit);

}  // namespace actord::ctl
