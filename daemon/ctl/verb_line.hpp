// SPDX-License-Identifier: Apache-2.0
//
// The words of a command line as the call of a verb, or what is wrong with them.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "ctl/verb.hpp"

namespace actord::ctl {

/// A command line that is not understood: at most three lines for standard error.
struct WrongLine {
  std::string text;
};

/// Reads what stands after the name of `verb`. --help is among the options, and then nothing else
/// is asked for.
base::Result<Call, WrongLine> read_line(const Verb& verb, const std::vector<std::string>& words,
                                        std::ostream& out, std::ostream& err);

/// "did you mean "x"?", or empty.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace actord::ctl
