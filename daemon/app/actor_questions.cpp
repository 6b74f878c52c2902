// SPDX-License-Identifier: Apache-2.0
#include "app/actor_questions.hpp"

#include <algorithm>
#include <vector>

#include "app/message_json.hpp"
#include "base/duration_text.hpp"
#include "config/json_forms.hpp"
#include "settings/findings.hpp"
#include "settings/strategy_text.hpp"
#include "system/actor_system.hpp"
#include "system/outside_ask.hpp"

namespace actord::app {

using actor::Inspection;
using actor::Ref;
using Outcome = ActorQuestions::Outcome;
using wire::Json;

namespace {

constexpr std::size_t suggestions_max = 1000, tree_max = 1000;
constexpr std::chrono::nanoseconds soonest = std::chrono::milliseconds{1};

// The actor has answered, with a failure.
constexpr int answered_badly = 1;

/// Messages that every actor takes because the system handles them.
bool is_for_all(std::string_view type) {
  constexpr std::string_view all[] = {"actord.PoisonPill/1", "actord.Kill/1", "actord.Identify/1"};
  return std::ranges::find(all, type) != std::end(all);
}

bool may_take(const Inspection& of, const std::string& type) {
  const auto has = [&](const std::vector<std::string>& names) {
    return std::ranges::find(names, type) != names.end();
  };
  return of.takes_all || has(of.takes) || has(of.takes_later) || is_for_all(type);
}

std::vector<std::string_view> types_of(const Inspection& of) {
  std::vector<std::string_view> types(of.takes.begin(), of.takes.end());
  types.insert(types.end(), of.takes_later.begin(), of.takes_later.end());
  return types;
}

Json strategy_json(const actor::Strategy& strategy) {
  Json json = {{"name", strategy.name}};
  if (!strategy.origin.empty()) json["origin"] = strategy.origin;
  constexpr std::string_view keys[] = {"type", "max-restarts", "within"};
  for (const std::string_view key : keys) {
    const std::string words[] = {std::string{key}};
    if (const auto value = settings::value_text(strategy, words)) json[std::string{key}] = *value;
  }
  Json& decider = json["decider"] = Json::array();
  for (const actor::Rule& rule : strategy.rules) {
    Json entry = {{"type", rule.type}, {"directive", name_of(rule.directive)}};
    if (!rule.origin.empty()) entry["origin"] = rule.origin;
    decider.push_back(std::move(entry));
  }
  const std::string otherwise[] = {"decider", "default"};
  if (const auto value = settings::value_text(strategy, otherwise)) json["otherwise"] = *value;
  return json;
}

std::string text_of(const actord_failure& failure) {
  std::string text{message::view(failure.what)};
  if (failure.n_types != 0) text.append(" (").append(message::view(failure.types[0])).append(")");
  return text;
}

}  // namespace

Outcome ActorQuestions::refused(std::string reason, const std::string& help) {
  Outcome outcome{static_cast<int>(config::ExitCode::command_line), std::move(reason)};
  if (!help.empty()) outcome.result["help"] = help;
  return outcome;
}

Outcome ActorQuestions::no_room(Ref whom) const {
  if (actors_.refuses(whom))
    return {busy, "the mailbox of " + actors_.path(whom) + " is full, and fails its senders"};
  return {busy,
          "messages take up all of actord.actor.message-memory-max: none is accepted from outside"};
}

/// What an inspection and its time limit share; the first of them ends it.
struct ActorQuestions::Question {
  Question(os::EventLoop& loop, Inspected then_) : deadline(loop), then(std::move(then_)) {}
  void end(Inspection::Outcome outcome, bool is_in_time) {
    const Inspected told = std::exchange(then, nullptr);
    if (!told) return;
    deadline.cancel();
    told(outcome, is_in_time, *inspection);
  }

  os::Timer deadline;
  Inspected then;
  InspectionPtr inspection;
};

Ref ActorQuestions::find(const std::string& path, const Done& done) const {
  if (const Ref found = actors_.find(path); actor::index_of(found) != 0) return found;
  if (!path.starts_with('/')) {
    const std::string_view above = path.starts_with("user/") ? "/" : "/user/";
    done(refused("the path of an actor begins with /", "write " + std::string{above} + path));
    return actor::nobody;
  }
  const std::string above = path.substr(0, path.rfind('/'));
  if (path.find("/$") != path.npos) {
    done(refused("there is no way to an actor without a name of its own: " + path,
                 "its parent has it in its list: actorctl inspect " + above));
    return actor::nobody;
  }
  std::vector<std::string> paths;
  for (const Ref each : actors_.select(above + "/*")) {
    if (paths.size() == suggestions_max) break;
    paths.push_back(actors_.path(each));
  }
  const std::vector<std::string_view> known(paths.begin(), paths.end());
  done(refused("there is no actor " + path,
               known.empty() ? "actorctl inspect /user lists the children of /user"
                             : settings::suggestion_for(path, known, "actors there: ")));
  return actor::nobody;
}

void ActorQuestions::look_at(Ref whom, std::chrono::nanoseconds at_most, Inspected then) {
  const auto question = std::make_shared<Question>(loop_, std::move(then));
  // The timer keeps the question alive, and the question its inspection.
  const std::weak_ptr<Question> asked = question;
  question->inspection = InspectionPtr(new Inspection([&loop = loop_, asked](auto outcome) {
    os::post(loop, [asked, outcome] {
      if (const auto pending = asked.lock()) pending->end(outcome, true);
    });
  }));
  question->deadline.start(at_most,
                           [question] { question->end(Inspection::Outcome::answered, false); });
  actors_.inspect(whom, question->inspection);
}

// ---- inspect ------------------------------------------------------------------------------------

void ActorQuestions::inspect(const std::string& path, const Done& done) {
  const Ref whom = find(path, done);
  if (whom == actor::nobody) return;
  look_at(whom, patience,
          [this, path, done](Inspection::Outcome outcome, bool is_in_time, const Inspection& of) {
            if (!is_in_time) {
              Outcome late{busy,
                           path + " has not answered within " +
                               base::duration_text(std::chrono::nanoseconds{patience}.count())};
              late.result["help"] =
                  "its handler has not returned, or it waits for a thread; actor.stuck in "
                  "the log has the stack of such a handler";
              return done(late);
            }
            switch (outcome) {
              case Inspection::Outcome::answered: return done({0, {}, json_of(path, of)});
              case Inspection::Outcome::gone: return done(refused(path + " has just stopped"));
              case Inspection::Outcome::no_memory: break;
            }
            done({busy, "there is no memory for the answer of " + path});
          });
}

Json ActorQuestions::router_json(const actor::InspectedRouter& of) const {
  Json routees = Json::array();
  for (const actor::Routes::Load& each : of.routees) {
    Json routee = {{"path", actors_.path(each.routee)}, {"idle", each.is_idle}};
    if (each.waiting >= 0) routee["waiting"] = each.waiting;
    routees.push_back(std::move(routee));
  }
  return {{"logic", actor::name_of(of.logic)},
          {"routees", std::move(routees)},
          {"routees_count", of.n_routees}};
}

Json ActorQuestions::json_of(const std::string& path, const Inspection& of) const {
  const std::int64_t now = actors_.now_ns();
  const auto ms_until = [&](std::int64_t ns) {
    return std::max<std::int64_t>(ns - now, 0) / 1'000'000;
  };
  const auto paths_of = [&](const std::vector<Ref>& refs) {
    std::vector<std::string> paths;
    for (const Ref each : refs) paths.push_back(actors_.path(each));
    std::ranges::sort(paths);
    return paths;
  };
  Json json = {{"path", path},
               {"behaviour", of.behaviour},
               {"version", of.plugin_version},
               {"state", of.state},
               {"restarts", of.incarnation}};
  if (of.is_held) json["held"] = true;
  if (of.restart_due_ns != 0) json["restart_in_ms"] = ms_until(of.restart_due_ns);
  if (!of.origin.empty()) json["origin"] = of.origin;
  const auto dispatchers = actors_.look().dispatchers;
  if (of.dispatcher < dispatchers.size()) json["dispatcher"] = dispatchers[of.dispatcher].name;
  if (of.process_id != 0) json["process"] = of.process_id;
  json["strategy"] = strategy_json(of.strategy);
  json["mailbox"] = {{"messages", of.mailbox.messages}, {"stashed", of.mailbox.stashed}};
  if (of.mailbox.has_more) json["mailbox"]["has_more"] = true;
  if (of.mailbox.most != 0) json["mailbox"]["most"] = actors_.types.name(of.mailbox.most);
  if (of.mailbox.capacity != 0) {
    json["mailbox"]["capacity"] = of.mailbox.capacity;
    json["mailbox"]["overflow"] = actor::name_of(of.mailbox.overflow);
    json["mailbox"]["overflows"] = of.mailbox.overflows;
  }
  if (!of.mailbox.order.empty()) json["mailbox"]["order"] = of.mailbox.order;
  if (of.router) json["router"] = router_json(*of.router);
  if (of.persistence)
    json["persistence"] = {{"id", of.persistence->id},
                           {"events", of.persistence->state.sequence},
                           {"snapshot", of.persistence->state.snapshot},
                           {"unstored", of.persistence->state.unconfirmed},
                           {"recovering", of.persistence->state.is_recovering != 0}};
  Json& children = json["children"] = Json::array();
  for (const Inspection::Child& child : of.children) {
    Json entry = {{"name", child.name}};
    if (child.is_stopping) entry["stopping"] = true;
    children.push_back(std::move(entry));
  }
  json["children_count"] = of.n_children;
  json["watched_by"] = paths_of(of.watchers);
  json["watched_by_count"] = of.n_watchers;
  json["watches"] = paths_of(of.watched);
  json["watches_count"] = of.n_watched;
  Json& timers = json["timers"] = Json::array();
  for (const Inspection::Timer& timer : of.timers) {
    timers.push_back({{"key", timer.key},
                      {"type", actors_.types.name(timer.type)},
                      {"in_ms", ms_until(timer.due_ns)},
                      {"every_ms", timer.period_ns / 1'000'000}});
  }
  json["timers_count"] = of.n_timers;
  if (of.receive_timeout_ns != 0) json["receive_timeout_ms"] = of.receive_timeout_ns / 1'000'000;
  json["asks"] = of.asks;
  if (!of.named_state.empty()) json["named_state"] = of.named_state;
  json["takes"] = of.takes;
  if (!of.takes_later.empty()) json["takes_in_other_states"] = of.takes_later;
  if (of.takes_all) json["takes_all"] = true;
  return json;
}

// ---- tree ---------------------------------------------------------------------------------------

/// A tree that is being looked at. A node does not move once its children are there.
struct ActorQuestions::Tree {
  Json root;
  Done done;
  std::size_t awaited = 0, looked_at = 0;
};

void ActorQuestions::tree(const std::string& path, unsigned levels, const Done& done) {
  const Ref whom = find(path, done);
  if (whom == actor::nobody) return;
  const auto tree = std::make_shared<Tree>();
  tree->done = done;
  tree->root = {{"name", path}};
  fill(tree, whom, tree->root, levels);
}

void ActorQuestions::fill(const std::shared_ptr<Tree>& tree, Ref whom, Json& node,
                          unsigned levels) {
  ++tree->awaited;
  ++tree->looked_at;
  look_at(whom, patience,
          [this, tree, &node, levels](Inspection::Outcome outcome, bool is_in_time,
                                      const Inspection& of) {
            const bool has_answer = is_in_time && outcome == Inspection::Outcome::answered;
            if (!has_answer) {
              node["state"] = is_in_time ? "stopped" : "no answer";
            } else {
              node["behaviour"] = of.behaviour;
              node["state"] = of.state;
              node["restarts"] = of.incarnation;
              node["messages"] = of.mailbox.messages;
              node["children_count"] = of.n_children;
              if (levels != 0 && !of.children.empty()) fill_children(tree, of, node, levels - 1);
            }
            if (--tree->awaited == 0) tree->done({0, {}, std::move(tree->root)});
          });
}

void ActorQuestions::fill_children(const std::shared_ptr<Tree>& tree, const Inspection& of,
                                   Json& node, unsigned levels) {
  Json& children = node["children"] = Json::array();
  const std::size_t room = tree_max - std::min(tree_max, tree->looked_at);
  const std::size_t n = std::min(room, of.children.size());
  for (std::size_t i = 0; i < n; ++i) children.push_back({{"name", of.children[i].name}});
  for (std::size_t i = 0; i < n; ++i) fill(tree, of.children[i].ref, children[i], levels);
}

// ---- messages -----------------------------------------------------------------------------------

void ActorQuestions::find_taker(const std::string& path, const std::string& type,
                                std::chrono::nanoseconds at_most, const Done& done, Taker then) {
  const Ref whom = find(path, done);
  if (whom == actor::nobody) return;
  look_at(whom, at_most,
          [this, path, type, done, whom, then = std::move(then)](
              Inspection::Outcome outcome, bool is_in_time, const Inspection& of) {
            if (is_in_time && outcome == Inspection::Outcome::gone)
              return done(refused(path + " has just stopped"));
            const bool is_known = is_in_time && outcome == Inspection::Outcome::answered;
            const message::TypeId id = actors_.types.find(type);
            if (id != 0 && (!is_known || may_take(of, type))) return then(whom, id);
            const std::string why =
                id == 0 ? "no plugin has a message " + type : path + " takes no " + type;
            if (!is_known) return done(refused(why));
            const std::vector<std::string_view> types = types_of(of);
            done(refused(why, types.empty() ? "it takes no message at all"
                                            : settings::suggestion_for(type, types, "it takes ")));
          });
}

void ActorQuestions::prepare(const std::string& path, const Message& message,
                             std::chrono::nanoseconds at_most, const Done& done,
                             std::function<void(const Prepared&)> send) {
  std::optional<message::TraceContext> trace;
  if (!message.traceparent.empty()) {
    const auto read = message::read_traceparent(message.traceparent);
    if (!read)
      return done(refused("\"" + message.traceparent + "\" is no W3C traceparent",
                          "write 00-, 32 digits, -, 16 digits, -01; the digits are hexadecimal, in "
                          "lower case and not all 0"));
    if (read->is_recorded) {
      if (!actors_.tracing.is_enabled.load(base::relaxed))
        return done(refused("the configuration has switched traces off: actord.tracing.enabled"));
      trace = read->context;
    }
  }
  find_taker(path, message.type, at_most, done,
             [this, json = message.json, trace, done, send = std::move(send)](Ref whom,
                                                                              message::TypeId id) {
               const auto read =
                   read_message(id, actors_.types.at(id), json,
                                [this](std::string_view at) { return actors_.find(at); });
               if (read) return send({whom, **read, trace});
               Outcome unread = refused(read.error().what);
               if (!read.error().findings.empty())
                 unread.result["findings"] = config::json_of(read.error().findings);
               done(unread);
             });
}

void ActorQuestions::tell(const std::string& path, const Message& message, const Done& done) {
  prepare(path, message, patience, done, [this, path, done](const Prepared& prepared) {
    const auto& [to, read, trace] = prepared;
    if (actors_.try_tell(to, read.id(), read.content(), actor::nobody, trace ? &*trace : nullptr))
      return done({0, {}, {{"path", path}, {"outcome", "sent"}}});
    done(no_room(to));
  });
}

void ActorQuestions::ask(const std::string& path, const Message& message,
                         std::chrono::nanoseconds timeout, const Done& done) {
  // The time in which the actor says what it takes is part of the whole.
  const auto until = std::chrono::steady_clock::now() + timeout;
  prepare(path, message, std::min<std::chrono::nanoseconds>(patience, timeout / 2), done,
          [this, path, until, done](const Prepared& prepared) {
            const auto& [to, read, trace] = prepared;
            // In whole milliseconds, since a failure tells how long that was.
            const std::chrono::nanoseconds left = std::chrono::ceil<std::chrono::milliseconds>(
                until - std::chrono::steady_clock::now());
            // The answer is lent to the worker that brings it, so it becomes JSON there.
            auto on_answer = [this, path, done](const system::OutsideAsk::Answer& answer) {
              Outcome outcome{busy, "actord is stopping"};
              if (answer.failure != nullptr) {
                outcome = {answered_badly, path + " has not answered: " + text_of(*answer.failure)};
              } else if (answer.message != nullptr) {
                auto json = app::json_of(*answer.type, answer.message,
                                         [this](actord_ref ref) { return actors_.path(ref); });
                outcome = json ? Outcome{0,
                                         {},
                                         {{"path", path},
                                          {"type", message::view(answer.type->table->name)},
                                          {"message", *std::move(json)}}}
                               : Outcome{answered_badly, json.error().what};
              }
              os::post(loop_, [done, outcome] { done(outcome); });
            };
            actors_.ask(std::make_shared<system::OutsideAsk>(
                actord::Ref{to}, read.id(), read.type(), read.content(), std::max(left, soonest),
                trace, std::move(on_answer)));
          });
}

}  // namespace actord::app
