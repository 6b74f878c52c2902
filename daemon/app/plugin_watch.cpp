// SPDX-License-Identifier: Apache-2.0
#include "app/plugin_watch.hpp"

#include <csignal>
#include <utility>

#include "base/clock.hpp"
#include "loader/plugin_code.hpp"
#include "os/signal_watch.hpp"

namespace actord::app {

namespace {
constexpr std::chrono::seconds between_looks{1};
}  // namespace

PluginWatch::PluginWatch(log::Hub& hub, const os::ServiceManager& service_manager, OnStop on_stop)
    : hub_(hub),
      service_manager_(service_manager),
      on_stop_(std::move(on_stop)),
      thread_([this] { run(); }) {}

PluginWatch::~PluginWatch() {
  {
    const std::lock_guard locked(lock_);
    is_over_ = true;
  }
  over_.notify_one();
  thread_.join();
}

void PluginWatch::run() {
  std::unique_lock locked(lock_);
  while (!over_.wait_for(locked, between_looks, [this] { return is_over_; })) look();
}

void PluginWatch::look() {
  const auto running = loader::PluginCode::running();
  if (!running) return;
  const std::int64_t duration_ns = base::monotonic_ns() - running->since_ns;
  if (duration_ns < std::chrono::nanoseconds(patience).count()) return;
  if (const int signal = os::pending_signal({SIGINT, SIGTERM}); signal != 0)
    on_stop_(signal, running->file);
  if (running->since_ns == told_since_ns_) return;
  told_since_ns_ = running->since_ns;
  hub_.shared().emit(
      log::Level::warning, "plugin.slow",
      "waits for the plugin's static initialisers, or its attach, to return",
      {{"plugin.file", running->file}, {"duration_ms", duration_ns / base::ns_per_ms}});
  service_manager_.status("waits for the plugin " + running->file + " to be loaded");
}

}  // namespace actord::app
