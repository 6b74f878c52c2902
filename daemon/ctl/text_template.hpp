// SPDX-License-Identifier: Apache-2.0
//
// A text with places to fill in, for files that actorctl writes.
//
//   %{name}       is the value of that name, in the innermost scope that has it
//   %for list     the lines down to %end are repeated for each element of the list
//   %if list      the lines down to %end are there if the list has elements
//
// A directive is the whole line, and a blank line before a block that is left out stays.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace actord::ctl {

/// What a template may name.
struct TemplateScope {
  std::map<std::string, std::string, std::less<>> values;
  std::map<std::string, std::vector<TemplateScope>, std::less<>> lists;
};

/// The text with everything filled in. Throws std::logic_error, which names what is missing: the
/// templates are parts of the program.
std::string filled(std::string_view text, const TemplateScope& scope);

}  // namespace actord::ctl
