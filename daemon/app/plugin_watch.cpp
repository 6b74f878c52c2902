// SPDX-License-Identifier: Apache-2.0
#include "app/plugin_watch.hpp"

#include "base/clock.hpp"
#include "loader/plugin_code.hpp"

namespace actord::app {

PluginWatch::PluginWatch(log::Hub& hub, const os::ServiceManager& service_manager)
    : hub_(hub), service_manager_(service_manager), thread_([this] { run(); }) {}

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
  while (!over_.wait_for(locked, patience, [this] { return is_over_; })) look();
}

void PluginWatch::look() {
  const auto running = loader::PluginCode::running();
  if (!running || running->file == told_) return;
  const std::int64_t duration_ns = base::monotonic_ns() - running->since_ns;
  if (duration_ns < std::chrono::nanoseconds(patience).count()) return;
  told_ = running->file;
  hub_.shared().emit(log::Level::warning, "plugin.slow",
                     "waits for the plugin's static initialisers, or its attach, to return",
                     {{"plugin.file", told_}, {"duration_ms", duration_ns / base::ns_per_ms}});
  service_manager_.status("waits for the plugin " + told_ + " to be loaded");
}

}  // namespace actord::app
