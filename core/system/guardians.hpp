// SPDX-License-Identifier: Apache-2.0
//
// The guardians at the top of the tree. The root stops a guardian that fails, and the system with
// it (supervision.md 100). A shutdown stops /user first, then /system, then / (supervision.md 101).
#pragma once

#include <actord/actord.hpp>

#include <algorithm>

#include "system/shutdown_actor.hpp"

namespace actord::system {

class Root : public Actor {
 public:
  static constexpr std::string_view doc = "The root guardian.";
  static Strategy supervision() { return one_for_one().otherwise(Directive::stop); }

  void child_terminated(Context& ctx, Ref child) override {
    if (ctx.path(child) != "/user") return ctx.stop_self();
    for (const Ref other : ctx.children()) ctx.tell(other, detail::UserStopped{});
    if (ctx.children().empty()) ctx.stop_self();
  }

  using Receive = Handlers<>;
};

/// /user. It understands no message; what is sent to it is unhandled (supervision.md 105).
class Guardian : public Actor {
 public:
  static constexpr std::string_view doc = "A top-level guardian.";
  void pre_restart(Context&, const Failure&) override {
  }  // its children are kept (supervision.md 103)

  using Receive = Handlers<>;
};

/// /system. When the user actors are gone, it first waits until its children have handled what was
/// sent to them, and until those that registered a termination hook are done (supervision.md 101).
/// Then it stops its children, /system/log as the last one (supervision.md 102), and itself.
class SystemGuardian : public Guardian {
 public:
  static constexpr std::string_view doc = "The guardian of the runtime's own actors.";

  void add_hook(Context& ctx, const RegisterTerminationHook& /*request*/) {
    const Ref party = party_of(ctx);
    const bool is_late = is_stopping_ && std::ranges::find(asked_, party) == asked_.end();
    if (is_late || !party || std::ranges::find(awaited_, party) != awaited_.end()) return;
    ctx.watch(party);
    awaited_.push_back(party);
    if (is_stopping_) ctx.tell(party, TerminationHook{});
  }
  void user_stopped(Context& ctx, const detail::UserStopped& /*notice*/) {
    if (ctx.sender() != ctx.parent()) return;
    is_stopping_ = true;
    for (const Ref each : awaited_) ctx.tell(each, TerminationHook{});
    // A child that is still being created may yet register a hook. Its answer comes after that.
    for (const Ref child : ctx.children()) {
      if (is_log(ctx, child)) continue;
      asked_.push_back(child);
      ctx.tell(child, Identify{});
    }
    go_on(ctx);
  }
  void answered(Context& ctx, const ActorIdentity& /*answer*/) {
    std::erase(asked_, ctx.sender());
    go_on(ctx);
  }
  void child_terminated(Context& ctx, Ref child) override {
    std::erase(asked_, child);
    std::erase(awaited_, child);
    go_on(ctx);
  }
  /// A hook that fails is not waited for.
  Directive review(Context& /*ctx*/, const Failure& /*failure*/, Directive verdict) override {
    return is_stopping_ ? Directive::stop : verdict;
  }
  void hook_done(Context& ctx, const TerminationHookDone& /*notice*/) {
    release(ctx, party_of(ctx));
  }
  void hook_ended(Context& ctx, const Terminated& notice) { release(ctx, notice.who); }

  void add_shutdown_task(Context& ctx, const detail::AddShutdownTask& /*request*/) {
    if (is_stopping_) ctx.reply_failure("the system is shutting down");
    else pass_to_shutdown(ctx);
  }
  void run_shutdown(Context& ctx, const detail::RunShutdown& /*order*/) {
    if (!is_stopping_) pass_to_shutdown(ctx);
  }

  using Receive =
      Handlers<&SystemGuardian::add_hook, &SystemGuardian::user_stopped, &SystemGuardian::hook_done,
               &SystemGuardian::hook_ended, &SystemGuardian::answered,
               &SystemGuardian::add_shutdown_task, &SystemGuardian::run_shutdown>;

 private:
  // The actor that registers or reports. It may have asked, to know that the message was handled.
  static Ref party_of(Context& ctx) { return ctx.asker() ? ctx.asker() : ctx.sender(); }
  // The shutdown no longer waits for `who`.
  void release(Context& ctx, Ref who) {
    ctx.unwatch(who);
    std::erase(awaited_, who);
    go_on(ctx);
  }
  static bool is_log(Context& ctx, Ref child) {
    const std::optional<Child> log = ctx.child("log");
    return log && log->ref == child;
  }
  // When nothing is awaited any more, stops all children but the log, then this actor with the log.
  void go_on(Context& ctx) {
    if (!is_stopping_ || !asked_.empty() || !awaited_.empty()) return;
    bool waits = false;
    for (const Child& child : ctx.all_children()) {
      if (is_log(ctx, child.ref)) continue;
      if (!child.is_stopping) ctx.stop(child.ref);
      waits = true;
    }
    if (!waits) ctx.stop_self();
  }

  std::vector<Ref> asked_;    // children that have not answered yet
  std::vector<Ref> awaited_;  // actors whose hooks are not done
  bool is_stopping_ = false;
};

/// The behaviour of a configured node without a behaviour: it only has a strategy and configured
/// children.
class Supervisor : public Actor {
 public:
  static constexpr std::string_view doc = "Supervises its configured children.";

  using Receive = Handlers<>;
};

}  // namespace actord::system
