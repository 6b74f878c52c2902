// SPDX-License-Identifier: Apache-2.0
#include "app/actor_watch.hpp"

#include <algorithm>
#include <utility>

#include "app/stack_probe.hpp"
#include "base/clock.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

using log::Level;

namespace {

constexpr std::chrono::milliseconds look_interval{250};
// A thread that runs answers within microseconds.
constexpr std::chrono::milliseconds poll_interval{10};
constexpr std::int64_t answer_timeout_ns = base::ns_per_s;

}  // namespace

ActorWatch::ActorWatch(os::EventLoop& loop, log::Hub& hub, system::ActorSystem& actors,
                       StackProbe& probe, std::function<void()> on_look)
    : hub_(hub),
      actors_(actors),
      probe_(probe),
      on_look_(std::move(on_look)),
      look_timer_(loop),
      poll_timer_(loop) {}

void ActorWatch::start() {
  is_stopped_ = false;
  look();
}

void ActorWatch::stop() {
  is_stopped_ = true;
  look_timer_.cancel();
  poll_timer_.cancel();
  // Others use the probe from now on, so no question may stay open.
  if (std::exchange(asked_, std::nullopt) && !probe_.give_up()) probe_.poll();
}

// ---- looking ------------------------------------------------------------------------------------

void ActorWatch::on_busy() {
  const bool was_resting = quiet_looks_ == 2;
  quiet_looks_ = 0;
  if (was_resting && !is_stopped_) look();
}

void ActorWatch::look_in(std::chrono::milliseconds delay) {
  look_timer_.start(delay, [this] {
    if (!is_stopped_) look();
  });
}

void ActorWatch::look() {
  on_look_();
  const std::int64_t now_ns = base::monotonic_ns();
  system::Activity activity = actors_.look();
  const auto changes = watch_.look(activity, now_ns);
  dispatchers_ = std::move(activity.dispatchers);
  for (const RunningTask& task : changes.unstuck) end(task);
  unasked_.insert(unasked_.end(), changes.stuck.begin(), changes.stuck.end());
  ask_next();
  for (const auto& shortage : changes.starved)
    report(Level::warning, "dispatcher.starved", "actors wait for a thread, and none becomes free",
           shortage);
  for (const auto& shortage : changes.recovered)
    report(Level::info, "dispatcher.recovered", "no actor waits for long for a thread any more",
           shortage);
  quiet_looks_ = changes.is_quiet ? quiet_looks_ + 1 : 0;
  if (quiet_looks_ == 2) return;
  if (quiet_looks_ == 1) actors_.call_when_busy();
  look_in(look_interval);
}

// ---- stacks -------------------------------------------------------------------------------------

void ActorWatch::ask_next() {
  while (!asked_ && !unasked_.empty()) {
    const RunningTask task = unasked_.front();
    unasked_.pop_front();
    if (probe_.ask({task.of.thread_id, task.of.worker, task.of.progress})) {
      asked_ = task;
      asked_at_ns_ = base::monotonic_ns();
      poll_in(poll_interval);
    } else {
      report_stuck(task, false);
    }
  }
}

void ActorWatch::poll_in(std::chrono::milliseconds delay) {
  poll_timer_.start(delay, [this] {
    if (is_stopped_ || !asked_) return;
    poll();
    if (asked_) poll_in(poll_interval);
    else ask_next();
  });
}

void ActorWatch::poll() {
  const StackProbe::Answer answer = probe_.poll();
  const bool is_too_late = base::monotonic_ns() - asked_at_ns_ >= answer_timeout_ns;
  if (answer == StackProbe::Answer::none && !(is_too_late && probe_.give_up())) return;
  const RunningTask task = *std::exchange(asked_, std::nullopt);
  if (answer != StackProbe::Answer::over) report_stuck(task, answer == StackProbe::Answer::given);
}

// ---- reports ------------------------------------------------------------------------------------

void ActorWatch::report_stuck(const RunningTask& task, bool has_answered) {
  std::vector<log::Field> fields{
      {"dispatcher", dispatcher_of(task.of)},
      {"thread", task.of.thread_id},
      {"duration_ms", (base::monotonic_ns() - task.since_ns) / base::ns_per_ms}};
  std::string& path = paths_[task.of.worker];
  std::string_view msg =
      "a handler or a hook does not return; its thread does not answer the signal that asks for "
      "its stack";
  std::vector<std::string> calls;
  std::vector<std::string_view> stack;
  if (has_answered && probe_.has_actor()) {
    const system::CrashSite& actor = probe_.actor();
    path = actor.path;
    fields.insert(fields.end(), {{"actor.path", path},
                                 {"actor.incarnation", std::uint64_t{actor.incarnation}},
                                 {"actor.behaviour", actor.behaviour},
                                 {"plugin.name", actor.plugin},
                                 {"plugin.version", actor.version}});
    if (!actor.message.empty()) fields.push_back({"message.type", actor.message});
    msg = actor.message.empty() ? "a hook does not return" : "a handler does not return";
    calls = probe_.stack().described();
    stack.assign(calls.begin(), calls.end());
    fields.push_back({"stack", std::span<const std::string_view>(stack)});
  }
  hub_.shared().emit(Level::warning, "actor.stuck", msg, fields);
}

// A task that ends before its thread has answered is not reported at all.
void ActorWatch::end(const RunningTask& task) {
  const std::uint64_t worker = task.of.worker;
  std::erase_if(unasked_, [&](const RunningTask& each) { return each.of.worker == worker; });
  if (asked_ && asked_->of.worker == worker) poll();
  const auto known = paths_.find(worker);
  if (known == paths_.end()) return;
  const std::string path = std::move(known->second);
  paths_.erase(known);
  std::vector<log::Field> fields{
      {"dispatcher", dispatcher_of(task.of)},
      {"thread", task.of.thread_id},
      {"duration_ms", (base::monotonic_ns() - task.since_ns) / base::ns_per_ms}};
  if (!path.empty()) fields.push_back({"actor.path", path});
  hub_.shared().emit(Level::info, "actor.unstuck",
                     "a handler or a hook that took long has returned", fields);
}

void ActorWatch::report(Level level, std::string_view event, std::string_view msg,
                        const system::StuckWatch::Shortage& shortage) {
  hub_.shared().emit(
      level, event, msg,
      {{"dispatcher", dispatchers_[shortage.dispatcher].name},
       {"threads", shortage.threads},
       {"waiting", shortage.waiting},
       {"duration_ms", (base::monotonic_ns() - shortage.since_ns) / base::ns_per_ms}});
}

std::string_view ActorWatch::dispatcher_of(const system::WorkerActivity& worker) const {
  return dispatchers_.at(worker.dispatcher).name;
}

std::string_view ActorWatch::path_of(const system::WorkerActivity& worker) const {
  const auto known = paths_.find(worker.worker);
  return known != paths_.end() ? std::string_view{known->second} : std::string_view{};
}

}  // namespace actord::app
