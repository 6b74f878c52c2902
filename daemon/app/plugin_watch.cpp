// SPDX-License-Identifier: Apache-2.0
#include "app/plugin_watch.hpp"

#include <csignal>
#include <utility>

#include "base/clock.hpp"
#include "loader/plugin_code.hpp"
#include "os/signal_watch.hpp"

namespace actord::app {

namespace {
constexpr std::chrono::seconds check_interval{1};
}  // namespace

PluginWatch::PluginWatch(log::Hub& hub, const os::ServiceManager& service_manager, OnStop on_stop)
    : hub_(hub),
      service_manager_(service_manager),
      on_stop_(std::move(on_stop)),
      thread_([this] { run(); }) {}

PluginWatch::~PluginWatch() {
  {
    const std::lock_guard locked(lock_);
    is_stopping_ = true;
  }
  stop_condition_.notify_one();
  thread_.join();
}

void PluginWatch::run() {
  std::unique_lock locked(lock_);
  while (!stop_condition_.wait_for(locked, check_interval, [this] { return is_stopping_; }))
    check();
}

void PluginWatch::check() {
  const auto running = loader::PluginCode::running();
  if (!running) return;
  const std::int64_t duration_ns = base::monotonic_ns() - running->since_ns;
  if (duration_ns < std::chrono::nanoseconds(report_after).count()) return;
  if (const int signal = os::pending_signal({SIGINT, SIGTERM}); signal != 0)
    on_stop_(signal, running->file);
  if (running->since_ns == reported_since_ns_) return;
  reported_since_ns_ = running->since_ns;
  hub_.shared().audit(
      log::Level::warning, "plugin.slow",
      "waiting for the plugin's static initialisers or its attach to return",
      {{"plugin.file", running->file}, {"duration_ms", duration_ns / base::ns_per_ms}});
  service_manager_.status("waiting for the plugin " + running->file + " to be loaded");
}

}  // namespace actord::app
