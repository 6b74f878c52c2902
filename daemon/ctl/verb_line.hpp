// SPDX-License-Identifier: Apache-2.0
//
// Parses the command line of a verb.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "ctl/verb.hpp"

namespace actord::ctl {

/// A command line with errors: at most three lines for standard error.
struct UsageError {
  std::string text;
};

/// Reads the words after the name of `verb`. With --help among the options nothing else is
/// required.
base::Result<Call, UsageError> read_line(const Verb& verb, const std::vector<std::string>& words,
                                         std::ostream& out, std::ostream& err);

}  // namespace actord::ctl
