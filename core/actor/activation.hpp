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

class ChildNodes;
struct SpawnRequest;

class Activation : public actord_context {
 public:
  static constexpr std::uint16_t default_dispatcher = 1;

  Activation(Local& local, Cell& tenant)
      : actord_context{sizeof(actord_context),
                       0,
                       local.environment.host,
                       local.environment.handle,
                       reinterpret_cast<actord_cell*>(&tenant),
                       local.environment.cells.ref_of(tenant),
                       make_ref(tenant.parent, tenant.parent_generation),
                       nobody,
                       nullptr},
        local_(local),
        environment_(local.environment),
        cell_(tenant) {}
  Activation(const Activation&) = delete;
  Activation& operator=(const Activation&) = delete;

  /// sched::Hooks::run for cells: `local` is the worker's Local, `cell` a Cell. Runs it until it
  /// has nothing to do, its slice is over or it is no more, and then those that the worker goes on
  /// with at once. Each may be another worker's when its turn is over.
  static void run(void* local, sched::Task* cell);

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

  /// nobody, and the reason in `why_not`, if it cannot be. The arguments are taken over in any
  /// case.
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
  /// The first of the fields is left free for the actor's path.
  void log_event(log::Level level, std::string_view event, std::string_view text,
                 std::span<log::Field> fields);

 private:
  // ---- user mail: activation.cpp, messages.cpp, timers.cpp ----
  void run();
  bool is_slice_over(std::int64_t& end_ns) const;
  void yield();
  void set_overloaded(bool is_overloaded);
  // True: it was simply handled, and nothing else has come of it.
  bool handle(Local& local, Cell& tenant, Envelope* envelope);
  void handle_special(Envelope* envelope);
  void open(message::Packet& packet);
  void dispatch(Envelope* envelope);
  bool receive(Local& local, Cell& tenant, Envelope* envelope);
  void before_handler();
  void on_handler_failed(Envelope* envelope, FailurePtr failure);
  void release(Local& local, Cell& tenant, Envelope* envelope);
  void on_poison_or_kill(Envelope* envelope);
  void on_identify(Envelope* envelope);
  bool on_terminated_message(Envelope* envelope);
  void on_unhandled(Envelope* envelope);
  void on_tick(Envelope* envelope);
  void on_timer(std::uint64_t number);
  void on_ask_timeout(std::uint64_t token);
  void on_silence(std::uint64_t token);
  std::uint64_t await(Ask ask, std::int64_t timeout_ns);
  void on_reply(Envelope* envelope);
  void complete_ask(const Ask& ask, Envelope* answer, const FailurePtr& failure);
  void finish(Envelope* envelope);
  void finish_stash();
  Envelope* keep_current();
  Envelope* copy_of(Envelope& envelope);
  void lend(Envelope* envelope) noexcept {
    current_ = envelope;
    is_kept_ = false;
    message_type = envelope->type();
    sender = envelope->sender;
    message = envelope->payload();
  }
  void take_back() noexcept;
  void note_activity();
  std::uint64_t next_token(token::Kind kind) { return token::make(kind, ++organs().last_token); }
  void void_incarnation();  // timers, asks, states: nothing of them reaches the next one

  // ---- system mail: activation.cpp ----
  bool obey();
  template <class Call>
  void safely(Call&& call);
  Envelope* with_parked(Envelope* list, int parking_before);
  void carry_out(Order order, SystemBody& body);
  void emergency_stop() noexcept;
  int parking_state() const noexcept;
  bool park(Local& local, Cell& tenant);
  void park_suspended();

  // ---- life: birth.cpp, fault.cpp, stop.cpp ----
  void create();
  FailurePtr construct();
  void* block_for_instance();
  void destroy_instance();
  void* take_apart();
  void free_block(Cell& of, void* block);
  void fail(FailurePtr failure, Phase phase, Ref perpetrator = nobody);
  void note_story(Failure& failure, Phase phase);
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
  void stop_self(StopReason reason);
  void terminate(StopReason reason, FailurePtr failure, bool is_collateral);
  void finish_termination();
  void let_go_of_others();
  void run_post_stop();
  void bury_mail();
  void tell_the_bereaved();
  void tell_watchers(Ref heir, std::vector<Watches::Watcher> watchers, StopReason reason);

  // ---- a new configuration: reconfigure.cpp ----
  struct Succession;
  void on_reconfigure(Reconfiguration& wish, const NodeSpec* node, bool is_restarted_with_parent);
  Succession succession_by(Reconfiguration& wish, const NodeSpec* node,
                           bool is_restarted_with_parent);
  Props* props_under(const Blueprint& blueprint, const NodeSpec* node, Terms& terms);
  void adopt(const BlueprintPtr& blueprint, const NodeSpec* node, const Succession& next);
  bool divide_children(const ChildNodes& before, const ChildNodes& after, const NodeSpec* node,
                       Succession& next);
  std::vector<std::uint32_t> due_under(const NodeSpec& node, const NodeSpec* was,
                                       const ChildNodes& before) const;
  FailurePtr cause_of_restart(const NodeSpec& node);
  void restart_reconfigured(FailurePtr cause, TakeOver take_over);
  void keep_former(TakeOver& take_over) noexcept;
  bool starts_own_children() const noexcept {
    return (table().flags & ACTORD_STARTS_OWN_CHILDREN) != 0;
  }

  // ---- supervision: judge.cpp ----
  void on_failed(Ref child, FailurePtr failure);
  bool ask_code(Ref child, const Failure& failure, const Strategy& strategy, Verdict& verdict);
  FailurePtr review(Ref child, const FailureView& failure, Verdict& verdict);
  void apply(const Strategy& strategy, const Verdict& verdict, Cell& child, FailurePtr failure);
  void restart(const Strategy& strategy, const Verdict& verdict, Cell& child, FailurePtr failure);
  void escalate(Cell& child, FailurePtr failure);
  void write_paths(Failure& failure) const;
  void log_verdict(const Strategy& strategy, const Verdict& verdict, Cell& child,
                   const Failure& failure, std::int64_t delay_ns, bool is_denied);

  // ---- children: children.cpp, roster.cpp ----
  Cell* child_of(Ref ref) const noexcept;
  Cell* first_child() const noexcept { return at(first_child_of(cell_)); }
  Family& family() { return cell_.family != nullptr ? *cell_.family : found_family(); }
  Family& found_family();
  std::uint32_t dying() const noexcept { return cell_.family != nullptr ? cell_.family->dying : 0; }
  Cell* at(std::uint32_t index) const noexcept {
    return index == Cell::none ? nullptr : &environment_.cells.at(index);
  }
  Ref ref_of(const Cell& of) const noexcept { return environment_.cells.ref_of(of); }
  /// Null if there is none; one that is dying still has its name.
  Cell* child_named(std::string_view name) const;
  Ref spawn(std::string_view name, Props& props, Args args, std::string& why_not,
            std::uint16_t dispatcher);
  Ref refuse_to_spawn(const Props& props, Args args);
  bool may_spawn(std::string_view name, std::string& why_not) const;
  Cell* new_child(Props& props, Args args);
  void give_name(Cell& child, std::string_view name);
  bool enrol(Cell& child, std::string_view name, std::string& why_not);
  bool place(Cell& child, std::string_view path, std::string& why_not);
  void link(Cell& child);
  void make_table_of_names();
  void unlink(Cell& child);
  std::vector<Ref> living_children() const;
  void stop_child(Cell& child, StopReason reason, FailurePtr failure, bool is_collateral);
  void on_child_terminated(Ref child);
  void start_roster();
  void start_next_of_roster();
  void resume_roster();
  void settle();
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
  void log_lifecycle(std::string_view text, Ref about = nobody) {
    if (environment_.debug.lifecycle.load(base::relaxed)) [[unlikely]]
      tell_lifecycle(text, about);
  }
  void tell_lifecycle(std::string_view text, Ref about);
  void tell_of_life(LifeStep step, std::string_view detail) {
    if (environment_.hears_of_lives.load(base::relaxed)) [[unlikely]]
      environment_.tell_of_life(local_, step, self, detail);
  }
  void log_debug(std::string_view event, std::string_view text, Ref about);

  Organs& organs() {
    if (cell_.organs == nullptr) cell_.organs = new Organs;
    return *cell_.organs;
  }
  std::string path() const { return environment_.cells.path_of(cell_); }
  const actord_behaviour& table() const noexcept { return cell_.props->behaviour.table; }

  // The one place where the plugin is called, and the backstop for one that breaks its word and
  // throws.
  template <class Call>
  FailurePtr enter(Call&& call) {
    Reports reports(local_.intake);
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
  FailurePtr builtin_failure(std::span<const actord_str> types, std::string_view what,
                             FailurePtr cause = {}) {
    return local_.intake.make(types, what, std::move(cause));
  }
  FailurePtr call_hook(actord_hook hook);
  FailurePtr call_restart_hook(actord_restart_hook hook, const Failure& reason);

  Local& local_;
  Environment& environment_;
  Cell& cell_;
  Envelope* current_ = nullptr;  // being handled
  bool is_kept_ = false;         // current_ has another owner now
  bool is_stashed_ = false;      // current_ goes to the stash when its handler is done
  bool is_unstash_due_ = false;  // and all of the stash back to the mailbox
  bool is_stop_due_ = false;     // a terminate by itself, behind all orders taken out so far
  StopReason stop_due_for_{};
};

}  // namespace actord::actor
