// SPDX-License-Identifier: Apache-2.0
//
// One turn of a cell on a worker, and everything an actor can do during it. It is also the context
// that the plugin is lent: the C interface sees the base class.
//
// A coordinator: what to decide stands in supervision.hpp, what to remember in cell.hpp and
// organs.hpp; the parts below are implemented in the files named beside them. Owner thread only.
//
// Suspension has two reasons only, the actor's own failure and its parent's suspension, and it is
// counted: each has exactly one release (supervision.md 14-16, 58).
#pragma once

#include <cxxabi.h>

#include "actor/local.hpp"
#include "actor/organs.hpp"

namespace actord::actor {

class Activation : public actord_context {
 public:
  static constexpr std::uint16_t default_dispatcher = 1;

  Activation(Local& local, Cell& tenant);
  Activation(const Activation&) = delete;
  Activation& operator=(const Activation&) = delete;

  /// Runs the cell until it has nothing to do, its slice is over or it is no more. The cell may be
  /// another worker's when this returns.
  void run();

  Local& local() noexcept { return local_; }
  Environment& environment() noexcept { return environment_; }

  // ---- what an actor does: called through the host table ----

  void reply(message::TypeId type, void* message);  // messages.cpp
  void reply_failure(const actord_failure& failure);
  void forward(Ref to);
  void ask(Ref to, message::TypeId type, void* message, std::int64_t timeout_ns,
           actord_reply_handler handler);
  /// Answered when `who` has stopped; type 0: by order.
  void graceful_stop(Ref who, message::TypeId type, void* message, std::int64_t timeout_ns,
                     actord_reply_handler handler);
  void forward_from(Ref to, Ref sender);
  enum class Stashed { yes, refused, overflow };
  Stashed stash(std::string& why_not);
  void unstash_all();
  void become(const actord_receive* state, bool keep_old);
  void unbecome();

  void start_timer(std::string_view key, std::int64_t delay_ns, std::int64_t period_ns,
                   bool is_fixed_rate, message::TypeId type,
                   void* message);  // timers.cpp
  void cancel_timer(std::string_view key);
  bool has_timer(std::string_view key) const;
  void receive_timeout(std::int64_t ns);

  /// nobody, and the reason in `why_not`, if it cannot be.
  Ref spawn(std::string_view name, const actord_props& props,
            std::string& why_not);  // children.cpp
  Ref spawn(std::string_view name, PropsPtr props, std::string& why_not,
            std::uint16_t dispatcher = default_dispatcher);
  Ref spawn_configured(std::string_view name, std::string& why_not);  // roster.cpp
  void stop(Ref whom);                                                // stop.cpp
  void stop_children();
  std::size_t children(Ref* out, std::size_t capacity) const;  // children.cpp
  /// That judges its children now.
  const Strategy& strategy() const;  // judge.cpp
  /// Told by a message of that type; type 0: by Terminated. False while it is watched with another.
  bool watch(Ref whom, message::TypeId type, void* message, std::string& why_not);  // watch.cpp
  void unwatch(Ref whom);
  std::size_t tell_selection(std::string_view paths, message::TypeId type,
                             void* message);  // selection.cpp
  void subscribe(message::TypeId type);       // story.cpp
  void subscribe_prefix(std::string_view prefix);
  void unsubscribe(message::TypeId type);
  void log_event(log::Level level, std::string_view event, std::string_view text,
                 std::span<const log::Field> fields);

 private:
  // ---- user mail: activation.cpp, messages.cpp, timers.cpp ----
  void handle(Envelope* envelope);
  void dispatch(Envelope* envelope);
  void on_poison_or_kill(Envelope* envelope);
  void on_identify(Envelope* envelope);
  bool on_terminated_message(Envelope* envelope);
  void on_unhandled(Envelope* envelope);
  void on_tick(Envelope* envelope);
  void on_reply(Envelope* envelope);
  void complete_ask(const Ask& ask, Envelope* answer, const FailurePtr& failure);
  void finish(Envelope* envelope);
  void finish_stash();
  Envelope* keep_current();
  Envelope* copy_of(Envelope& envelope);
  void lend(Envelope* envelope) noexcept;
  void take_back() noexcept;
  void note_activity();
  std::uint64_t next_token() { return ++organs().last_token; }
  void void_incarnation();  // timers, asks, states: nothing of them reaches the next one

  // ---- system mail: activation.cpp ----
  bool obey();
  void carry_out_safely(Envelope& order);
  void carry_out(Order order, SystemBody& body);
  void emergency_stop() noexcept;
  int parking_state() const noexcept;
  bool park();
  void park_suspended();

  // ---- life: birth.cpp, fault.cpp, stop.cpp ----
  void create();
  FailurePtr construct();
  void destroy_instance();
  void fail(FailurePtr failure, Phase phase, Ref perpetrator = nobody);
  void tell_story(Failure& failure, Phase phase);
  std::int64_t lived_ns() const;
  void suspend_and_report(FailurePtr failure, Ref perpetrator, std::span<const Ref> not_to_suspend,
                          bool is_fatal);
  void end_episode();
  void on_suspend();
  void on_resume(FailurePtr failure);
  void on_recreate(FailurePtr cause, std::int64_t delay_ns, bool is_collateral);
  void begin_recreation(Stage waiting, FailurePtr cause, std::int64_t delay_ns, bool is_collateral);
  void run_pre_restart(const FailurePtr& cause, bool is_collateral);
  void recreate_when_ready();
  void start_backoff();
  void on_backoff_over(std::uint64_t token);
  void finish_recreation();
  void fail_recreation(FailurePtr failure, Phase phase, const FailurePtr& cause,
                       const std::vector<Ref>& survivors);
  void stop_children_of_failed_attempt();
  void finish_creation();
  void terminate(StopReason reason, FailurePtr failure, bool is_collateral);
  void finish_termination();
  void run_post_stop();
  void bury_mail();
  void tell_the_bereaved();

  // ---- supervision: judge.cpp ----
  void on_failed(Ref child, FailurePtr failure);
  bool ask_code(Ref child, const Failure& failure, const Strategy& strategy, Verdict& verdict);
  FailurePtr review(Ref child, const FailureView& failure, Verdict& verdict);
  void apply(const Strategy& strategy, const Verdict& verdict, Cell& child,
             const FailurePtr& failure);
  void restart(const Strategy& strategy, const Verdict& verdict, Cell& child,
               const FailurePtr& failure);
  void escalate(Cell& child, FailurePtr failure);
  void log_verdict(const Strategy& strategy, const Verdict& verdict, Cell& child,
                   const Failure& failure, std::int64_t delay_ns, bool is_denied);

  // ---- children: children.cpp, roster.cpp ----
  Cell* child_of(Ref ref) const noexcept;
  Cell* first_child() const noexcept { return at(cell_.first_child); }
  Cell* at(std::uint32_t index) const noexcept {
    return index == Cell::none ? nullptr : &environment_.cells.at(index);
  }
  Ref ref_of(const Cell& of) const noexcept { return environment_.cells.ref_of(of); }
  bool is_name_taken(std::string_view name) const;
  std::string path_of_child(const Cell& child) const;
  bool place(Cell& child, const Props& props, std::string_view path, std::string& why_not);
  void link(Cell& child);
  void unlink(Cell& child);
  std::vector<Ref> living_children() const;
  void stop_child(Cell& child, StopReason reason, FailurePtr failure, bool is_collateral);
  void on_child_terminated(Ref child);
  void start_roster();
  void start_next_of_roster();
  void lose_configured_child(std::string_view child_path, const Failure& failure);
  void on_settled(Ref child);
  void on_spawn(SpawnRequest& request);

  // ---- watching: watch.cpp ----
  void on_watch(Watches::Watcher watcher);
  void on_unwatch(Watches::Watcher watcher);
  void on_terminated(const SystemBody& notice, bool existence_confirmed);
  bool is_told_by(const Envelope* told, message::TypeId type, const void* message) const;
  void forget(std::unordered_map<Ref, Envelope*>& watches);
  void unwatch_all();

  // ---- the story: story.cpp ----
  void log_started();
  void log_restarted(const Failure& cause, bool is_collateral);
  void log_resumed(const Failure& failure);
  void log_backoff(const Failure& failure, std::int64_t delay_ns);
  void log_stopped();
  void log_limit(Cell& child, const Strategy& strategy, const Failure& failure);
  void log_hook_failure(std::string_view event, const Failure& failure, Phase phase,
                        const Failure* during = nullptr);
  void log_message(std::string_view event, std::string_view text);
  void log_lifecycle(std::string_view text, Ref about = nobody);
  void tell_of_life(LifeStep step, std::string_view detail) {
    if (environment_.hears_of_lives.load(base::relaxed)) [[unlikely]]
      environment_.tell_of_life(local_, step, self, detail);
  }
  void log_debug(std::string_view event, std::string_view text, Ref about);

  Organs& organs() {
    if (cell_.organs == nullptr) cell_.organs = new Organs;
    return *cell_.organs;
  }
  std::string path() const { return local_.path(self); }
  const actord_behaviour& table() const noexcept { return cell_.props->behaviour.table; }

  // The one place where the plugin is called, and the backstop for one that breaks its word and
  // throws.
  template <class Call>
  FailurePtr enter(Call&& call) {
    Reports reports(environment_.chains, environment_.types);
    try {
      if (call(static_cast<actord_context*>(this), static_cast<actord_errors*>(&reports)) ==
          ACTORD_OK) [[likely]]
        return {};
    } catch (abi::__forced_unwind&) {
      throw;
    } catch (...) {
      return foreign_failure();
    }
    return reports.failure ? std::move(reports.failure) : nameless_failure();
  }
  FailurePtr foreign_failure();
  FailurePtr nameless_failure();
  FailurePtr builtin_failure(std::initializer_list<std::string_view> types, std::string what,
                             FailurePtr cause = {});
  FailurePtr call_hook(actord_hook hook);
  FailurePtr call_restart_hook(actord_restart_hook hook, const Failure& reason);

  Local& local_;
  Environment& environment_;
  Cell& cell_;
  Envelope* current_ = nullptr;  // being handled
  bool is_kept_ = false;         // current_ has another owner now
  bool is_stashed_ = false;      // current_ goes to the stash when its handler is done
  bool is_unstash_due_ = false;  // and all of the stash back to the mailbox
};

}  // namespace actord::actor
