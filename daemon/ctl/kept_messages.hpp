// SPDX-License-Identifier: Apache-2.0
//
// What the verbs of `deadletters` and of `quarantine` have in common: the daemon keeps messages
// under ids, and lists them in parts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ctl/answer_shape.hpp"
#include "ctl/text_table.hpp"
#include "ctl/verb.hpp"
#include "wire/control_message.hpp"

namespace actord::ctl {

/// A list of kept messages.
struct KeptList {
  std::string_view verb;      // "deadletters.list"
  std::string member;         // of the answer, that has them: "letters"
  const AnswerShape& shape;   // of the answer
  std::string_view if_empty;  // "no dead letters are kept"
  std::vector<TextTable::Column> columns;
  std::vector<std::string> (*row)(const wire::Json& message);
};

/// All that the daemon has of the list, the oldest first, to the path that is the operand. nullopt
/// after reporting a failure.
std::optional<std::vector<wire::Json>> all_kept(const Call& call, const KeptList& list,
                                                wire::Json arguments, Exit& exit);
/// Prints the newest of them, as many as --lines says.
Exit print_kept(const Call& call, const KeptList& list, const wire::Json& arguments);
/// Sends each message again, to --to if that is given; the first that cannot be sent ends it.
/// `verb` is "deadletters.replay".
Exit replay_kept(const Call& call, const std::string& verb, const std::vector<std::string>& ids);
/// Has the daemon forget each.
Exit drop_kept(const Call& call, const std::string& verb, const std::vector<std::string>& ids);

}  // namespace actord::ctl
