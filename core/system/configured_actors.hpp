// SPDX-License-Identifier: Apache-2.0
//
// What has become of each actor of the configuration: whether it is up, and if not, why. The actors
// tell their steps themselves, so the table agrees with the tree and costs nothing while nothing
// happens.
//
// A back-off supervisor and the actor behind it are one configured actor. It has the supervisor's
// path, and it is up while the actor behind it is.
//
// Not here: what that means for the daemon (daemon/app/health.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "actor/config_snapshot.hpp"
#include "actor/configured_step.hpp"
#include "base/sync.hpp"

namespace actord::system {

/// A configured actor and its state. Times are those of the executor's clock.
struct ConfiguredActor {
  enum class State : std::uint8_t {
    starting,  // it is being created, or its turn to be created has not come
    up,
    waiting,  // for the end of a back-off
    stopped   // it has stopped or could not be created, and nothing starts it again
  };

  std::string path, origin;  // origin: "file:line"
  State state = State::starting;
  std::int64_t since_ns = 0;  // when it came into this state
  // When the last of it and its configured ancestors came into its state.
  std::int64_t settled_ns = 0;
  std::int64_t until_ns = 0;     // waiting: the end of the back-off
  std::int64_t delay_ns = 0;     // waiting: the length of the back-off
  bool is_below_running = true;  // all its configured ancestors are up
  bool is_permanent = false;     // a normal end is a loss
  actor::StopReason reason{};    // stopped: why
  bool is_by_failure = false;    // stopped: a failure is the reason, its own or another actor's
  bool is_quarantined = false;   // stopped: it was not started, because it has crashed actord
  std::string stopped_by;        // stopped: the path of the actor that has stopped it
  std::string failure_type, failure_message, failure_id;  // of that failure; empty: there is none
  std::uint64_t steps = 0;                                // rises with each change of the state

  /// Whether it is gone although it should be there.
  bool is_lost() const noexcept {
    return state == State::stopped && (is_by_failure || is_permanent);
  }
};

/// Threads: any.
class ConfiguredActors {
 public:
  /// The actors are those below `user` from now on. Those that were known by their paths keep their
  /// states; the others are `starting`.
  void replace(const actor::NodeSpec& user, std::int64_t now_ns);
  /// A step of the actor at `path`; ignored if that is not a configured actor. True if the owner is
  /// to be told that the table has changed: once until the next call of list(). If memory is short,
  /// the texts of a failure are left out.
  bool note(std::string_view path, const actor::ConfiguredStep& step, std::string_view failure_id,
            std::int64_t now_ns) noexcept;

  /// All actors, in the order of the configuration.
  std::vector<ConfiguredActor> list();
  /// The actor at `path`; none if it is not configured.
  std::optional<ConfiguredActor> find(std::string_view path) const;
  /// Whether a reload starts the actor again, which is not running: if it is lost, or, if that
  /// `is_forced`, in any case.
  bool is_due_again(std::string_view path, bool is_forced) const;
  /// Whether the actor at `path` has stopped.
  bool has_stopped(std::string_view path) const;

 private:
  using State = ConfiguredActor::State;
  static constexpr std::size_t none = SIZE_MAX;

  struct Entry {
    ConfiguredActor own;        // without what follows from other entries
    std::size_t parent = none;  // the index of the parent; none: /user
    std::size_t end = 0;        // the index behind the last descendant
    bool is_front = false;      // a back-off supervisor; the entry behind it is its actor
    bool is_behind = false;     // the actor behind one
    bool has_given_up = false;
    std::uint64_t order = 0;  // of its last step among those of all entries
  };

  void add(const actor::NodeSpec& node, const std::string& path, std::size_t parent,
           std::int64_t now_ns);
  void index();
  const Entry* entry(std::string_view path) const;
  bool step_to(Entry& entry, State state, std::int64_t now_ns) noexcept;
  bool start_children(std::size_t of, std::int64_t now_ns) noexcept;
  State state_of(const Entry& entry) const;
  ConfiguredActor combined(const Entry& entry) const;

  mutable base::Mutex mutex_;
  std::vector<Entry> entries_;  // a parent before its children, in the order of the configuration
  std::unordered_map<std::string_view, std::size_t> by_path_;  // the entries own the texts
  std::uint64_t last_order_ = 0;
  bool is_told_ = false;  // the owner knows of a change that it has not looked at yet
};

}  // namespace actord::system
