// SPDX-License-Identifier: Apache-2.0
#include "ctl/log_query.hpp"

#include <charconv>
#include <chrono>
#include <deque>

#include "base/clock.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/quantity_option.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

const AnswerShape& lines_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape line = {{"ts", Form::text, {}, true},
                                   {"level", Form::text, {}, true},
                                   {"event", Form::text, {}, true}};
  static const AnswerShape shape = {{"lines", Form::objects, line, true},
                                    {"next", Form::number, {}, true},
                                    {"is_end", Form::flag, {}, true}};
  return shape;
}

}  // namespace

Option since_option() {
  return {.name = "since",
          .takes = Takes::text,
          .argument = "DURATION",
          .help = "only what happened within DURATION until now: 10m, 24h"};
}

Option lines_option(std::string_view help) {
  return {.name = "lines", .letter = 'n', .takes = Takes::text, .argument = "N", .help = help};
}

std::uint64_t now_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

bool add_scope(const Call& call, Json& filter, Exit& exit) {
  if (!call.operands.empty()) filter["actor"] = call.operands.front();
  if (!call.has("since")) return true;
  const auto duration = duration_option(call, "since", {}, {}, exit);
  if (!duration) return false;
  const std::uint64_t now = now_ms();
  filter["since_ms"] =
      now - std::min(now, static_cast<std::uint64_t>(duration->count() / base::ns_per_ms));
  return true;
}

std::optional<std::size_t> lines_wanted(const Call& call, std::size_t otherwise, Exit& exit) {
  if (!call.has("lines")) return otherwise;
  const std::string wanted = call.value("lines");
  if (wanted == "all") return SIZE_MAX;
  std::size_t lines = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), lines);
  if (error == std::errc{} && end == wanted.data() + wanted.size()) return lines;
  exit =
      report_failure(call, {Exit::usage, "--lines takes a number or all, not \"" + wanted + '"'});
  return std::nullopt;
}

Failure no_failure(const std::string& id) {
  return {Exit::differs, "the log has nothing about a failure " + id,
          "actorctl failures -n all lists those that it knows"};
}

bool LogQuery::read(const Call& call, const OnLine& on_line, Exit& exit) {
  auto client = connect(call, exit);
  if (!client) return false;
  while (true) {
    filter_["after"] = after_;
    const auto reply = client->ask("log.read", filter_, lines_shape());
    if (!check_reply(call, reply, exit)) return false;
    const Json& result = reply->result;
    for (const Json& line : result.at("lines")) on_line(line);
    after_ = result.at("next").get<std::uint64_t>();
    if (result.at("is_end").get<bool>()) return true;
  }
}

std::optional<std::vector<Json>> LogQuery::last(const Call& call, std::size_t most, Exit& exit) {
  std::deque<Json> last;
  const auto keep = [&](const Json& line) {
    last.push_back(line);
    if (last.size() > most) last.pop_front();
  };
  if (!read(call, keep, exit)) return std::nullopt;
  return std::vector<Json>(std::make_move_iterator(last.begin()),
                           std::make_move_iterator(last.end()));
}

}  // namespace actord::ctl
