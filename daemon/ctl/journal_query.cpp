// SPDX-License-Identifier: Apache-2.0
#include "ctl/journal_query.hpp"

#include "ctl/json_members.hpp"
#include "ctl/progress_line.hpp"
#include "ctl/rough_quantity.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr std::uint64_t journal_page = 500;

const AnswerShape& journal_ids_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {{"ids",
                                     Form::objects,
                                     {{"id", Form::text, {}, true},
                                      {"first", Form::number, {}, true},
                                      {"last", Form::number, {}, true},
                                      {"bytes", Form::number, {}, true},
                                      {"snapshots", Form::number, {}, true},
                                      {"snapshot", Form::number},
                                      {"ts"},
                                      {"actor"}},
                                     true},
                                    {"next"}};
  return shape;
}

const AnswerShape& journal_events_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {
      {"id", Form::text, {}, true},
      {"first", Form::number, {}, true},
      {"last", Form::number, {}, true},
      {"bytes", Form::number, {}, true},
      {"newest", Form::object, {{"sequence", Form::number, {}, true}, {"type"}}},
      {"events",
       Form::objects,
       {{"sequence", Form::number, {}, true}, {"ts"}, {"type"}, {"bytes", Form::number}, {"why"}},
       true},
      {"next", Form::number}};
  return shape;
}

}  // namespace

bool for_each_id(const Call& call, const std::string& prefix, const OnEntry& on_id, Exit& exit) {
  std::string after;
  for (;;) {
    const auto part = ask_daemon(call, "journal.list",
                                 {{"after", after}, {"prefix", prefix}, {"most", journal_page}},
                                 journal_ids_shape(), exit);
    if (!part) return false;
    for (const Json& each : part->at("ids"))
      if (!on_id(each)) return true;
    const std::string next = text_at(*part, "next");
    if (next <= after) return true;
    after = next;
  }
}

std::optional<Json> ask_for_events(const Call& call, const std::string& id, std::uint64_t from,
                                   std::uint64_t most, Exit& exit) {
  return ask_daemon(call, "journal.show", {{"id", id}, {"from", from}, {"most", most}},
                    journal_events_shape(), exit);
}

bool for_each_event(const Call& call, const std::string& id, std::uint64_t from,
                    const std::function<void(const Json&)>& on_id, const OnEntry& on_event,
                    Exit& exit) {
  for (;;) {
    const auto part = ask_for_events(call, id, from, journal_page, exit);
    if (!part) return false;
    if (from == 0) on_id(*part);
    for (const Json& each : part->at("events"))
      if (!on_event(each)) return true;
    const std::uint64_t next = number_at(*part, "next");
    if (next <= from) return true;
    from = next;
  }
}

std::optional<Json> ask_for_long_work(const Call& call, const std::string& verb,
                                      const AnswerShape& shape,
                                      const std::function<std::string(const Json&)>& in_words,
                                      Exit& exit) {
  auto client = connect(call, exit);
  if (!client) return std::nullopt;
  client->wait_on_while_there_is_progress();
  ProgressLine line;
  auto reply = client->ask(verb, Json::object(), shape, [&](const Json& now) {
    line.show(in_words(now));
    return true;
  });
  line.clear();
  if (!check_reply(call, reply, exit)) return std::nullopt;
  return std::move(reply->result);
}

std::string exact_bytes(std::uint64_t bytes) {
  return bytes < 1024 ? std::to_string(bytes) + " B" : rough_bytes(bytes);
}

}  // namespace actord::ctl
