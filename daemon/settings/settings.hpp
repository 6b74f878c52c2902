// SPDX-License-Identifier: Apache-2.0
//
// What the operator wrote, typed and checked, with its place kept; every key, its range and its
// default stand in config/reference.conf.
//
// Not here: what needs the plugins to be loaded (binding.hpp), and where the layers come from
// (app).
#pragma once

#include <optional>
#include <set>

#include "actor/strategy.hpp"
#include "hocon/source.hpp"
#include "log/log_record.hpp"
#include "settings/findings.hpp"
#include "system/actor_system.hpp"

namespace actord::settings {

enum class LogFormat { automatic, json, console };
enum class OnBootFailure { fail, degrade };

struct LogSettings {
  log::Level level = log::Level::info;
  LogFormat format = LogFormat::automatic;
};

struct DeadLetterSettings {
  static constexpr std::int64_t all = -1;

  std::int64_t logged = 10;                   // then silence; all, or 0 for none
  std::int64_t suspend_ns = 300'000'000'000;  // of that silence; 0: for good
  bool during_shutdown = false;
};

struct PoolSettings {
  unsigned workers = 0;                          // 0: one per CPU
  std::uint32_t throughput = 64;                 // messages between two looks at the clock
  std::int64_t throughput_deadline_ns = 20'000;  // 0: `throughput` messages are all
};

struct BlockingSettings {
  unsigned threads_max = 64;
  std::int64_t keep_alive_ns = 10'000'000'000;
};

/// The classic back-off supervisor in front of an actor.
struct BackoffSupervisorSettings {
  enum class Mode { on_stop, on_failure };
  /// A member that belongs to the strategy: another one is no other supervisor.
  static constexpr std::string_view limit_key = "max-restarts";

  hocon::Value value;
  Mode mode = Mode::on_stop;
  std::int64_t min_ns = 0;
  std::int64_t max_ns = 0;
  double random_factor = 0.2;
  std::int64_t reset_after_ns = 0;       // 0: by hand
  hocon::Value reply, reply_fields;      // a message's name, and its fields or absent
  hocon::Value forward;                  // a path; neither: dead letters
  std::vector<hocon::Value> final_stop;  // names of messages
};

/// An actor of actord.user, with its children in the order of the file.
struct Node {
  static constexpr std::int64_t unlimited = -1;

  std::string name;
  std::string path;  // "/user/crawler"; with a back-off supervisor that one's, and the actor below
  hocon::Value value;
  hocon::Value behaviour;  // "plugin/Behaviour"; absent: a plain supervisor
  hocon::Value config;     // an object, or absent
  std::optional<actor::Strategy> strategy;
  std::string dispatcher;                            // empty: the default one
  std::int64_t mailbox_capacity = 0;                 // 0: does not say; or unlimited
  std::int64_t stash_capacity = 0;                   // the same
  std::optional<BackoffSupervisorSettings> backoff;  // then the strategy is its own
  std::vector<Node> children;
};

/// The judge of the actors below /user.
struct GuardianSettings {
  hocon::Value value;                       // absent: nothing is said
  std::optional<actor::Strategy> strategy;  // none: the value names a plugin's configurator
};

struct Settings {
  static constexpr std::int64_t by_memory = 0;  // a share of the memory that there is
  static constexpr std::int64_t message_memory_least = 1 << 20;

  hocon::Tree tree;  // all values point into it
  std::string name = "actord";
  std::string state_directory;           // absolute, no trailing slash; may not exist yet
  std::string state_directory_source;    // "$STATE_DIRECTORY", or "file:line"
  std::string admin_socket;              // absolute; empty: off
  std::string admin_socket_source;       // "$RUNTIME_DIRECTORY", "the state directory", "file:line"
  std::vector<std::string> plugin_path;  // absolute; empty: the built-in places
  OnBootFailure on_boot_failure = OnBootFailure::fail;
  LogSettings log;
  DeadLetterSettings dead_letters;
  actor::DebugSwitches debug;
  std::int64_t stash_capacity = Node::unlimited;  // where nobody says otherwise
  std::int64_t message_memory_max = by_memory;    // bytes
  PoolSettings default_dispatcher;
  BlockingSettings blocking_io_dispatcher;
  GuardianSettings guardian;
  std::vector<system::PathRule> deployments;  // the most specific first
  std::vector<Node> user;
  UnknownKeys unknown_keys = UnknownKeys::refused;
  hocon::Diagnostics warnings;
};

struct ReadOptions {
  hocon::Source::Environment environment = hocon::process_environment();
  std::string working_directory;  // for relative paths of the command line; empty: the process's
  UnknownKeys unknown_keys = UnknownKeys::refused;
  std::set<std::string>* keys_asked = nullptr;  // every key that was looked for, names as `*`
};

/// Settings as far as they could be read, and all that is wrong with them, sorted by place.
struct Reading {
  Settings settings;
  hocon::Diagnostics errors;
};

/// Everything that can be checked without plugins; `tree` has reference.conf as its first layer.
Reading read_what_can_be(const hocon::Tree& tree, const ReadOptions& options = {});
/// The same; with errors there are no settings.
base::Result<Settings, hocon::Diagnostics> read_settings(const hocon::Tree& tree,
                                                         const ReadOptions& options = {});

struct WantedPlugin {
  std::string name;
  hocon::Value named_by;  // the first that names it
};

/// The plugins that behaviours and the guardian's configurator come from, each once, in the order
/// of the file.
std::vector<WantedPlugin> plugins_wanted(const Settings& settings);

/// What the runtime needs to know. The state directory must exist by the time a system is made of
/// it.
system::SystemSettings system_settings(const Settings& settings, std::uint64_t boot_id);
/// Of that, what can be changed while the system runs.
system::LiveSettings live_settings(const Settings& settings);

}  // namespace actord::settings
