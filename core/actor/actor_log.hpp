// SPDX-License-Identifier: Apache-2.0
//
// ActorLog writes the log lines about one actor: it turns data into fields. The supervisor that
// decides about a failure writes one line, and every actor that resumes, restarts or stops for the
// failure writes one for the outcome. All of them name the failure: as failure.id if it is one that
// the actor itself has reported, else as collateral_of. Names and fields are the
// schema "actord.log/2".
//
// Not here: when a line is due, which the acting part knows. Turn and its callers guard the debug
// lines that an operator must enable (supervision.md 179h), so that a disabled one costs a load.
#pragma once

#include <span>
#include <string_view>

#include "actor/supervision.hpp"
#include "actor/thread_state.hpp"

namespace actord::actor {

/// A supervisor's decision about one failure, with what the log needs.
struct Decision {
  const Strategy& strategy;
  const Verdict& verdict;
  const Cell& child;
  const Failure& failure;
  std::int64_t delay_ns = 0;   // delay of the restart in ns; 0: none
  bool is_denied = false;      // the verdict was Restart, and the restart limit denied it
  std::uint64_t affected = 1;  // children that are restarted or stopped for it, under all-for-one

  /// Whether the other children are restarted or stopped, too.
  bool is_of_group() const noexcept {
    return strategy.kind == Strategy::Kind::all_for_one && verdict.directive != Directive::resume;
  }
  /// What happens to the child.
  Directive outcome() const noexcept { return is_denied ? Directive::stop : verdict.directive; }
};

/// The failure that a line about an actor names.
struct NamedFailure {
  const Failure* failure = nullptr;
  bool is_own = false;  // the actor itself has reported it, because it failed or escalated it
};

/// The level of the line actor.failed.
inline log::Level level_of(const Verdict& verdict) noexcept {
  if (verdict.level >= 0) return static_cast<log::Level>(verdict.level);
  return verdict.directive == Directive::resume ? log::Level::warning : log::Level::error;
}

/// Made for one line and dropped. Only the thread that runs the actor calls it.
/// emergency_stop() and reconfiguration_failed() always format their line; the other functions
/// format nothing if the level is disabled or the failure is silent.
class ActorLog {
 public:
  ActorLog(ThreadState& thread, const Cell& cell) : thread_(thread), cell_(cell) {}

  /// `cause` is the failure that the actor starts for, or null: it could not be created before, or
  /// its supervisor was restarted for the failure.
  void started(NamedFailure cause = {}) const {
    if (thread_.log.is_enabled(level_of_life())) [[unlikely]]
      write_started(cause);
  }
  /// `cause` is not null; its id is 0 if a reload restarts the actor.
  void restarted(NamedFailure cause) const;
  void resumed(const Failure& failure) const;
  void backing_off(NamedFailure cause, std::int64_t delay_ns) const;
  /// `cause` is what the actor was stopped for, or null. `by` is the path of the actor that has
  /// stopped a configured actor; empty: not known, or not configured.
  void stopped(NamedFailure cause, std::string_view by = {}) const;
  /// A fatally failed actor cannot be resumed and is restarted (supervision.md 57).
  void resume_became_restart(const Failure& failure, const Cell& whom) const;
  /// Called by the supervisor: the line actor.failed.
  void decided(const Decision& decision) const;
  /// Called by the supervisor: the restart limit has denied a restart.
  void limit_reached(const Decision& decision) const;
  /// Called by the supervisor: from now on the storm guard delays restarts of the child, or of all
  /// children under all-for-one.
  void storm_began(const Decision& decision, const StormGuard& guard) const;
  /// A hook failed, and its actor goes on with what called the hook. `cause` is the failure that
  /// the actor is restarted for (supervision.md 51) or stopped for, or null. Phase::pre_restart
  /// names it as `restart.cause`, too. By reference, since it would be an argument on the stack.
  /// Hooks that fail again and again are counted, as failures are, and all those are whose `cause`
  /// is only counted.
  void hook_failed(std::string_view event, Failure& failure, Phase phase,
                   const NamedFailure& cause = {}) const;
  /// Whether failures are limited. While the log cannot write what it has they are, even if the
  /// operator has switched the limit off, since no line of a failure may be lost on its own.
  bool is_limited() const noexcept {
    return environment().failure_log.is_limited() ||
           thread_.log.congestion() != log::Congestion::none;
  }
  /// If failures are limited: whether one may be written, or is counted because there are too many
  /// of its kind. `has_room`: false to count it in any case.
  bool admits(const Failure& failure, const FailureLogLimit::Line& line,
              bool has_room = true) const;
  /// A child that a plugin requested could not be created.
  void spawn_refused(std::string_view name, std::string_view reason) const;
  /// The child at `path` is not started, because it has crashed earlier processes.
  void quarantined(std::string_view path, const NodeSpec& child, const CrashCharge& charge) const;
  /// The plugin has `max` of its actors, timers or asks, and no more are made.
  void plugin_limit_reached(std::string_view plugin, std::string_view of, std::int64_t max,
                            std::uint64_t refused) const;
  /// The handling of a failure has failed for want of memory. Writes no line if there is no memory
  /// for it.
  void emergency_stop() const noexcept;
  /// There is no memory to take over another ConfigSnapshot. Writes no line if there is none for it
  /// either.
  void reconfiguration_failed() const noexcept;

  // ---- of an actor that supervises a child as a strategy does ----
  /// It waits before it starts the child again.
  void supervisor_waits(Ref child, std::int64_t restart_count, std::int64_t delay_ns) const;
  /// It stops, because it has started the child again as often as its limit allows.
  void supervisor_gives_up(Ref child, std::int64_t restart_count, std::int64_t max_restarts) const;

  // ---- debug ----
  /// `about`: another actor that the line names.
  void debug(std::string_view event, std::string_view text, Ref about) const;
  void lifecycle(std::string_view text, Ref about) const;
  /// A line about a message.
  void message(std::string_view event, std::string_view text, message::TypeId type,
               Ref sender) const;

  /// An operator has asked to see the messages of the actor; `left` more will be logged.
  void traced(message::TypeId type, const void* content, Ref sender, std::uint64_t left) const;

  /// The end of a span, of the trace that the thread carries. `outcome` is empty and the type 0 if
  /// no message was handled.
  void span(const Span& span, std::string_view outcome, message::TypeId type, Ref sender) const;

  /// A line of a plugin's own event. The caller leaves the first field free, and the actor's path
  /// goes there.
  void plugin_event(log::Level level, std::string_view event, std::string_view text,
                    std::span<log::Field> fields) const;

 private:
  // The level of starts, and of stops without a failure. Children that code creates may be many and
  // live briefly.
  log::Level level_of_life() const noexcept {
    return cell_.props->node != nullptr ? log::Level::info : log::Level::debug;
  }
  void write_started(NamedFailure cause) const;
  // The line of a start for a failure.
  void write_started_for(NamedFailure cause) const;
  void write_stopped() const;
  // Whether this actor may write its line for the failure. It is charged to the limit on lines of
  // actors that the failure of another one affects, so ask only if the level is enabled.
  bool takes_line(NamedFailure cause) const noexcept;
  const Environment& environment() const noexcept { return thread_.environment; }
  Ref self() const noexcept { return thread_.environment.cells.ref_of(cell_); }

  ThreadState& thread_;
  const Cell& cell_;
};

}  // namespace actord::actor
