// SPDX-License-Identifier: Apache-2.0
//
// Reports the failure of a verb, in the same form for all verbs.
#pragma once

#include <string>

#include "ctl/verb.hpp"
#include "hocon/diagnostic.hpp"
#include "wire/control_message.hpp"

namespace actord::ctl {

struct Failure {
  Exit exit = Exit::internal;
  std::string what;  // one line, not empty
  std::string help = {};
  hocon::Diagnostics findings = {};
  wire::Json more = {};  // an object with further members of the answer, or null
};

/// A failure described by its findings; `what` is the first error.
Failure failure_of(Exit exit, hocon::Diagnostics findings);

/// The failure as JSON: {"error", "exit"}, "help" and "findings" if there are any, and the members
/// of `more`.
wire::Json json_of(const Failure& failure);

/// Reports the failure on standard error, or with -o json on standard output. Returns the exit
/// status.
Exit report_failure(const Call& call, const Failure& failure);

/// Ends a verb that answers from a configuration with these errors. With -o json it prints the
/// answer and the errors; otherwise only the errors, because the verb has printed its text already.
/// Returns Exit::ok if there are no errors.
Exit conclude(const Call& call, wire::Json answer, hocon::Diagnostics errors,
              Exit wrong = Exit::config_wrong);

}  // namespace actord::ctl
