// SPDX-License-Identifier: Apache-2.0
#include "app/stop_phases.hpp"

#include <algorithm>
#include <utility>

#include "base/counted.hpp"
#include "os/service_manager.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

namespace {

// What the service manager waits for beyond the phases and the stop of the actors: the end of the
// plugins and of the log.
constexpr std::chrono::seconds for_the_rest{10};
// Stands for a stop-timeout that is off: TimeoutStopSec= of the unit that comes with actord.
constexpr std::chrono::seconds stop_timeout_of_unit{90};
// The sum of all timeouts does not overflow, whatever the configuration says.
constexpr std::chrono::nanoseconds longest_max = std::chrono::hours{24 * 365};

}  // namespace

void StopPhases::begin(system::ActorSystem& actors, const std::string& reason,
                       const std::string& from, std::chrono::nanoseconds stop_timeout,
                       OnOver on_over) {
  on_over_ = std::move(on_over);
  const system::ShutdownPlan& plan = actors.settings().shutdown;
  phase_ = from.empty() ? plan.phases().front().name : from;
  std::chrono::nanoseconds longest = grace;
  for (const system::ShutdownPhase& phase : plan.phases()) {
    if (phase.is_enabled)
      longest = std::min(longest + std::chrono::nanoseconds{phase.timeout_ns}, longest_max);
  }
  if (actors.has_shutdown_tasks())
    service_manager_.extend_timeout(
        longest + (stop_timeout.count() != 0 ? stop_timeout : stop_timeout_of_unit) + for_the_rest);
  deadline_.start(longest, [this, reason] {
    if (on_over_) give_up(reason);
  });
  actors.begin_shutdown(reason, from);
}

void StopPhases::on_phase(const system::ShutdownPhase& phase, std::size_t tasks) {
  if (!on_over_) return;
  phase_ = phase.name;
  service_manager_.status("stopping: " + phase.name + " with " + base::counted(tasks, "task"));
}

void StopPhases::on_over(const std::string& aborted_in) {
  if (!on_over_) return;
  deadline_.cancel();
  std::exchange(on_over_, nullptr)(aborted_in);
}

void StopPhases::give_up(const std::string& reason) {
  hub_.shared().emit(log::Level::error, "shutdown.aborted",
                     "no thread is free to run the phases: the actors are stopped",
                     {{"shutdown.phase", phase_}, {"reason", reason}});
  on_over(phase_);
}

}  // namespace actord::app
