// SPDX-License-Identifier: Apache-2.0
//
// The configuration as typed and checked values with their origins. config/reference.conf documents
// every key with its range and default.
//
// Not here: checks that need the plugins (binding.hpp), and the layers (layers).
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "actor/actor_options.hpp"
#include "actor/counted_actors.hpp"
#include "actor/live_switches.hpp"
#include "actor/plugin_usage.hpp"
#include "actor/supervision.hpp"
#include "hocon/source.hpp"
#include "log/log_record.hpp"
#include "schema/known_words.hpp"
#include "settings/admin_roles.hpp"
#include "settings/findings.hpp"
#include "system/breakers.hpp"
#include "system/shutdown_plan.hpp"
#include "system/stuck_watch.hpp"

namespace actord::system {
struct LiveSettings;
struct SystemSettings;
}  // namespace actord::system

namespace actord::settings {

struct LogSinkSettings {
  schema::LogSinkType type = schema::LogSinkType::file;
  log::Level level = log::Level::debug;
  schema::LogFormat format = schema::LogFormat::json;  // without a meaning for journald
  std::string path;                                    // file
  std::int64_t rotate_bytes = 0;                       // file; 0: never
  std::int64_t keep = 5;                               // file
  unsigned facility = 3;                               // syslog: daemon
  std::string socket;  // syslog, journald: absolute; empty: the usual one
};

struct LogSettings {
  log::Level level = log::Level::info;
  schema::LogFormat format = schema::LogFormat::automatic;
  log::Level output_level = log::Level::debug;
  bool is_verbose = false;         // a terminal shows each line in full
  std::int64_t failure_burst = 5;  // failures of one kind that are logged; negative: all
  std::size_t history_bytes = 8 << 20;
  std::vector<LogSinkSettings> sinks;
};

struct CrashSettings {
  schema::OnDaemonCrash on_crash = schema::OnDaemonCrash::restart;
  std::int64_t quarantine_after = 3;         // crashes; 0: never
  std::int64_t within_ns = 600'000'000'000;  // in which they count
  std::int64_t keep = 50;                    // records of crashes
};

/// The phases of a stop, and with which status actord ends.
struct ShutdownSettings {
  system::ShutdownPlan plan;
  int exit_code = 0;                                   // after a stop that was asked for
  std::map<std::string, int, std::less<>> exit_codes;  // by reason
};

struct HttpSettings {
  std::string address;  // "127.0.0.1"; empty: off
  std::uint16_t port = 0;
  std::string source;  // "file:line"
  std::vector<std::string> hosts;
};

struct DeadLetterSettings {
  static constexpr std::int64_t all = -1;

  std::int64_t logged = 10;  // number of dead letters logged before a silence; `all`; 0: none
  std::int64_t suspend_ns = 300'000'000'000;  // length of the silence; 0: for ever
  bool during_shutdown = false;
  std::int64_t kept_bytes = std::int64_t{4} << 20;  // memory for those that are kept; 0: none
};

struct PoolSettings {
  unsigned workers = 0;                          // 0: one per CPU
  std::uint32_t throughput = 64;                 // messages between two readings of the clock
  std::int64_t throughput_deadline_ns = 20'000;  // 0: `throughput` alone limits a slice
};

struct BlockingSettings {
  unsigned threads_max = 64;
  std::int64_t keep_alive_ns = 10'000'000'000;
};

/// The journal of persistent actors.
struct PersistenceSettings {
  std::string folder;  // absolute; empty if there is no state directory
  schema::Durability durability = schema::Durability::power;
  std::int64_t batch_events = 2048;
  std::int64_t batch_bytes = std::int64_t{1} << 20;
  std::int64_t recoveries = 64;                       // at the same time
  std::int64_t recovery_timeout_ns = 30'000'000'000;  // 0: none
  std::int64_t snapshot_every = 1000;                 // events; 0: only if code asks for one
  std::int64_t snapshots_kept = 2;
  bool deletes_events = false;  // that the snapshot before the newest covers
};

/// The host processes of isolated actors.
struct WorkerSettings {
  std::string group = "per-plugin";  // of actors that set none; as in ActorOptions
  unsigned spare = 1;                // processes that wait for actors, for each plugin
  std::int64_t start_timeout_ns = 10'000'000'000;
  std::int64_t stuck_timeout_ns = 30'000'000'000;      // 0: none
  std::int64_t memory_max = schema::worker_unlimited;  // bytes of address space; 0: unlimited
  std::int64_t nofile = schema::worker_inherited;      // descriptors; 0: as many as the daemon's
  bool has_core = false;                               // a crash writes a core dump
};

/// The classic back-off supervisor in front of an actor.
struct BackoffSupervisorSettings {
  using Mode = schema::BackoffMode;
  /// The member that belongs to the strategy. A change of it does not change the supervisor.
  static constexpr std::string_view limit_key = "max-restarts";

  hocon::Value value;
  Mode mode = Mode::on_stop;
  std::int64_t min_ns = 0;
  std::int64_t max_ns = 0;
  double random_factor = 0.2;
  std::int64_t reset_after_ns = 0;   // 0: manual reset
  hocon::Value reply, reply_fields;  // the name of a message and its fields; may be absent
  // the path of an actor; if `reply` is absent too, messages become dead letters
  hocon::Value forward;
  std::vector<hocon::Value> final_stop;  // names of messages
};

/// How the load of a pool decides about its size; see actord::Resizer.
struct ResizerSettings {
  std::int64_t lower = 1, upper = 10, pressure_threshold = 1;
  double rampup_rate = 0.2, backoff_threshold = 0.3, backoff_rate = 0.1;
  std::int64_t interval_ns = 1'000'000'000;
};

/// The router of an actor.
struct RouterSettings {
  using Logic = schema::RouterLogic;
  /// The member that does not change the router: the routees are children of its node.
  static constexpr std::string_view size_key = "size";

  hocon::Value value;
  bool is_pool = true;
  Logic logic = Logic::round_robin;
  std::int64_t size = 1;
  std::vector<std::string> paths;
  std::int64_t within_ns = 5'000'000'000, interval_ns = 10'000'000;
  std::int64_t credits = 1;
  std::string hash_field;
  std::int64_t points = 16;
  std::optional<ResizerSettings> resizer;
};

/// An actor of actord.user with its children in the order of the file.
struct Node {
  std::string name;
  // "/user/crawler"; with `backoff` the path of the supervisor, whose child is the actor
  std::string path;
  hocon::Value value;
  hocon::Value behaviour;  // "plugin/Behaviour"; absent: a plain supervisor
  hocon::Value config;     // an object, or absent
  actor::ActorOptions options;
  // if set, the strategy of `options` is that of the back-off supervisor
  std::optional<BackoffSupervisorSettings> backoff;
  // if set, `path` is that of the router, and so is the strategy of `options`
  std::optional<RouterSettings> router;

  /// The path of the actor of `behaviour`; of a pool, that of its first routee.
  std::string own_path() const {
    if (backoff) return path + '/' + name;
    return router && router->is_pool ? path + "/1" : path;
  }
  bool is_permanent = false;  // a normal end is a loss
  std::vector<Node> children;
};

/// The strategy of the /user guardian.
struct GuardianSettings {
  hocon::Value value;                       // absent: not set
  std::optional<actor::Strategy> strategy;  // nullopt: the value names a plugin's configurator
};

struct Settings {
  hocon::Tree tree;  // all values refer to it
  std::string name = "actord";
  std::string state_directory;         // absolute, without a trailing slash; may not exist yet
  std::string state_directory_source;  // "$STATE_DIRECTORY", or "file:line"
  std::string admin_socket;            // absolute; empty: off
  std::string admin_socket_source;  // "$RUNTIME_DIRECTORY", "the state directory, …" or "file:line"
  AdminRoles admin_roles;
  HttpSettings http;
  std::vector<std::string> plugin_path;  // absolute; empty: the built-in directories
  schema::PluginTrust plugin_trust = schema::PluginTrust::automatic;
  schema::PluginAutoload plugin_autoload = schema::PluginAutoload::verify;
  actor::LimitsByPlugin plugin_limits;
  actor::IsolationByPlugin plugin_isolation;
  WorkerSettings worker;
  PersistenceSettings persistence;
  schema::OnBootFailure on_boot_failure = schema::OnBootFailure::fail;
  schema::OnActorLost on_actor_lost = schema::OnActorLost::degrade;
  CrashSettings crashes;
  ShutdownSettings shutdown;
  system::BreakersByName circuit_breakers;
  std::chrono::nanoseconds stop_timeout = std::chrono::seconds{80};  // 0: none
  schema::CoreDumps core_dumps = schema::CoreDumps::automatic;
  actor::CountedActors counted_actors = actor::CountedActors::configured;
  schema::ThrowSites throw_sites = schema::ThrowSites::first;
  LogSettings log;
  DeadLetterSettings dead_letters;
  std::int64_t quarantine_messages = 1000, quarantine_bytes = std::int64_t{8} << 20;
  actor::DebugSwitches debug;
  actor::TracingSettings tracing;
  actor::StormGuard storm_guard;
  std::int64_t stash_capacity = actor::ActorOptions::unlimited;  // for actors that set none
  bool asks_fail = true;                                         // with the handler that fails
  std::int64_t message_memory_max = schema::by_memory;           // in bytes
  PoolSettings default_dispatcher;
  BlockingSettings blocking_io_dispatcher;
  system::StuckTimeouts stuck_timeouts;
  GuardianSettings guardian;
  std::vector<actor::Deployment> deployments;  // the most specific first
  std::vector<Node> user;
  UnknownKeys unknown_keys = UnknownKeys::errors;
  hocon::Diagnostics warnings;
};

struct ReadOptions {
  hocon::Source::Environment environment = hocon::process_environment();
  // for relative paths of the command line; empty: that of the process
  std::string working_directory;
  UnknownKeys unknown_keys = UnknownKeys::errors;
  // receives every key that is read, with `*` for names; may be null
  std::set<std::string>* keys_read = nullptr;
};

/// Settings as far as they could be read, and all errors sorted by position.
struct Reading {
  Settings settings;
  hocon::Diagnostics errors;
};

/// Makes all checks that need no plugins. `tree` has reference.conf as its first layer.
Reading read_as_far_as_possible(const hocon::Tree& tree, const ReadOptions& options = {});
/// The same, but returns only the errors if there are any.
base::Result<Settings, hocon::Diagnostics> read_settings(const hocon::Tree& tree,
                                                         const ReadOptions& options = {});

struct WantedPlugin {
  std::string name;
  hocon::Value named_by;  // the first value that names it
};

/// The plugins of all behaviours and of the guardian's configurator, each once: the configurator's
/// first, then in the order of the file.
std::vector<WantedPlugin> plugins_wanted(const Settings& settings);

/// The settings of the runtime. The state directory must exist when the system is created from
/// them.
system::SystemSettings system_settings(const Settings& settings, std::uint64_t boot_id);
/// The part of system_settings() that can change while the system runs.
system::LiveSettings live_settings(const Settings& settings);

}  // namespace actord::settings
