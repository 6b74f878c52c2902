// SPDX-License-Identifier: Apache-2.0
//
// Tells the service manager and the log how many of the configured actors are up, and which are
// not. What is told follows the table of the actor system (system/configured_actors.hpp), at most a
// second later.
//
// An actor is down if it is lost, or if it waits for its restart longer than `waiting_max`. After a
// normal end it is not, unless its lifetime is permanent. An actor below one that is not up is not
// judged by itself.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "log/hub.hpp"
#include "os/event_loop.hpp"
#include "schema/known_words.hpp"
#include "system/configured_actors.hpp"

namespace actord::os {
class ServiceManager;
}  // namespace actord::os

namespace actord::sinks {
class SecretMask;
}  // namespace actord::sinks

namespace actord::app {

/// What the states of the configured actors come to.
struct HealthReport {
  /// How long an actor must have been in a state until it is judged by it. A restart of its parent
  /// may be in progress.
  static constexpr std::chrono::seconds settling{1};
  /// An actor that waits longer for its restart is down.
  static constexpr std::chrono::seconds waiting_max{5};

  struct Down {
    std::string path;
    std::string text;      // "/user/a has failed: net::Timeout: no route"
    bool is_lost = false;  // not only waiting
  };
  std::size_t actors = 0, up = 0, lost = 0;
  std::vector<Down> down;
  std::string missing;     // the text of the first actor that is not up; empty: all are up
  bool is_settled = true;  // false: some are too new in their states to be judged
};
/// `now_ns` is a time of the executor's clock. `settling` as above; 0: judge each actor by its
/// present state.
HealthReport judge(const std::vector<system::ConfiguredActor>& actors, std::int64_t now_ns,
                   std::chrono::nanoseconds settling = HealthReport::settling);
/// The line for operators: "2 of 3 configured actors are up; /user/a has failed: …".
std::string text_of(const HealthReport& report);
/// "/user/a has failed: net::Timeout: no route"; for any state.
std::string text_of(const system::ConfiguredActor& actor);

/// Threads: only the event loop's.
class Health {
 public:
  /// Between two lines of the log.
  static constexpr std::chrono::seconds event_interval{5};

  /// All references outlive this object. `on_lost` is called with a text when an actor is lost that
  /// was not lost at ready(), if the policy is exit.
  Health(os::EventLoop& loop, log::Hub& hub, os::ServiceManager& service_manager,
         const sinks::SecretMask& mask, std::function<void(const std::string&)> on_lost);

  /// The actors have started: begins to follow them, and returns what they come to now.
  HealthReport begin(system::ConfiguredActors& actors);
  /// Tells the service manager that actord is ready, and the log what is down in that report.
  /// Nothing is told before.
  void ready(const HealthReport& report, schema::OnActorLost policy);
  /// A reload has ended: tells the service manager so. `note` follows the counts.
  void reloaded(schema::OnActorLost policy, std::string note);
  /// What else operators should know, such as which mailbox grows; empty: nothing any more.
  void warn(std::string text);
  /// The same of the journal of persistent actors.
  void tell_journal(std::string text);
  /// The table has changed.
  void on_changed();
  /// Nothing more is told.
  void stop();

 private:
  void look_after(std::chrono::nanoseconds delay);
  void look();
  HealthReport report(std::chrono::nanoseconds settling);
  void tell_log(const HealthReport& report);
  void tell_if_lost(const HealthReport& report);
  std::string status(const HealthReport& report) const;

  log::Hub& hub_;
  os::ServiceManager& service_manager_;
  const sinks::SecretMask& mask_;
  const std::function<void(const std::string&)> on_lost_;
  system::ConfiguredActors* actors_ = nullptr;  // null: before begin() and after stop()
  schema::OnActorLost policy_ = schema::OnActorLost::degrade;
  os::Timer timer_;
  bool is_waiting_ = false;  // a look is to come
  std::string note_, warning_, journal_, told_status_;
  std::set<std::string> told_down_;    // the paths of the last line of the log
  std::set<std::string> lost_before_;  // at ready(), and not up since
  std::int64_t last_event_ns_ = 0;     // 0: none yet
  std::int64_t down_since_ns_ = 0;
};

}  // namespace actord::app
