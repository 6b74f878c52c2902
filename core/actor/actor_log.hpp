// SPDX-License-Identifier: Apache-2.0
//
// What the log says of one actor: from data to fields. The supervisor that decides writes one line
// for a failure, and the actor one for its outcome, with the same failure.id. Names and fields are
// the schema "actord.log/1".
//
// Not here: when a line is due, which the part that acts knows. Lines of level debug that an
// operator has to ask for (supervision.md 179h) are guarded by Turn and its callers, so that a
// disabled one costs a load.
#pragma once

#include <span>
#include <string_view>

#include "actor/supervision.hpp"
#include "actor/thread_state.hpp"

namespace actord::actor {

/// A supervisor's decision about one failure, as far as the log says it.
struct Decision {
  const Strategy& strategy;
  const Verdict& verdict;
  const Cell& child;
  const Failure& failure;
  std::int64_t delay_ns = 0;  // of the restart; 0: at once
  bool is_denied = false;     // the restart was decided, and the restart limit denied it
};

/// Made for one line and dropped; the thread that runs the actor calls it. Every function returns
/// without formatting anything if the level is disabled or the failure is silent.
class ActorLog {
 public:
  ActorLog(ThreadState& thread, const Cell& cell) : thread_(thread), cell_(cell) {}

  void started() const {
    if (thread_.log.is_enabled(log::Level::info)) [[unlikely]]
      write_started();
  }
  void restarted(const Failure& cause, bool is_collateral) const;
  void resumed(const Failure& failure) const;
  void backing_off(const Failure& failure, std::int64_t delay_ns) const;
  /// `failure`: what it was stopped for, or null; collateral: another actor's failure.
  void stopped(const Failure* failure, bool is_collateral) const;
  /// A restart became due because a fatally failed actor cannot be resumed (supervision.md 57).
  void resume_became_restart(const Failure& failure) const;
  /// As supervisor: the line actor.failed.
  void decided(const Decision& decision) const;
  /// As supervisor: the restart limit denied the restart.
  void limit_reached(const Decision& decision) const;
  /// A hook failed and its actor goes on. `during`: the failure that was being mended, to whose
  /// story the line belongs (supervision.md 51).
  void hook_failed(std::string_view event, const Failure& failure, Phase phase,
                   const Failure* during = nullptr) const;
  /// Handling a failure failed itself, for want of memory. Says nothing if there is none for the
  /// line either.
  void emergency_stop() const noexcept;
  /// There was no memory to take another configuration over. The same.
  void reconfiguration_failed() const noexcept;

  // ---- debug ----
  void debug(std::string_view event, std::string_view text, Ref about) const;
  void lifecycle(std::string_view text, Ref about) const;
  /// About the message that `context` shows.
  void message(std::string_view event, std::string_view text, const actord_context& context) const;

  /// A plugin's own event. The first field is left free for the actor's path, which is written
  /// here.
  void plugin_event(log::Level level, std::string_view event, std::string_view text,
                    std::span<log::Field> fields) const;

 private:
  void write_started() const;
  const Environment& environment() const noexcept { return thread_.environment; }
  Ref self() const noexcept { return thread_.environment.cells.ref_of(cell_); }

  ThreadState& thread_;
  const Cell& cell_;
};

}  // namespace actord::actor
