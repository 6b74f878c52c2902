// SPDX-License-Identifier: Apache-2.0
#include "app/watchdog.hpp"

#include <chrono>

#include "app/actor_watch.hpp"
#include "base/clock.hpp"
#include "os/crash_handler.hpp"
#include "os/service_manager.hpp"

namespace actord::app {

Watchdog::Watchdog(os::EventLoop& loop, log::Hub& hub, os::ServiceManager& service_manager,
                   const ActorWatch& actors, std::optional<std::int64_t> timeout_ns)
    : hub_(hub),
      service_manager_(service_manager),
      actors_(actors),
      timeout_ns_(timeout_ns),
      timer_(loop) {}

void Watchdog::start() {
  if (timeout_ns_ && !is_stopped_) check();
}

void Watchdog::stop() {
  is_stopped_ = true;
  timer_.cancel();
}

// A message that was withheld is due at once when the handler returns, so it is looked for more
// often.
void Watchdog::check() {
  const std::int64_t interval_ns = *timeout_ns_ / 2;
  const bool is_withheld = is_late();
  if (!is_withheld) service_manager_.watchdog();
  timer_.start(std::chrono::nanoseconds(is_withheld ? interval_ns / 4 : interval_ns), [this] {
    if (!is_stopped_) check();
  });
}

bool Watchdog::is_late() {
  const auto oldest = actors_.oldest_on_pools();
  const std::int64_t duration_ns = oldest ? actors_.duration_ns(*oldest) : 0;
  const bool is_late = !is_stopping_ && oldest && duration_ns >= *timeout_ns_ / 2;
  os::pass_aborts_on_to(is_late ? oldest->of.thread_id : 0);
  if (!is_late) return false;
  const std::pair handler{oldest->of.worker, oldest->of.progress};
  if (std::exchange(reported_, handler) == handler) return true;
  std::vector<log::Field> fields{{"dispatcher", actors_.dispatcher_of(oldest->of)},
                                 {"thread", oldest->of.thread_id},
                                 {"duration_ms", duration_ns / base::ns_per_ms}};
  if (const std::string_view path = actors_.path_of(oldest->of); !path.empty())
    fields.push_back({"actor.path", path});
  hub_.shared().emit(log::Level::error, "watchdog.late",
                     "the service manager gets no WATCHDOG=1 until a handler returns", fields);
  return true;
}

}  // namespace actord::app
