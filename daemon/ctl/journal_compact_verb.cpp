// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include "ctl/journal_query.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

const AnswerShape& compacted_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape sizes = {{"bytes", Form::number, {}, true},
                                    {"log_bytes", Form::number, {}, true}};
  static const AnswerShape shape = {{"before", Form::object, sizes, true},
                                    {"now", Form::object, sizes, true}};
  return shape;
}

std::uint64_t size_at(const Json& answer, const std::string& when) {
  return number_at(answer, when + ".bytes") + number_at(answer, when + ".log_bytes");
}

std::uint64_t freed_by(const Json& answer) {
  const std::uint64_t before = size_at(answer, "before");
  return before - std::min(before, size_at(answer, "now"));
}

std::string progress_of_compacting(const Json& now) {
  return "compacting the journal: " + exact_bytes(freed_by(now)) + " freed";
}

Exit compact_journal(const Call& call) {
  Exit exit = Exit::ok;
  const auto done =
      ask_for_long_work(call, "journal.compact", compacted_shape(), &progress_of_compacting, exit);
  if (!done) return exit;
  if (call.is_json()) {
    Json json = *done;
    json["freed_bytes"] = freed_by(*done);
    print_json(call.out, json);
  } else {
    call.out << exact_bytes(freed_by(*done)) << " freed; the journal takes up "
             << exact_bytes(size_at(*done, "now")) << '\n';
  }
  return exit;
}

}  // namespace

Verb journal_compact_verb() {
  Verb verb{
      .group = "journal",
      .name = "compact",
      .summary = "give the room of deleted events back to the file system",
      .description =
          "Deleted events leave free room in the database, which new events fill. This gives it\n"
          "back to the file system, as well as that of the write-ahead log, in steps between "
          "which\n"
          "actors write. --timeout is how long there may be no progress.\n"
          "\n"
          "  actorctl journal compact",
      .operands = {},
      .options = {},
      .run = &compact_journal};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
