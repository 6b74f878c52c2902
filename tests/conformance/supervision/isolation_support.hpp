// SPDX-License-Identifier: Apache-2.0
//
// Helpers for the cases about actors in host processes. The process is that of the loopback, which
// ends when a case says so; a supervisor in actord goes on.
#pragma once

#include "configured.hpp"

namespace actord::conformance {

using link::HostEnd;
using Fate = link::Loopback::Fate;

/// An actor that lives in the process of its group.
inline Node in_process(std::string name, std::string group = "vat", Nodes children = {}) {
  Node node{std::move(name), std::move(children)};
  node.group = std::move(group);
  return node;
}
/// A supervisor in actord.
inline Node in_actord(std::string name, Nodes children,
                      std::optional<actor::Strategy> strategy = {}) {
  Node node{std::move(name), std::move(children), std::move(strategy)};
  node.is_in_actord = true;
  return node;
}

inline SeededTest::Setup isolated(const Nodes& nodes,
                                  const std::function<Scripts()>& scripts = {}) {
  SeededTest::Setup setup = boot(nodes, scripts);
  setup.options.is_isolated = true;
  return setup;
}

inline HostEnd by_signal(int number, std::string name) {
  return {.kind = HostEnd::Kind::signal,
          .number = number,
          .signal = std::move(name),
          .detail = {},
          .process_id = 7};
}

inline void kill(SeededTest& test, const std::string& group = "vat",
                 const HostEnd& end = by_signal(11, "SIGSEGV")) {
  test.world.loopback()->kill({"roster", group}, end);
}
/// The process ends when the actor handles the message.
inline void queue_crash(SeededTest& test, Ref whom, std::string group = "vat") {
  test.queue(whom, [group](ScriptedActor& actor, Context&) { kill(actor.test(), group); });
}
inline void crash(SeededTest& test, Ref whom, std::string group = "vat") {
  queue_crash(test, whom, std::move(group));
  test.world.run();
}

/// Lets the process end in the call with this number from now on, counted from 1.
inline void let_end_at(SeededTest& test, int call, Fate fate) {
  test.world.loopback()->choose_fates_with(
      [call, fate]() mutable { return --call == 0 ? fate : Fate::turns; });
}

inline const actor::Strategy& restarts() {
  static const actor::Strategy strategy = always(actor::Strategy::Otherwise::restart);
  return strategy;
}
inline actor::Strategy with(actor::Strategy::Kind kind, std::int64_t max_restarts = -1) {
  actor::Strategy strategy = restarting(max_restarts);
  strategy.kind = kind;
  return strategy;
}

/// One actor in a process, below a supervisor in actord that decides by `verdict`.
inline SeededTest::Setup one(
    actor::Strategy::Otherwise verdict = actor::Strategy::Otherwise::restart) {
  return isolated({in_actord("boss", {in_process("child")}, always(verdict))});
}
inline Ref child_of(SeededTest& test) { return test.find("/user/boss/child"); }

inline constexpr std::string_view lost_and_restarted =
    "new 0, pre_start 0, new 1, post_restart 1, pre_start 1";

}  // namespace actord::conformance
