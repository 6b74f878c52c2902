// SPDX-License-Identifier: Apache-2.0
//
// A crash of actord, as the daemon sends it (crash.show), as people read it.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "ctl/verb.hpp"
#include "wire/control_message.hpp"

namespace actord::ctl {

/// Asks the daemon for the crash that the operand names, or for the last one. nullopt after
/// reporting a failure.
std::optional<wire::Json> crash_wanted(const Call& call, Exit& exit);

/// "SIGSEGV", or "exit(0)".
std::string end_of(const wire::Json& crash);
/// What is charged with the crash and whether it is in quarantine; empty: nothing is charged.
std::string charge_of(const wire::Json& crash);

/// Prints what the crash is about, a line each, and its stack.
void print_crash(std::ostream& out, const wire::Json& crash);

}  // namespace actord::ctl
