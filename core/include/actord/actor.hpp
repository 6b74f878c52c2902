// SPDX-License-Identifier: Apache-2.0
//
// The class from which the behaviours of a plugin derive.
#pragma once

#include <actord/context.hpp>

namespace actord {

/// The author's half of an actor. It must be the first base of the class that derives from it.
///
/// A class declares, all public, and all optional but Receive:
///   using Receive = actord::Handlers<…>;            its handlers
///   using States = actord::States<…>;               further states for become()
///   using Config = …;                               a struct with ACTORD_FIELDS
///   explicit C(Context&, const Config&);            either parameter may be left out
///   static actord::Strategy supervision();          the strategy applied to its children
///   static Strategy strategy_of(args…);             the same, from the arguments of spawn()
///   static constexpr std::string_view doc;          a description, for people
///   static constexpr std::string_view name;         instead of the name of the class
///   static constexpr std::int64_t stash_capacity;   limit in messages; see Context::stash()
///   static constexpr bool starts_own_children;      see Context::spawn_configured()
///
/// Threads: the system makes one call at a time, not always on the same thread. No call may block
/// outside a blocking dispatcher.
///
/// Errors: an exception that leaves the constructor, a handler or a hook makes the actor fail, and
/// its supervisor decides. post_stop, pre_restart and log_failure are exceptions to that: what they
/// throw is logged only (supervision.md, section 1 C).
class Actor {
 public:
  Actor() = default;
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;
  virtual ~Actor() = default;

  /// Called once for an actor, before its first message.
  virtual void pre_start(Context& /*ctx*/) {}
  /// Called after the last message, when all children have stopped.
  virtual void post_stop(Context& /*ctx*/) {}
  /// Called on the old instance before it is destroyed; ctx.message_as<M>() is the message on which
  /// it failed, if it failed on one. The default stops all children, then calls post_stop. An
  /// override that does not stop them keeps the children alive (supervision.md 23, 33).
  virtual void pre_restart(Context& ctx, const Failure& /*reason*/) {
    ctx.stop_children();
    post_stop(ctx);
  }
  /// Called on the new instance instead of pre_start. The default calls pre_start.
  virtual void post_restart(Context& ctx, const Failure& /*reason*/) { pre_start(ctx); }

  /// Asked for a directive when the child ctx.sender() has failed, before the rules of
  /// supervision(). Directive::undecided leaves the decision to the rules. A strategy from the
  /// configuration asks it only with `decider.default = code`, after its rules (supervision.md 8).
  virtual Directive decide(Context& /*ctx*/, const Failure& /*failure*/) {
    return Directive::undecided;
  }
  /// Called last, with every strategy: `verdict` is the directive of decide() or of the rules, and
  /// the directive that is returned is applied. Directive::undecided counts as escalate.
  virtual Directive review(Context& /*ctx*/, const Failure& /*failure*/, Directive verdict) {
    return verdict;
  }
  /// An override replaces the log line actor.failed, also with a strategy that does not log. It is
  /// not called for Directive::escalate (supervision.md 179e), nor for a failure that the log only
  /// counts, since there are too many of its kind (section 4, Storms).
  virtual void log_failure(Context& /*ctx*/, const Failure& /*failure*/, Directive /*directive*/) {}
  /// Called when a child has stopped, watched or not. Its name is free (supervision.md 62, 126).
  virtual void child_terminated(Context& /*ctx*/, Ref /*child*/) {}
};

}  // namespace actord
