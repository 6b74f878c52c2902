// SPDX-License-Identifier: Apache-2.0
#include "system/actor_system.hpp"

#include <actord/builtin_messages.hpp>

#include <algorithm>

#include "actor/spawning.hpp"
#include "actor/token.hpp"
#include "base/base32.hpp"
#include "system/builtin_plugin.hpp"
#include "system/crash_site.hpp"
#include "system/outside_ask.hpp"

namespace actord::system {

using actor::default_dispatcher;
using actor::Ref;
using actor::SystemMessage;

struct ActorSystem::Parts {
  explicit Parts(const SystemSettings& settings)
      : cells(settings.cells), envelopes(settings.envelope_reserve) {}
  actor::CellPool cells;
  message::EnvelopeDepots envelopes;
  message::TypeRegistry types;
  actor::TypeChains chains;
};

ActorSystem::ActorSystem(SystemSettings settings, sched::Executor& executor_, log::Hub& hub,
                         const actord_host& host_)
    : ActorSystem(std::make_unique<Parts>(settings), settings, executor_, hub, host_) {}

ActorSystem::ActorSystem(std::unique_ptr<Parts> parts, SystemSettings settings,
                         sched::Executor& executor_, log::Hub& hub, const actord_host& host_)
    : Environment({&host_, reinterpret_cast<actord_system*>(this), parts->cells, parts->envelopes,
                   parts->types, parts->chains, hub, executor_}),
      parts_(std::move(parts)),
      settings_(std::move(settings)),
      behaviours_(parts_->types),
      dead_letters_(parts_->types, events_),
      directory_(parts_->cells),
      ingress_(hub) {
  failure_id_prefix = base::base32(settings_.boot_id) + '-';
  set_live(settings_.live);
  external_ = std::make_unique<actor::ThreadState>(*this, nullptr, hub.shared(), executor.seed());
  scheduler_ = std::make_unique<Scheduler>(*external_);
  add_dispatchers();
  add_builtin_types();
  if (settings_.journal.open_store) {
    journal_ = std::make_unique<Journal>(*this, settings_.journal);
    journal_->set_live(settings_.live.journal);
    journal = journal_.get();
  }
}

ActorSystem::~ActorSystem() { join(); }

// ---- start-up -----------------------------------------------------------------------------------

void ActorSystem::add_dispatchers() {
  using Kind = sched::DispatcherSettings::Kind;
  std::vector<sched::DispatcherSettings> all(3);
  all[0].name = "default";
  all[0].threads_min = settings_.workers;
  all[0].slice = settings_.slice;
  all[1].name = "blocking-io";
  all[1].kind = Kind::blocking;
  all[1].threads_max = settings_.blocking_threads_max;
  all[1].keep_alive_ns = settings_.blocking_keep_alive_ns;
  all[1].slice = {1, 0};
  all[2].name = "pinned";
  all[2].kind = Kind::pinned;
  all[2].slice = settings_.slice;
  all.insert(all.end(), settings_.dispatchers.begin(), settings_.dispatchers.end());
  const sched::Hooks hooks{this,
                           &attach,
                           &detach,
                           &actor::Activation::run,
                           &fire_on_worker,
                           &needs_trim,
                           &trim,
                           &actor::ThreadState::flush_stuck,
                           &on_busy};
  dispatcher_activities_.emplace_back();
  for (const sched::DispatcherSettings& wanted : all) {
    sched::Dispatcher& added = executor.add(wanted, hooks);
    ACTORD_ASSERT(added.id() == dispatchers_.size());
    dispatchers_.push_back(&added);
    const auto [named, _] = dispatcher_ids_.emplace(wanted.name, added.id());
    dispatcher_activities_.push_back({named->first, wanted.kind});
  }
  ACTORD_ASSERT(dispatcher_ids_.at("default") == default_dispatcher);
}

void ActorSystem::add_builtin_types() {
  ACTORD_ASSERT(add_plugin(builtin_plugin()).ok());
  builtin.find_in(types);
  lifecycle_types_ = {types.find("actord.ActorStarted/1"), types.find("actord.ActorRestarted/1"),
                      types.find("actord.ActorStopped/1")};
  write_summary_type_ = types.find("actord.WriteSummary/1");
  dead_letters_.find_types();
}

base::Result<void> ActorSystem::add_plugin(const actord_plugin& plugin) {
  const message::TypeId last = types.last();
  if (auto added = behaviours_.add(plugin); !added) return added;
  for (message::TypeId type = last + 1; type <= types.last(); ++type) {
    const auto has_it = [&](const auto& group) { return is_in(group, type); };
    for (const Ref subscriber : events_.group_subscribers(has_it)) subscribe(subscriber, type);
  }
  return attach_plugin(plugin);
}

base::Result<void> ActorSystem::attach_plugin(const actord_plugin& plugin) {
  if (plugin.attach == nullptr) return {};
  actor::FailureRecorder recorder(chains, types);
  actor::ErrorReceiver errors(recorder);
  system_actors_.begin_attach();
  extensions_.begin_attach(message::view(plugin.name));
  const bool is_attached = plugin.attach(host, handle, &errors) == ACTORD_OK;
  system_actors_.end_attach(is_attached);
  extensions_.end_attach(is_attached);
  if (is_attached) return {};
  return base::Error{
      "plugin " + std::string{message::view(plugin.name)} + " refused to start: " +
      std::string{errors.failure ? errors.failure->what.view() : "it gave no reason"}};
}

void ActorSystem::start(actor::ConfigSnapshotPtr first, SystemListener listener) {
  ACTORD_ASSERT(root_ == actor::nobody);  // a system starts once
  listener_ = std::move(listener);
  publish_snapshot(std::move(first));
  executor.start([this](const sched::Timer& timer) {
    with_external([&](actor::ThreadState& thread) { fire(thread, timer); });
  });
  boot_root();
}

void ActorSystem::boot_root() {
  const actor::NodeSpec& root = snapshot_->root();
  actor::PropsPtr props(new actor::Props(*root.behaviour));
  props->snapshot = snapshot_;
  props->build_from(root);
  with_external([&](actor::ThreadState& thread) {
    actor::Cell& cell = *thread.take_cell();
    cell.props = props.release();
    cell.dispatcher.store(default_dispatcher, base::relaxed);
    cell.receive = &root.behaviour->initial();
    root_ = cells.ref_of(cell);
    cell.system.open();
    cell.mailbox.open();
    thread.schedule(cell);
  });
}

// ---- the configuration --------------------------------------------------------------------------

base::Result<actor::ConfigSnapshotPtr> ActorSystem::build_snapshot(SnapshotSpec spec) {
  const auto guardian = [&](std::string_view name) { return *behaviours_.find(name); };
  actor::NodeSpec root, of_runtime, log_actor;
  log_actor.name = "log";
  log_actor.behaviour = guardian("actord/Log");
  of_runtime.name = "system";
  of_runtime.behaviour = guardian("actord/SystemGuardian");
  of_runtime.children.push_back(std::move(log_actor));
  spec.user.name = "user";
  spec.user.behaviour = guardian("actord/Guardian");
  root.behaviour = guardian("actord/Root");
  root.children.push_back(std::move(of_runtime));
  root.children.push_back(std::move(spec.user));
  const std::uint64_t number = last_snapshot_.fetch_add(1, base::relaxed) + 1;
  return actor::ConfigSnapshot::build(
      number, std::move(root), std::move(spec.deployments), std::move(spec.keeper),
      [this](std::string_view name) { return dispatcher_named(name); }, types,
      spec.isolator != nullptr ? spec.isolator : isolator);
}

// The new snapshot is published before any actor is told, so that an actor that has taken it over
// never spawns from the old one.
void ActorSystem::publish_snapshot(actor::ConfigSnapshotPtr newest) {
  has_deployments.store(
      newest->has_deployments() || (isolator != nullptr && isolator->isolates_by_plugin()),
      base::relaxed);
  configured_actors_.replace(newest->user(), executor.now_ns());
  std::lock_guard lock(snapshot_mutex_);
  ACTORD_ASSERT(!snapshot_ || newest->number > snapshot_->number);
  std::swap(snapshot_, newest);
}

actor::ConfigSnapshotPtr ActorSystem::snapshot() {
  std::shared_lock lock(snapshot_mutex_);
  return snapshot_;
}

actor::ReconfigurationPtr ActorSystem::reconfigure(actor::ConfigSnapshotPtr newest, bool is_forced,
                                                   std::function<void()> on_done) {
  ACTORD_ASSERT(root_ != actor::nobody);
  actor::ReconfigurationPtr request(
      new actor::Reconfiguration(newest, is_forced, std::move(on_done)));
  request->await(root_);
  const actor::NodeSpec* const node = &newest->root();
  publish_snapshot(std::move(newest));
  send_system(root_, SystemMessage::reconfigure(request, node, false));
  return request;
}

bool ActorSystem::start_configured(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const Ref parent = find(path.substr(0, slash));
  if (slash == path.npos || parent == actor::nobody) return false;
  const actor::RequestPtr request(new actor::StartRequest(std::string{path.substr(slash + 1)}));
  send_system(parent, SystemMessage::start_child(request));
  return true;
}

// ---- workers ------------------------------------------------------------------------------------

void* ActorSystem::attach(void* owner, sched::Worker& worker) {
  auto& system = *static_cast<ActorSystem*>(owner);
  log::Emitter& emitter = system.settings_.shares_emitter
                              ? system.log.shared()
                              : system.log.attach("worker-" + std::to_string(worker.home().id()) +
                                                  '-' + std::to_string(worker.index()));
  auto* const thread = new actor::ThreadState(system, &worker, emitter, system.executor.seed());
  CrashSite::register_worker(thread);
  if (worker.home().fires_timers())
    system.with_external([&](actor::ThreadState&) { system.scheduler_->add_wheel(worker.timers); });
  if (system.listener_.on_worker) system.listener_.on_worker();
  {
    std::lock_guard lock(system.threads_mutex_);
    thread->worker_number = ++system.last_worker_;
    system.threads_.push_back(thread);
  }
  on_busy(owner);  // the first task of a worker may come without a wait
  return thread;
}

void ActorSystem::detach(void* owner, void* of_worker) {
  auto& system = *static_cast<ActorSystem*>(owner);
  auto* const thread = static_cast<actor::ThreadState*>(of_worker);
  CrashSite::register_worker(nullptr);
  std::lock_guard lock(system.threads_mutex_);
  ACTORD_ASSERT(std::erase(system.threads_, thread) == 1);  // a worker is detached once
  system.past_counters_ += thread->counters;
  if (!system.settings_.shares_emitter) system.log.detach(thread->log);
  delete thread;
}

void ActorSystem::fire_on_worker(void* of_worker, const sched::Timer& timer) {
  auto& thread = *static_cast<actor::ThreadState*>(of_worker);
  static_cast<ActorSystem&>(thread.environment).fire(thread, timer);
}

void ActorSystem::fire(actor::ThreadState& thread, const sched::Timer& timer) {
  using Kind = actor::token::Kind;
  switch (actor::token::kind_of(timer.token)) {
    case Kind::message: return thread.push(timer.owner, Scheduler::envelope_of(timer));
    // The caller holds the lock of the shared wheel.
    case Kind::periodic: return scheduler_->fire_periodic(timer.token);
    case Kind::room: return thread.send_system(timer.owner, SystemMessage::wait_over(timer.token));
    case Kind::journal:
      return thread.send_system(timer.owner, SystemMessage::journal_timeout(timer.token));
    case Kind::backoff:
      return thread.send_system(timer.owner, SystemMessage::backoff_over(timer.token));
    default: return thread.tick(timer.owner, timer.token);
  }
}

void ActorSystem::on_busy(void* of) {
  auto& system = *static_cast<ActorSystem*>(of);
  if (!system.is_called_when_busy_.load(base::relaxed)) [[likely]]
    return;
  if (system.is_called_when_busy_.exchange(false, base::relaxed)) system.listener_.on_busy();
}

Activity ActorSystem::look() {
  Activity now;
  now.dispatchers = dispatcher_activities_;
  {
    std::lock_guard lock(stuck_timeouts_mutex_);
    for (std::size_t id = 1; id < now.dispatchers.size(); ++id) {
      DispatcherActivity& of = now.dispatchers[id];
      of.stuck_timeout_ns = id == default_dispatcher ? stuck_timeouts_.default_ns
                            : of.kind == sched::DispatcherSettings::Kind::blocking
                                ? stuck_timeouts_.blocking_io_ns
                                : stuck_timeouts_.pinned_ns;
    }
  }
  for (std::size_t id = 1; id < now.dispatchers.size(); ++id)
    now.dispatchers[id].waiting = dispatchers_[id]->waiting_for_thread();
  std::lock_guard lock(threads_mutex_);  // keeps every worker in the list attached
  for (const actor::ThreadState* const thread : threads_) {
    // The progress is read on both sides of is_busy(). If a task ends in between, it is unknown
    // which task the worker was busy with, and the task must not count as running since this look.
    const std::uint64_t before = thread->progress();
    const bool is_busy = thread->is_busy();
    const std::uint64_t progress = thread->progress();
    now.workers.push_back({thread->worker_number, thread->worker->home().id(),
                           static_cast<int>(thread->log.thread_id()), is_busy && progress == before,
                           progress});
  }
  return now;
}

bool ActorSystem::needs_trim(void* of) {
  return static_cast<const ActorSystem*>(of)->envelopes.is_worth_trimming();
}

void ActorSystem::trim(void* of) { static_cast<ActorSystem*>(of)->envelopes.trim(); }

// ---- from outside -------------------------------------------------------------------------------

base::IntrusivePtr<actor::SpawnRequest> ActorSystem::request_spawn(std::string name,
                                                                   actor::PropsPtr props) {
  base::IntrusivePtr<actor::SpawnRequest> request(new actor::SpawnRequest);
  request->name = std::move(name);
  request->props = std::move(props);
  send_system(find("/user"), SystemMessage::spawn(request));
  return request;
}

base::Result<Ref> ActorSystem::spawn(std::string name, actor::PropsPtr props) {
  const auto request = request_spawn(std::move(name), std::move(props));
  request->wait();
  if (request->ref == actor::nobody) return base::Error{request->error};
  return request->ref;
}

void ActorSystem::inspect(Ref whom, const base::IntrusivePtr<actor::Inspection>& inspection) {
  send_system(whom, SystemMessage::inspect(inspection));
  on_busy(this);
}

void ActorSystem::order(Ref whom, const base::IntrusivePtr<actor::Order>& order) {
  send_system(whom, SystemMessage::order(order));
  on_busy(this);
}

void ActorSystem::tell(Ref to, message::TypeId type, void* message, Ref sender) {
  with_external([&](actor::ThreadState& thread) {
    thread.tell_from_outside(to, type, message, sender, nullptr);
  });
  on_busy(this);  // its actor may be suspended, so that no worker begins to run
}

bool ActorSystem::try_tell(Ref to, message::TypeId type, void* message, Ref sender,
                           const message::TraceContext* trace) {
  bool is_admitted = false;
  with_external([&](actor::ThreadState& thread) {
    is_admitted = ingress_.admits(envelopes.bytes_in_use()) && !thread.refuses(to);
    if (is_admitted) thread.tell_from_outside(to, type, message, sender, trace);
  });
  on_busy(this);
  return is_admitted;
}

void ActorSystem::send_system(Ref to, const SystemMessage& message) {
  with_external([&](actor::ThreadState& thread) { thread.send_system(to, message); });
}

base::Result<actor::PropsPtr> ActorSystem::props_of(const actord_props& wanted,
                                                    std::string_view spawner) {
  auto props = actor::make_props(*this, wanted, **behaviours_.find(spawner));
  if (!props) return std::move(props).error();
  return *std::move(props);
}

Ref ActorSystem::find(std::string_view path) const {
  if (path == "/") return root_;
  if (path == "/deadLetters") return actor::dead_letters;
  if (path == "/bubble-walker") return actor::bubble_walker;
  return directory_.find(path);
}

void ActorSystem::terminate() {
  if (is_terminating_.exchange(true, base::acq_rel)) return;
  const Ref user = find("/user");
  send_system(user != actor::nobody ? user : root_,
              SystemMessage::terminate(actor::StopReason::shutdown));
}

bool ActorSystem::on_termination(std::function<void()> call) {
  std::lock_guard lock(callbacks_mutex_);
  if (!is_stopped_) callbacks_.push_back(std::move(call));
  return !is_stopped_;
}

void ActorSystem::stop(Ref whom) {
  const std::string where = path(whom);
  const bool is_top_level = where.starts_with("/user/") &&
                            where.find('/', std::string_view{"/user/"}.size()) == where.npos;
  if (!is_top_level) return send_system(whom, SystemMessage::terminate());
  send_system(find("/user"), SystemMessage::stop_child(whom));
}

std::uint64_t ActorSystem::schedule(Ref to, const TimerSpec& spec, message::TypeId type,
                                    void* message) {
  std::uint64_t number = 0;
  with_external([&](actor::ThreadState& thread) {
    if (spec.period_ns <= 0) number = schedule_once(thread, to, spec.delay_ns, type, message);
    else if (!is_terminating()) number = scheduler_->add_periodic(to, spec, type, message);
  });
  return number;
}

bool ActorSystem::cancel(std::uint64_t scheduled) {
  bool was_there = false;
  with_external([&](actor::ThreadState&) { was_there = scheduler_->cancel(scheduled); });
  return was_there;
}

void ActorSystem::join() {
  if (is_joined_.exchange(true, base::acq_rel)) return;
  executor.stop();
  ACTORD_ASSERT(threads_.empty());
}

// ---- Environment: looking up --------------------------------------------------------------------

base::Result<const actor::Behaviour*> ActorSystem::behaviour(const actord_behaviour& table,
                                                             const actor::Behaviour& spawner) {
  return behaviours_.find(table, spawner);
}

base::Result<std::uint16_t> ActorSystem::dispatcher_named(std::string_view name) {
  if (const auto found = dispatcher_ids_.find(name); found != dispatcher_ids_.end())
    return found->second;
  return base::Error{"there is no dispatcher \"" + std::string{name} + '"'};
}

std::vector<Ref> ActorSystem::select(std::string_view pattern) {
  if (actor::is_pattern(pattern)) return directory_.select(pattern);
  const Ref only = find(pattern);
  return only == actor::nobody ? std::vector<Ref>{} : std::vector<Ref>{only};
}

// ---- Environment: built-in messages and events --------------------------------------------------

void ActorSystem::construct_terminated(void* at, Ref who, bool existence_confirmed,
                                       actor::StopReason reason) {
  ::new (at) Terminated{{who}, existence_confirmed, std::string{actor::name_of(reason)}};
}

void ActorSystem::construct_receive_timeout(void* at, std::int64_t after_ns) {
  ::new (at) ReceiveTimeout{std::chrono::nanoseconds{after_ns}};
}

void ActorSystem::construct_identity(void* at, const void* identify, Ref who) {
  ::new (at) ActorIdentity{static_cast<const Identify*>(identify)->id, {who}};
}

void ActorSystem::subscribe(Ref subscriber, message::TypeId type) {
  events_.subscribe(subscriber, type);
  if (std::ranges::find(lifecycle_types_, type) != std::end(lifecycle_types_))
    has_lifecycle_subscribers.store(true, base::relaxed);
}

bool ActorSystem::is_in(const actor::TypeGroup& group, message::TypeId type) const {
  if (group.kind == actor::TypeGroup::Kind::prefix) return types.name(type).starts_with(group.text);
  const actord_message_type& table = *types.at(type).table;
  return ACTORD_HAS(actord_message_type, &table, family) &&
         message::view(table.family) == group.text && !group.text.empty();
}

// The note comes first: a plugin that is loaded meanwhile looks for notes when its types are known.
void ActorSystem::subscribe(Ref subscriber, const actor::TypeGroup& group) {
  events_.note(subscriber, group);
  for (message::TypeId type = 1; type <= types.last(); ++type) {
    if (is_in(group, type)) subscribe(subscriber, type);
  }
}

void ActorSystem::unsubscribe(Ref subscriber, const actor::TypeGroup& group) {
  if (group.kind == actor::TypeGroup::Kind::prefix && group.text.empty())
    return events_.unsubscribe_all(subscriber);
  events_.forget(subscriber, group);
  for (message::TypeId type = 1; type <= types.last(); ++type) {
    if (is_in(group, type)) events_.unsubscribe(subscriber, type);
  }
}

void ActorSystem::publish_lifecycle_step(actor::ThreadState& thread, actor::LifecycleStep step,
                                         Ref who, std::string_view detail) {
  const message::TypeId type = lifecycle_types_[static_cast<std::size_t>(step)];
  if (!events_.has_subscribers(type)) return;
  using Step = actor::LifecycleStep;
  const auto publish_event = [&](auto event) { publish(thread, type, &event, who); };
  if (step == Step::started) publish_event(ActorStarted{{who}, path(who)});
  else if (step == Step::restarted)
    publish_event(ActorRestarted{{who}, path(who), std::string{detail}});
  else publish_event(ActorStopped{{who}, path(who), std::string{detail}});
}

// ---- Environment: start-up, failures and the end ------------------------------------------------

void ActorSystem::configured_children_started(actor::Turn& turn) {
  if (turn.self == find("/system")) system_actors_.start_kept(turn);
  if (turn.self != find("/user")) return;
  is_ready_.store(true, base::release);
  if (listener_.on_ready) listener_.on_ready();
}

void ActorSystem::request_summary(actor::ThreadState& thread) {
  constexpr std::int64_t second_ns = 1'000'000'000;
  if (!claim_summary()) return;
  detail::WriteSummary request;
  schedule_once(thread, find("/system/log"), second_ns, write_summary_type_, &request);
}

bool ActorSystem::configured_child_lost(std::string_view path, const actor::Failure& failure) {
  const actor::Failure& root = failure.root_cause();
  LostChild lost{std::string{path}, std::string{root.types->type()}, std::string{root.what.view()},
                 root.types->names, 0};
  for (const actor::Detail& detail : root.details) {
    if (detail.key == "errno" && detail.kind == ACTORD_INT)
      lost.error_number = detail.value.value.i;
  }
  on_configured_step(path, {.kind = actor::ConfiguredStep::Kind::stopped,
                            .reason = actor::StopReason::init_failed,
                            .failure = &failure});
  if (listener_.on_child_lost) listener_.on_child_lost(lost);
  return settings_.boots_degraded || is_ready_.load(base::acquire);
}

void ActorSystem::on_configured_step(std::string_view path,
                                     const actor::ConfiguredStep& step) noexcept try {
  const bool has_id = step.failure != nullptr && step.failure->id != 0;
  const std::string id = has_id ? failure_id_text(step.failure->id) : std::string{};
  if (configured_actors_.note(path, step, id, executor.now_ns()) &&
      listener_.on_configured_actors_changed)
    listener_.on_configured_actors_changed();
} catch (const std::bad_alloc&) {}  // the state of the actor is known later than it is

// The bubble-walker's part: a failure of the root has no supervisor, so it ends the system
// (supervision.md 106).
void ActorSystem::root_failed(const actor::FailurePtr& failure) {
  log.shared().emit(log::Level::error, "guardian.terminated",
                    "the root guardian failed: the system shuts down",
                    {{"actor.path", "/"},
                     {"failure.type", failure->types->type()},
                     {"failure.message", failure->root_cause().what.view()},
                     {"failure.id", failure_id_text(failure->id)}});
  is_terminating_.store(true, base::release);
  termination_cause_ = {TerminationCause::Kind::root_failed, "/", failure};
  if (listener_.on_stopping_by_itself) listener_.on_stopping_by_itself(termination_cause_);
  send_system(root_, SystemMessage::terminate(actor::StopReason::shutdown));
}

void ActorSystem::guardian_failed(std::string_view path, const actor::Failure& failure) {
  log.shared().emit(log::Level::error, "guardian.terminated",
                    "a guardian failed: the system shuts down",
                    {{"actor.path", path},
                     {"failure.type", failure.types->type()},
                     {"failure.message", failure.root_cause().what.view()},
                     {"failure.id", failure_id_text(failure.id)}});
  is_terminating_.store(true, base::release);
  if (termination_cause_.kind == TerminationCause::Kind::asked)
    termination_cause_ = {TerminationCause::Kind::guardian_failed, std::string{path}, {}};
  if (listener_.on_stopping_by_itself) listener_.on_stopping_by_itself(termination_cause_);
}

// Runs on every stop of a guardian. If no shutdown was asked for, a guardian was stopped by hand,
// and the rest of the system follows.
bool ActorSystem::quarantine(actor::ThreadState& thread, const actor::PoisonMessage& poison) {
  const QuarantinedMessagePtr added = quarantine_.add(thread, poison);
  if (added != nullptr && listener_.on_quarantined) listener_.on_quarantined(added);
  return added != nullptr;
}

void ActorSystem::guardian_stopping(std::string_view path) {
  if (is_terminating_.exchange(true, base::acq_rel)) return;
  if (listener_.on_stopping_by_itself)
    listener_.on_stopping_by_itself({TerminationCause::Kind::asked, std::string{path}, {}});
}

void ActorSystem::root_stopped() {
  system_actors_.close();
  with_external([&](actor::ThreadState&) { scheduler_->clear(); });
  std::vector<std::function<void()>> callbacks;
  {
    std::lock_guard lock(callbacks_mutex_);
    ACTORD_ASSERT(!is_stopped_);  // the system goes down once
    is_stopped_ = true;
    callbacks = std::exchange(callbacks_, {});
  }
  for (auto call = callbacks.rbegin(); call != callbacks.rend(); ++call) (*call)();
  if (listener_.on_stopped) listener_.on_stopped();
}

}  // namespace actord::system
