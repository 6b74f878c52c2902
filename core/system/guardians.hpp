// SPDX-License-Identifier: Apache-2.0
//
// The guardians at the top of the tree. The root stops a guardian that fails, and the system with
// it (supervision.md 100). A shutdown stops /user first, then /system, then / (supervision.md 101).
#pragma once

#include <actord/actord.hpp>

#include <algorithm>

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

/// /system. When the user actors are gone, it first waits for the actors that registered a
/// termination hook (supervision.md 101). Then it stops its children, /system/log as the last one
/// (supervision.md 102), and itself.
class SystemGuardian : public Guardian {
 public:
  static constexpr std::string_view doc = "The guardian of the runtime's own actors.";

  void add_hook(Context& ctx, const RegisterTerminationHook& /*request*/) {
    const Ref party = party_of(ctx);
    if (is_stopping_ || !party) return;
    ctx.watch(party);
    if (std::ranges::find(awaited_, party) == awaited_.end()) awaited_.push_back(party);
  }
  void user_stopped(Context& ctx, const detail::UserStopped& /*notice*/) {
    if (ctx.sender() != ctx.parent()) return;
    is_stopping_ = true;
    for (const Ref each : awaited_) ctx.tell(each, TerminationHook{});
    if (awaited_.empty()) stop_children(ctx);
  }
  void child_terminated(Context& ctx, Ref /*child*/) override {
    if (is_stopping_ && awaited_.empty()) stop_children(ctx);
  }
  void hook_done(Context& ctx, const TerminationHookDone& /*notice*/) {
    release(ctx, party_of(ctx));
  }
  void hook_ended(Context& ctx, const Terminated& notice) { release(ctx, notice.who); }

  using Receive = Handlers<&SystemGuardian::add_hook, &SystemGuardian::user_stopped,
                           &SystemGuardian::hook_done, &SystemGuardian::hook_ended>;

 private:
  // The actor that registers or reports. It may have asked, to know that the message was handled.
  static Ref party_of(Context& ctx) { return ctx.asker() ? ctx.asker() : ctx.sender(); }
  // The shutdown no longer waits for `who`.
  void release(Context& ctx, Ref who) {
    ctx.unwatch(who);
    std::erase(awaited_, who);
    if (is_stopping_ && awaited_.empty()) stop_children(ctx);
  }
  // Stops all children but the log, then this actor with the log.
  static void stop_children(Context& ctx) {
    const std::optional<Child> log = ctx.child("log");
    bool waits = false;
    for (const Child& child : ctx.all_children()) {
      if (log && child.ref == log->ref) continue;
      if (!child.is_stopping) ctx.stop(child.ref);
      waits = true;
    }
    if (!waits) ctx.stop_self();
  }

  std::vector<Ref> awaited_;
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
