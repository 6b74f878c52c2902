// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "base/counted.hpp"
#include "base/duration_text.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/json_output.hpp"
#include "ctl/titled_lines.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

const AnswerShape& inspection_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape named = {{"name", Form::text, {}, true}, {"stopping", Form::flag}};
  static const AnswerShape timer = {{"key", Form::text, {}, true},
                                    {"type", Form::text, {}, true},
                                    {"in_ms", Form::number, {}, true},
                                    {"every_ms", Form::number, {}, true}};
  static const AnswerShape rule = {
      {"type", Form::text, {}, true}, {"directive", Form::text, {}, true}, {"origin"}};
  static const AnswerShape shape = {
      {"path", Form::text, {}, true},
      {"behaviour", Form::text, {}, true},
      {"version"},
      {"state", Form::text, {}, true},
      {"restarts", Form::number, {}, true},
      {"held", Form::flag},
      {"restart_in_ms", Form::number},
      {"origin"},
      {"dispatcher"},
      {"strategy",
       Form::object,
       {{"name"},
        {"origin"},
        {"type"},
        {"max-restarts"},
        {"within"},
        {"decider", Form::objects, rule},
        {"otherwise"}},
       true},
      {"mailbox",
       Form::object,
       {{"messages", Form::number, {}, true}, {"stashed", Form::number, {}, true}, {"most"}},
       true},
      {"children", Form::objects, named, true},
      {"children_count", Form::number, {}, true},
      {"watched_by", Form::texts, {}, true},
      {"watched_by_count", Form::number, {}, true},
      {"watches", Form::texts, {}, true},
      {"watches_count", Form::number, {}, true},
      {"timers", Form::objects, timer, true},
      {"timers_count", Form::number, {}, true},
      {"receive_timeout_ms", Form::number},
      {"asks", Form::number, {}, true},
      {"takes", Form::texts, {}, true},
      {"takes_in_other_states", Form::texts},
      {"takes_all", Form::flag}};
  return shape;
}

std::uint64_t number(const Json& in, const char* name) { return in.value(name, std::uint64_t{0}); }
std::string text(const Json& in, const char* name) { return in.value(name, std::string{}); }

std::string duration(std::uint64_t ms) {
  return base::duration_text(static_cast<std::int64_t>(ms) * 1'000'000);
}

/// The elements, and how many more there are; "" if there are none.
template <class TextOf>
std::string listed(const Json& list, std::uint64_t count, TextOf&& text_of) {
  std::string all;
  for (const Json& each : list) all += (all.empty() ? "" : ", ") + text_of(each);
  if (count > list.size()) all += " and " + std::to_string(count - list.size()) + " more";
  return all;
}

std::string listed(const Json& texts, std::uint64_t count) {
  return listed(texts, count, [](const Json& each) { return each.get<std::string>(); });
}
std::string listed(const Json& texts) { return listed(texts, texts.size()); }

std::string state_of(const Json& actor) {
  std::string state = text(actor, "state");
  if (actor.value("held", false)) state += ", by an operator";
  if (actor.contains("restart_in_ms"))
    state += ", restarts in " + duration(number(actor, "restart_in_ms"));
  const std::uint64_t restarts = number(actor, "restarts");
  return restarts == 0 ? state : state + "; " + base::counted(restarts, "restart") + " so far";
}

void print_strategy(std::ostream& out, const Json& strategy) {
  const std::string origin = text(strategy, "origin");
  std::string line = text(strategy, "type");
  const std::string max = text(strategy, "max-restarts"), within = text(strategy, "within");
  if (!max.empty() && max != "unlimited") line += ", at most " + max + " restarts";
  if (!within.empty() && within != "infinite") line += " within " + within;
  print_titled(out, "strategy",
               line + "  (" + (origin.empty() ? text(strategy, "name") : origin) + ')');
  for (const Json& rule : strategy.value("decider", Json::array()))
    print_titled(out, "", text(rule, "type") + " -> " + text(rule, "directive"));
  if (const std::string otherwise = text(strategy, "otherwise"); !otherwise.empty())
    print_titled(out, "", "all others -> " + otherwise);
}

std::string mailbox_of(const Json& mailbox) {
  const std::uint64_t waiting = number(mailbox, "messages"), stashed = number(mailbox, "stashed");
  std::string line = mailbox.value("has_more", false) ? "more than " : "";
  line += base::counted(waiting, "message");
  if (const std::string most = text(mailbox, "most"); !most.empty())
    line += ", most of them " + most;
  return stashed == 0 ? line : line + "; " + std::to_string(stashed) + " stashed";
}

void print_timers(std::ostream& out, const Json& actor) {
  bool is_first = true;
  for (const Json& timer : actor.at("timers")) {
    const std::uint64_t period = number(timer, "every_ms");
    print_titled(out, std::exchange(is_first, false) ? "timers" : "",
                 text(timer, "key") + ": " + text(timer, "type") + " in " +
                     duration(number(timer, "in_ms")) +
                     (period == 0 ? std::string{} : ", every " + duration(period)));
  }
  const std::uint64_t count = number(actor, "timers_count"), shown = actor.at("timers").size();
  if (count > shown) print_titled(out, "", "and " + std::to_string(count - shown) + " more");
  if (actor.contains("receive_timeout_ms"))
    print_titled(out, "silence",
                 "ReceiveTimeout after " + duration(number(actor, "receive_timeout_ms")));
}

void print_actor(std::ostream& out, const Json& actor) {
  out << text(actor, "path") << '\n';
  print_titled(out, "behaviour", text(actor, "behaviour") + ' ' + text(actor, "version"));
  print_titled(out, "state", state_of(actor));
  print_titled(out, "configured", text(actor, "origin"));
  print_titled(out, "dispatcher", text(actor, "dispatcher"));
  print_titled(out, "mailbox", mailbox_of(actor.at("mailbox")));
  print_titled(out, "children",
               listed(actor.at("children"), number(actor, "children_count"), [](const Json& child) {
                 return text(child, "name") + (child.value("stopping", false) ? " (stopping)" : "");
               }));
  print_strategy(out, actor.at("strategy"));
  print_titled(out, "watches", listed(actor.at("watches"), number(actor, "watches_count")));
  print_titled(out, "watched by",
               listed(actor.at("watched_by"), number(actor, "watched_by_count")));
  print_timers(out, actor);
  if (const std::uint64_t asks = number(actor, "asks"); asks != 0)
    print_titled(out, "waits for", base::counted(asks, "answer"));
  std::string takes = listed(actor.at("takes"));
  if (actor.value("takes_all", false)) takes += takes.empty() ? "all messages" : ", all others";
  print_titled(out, "takes", takes);
  print_titled(out, "and when", listed(actor.value("takes_in_other_states", Json::array())));
}

Exit inspect(const Call& call) {
  Exit exit = Exit::ok;
  const auto actor = ask_daemon(call, "actor.inspect", {{"path", call.operands.front()}},
                                inspection_shape(), exit);
  if (!actor) return exit;
  if (call.is_json()) print_json(call.out, *actor);
  else print_actor(call.out, *actor);
  return exit;
}

}  // namespace

Verb inspect_verb() {
  Verb verb{
      .group = {},
      .name = "inspect",
      .summary = "show what an actor is, has and waits for",
      .description =
          "Asks an actor of the running daemon what it is: its behaviour and state, how often\n"
          "it was restarted, the strategy for its children and where that was written, how\n"
          "many messages wait, its children, watches, timers and asks, and which messages it\n"
          "takes. The actor answers itself, between two messages, also while it is suspended\n"
          "or waits for its restart. One whose handler does not return cannot; then the exit\n"
          "status is 75.\n"
          "\n"
          "  actorctl inspect /user/crawler\n"
          "  actorctl inspect /user -o json",
      .operands = {{.name = "PATH", .takes = Takes::running}},
      .options = {},
      .run = &inspect};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
