// SPDX-License-Identifier: Apache-2.0
//
// How every verb says that it could not do what it was asked for.
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
  wire::Json more = {};  // an object with what else the verb has to tell, or null
};

/// A failure that its findings tell of: what and where.
Failure failure_of(Exit exit, hocon::Diagnostics findings);

/// The one form that a failure has as JSON: {"error", "exit"}, and "help" and "findings" where
/// there are any.
wire::Json json_of(const Failure& failure);

/// Says so: on standard error in words, or with -o json on standard output. The exit status.
Exit tell(const Call& call, const Failure& failure);

/// Ends a verb whose answer, an object, comes from a configuration in which this is wrong: with -o
/// json it prints the answer, else only the errors, for the words are out already. Exit::ok where
/// there are none.
Exit conclude(const Call& call, wire::Json answer, hocon::Diagnostics errors,
              Exit wrong = Exit::config_wrong);

}  // namespace actord::ctl
