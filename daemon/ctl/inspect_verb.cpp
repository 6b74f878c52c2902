// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "base/counted.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
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
  static const AnswerShape routee = {
      {"path", Form::text, {}, true}, {"idle", Form::flag, {}, true}, {"waiting", Form::number}};
  static const AnswerShape shape = {{"path", Form::text, {}, true},
                                    {"behaviour", Form::text, {}, true},
                                    {"version"},
                                    {"state", Form::text, {}, true},
                                    {"named_state"},
                                    {"restarts", Form::number, {}, true},
                                    {"held", Form::flag},
                                    {"restart_in_ms", Form::number},
                                    {"origin"},
                                    {"dispatcher"},
                                    {"process", Form::number},
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
                                     {{"messages", Form::number, {}, true},
                                      {"stashed", Form::number, {}, true},
                                      {"most"},
                                      {"capacity", Form::number},
                                      {"overflow"},
                                      {"overflows", Form::number},
                                      {"order"}},
                                     true},
                                    {"router",
                                     Form::object,
                                     {{"logic", Form::text, {}, true},
                                      {"routees", Form::objects, routee, true},
                                      {"routees_count", Form::number, {}, true}}},
                                    {"persistence",
                                     Form::object,
                                     {{"id", Form::text, {}, true},
                                      {"events", Form::number, {}, true},
                                      {"snapshot", Form::number, {}, true},
                                      {"unstored", Form::number, {}, true},
                                      {"recovering", Form::flag, {}, true}}},
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
  std::string state = text_at(actor, "state");
  if (const std::string named = text_at(actor, "named_state"); !named.empty())
    state += " (" + named + ')';
  if (actor.value("held", false)) state += ", by an operator";
  if (actor.contains("restart_in_ms"))
    state += ", restarts in " + duration_at(actor, "restart_in_ms");
  const std::uint64_t restarts = number_at(actor, "restarts");
  return restarts == 0 ? state : state + "; " + base::counted(restarts, "restart") + " so far";
}

void print_strategy(std::ostream& out, const Json& strategy) {
  const std::string origin = text_at(strategy, "origin");
  std::string line = text_at(strategy, "type");
  const std::string max = text_at(strategy, "max-restarts"), within = text_at(strategy, "within");
  if (!max.empty() && max != "unlimited") line += ", at most " + max + " restarts";
  if (!within.empty() && within != "infinite") line += " within " + within;
  print_titled(out, "strategy",
               line + "  (" + (origin.empty() ? text_at(strategy, "name") : origin) + ')');
  for (const Json& rule : strategy.value("decider", Json::array()))
    print_titled(out, "", text_at(rule, "type") + " -> " + text_at(rule, "directive"));
  if (const std::string otherwise = text_at(strategy, "otherwise"); !otherwise.empty())
    print_titled(out, "", "all others -> " + otherwise);
}

std::string mailbox_of(const Json& mailbox) {
  const std::uint64_t waiting = number_at(mailbox, "messages"),
                      stashed = number_at(mailbox, "stashed");
  std::string line = mailbox.value("has_more", false) ? "more than " : "";
  line += base::counted(waiting, "message");
  if (const std::string most = text_at(mailbox, "most"); !most.empty())
    line += ", most of them " + most;
  return stashed == 0 ? line : line + "; " + std::to_string(stashed) + " stashed";
}

/// The limit of the mailbox, and what came of it; "" if there is none.
std::string limit_of(const Json& mailbox) {
  if (!mailbox.contains("capacity")) return {};
  const std::string line = base::counted(number_at(mailbox, "capacity"), "message") + ", then " +
                           text_at(mailbox, "overflow");
  const std::uint64_t overflows = number_at(mailbox, "overflows");
  return overflows == 0 ? line : line + "; " + std::to_string(overflows) + " came on top so far";
}

void print_router(std::ostream& out, const Json& router) {
  const std::uint64_t count = number_at(router, "routees_count");
  print_titled(out, "router", text_at(router, "logic") + ", " + base::counted(count, "routee"));
  for (const Json& routee : router.at("routees")) {
    std::string line = text_at(routee, "path");
    if (routee.value("idle", false)) line += "  idle";
    else if (!routee.contains("waiting")) line += "  busy";
    else line += "  busy, " + std::to_string(number_at(routee, "waiting")) + " waiting";
    print_titled(out, "", line);
  }
  const std::uint64_t shown = router.at("routees").size();
  if (count > shown) print_titled(out, "", "and " + std::to_string(count - shown) + " more");
}

void print_persistence(std::ostream& out, const Json& of) {
  std::string line =
      '"' + text_at(of, "id") + "\", " + base::counted(number_at(of, "events"), "event");
  if (const std::uint64_t to = number_at(of, "snapshot"); to != 0)
    line += ", the first " + std::to_string(to) + " in a snapshot";
  if (const std::uint64_t n = number_at(of, "unstored"); n != 0)
    line += ", " + std::to_string(n) + " more being stored";
  if (of.value("recovering", false)) line += ", recovering";
  print_titled(out, "stored as", line);
}

void print_timers(std::ostream& out, const Json& actor) {
  bool is_first = true;
  for (const Json& timer : actor.at("timers")) {
    const std::uint64_t period = number_at(timer, "every_ms");
    print_titled(out, std::exchange(is_first, false) ? "timers" : "",
                 text_at(timer, "key") + ": " + text_at(timer, "type") + " in " +
                     duration_at(timer, "in_ms") +
                     (period == 0 ? std::string{} : ", every " + duration_at(timer, "every_ms")));
  }
  const std::uint64_t count = number_at(actor, "timers_count"), shown = actor.at("timers").size();
  if (count > shown) print_titled(out, "", "and " + std::to_string(count - shown) + " more");
  if (actor.contains("receive_timeout_ms"))
    print_titled(out, "silence",
                 "ReceiveTimeout after " + duration_at(actor, "receive_timeout_ms"));
}

void print_actor(std::ostream& out, const Json& actor) {
  out << text_at(actor, "path") << '\n';
  print_titled(out, "behaviour", text_at(actor, "behaviour") + ' ' + text_at(actor, "version"));
  print_titled(out, "state", state_of(actor));
  print_titled(out, "configured", text_at(actor, "origin"));
  print_titled(out, "dispatcher", text_at(actor, "dispatcher"));
  if (actor.contains("process"))
    print_titled(out, "process", std::to_string(number_at(actor, "process")));
  const Json& mailbox = actor.at("mailbox");
  print_titled(out, "mailbox", mailbox_of(mailbox));
  print_titled(out, "limit", limit_of(mailbox));
  print_titled(out, "order", text_at(mailbox, "order"));
  print_titled(
      out, "children",
      listed(actor.at("children"), number_at(actor, "children_count"), [](const Json& child) {
        return text_at(child, "name") + (child.value("stopping", false) ? " (stopping)" : "");
      }));
  if (actor.contains("router")) print_router(out, actor.at("router"));
  if (actor.contains("persistence")) print_persistence(out, actor.at("persistence"));
  print_strategy(out, actor.at("strategy"));
  print_titled(out, "watches", listed(actor.at("watches"), number_at(actor, "watches_count")));
  print_titled(out, "watched by",
               listed(actor.at("watched_by"), number_at(actor, "watched_by_count")));
  print_timers(out, actor);
  if (const std::uint64_t asks = number_at(actor, "asks"); asks != 0)
    print_titled(out, "waits for", base::counted(asks, "answer"));
  std::string takes = listed(actor.at("takes"));
  if (actor.value("takes_all", false)) takes += takes.empty() ? "all messages" : ", all others";
  print_titled(out, "takes", takes);
  print_titled(out, "and when", listed(actor.value("takes_in_other_states", Json::array())));
}

/// The messages that it takes in any of its states.
void print_types(std::ostream& out, const Json& actor) {
  for (const char* list : {"takes", "takes_in_other_states"}) {
    for (const Json& type : actor.value(list, Json::array()))
      out << type.get<std::string>() << '\n';
  }
}

Exit inspect(const Call& call) {
  Exit exit = Exit::ok;
  const auto actor = ask_daemon(call, "actor.inspect", {{"path", call.operands.front()}},
                                inspection_shape(), exit);
  if (!actor) return exit;
  if (call.is_json()) print_json(call.out, *actor);
  else if (call.is_names()) print_types(call.out, *actor);
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
          "status is 75. With -o name it lists the types of the messages only.\n"
          "\n"
          "  actorctl inspect /user/crawler\n"
          "  actorctl inspect /user -o json",
      .operands = {{.name = "PATH", .takes = Takes::running}},
      .options = {},
      .run = &inspect};
  return with_names(with_daemon_options(std::move(verb)));
}

}  // namespace actord::ctl
