// SPDX-License-Identifier: Apache-2.0
#include "app/plugin_watch.hpp"

#include <csignal>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/stack_probe.hpp"
#include "base/clock.hpp"
#include "log/hub.hpp"
#include "os/service_manager.hpp"
#include "os/signal_watch.hpp"

namespace actord::app {

using loader::PluginCode;

namespace {

// How long a plugin may take before it is reported. At the end it may be writing what it holds.
constexpr std::int64_t report_at_start_ns = 3 * base::ns_per_s,
                       report_at_end_ns = 5 * base::ns_per_s;
// At the end, a second stop signal counts 250 ms after the first one.
constexpr std::chrono::milliseconds interval_at_start{1000}, interval_at_end{100};
constexpr std::chrono::milliseconds answer_interval{10}, answer_timeout{500};

std::string_view message_for(PluginCode::Phase phase) {
  switch (phase) {
    case PluginCode::Phase::load:
      return "waiting for the plugin's static initialisers or its attach to return";
    case PluginCode::Phase::detach: return "waiting for the plugin's detach to return";
    case PluginCode::Phase::end: break;
  }
  return "waiting for static destructors of a plugin to return";
}

}  // namespace

PluginWatch::PluginWatch(Stage stage, log::Hub& hub, os::ServiceManager& service_manager,
                         StackProbe& probe, OnStop on_stop)
    : stage_(stage),
      hub_(hub),
      service_manager_(service_manager),
      probe_(probe),
      on_stop_(std::move(on_stop)) {
  try {
    thread_ = base::Thread([this] { run(); });
  } catch (const std::system_error&) {  // without a thread nothing is watched
  }
}

PluginWatch::~PluginWatch() {
  {
    const std::lock_guard locked(lock_);
    is_stopping_ = true;
  }
  stop_condition_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void PluginWatch::run() {
  const auto interval = stage_ == Stage::start ? interval_at_start : interval_at_end;
  std::unique_lock locked(lock_);
  while (!stop_condition_.wait_for(locked, interval, [this] { return is_stopping_; })) {
    locked.unlock();
    check();
    locked.lock();
  }
}

void PluginWatch::check() {
  const auto code = PluginCode::running();
  if (!code) return;
  const std::int64_t duration_ns = base::monotonic_ns() - code->since_ns;
  if (stage_ == Stage::end) {
    if (const int signal = os::take_pending_signal({SIGINT, SIGTERM}); signal != 0)
      on_stop_(signal, *code);
  }
  if (duration_ns < (stage_ == Stage::start ? report_at_start_ns : report_at_end_ns)) return;
  if (stage_ == Stage::start) {
    if (const int signal = os::pending_signal({SIGINT, SIGTERM}); signal != 0)
      on_stop_(signal, *code);
  }
  if (code->since_ns == reported_since_ns_) return;
  reported_since_ns_ = code->since_ns;
  report(*code, duration_ns);
}

void PluginWatch::report(const PluginCode::Running& code, std::int64_t duration_ns) {
  const bool has_stack = take_stack(code.thread_id);
  std::string file = code.file;
  if (file.empty() && has_stack) file = probe_.stack().file_called_by_exit();
  const std::vector<std::string> calls =
      has_stack ? probe_.stack().described() : std::vector<std::string>{};
  const std::vector<std::string_view> stack(calls.begin(), calls.end());
  std::vector<log::Field> fields{{"duration_ms", duration_ns / base::ns_per_ms}};
  if (!file.empty()) fields.push_back({"plugin.file", file});
  if (has_stack) fields.push_back({"stack", std::span<const std::string_view>(stack)});
  hub_.shared().audit(log::Level::warning, "plugin.slow", message_for(code.phase), fields);
  service_manager_.status("waiting for " + (file.empty() ? "a plugin" : "the plugin " + file) +
                          (code.phase == PluginCode::Phase::load ? " to be loaded"
                           : code.phase == PluginCode::Phase::detach
                               ? " to be detached"
                               : " to destroy its static objects"));
}

bool PluginWatch::take_stack(int thread_id) {
  if (!probe_.ask({thread_id})) return false;
  std::unique_lock locked(lock_);
  for (auto waited = std::chrono::milliseconds{0};; waited += answer_interval) {
    if (probe_.poll() != StackProbe::Answer::none) return true;
    if ((waited >= answer_timeout || is_stopping_) && probe_.give_up()) return false;
    stop_condition_.wait_for(locked, answer_interval, [this] { return is_stopping_; });
  }
}

}  // namespace actord::app
