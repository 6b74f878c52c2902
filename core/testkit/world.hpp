// SPDX-License-Identifier: Apache-2.0
//
// A whole actor system in one thread, with one seed and virtual time that only the test advances.
// Tests of behaviour over time are written against it.
#pragma once

#include <actord/actord.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "link/loopback.hpp"
#include "persist/memory_store.hpp"
#include "sched/simulator.hpp"
#include "sdk/host_table.hpp"
#include "system/actor_system.hpp"

namespace actord::testkit {

/// One log event, as text.
struct SeenEvent {
  std::int64_t at_ns = 0;
  log::Level level = log::Level::info;
  std::string name;
  std::string text;
  std::map<std::string, std::string, std::less<>> fields;

  /// Empty if there is no such field.
  std::string_view field(std::string_view key) const;
};

/// One thread, the test's own, drives everything. The destructor first stops the system in order.
/// Each event is compared with the table of events (log/event_schema.hpp). The call that finds one
/// that departs from it throws std::logic_error; if it is the destructor, the program ends.
class World {
 public:
  struct Options {
    std::uint64_t seed = 1;
    unsigned workers = 2;
    std::uint32_t slice_max = 8;
    log::Level level = log::Level::debug;
    std::int64_t dead_letters_logged = -1;
    std::int64_t dead_letters_silence_ns = 300'000'000'000;  // 0 or negative: for ever
    actor::DebugSwitches debug = {};
    std::int64_t failure_burst = -1;     // failures of one kind that are logged; negative: all
    actor::StormGuard storm_guard = {};  // off
    bool boots_degraded = false;
    std::uint64_t steps_max = 10'000'000;  // of one run()
    std::size_t ring_bytes = 64 * 1024;    // of the log between two looks at it
    std::int64_t stash_capacity = 0;       // of actors that set none; 0: no limit
    bool asks_fail = true;                 // with the handler that fails, unless a path says so
    actor::LimitsByPlugin plugin_limits = {};
    std::string state_directory = ".";
    system::ShutdownPlan shutdown = {};  // the phases of begin_shutdown()
    system::BreakersByName circuit_breakers = {};
    // What persistent actors are stored in; it may outlive the world. Null: one of its own.
    std::shared_ptr<persist::MemoryStore> store = {};
    system::LiveJournalSettings journal = {};
    const actord_host* host = nullptr;  // the table that plugins call; null: the real one
    // The actors of plugins live in hosts (link/loopback.hpp): the calls of theirs are encoded.
    bool is_isolated = false;
  };

  explicit World(Options options);
  World() : World(Options{}) {}
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Adds a plugin. Before start().
  void use(const actord_plugin& plugin);
  /// Starts the system. `user` is the node of /user: its strategy and the configured children.
  void start(actor::NodeSpec user = {}, std::vector<actor::Deployment> deployments = {});
  /// Replaces the configuration; does not run the system.
  actor::ReconfigurationPtr reconfigure(actor::NodeSpec user,
                                        std::vector<actor::Deployment> deployments = {},
                                        bool is_forced = false);

  /// Spawns a child of /user with these arguments and runs the system until it is idle.
  template <std::derived_from<Actor> A, class... Args>
  actor::Ref spawn(std::string name, Args&&... args) {
    return spawn_props(std::move(name), detail::props_of<A>(std::forward<Args>(args)...));
  }
  /// The same with existing props.
  actor::Ref spawn_props(std::string name, actor::PropsPtr props);
  template <Message M>
  void tell(actor::Ref to, M message, actor::Ref sender = actor::nobody) {
    system_->tell(to, detail::listed_type_id<M>(), &message, sender);
  }
  /// tell() and run().
  template <Message M>
  void send(actor::Ref to, M message, actor::Ref sender = actor::nobody) {
    tell(to, std::move(message), sender);
    run();
  }
  void stop(actor::Ref whom) { send_system(whom, actor::SystemMessage::terminate()); }
  void send_system(actor::Ref whom, const actor::SystemMessage& message);

  /// Runs until no task is runnable, and returns the number of steps. Virtual time stands still.
  /// Throws Unmet after `steps_max` steps; the text says which actors send to each other.
  std::uint64_t run();
  bool step() { return simulator_.step(); }
  /// Lets virtual time pass, and runs what becomes runnable. Throws as run() does.
  void advance(std::chrono::nanoseconds duration);
  std::int64_t now_ns() const { return simulator_.now_ns(); }

  /// Begins the phases of the coordinated shutdown, and runs the system; see ActorSystem.
  void begin_shutdown(std::string_view reason, std::string_view from = {});
  /// How the phases ended; none while they run.
  const std::optional<system::ShutdownOutcome>& shutdown_outcome() const { return outcome_; }
  /// The same, and lets time pass until the phases are over, also while an actor is always busy.
  /// False if they are not.
  bool run_phases(std::string_view reason);
  /// Stops the system in order. True if all actors stopped.
  bool shut_down();
  bool has_stopped() const { return has_stopped_; }
  bool is_ready() const { return is_ready_; }
  const std::vector<system::LostChild>& lost_children() const { return lost_; }

  actor::Ref find(std::string_view path) const { return system_->find(path); }
  std::string path(actor::Ref ref) const { return system_->path(ref); }
  /// Whether the actor exists and has not stopped.
  bool is_alive(actor::Ref ref) const;
  /// The number of restarts: incarnations after the first.
  std::uint32_t incarnation(actor::Ref ref) const;

  /// Everything logged since the last forget_events(), oldest first.
  const std::vector<SeenEvent>& events();
  std::vector<SeenEvent> events(std::string_view name);
  void forget_events();

  system::ActorSystem& system() { return *system_; }
  /// Null unless Options::is_isolated.
  link::Loopback* loopback() { return loopback_.get(); }
  persist::MemoryStore& store() { return *store_; }
  sched::Simulator& simulator() { return simulator_; }
  /// The props of an actor of that behaviour, which lives in a host if Options::is_isolated.
  base::Result<actor::PropsPtr> props_of(std::string_view behaviour);
  actor::Ref spawn_props(std::string name, const actord_props& props);

 private:
  base::Result<actor::PropsPtr> props_of(const actord_props& props);
  // Runs the system, and lets time pass, until that is true. An actor that is always busy does not
  // keep the time from passing: it goes to the next timer after so many steps.
  bool run_until(const std::function<bool()>& is_over);
  // Throws std::logic_error at the first record that is not as the table of events says.
  void check(const log::Record& record);
  // Goes on for a while, and counts the messages by sender, receiver and type.
  std::string busiest_messages();

  const std::uint64_t steps_max_;
  const std::shared_ptr<persist::MemoryStore> store_;
  sched::Simulator simulator_;
  log::Hub hub_;
  std::vector<std::unique_ptr<link::IsolatedPlugin>> isolated_;
  std::unique_ptr<link::Loopback> loopback_;
  std::unique_ptr<system::ActorSystem> system_;
  std::vector<SeenEvent> events_;
  std::vector<system::LostChild> lost_;
  std::optional<system::ShutdownOutcome> outcome_;
  bool is_ready_ = false, is_started_ = false, has_stopped_ = false;
  bool has_bad_record_ = false;
};

}  // namespace actord::testkit
