// SPDX-License-Identifier: Apache-2.0
//
// What the verbs that do something to one actor have in common: start, stop, kill, restart,
// suspend, resume, tell.
#pragma once

#include <optional>
#include <string>

#include "ctl/verb.hpp"
#include "wire/control_message.hpp"

namespace actord::ctl {

/// --reason, which the log has with the order.
Option reason_option();
/// What the daemon needs for an order to the actor that the call names: path, reason, time limit.
wire::Json order_arguments(const Call& call);

/// Has the daemon carry the verb out. The result has the texts "path" and "outcome"; with -o json
/// it is printed. Null after reporting a failure.
std::optional<wire::Json> order_actor(const Call& call, const std::string& verb,
                                      wire::Json arguments, Exit& exit);

}  // namespace actord::ctl
