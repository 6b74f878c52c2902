// SPDX-License-Identifier: Apache-2.0
//
// A system of actors: the registries, the dispatchers, the guardians and the shutdown. One
// ActorSystem owns all state; two systems in one process share nothing.
//
// Not here: the executor that drives it (sched::Executor), the loading of plugins (daemon/loader)
// and the operator's configuration (daemon/settings). Their results are passed in. Paths, dead
// letters, subscriptions and scheduled messages have classes of their own, which are members.
#pragma once

#include <array>
#include <functional>
#include <map>

#include "actor/activation.hpp"
#include "actor/census.hpp"
#include "actor/inspection.hpp"
#include "actor/order.hpp"
#include "actor/spawn_request.hpp"
#include "system/behaviour_registry.hpp"
#include "system/breakers.hpp"
#include "system/configured_actors.hpp"
#include "system/crash_charges.hpp"
#include "system/dead_letters.hpp"
#include "system/directory.hpp"
#include "system/event_journal.hpp"
#include "system/event_stream.hpp"
#include "system/extensions.hpp"
#include "system/ingress.hpp"
#include "system/message_quarantine.hpp"
#include "system/scheduler.hpp"
#include "system/shutdown_run.hpp"
#include "system/stuck_watch.hpp"
#include "system/system_actors.hpp"
#include "system/system_listener.hpp"
#include "system/system_settings.hpp"

namespace actord::system {

class OutsideAsk;

/// The configuration of the actors, from which build_snapshot() makes a snapshot.
struct SnapshotSpec {
  actor::NodeSpec user = {};  // the guardian's strategy and the configured children
  std::vector<actor::Deployment> deployments = {};  // the most specific pattern first
  std::shared_ptr<const void> keeper = {};          // owns what the values in `user` point to
  actor::Isolator* isolator = nullptr;              // of the nodes; null: that of the system
};

class ActorSystem final : public actor::Environment {
 public:
  /// `host` is the table of functions that plugins call. Host, executor and hub outlive the system.
  ActorSystem(SystemSettings settings, sched::Executor& executor, log::Hub& hub,
              const actord_host& host);
  ~ActorSystem() override;

  // ---- start-up only, in this order ----
  /// Registers what the plugin exports and calls its attach(). Allowed while the system runs, too.
  base::Result<void> add_plugin(const actord_plugin& plugin);
  /// Calls only the plugin's attach(), for a plugin that behaviours() already knows. One thread at
  /// a time.
  base::Result<void> attach_plugin(const actord_plugin& plugin);
  /// Boots `/`, `/system` and `/user` with its configured children.
  void start(actor::ConfigSnapshotPtr snapshot, SystemListener listener);

  // ---- any thread but a worker ----
  /// Changes nothing in the running system. The error names a dispatcher that does not exist.
  base::Result<actor::ConfigSnapshotPtr> build_snapshot(SnapshotSpec spec);
  /// Replaces the current snapshot by one that was built later; each actor takes it over in a turn
  /// of its own. `on_done` is called when all actors have taken it over, the new ones have started
  /// or were lost, and the necessary restarts are done. It may run on any thread, must be quick and
  /// must not call the system.
  /// Configured actors that are lost are tried again; if it `is_forced`, also those that have ended
  /// in peace.
  actor::ReconfigurationPtr reconfigure(actor::ConfigSnapshotPtr snapshot, bool is_forced,
                                        std::function<void()> on_done);
  /// Asks the parent of a configured actor that is not running to start it, or ends its back-off.
  /// Asynchronous: configured_actors() shows what comes of it. False: the parent is not running.
  bool start_configured(std::string_view path);
  /// Spawns a child of /user and waits for the guardian. In a simulation, call request_spawn() and
  /// drive the executor instead.
  base::Result<actor::Ref> spawn(std::string name, actor::PropsPtr props);
  base::IntrusivePtr<actor::SpawnRequest> request_spawn(std::string name, actor::PropsPtr props);
  /// Runs the phases of the coordinated shutdown, from `from` on if it names one, while all actors
  /// live; then calls SystemListener::on_shutdown_over. It does so at once if no actor has a task,
  /// so that no worker is needed, and if the system is stopping already. It runs once, with the
  /// first reason.
  void begin_shutdown(std::string_view reason, std::string_view from = {});
  /// Begins the orderly shutdown: user actors, then /system, then /. Idempotent.
  void terminate();
  /// Registers a callback for the moment when all actors have stopped, before on_stopped. The
  /// callbacks run in reverse order of registration on a worker thread and must be quick. False:
  /// all actors have already stopped, and `call` will not run.
  bool on_termination(std::function<void()> call);
  /// Joins the workers; call it after on_stopped. No task runs afterwards.
  void join();

  // ---- any thread ----
  void tell(actor::Ref to, message::TypeId type, void* message, actor::Ref sender = actor::nobody);
  /// Like tell(), with the trace to which the message belongs. If messages already take up
  /// LiveSettings::message_memory_max bytes, or the mailbox of `to` is full and fails its senders,
  /// returns false and leaves the message untouched.
  bool try_tell(actor::Ref to, message::TypeId type, void* message,
                actor::Ref sender = actor::nobody, const message::TraceContext* trace = nullptr);
  /// Whether the mailbox of `to` is full now and fails its senders.
  bool refuses(actor::Ref to);
  /// Takes ownership of the failure and the request in the message.
  void send_system(actor::Ref to, const actor::SystemMessage& message);
  /// Takes ownership of the arguments, on an error too. A class that no plugin lists counts as one
  /// of the plugin of `spawner`, a known behaviour.
  base::Result<actor::PropsPtr> props_of(const actord_props& wanted,
                                         std::string_view spawner = "actord/Guardian");
  actor::Ref find(std::string_view path) const;
  /// Lets an actor below /system send the question and take the answer.
  void ask(std::shared_ptr<OutsideAsk> ask);
  /// Asks the actor what it is. It answers in a turn of its own, which may be late or never.
  void inspect(actor::Ref whom, const base::IntrusivePtr<actor::Inspection>& inspection);
  /// Gives an order to the actor, which obeys in a turn of its own.
  void order(actor::Ref whom, const base::IntrusivePtr<actor::Order>& order);
  /// If the actor waits for its back-off, it goes on at once.
  void end_backoff(actor::Ref whom) { send_system(whom, actor::SystemMessage::backoff_over(0)); }
  /// Stops an actor; a child of /user is stopped by way of its guardian. Asynchronous.
  void stop(actor::Ref whom);
  /// Sends a message later, without a sender. Returns its number, or 0 if the system is shutting
  /// down.
  std::uint64_t schedule(actor::Ref to, const TimerSpec& spec, message::TypeId type, void* message);
  /// The same, once, for a thread that has a ThreadState of its own.
  std::uint64_t schedule_once(actor::ThreadState& thread, actor::Ref to, std::int64_t delay_ns,
                              message::TypeId type, void* message) {
    return is_terminating() ? 0 : scheduler_->add_once(thread, to, delay_ns, type, message);
  }
  /// False if the timer had already fired for the last time or was cancelled.
  bool cancel(std::uint64_t scheduled);
  std::string path(actor::Ref ref) const { return cells.path(ref); }
  bool is_terminating() const noexcept { return is_terminating_.load(base::acquire); }
  const SystemSettings& settings() const noexcept { return settings_; }
  /// Takes effect at once, without a message to the actors.
  void set_live(const LiveSettings& live);
  DeadLetterLimit dead_letter_limit() const noexcept { return dead_letters_.limit(); }
  /// The dead letters that are kept.
  DeadLetterBox& dead_letter_box() noexcept { return dead_letters_.box(); }
  /// The messages on which actors have failed as often as they may.
  MessageQuarantine& message_quarantine() noexcept { return quarantine_; }
  BehaviourRegistry& behaviours() noexcept { return behaviours_; }
  /// Call it when all actors have stopped.
  const TerminationCause& termination_cause() const noexcept { return termination_cause_; }

  static ActorSystem& of(actord_system* handle) noexcept {
    return *reinterpret_cast<ActorSystem*>(handle);
  }

  /// Called by /system/log before it looks for what is to be summarized: from now on a request is a
  /// new one.
  void begin_summary() noexcept {
    // acq_rel: pairs with the exchange in claim_summary(). A thread that still finds the earlier
    // request has noted before what it wants summarized.
    is_summary_requested_.exchange(false, base::acq_rel);
  }
  /// True if a WriteSummary is to be sent to /system/log; false if one is on its way.
  bool claim_summary() noexcept {
    // acq_rel: pairs with the exchange in begin_summary().
    return !is_summary_requested_.exchange(true, base::acq_rel);
  }
  /// Whether an actor has registered a task, or had one.
  bool has_shutdown_tasks() const noexcept { return has_shutdown_tasks_.load(base::relaxed); }
  /// Called by /system when it creates /system/shutdown.
  void note_shutdown_tasks() noexcept { has_shutdown_tasks_.store(true, base::relaxed); }
  /// Adds the task at once, and tells /system, which has its actor watched and logs a late one.
  base::Result<void> add_shutdown_task(actor::ThreadState& thread, std::string_view phase,
                                       std::string_view name, actor::Ref actor, bool is_end);
  /// For /system/shutdown.
  ShutdownRun& shutdown_run() noexcept { return shutdown_run_; }
  /// Called by /system/shutdown, and by begin_shutdown() if there are no tasks.
  void shutdown_phase_begins(const ShutdownPhase& phase, std::size_t tasks);
  void shutdown_is_over(const ShutdownOutcome& outcome);
  SystemActors& system_actors() noexcept { return system_actors_; }
  /// What plugins offer to each other.
  Extensions& extensions() noexcept { return extensions_; }
  /// The circuit breakers that actors share.
  Breakers& breakers() noexcept { return breakers_; }
  /// What persistent actors are stored in; null: this system has none.
  Journal* event_journal() noexcept { return journal_.get(); }
  /// For the journal: it has failed, or works again.
  void tell_journal_changed() const {
    if (listener_.on_journal_changed) listener_.on_journal_changed();
  }
  ConfiguredActors& configured_actors() noexcept { return configured_actors_; }
  CrashCharges& crash_charges() noexcept { return crash_charges_; }
  std::int64_t now_ns() const { return executor.now_ns(); }

  /// What all workers are doing now, for StuckWatch. Takes no lock for which a worker with tasks
  /// waits.
  Activity look();
  /// The actors that workers run at this moment.
  std::vector<actor::Ref> running_actors();
  /// Asks for one call of SystemListener::on_busy, from the next worker that begins to run after it
  /// has waited for a task, or the next message from outside. A worker that was about to begin may
  /// miss the request, since it pays no fence for it. So the caller looks once more some time
  /// later, and finds such a worker busy, or its progress changed.
  void call_when_busy() noexcept { is_called_when_busy_.store(true, base::relaxed); }

  /// A lower bound on the memory of envelopes in use, in bytes. What messages own besides is not
  /// counted.
  std::size_t message_memory() const noexcept { return envelopes.bytes_in_use(); }
  /// LiveSettings::message_memory_max, as of now.
  std::size_t message_memory_max() const noexcept { return ingress_.limit(); }
  /// Asks the actors for which messages wait how many these are: all of them, or `at_most` that are
  /// spread evenly over the cells. They answer in their next turns; one whose handler does not
  /// return does not.
  base::IntrusivePtr<actor::Census> take_census(std::size_t at_most = SIZE_MAX);

  /// What has happened so far, on all threads: messages that have ended, and restarts of actors.
  struct Totals {
    std::uint64_t handled = 0, failed = 0, undelivered = 0, redelivered = 0, restarts = 0;
  };
  Totals totals();
  /// The sum over all threads; only while the system is at rest.
  actor::MessageCounters counters();
  /// Envelopes that lie in no free list; exact only while the system is at rest.
  std::size_t blocks_in_use();
  /// Timers that are set and not yet due, those of actors included.
  std::size_t timers_waiting();

  // ---- Environment ----
  base::Result<const actor::Behaviour*> behaviour(const actord_behaviour& table,
                                                  const actor::Behaviour& spawner) override;
  base::Result<const actor::Behaviour*> behaviour(std::string_view name) override {
    return behaviours_.find(name);
  }
  actor::ConfigSnapshotPtr snapshot() override;
  base::Result<std::uint16_t> dispatcher_named(std::string_view name) override;
  sched::Dispatcher& dispatcher(std::uint16_t id) override {
    ACTORD_ASSERT(id != 0 && id < dispatchers_.size());
    return *dispatchers_[id];
  }
  void list_by_name(const actor::Cell& child) override { directory_.add(child); }
  void unlist_by_name(const actor::Cell& child) noexcept override { directory_.remove(child); }
  std::vector<actor::Ref> select(std::string_view pattern) override;
  void construct_terminated(void* at, actor::Ref who, bool existence_confirmed,
                            actor::StopReason reason) override;
  void construct_receive_timeout(void* at, std::int64_t after_ns) override;
  void construct_identity(void* at, const void* identify, actor::Ref who) override;
  void request_summary(actor::ThreadState& thread) override;
  void undelivered(actor::ThreadState& thread, const actor::DeadMessage& message) override {
    dead_letters_.publish(thread, message);
  }
  bool quarantine(actor::ThreadState& thread, const actor::PoisonMessage& poison) override;
  void subscribe(actor::Ref subscriber, message::TypeId type) override;
  void subscribe(actor::Ref subscriber, const actor::TypeGroup& group) override;
  void unsubscribe(actor::Ref subscriber, message::TypeId type) override {
    if (type == 0) events_.unsubscribe_all(subscriber);
    else events_.unsubscribe(subscriber, type);
  }
  void unsubscribe(actor::Ref subscriber, const actor::TypeGroup& group) override;
  void publish_lifecycle_step(actor::ThreadState& thread, actor::LifecycleStep step, actor::Ref who,
                              std::string_view detail) override;
  void publish(actor::ThreadState& thread, message::TypeId type, void* message,
               actor::Ref sender) override {
    events_.publish(thread, type, message, sender);
  }
  void configured_children_started(actor::Turn& turn) override;
  bool configured_child_lost(std::string_view path, const actor::Failure& failure) override;
  void on_configured_step(std::string_view path,
                          const actor::ConfiguredStep& step) noexcept override;
  bool is_due_again(std::string_view path, bool is_forced) override {
    return configured_actors_.is_due_again(path, is_forced) && !crash_charges_.is_quarantined(path);
  }
  actor::CrashChargePtr take_crash_charge(std::string_view path) override {
    return crash_charges_.take(path);
  }
  bool has_stopped(std::string_view path) override { return configured_actors_.has_stopped(path); }
  void guardian_stopping(std::string_view path) override;
  void root_failed(const actor::FailurePtr& failure) override;
  void root_stopped() override;
  void guardian_failed(std::string_view path, const actor::Failure& failure) override;

 private:
  // The parts that Environment refers to. They are made before it and destroyed after it.
  struct Parts;

  ActorSystem(std::unique_ptr<Parts> parts, SystemSettings settings, sched::Executor& executor,
              log::Hub& hub, const actord_host& host);

  // Runs `use` with the ThreadState of threads that are no workers, under its lock.
  template <class Use>
  void with_external(Use&& use) {
    std::lock_guard lock(external_mutex_);
    use(*external_);
  }
  void add_dispatchers();
  void add_builtin_types();
  void boot_root();
  // Replaces the current snapshot for all threads.
  void publish_snapshot(actor::ConfigSnapshotPtr newest);
  // Handles a timer that is due; `thread` is the calling thread's.
  void fire(actor::ThreadState& thread, const sched::Timer& timer);

  // Hooks that the dispatchers call on their workers (sched::Hooks).
  static void* attach(void* owner, sched::Worker& worker);
  static void detach(void* owner, void* thread);
  static bool needs_trim(void* system);
  static void trim(void* system);
  static void fire_on_worker(void* thread, const sched::Timer& timer);
  static void on_busy(void* system);

  std::unique_ptr<Parts> parts_;
  const SystemSettings settings_;
  BehaviourRegistry behaviours_;
  EventStream events_;
  DeadLetters dead_letters_;
  MessageQuarantine quarantine_;
  Directory directory_;
  std::vector<sched::Dispatcher*> dispatchers_{nullptr};  // by id
  std::map<std::string, std::uint16_t, std::less<>> dispatcher_ids_;
  std::vector<DispatcherActivity> dispatcher_activities_;  // by id, without what changes
  base::Mutex stuck_timeouts_mutex_;
  StuckTimeouts stuck_timeouts_;

  mutable base::SharedMutex snapshot_mutex_;
  actor::ConfigSnapshotPtr snapshot_;  // null before the start
  base::Atomic<std::uint64_t> last_snapshot_{0};

  base::Mutex external_mutex_;
  std::unique_ptr<actor::ThreadState> external_;
  Ingress ingress_;                       // under external_mutex_
  std::unique_ptr<Scheduler> scheduler_;  // most of it under external_mutex_

  base::Atomic<std::uint64_t> outside_asks_{0};
  SystemActors system_actors_{*this};
  Extensions extensions_;
  Breakers breakers_;
  std::unique_ptr<Journal> journal_;
  ConfiguredActors configured_actors_;
  CrashCharges crash_charges_;

  base::Mutex callbacks_mutex_;
  std::vector<std::function<void()>> callbacks_;  // to be called when all actors have stopped
  bool is_stopped_ = false;                       // all actors have stopped

  base::Mutex threads_mutex_;
  std::vector<actor::ThreadState*> threads_;
  std::uint64_t last_worker_ = 0;  // ThreadState::worker_number
  actor::MessageCounters past_counters_;

  actor::Ref root_ = actor::nobody;
  SystemListener listener_;
  TerminationCause termination_cause_;  // written in turns of the root guardian only
  // Flags that are set once. The acquire of `is_terminating_` in is_terminating() pairs with the
  // releases in terminate(), guardian_stopping(), guardian_failed() and root_failed(); the exchange
  // of `is_joined_` in join() pairs with itself; the acquire of `is_ready_` in
  // configured_child_lost() pairs with the release in configured_children_started(). No flag guards
  // other data: data that belongs to a flag is under a lock or travels in a message.
  base::Atomic<bool> is_terminating_{false};
  base::Atomic<bool> is_joined_{false};
  base::Atomic<bool> is_ready_{false};
  // Only says whether to send a message, which orders the rest.
  base::Atomic<bool> has_shutdown_tasks_{false};
  ShutdownRun shutdown_run_{settings_.shutdown};
  // A request without data of its own: one exchange in on_busy() takes it.
  base::Atomic<bool> is_called_when_busy_{false};
  bool is_in(const actor::TypeGroup& group, message::TypeId type) const;

  std::array<message::TypeId, 3> lifecycle_types_{};  // by LifecycleStep
  message::TypeId write_summary_type_ = 0;
  base::Atomic<bool> is_summary_requested_{false};
};

}  // namespace actord::system
