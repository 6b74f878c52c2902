// SPDX-License-Identifier: Apache-2.0
//
// What an author derives from.
#pragma once

#include <actord/context.hpp>

namespace actord {

/// The user's half of an actor. Must be the first base of the class that derives from it.
///
/// A class declares, all public:
///   using Receive = actord::Handlers<…>;              what it understands
///   using States = actord::States<…>;                 what become() may switch to (optional)
///   using Config = …;                                 a described struct (optional)
///   explicit C(Context&, const Config&);              or without either parameter
///   static actord::Strategy supervision();            how it judges its children (optional)
///   static Strategy strategy_of(args…);               the same, depending on spawn's arguments
///                                                     (optional)
///   static constexpr std::string_view doc, name;      for people; name instead of the class's
///                                                     (optional)
///   static constexpr std::int64_t stash_capacity;     beyond it stash() throws StashOverflow
///                                                     (optional)
///
/// Threads: one call at a time, not always on the same thread. Never blocks outside a blocking
/// dispatcher. What a hook or handler throws is the actor's failure, judged by its parent.
class Actor {
 public:
  Actor() = default;
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;
  virtual ~Actor() = default;

  /// Before the first message.
  virtual void pre_start(Context& /*ctx*/) {}
  /// After the last message; children are gone.
  virtual void post_stop(Context& /*ctx*/) {}
  /// On the old instance, before it is destroyed; ctx.message_as<M>() is the message that failed.
  /// The default stops all children, then calls post_stop. An override that does not lets children
  /// live.
  virtual void pre_restart(Context& ctx, const Failure& /*reason*/) {
    ctx.stop_children();
    post_stop(ctx);
  }
  /// On the new instance, instead of pre_start; calls it by default.
  virtual void post_restart(Context& ctx, const Failure& /*reason*/) { pre_start(ctx); }

  /// A child failed (ctx.sender()); asked before the rules of supervision().
  virtual Directive decide(Context& /*ctx*/, const Failure& /*failure*/) {
    return Directive::undecided;
  }
  /// Asked last: `verdict` is what decide() and the rules say, and what this answers holds.
  virtual Directive review(Context& /*ctx*/, const Failure& /*failure*/, Directive verdict) {
    return verdict;
  }
  /// Instead of the log line of the system, whatever the strategy says of logging.
  virtual void log_failure(Context& /*ctx*/, const Failure& /*failure*/, Directive /*directive*/) {}
  virtual void child_terminated(Context& /*ctx*/, Ref /*child*/) {}
};

}  // namespace actord
