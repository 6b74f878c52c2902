// SPDX-License-Identifier: Apache-2.0
#include "app/health.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/counted.hpp"
#include "base/duration_text.hpp"
#include "os/service_manager.hpp"
#include "sinks/secret_mask.hpp"

namespace actord::app {

using ActorState = system::ConfiguredActor::State;
using actor::StopReason;
using log::Level;
using std::chrono::nanoseconds;

namespace {

constexpr std::size_t down_logged_max = 50;

// Rounded up to milliseconds, or to seconds from 1 s on: a random part makes a delay odd.
std::string rounded_text(std::int64_t ns) {
  const std::int64_t unit = ns < base::ns_per_s ? base::ns_per_ms : base::ns_per_s;
  return base::duration_text((ns + unit - 1) / unit * unit);
}

std::string ending_of(const system::ConfiguredActor& actor) {
  if (actor.is_quarantined) return " is in quarantine";
  switch (actor.reason) {
    case StopReason::init_failed: return " could not be created";
    case StopReason::failed: return " has failed and was stopped";
    case StopReason::limit: return " was stopped at its restart limit";
    case StopReason::killed: return " was killed";
    default: break;
  }
  if (actor.is_by_failure) return " was stopped for the failure of another actor";
  if (actor.stopped_by.empty()) return " was stopped";
  return actor.stopped_by == actor.path ? " has ended" : " was stopped by " + actor.stopped_by;
}

bool is_down(const system::ConfiguredActor& actor) {
  return actor.is_lost() || (actor.state == ActorState::waiting &&
                             nanoseconds{actor.delay_ns} > HealthReport::waiting_max);
}

}  // namespace

// ---- judging ------------------------------------------------------------------------------------

std::string text_of(const system::ConfiguredActor& actor) {
  std::string text = actor.path;
  switch (actor.state) {
    case ActorState::up: return text + " is up";
    case ActorState::starting: return text + " is starting";
    case ActorState::waiting:
      text += " waits " + rounded_text(actor.delay_ns) + " to start again";
      break;
    case ActorState::stopped: text += ending_of(actor); break;
  }
  if (actor.failure_type.empty()) return text;
  return text + ": " + actor.failure_type + ": " + actor.failure_message;
}

HealthReport judge(const std::vector<system::ConfiguredActor>& actors, std::int64_t now_ns,
                   nanoseconds settling) {
  HealthReport report;
  report.actors = actors.size();
  const system::ConfiguredActor* missing = nullptr;
  for (const system::ConfiguredActor& each : actors) {
    if (each.is_below_running && each.state == ActorState::up) {
      ++report.up;
      continue;
    }
    if (!each.is_below_running) continue;
    const bool is_settled = nanoseconds{now_ns - each.settled_ns} >= settling;
    report.is_settled &= is_settled;
    if (missing == nullptr || (is_down(each) && !is_down(*missing))) missing = &each;
    if (!is_settled || !is_down(each)) continue;
    report.lost += each.is_lost() ? 1U : 0U;
    report.down.push_back({each.path, text_of(each), each.is_lost()});
  }
  if (missing != nullptr) report.missing = text_of(*missing);
  return report;
}

std::string text_of(const HealthReport& report) {
  std::string text = std::to_string(report.up) + " of " +
                     base::counted(report.actors, "configured actor") +
                     std::string{base::by_number(report.actors, " is", " are")} + " up";
  if (!report.missing.empty()) text += "; " + report.missing;
  if (report.down.size() > 1) text += " (and " + std::to_string(report.down.size() - 1) + " more)";
  return text;
}

// ---- telling ------------------------------------------------------------------------------------

Health::Health(os::EventLoop& loop, log::Hub& hub, os::ServiceManager& service_manager,
               const sinks::SecretMask& mask, std::function<void(const std::string&)> on_lost)
    : hub_(hub),
      service_manager_(service_manager),
      mask_(mask),
      on_lost_(std::move(on_lost)),
      timer_(loop) {}

HealthReport Health::begin(system::ConfiguredActors& actors) {
  actors_ = &actors;
  return report(nanoseconds{0});
}

void Health::ready(const HealthReport& now, schema::OnActorLost policy) {
  policy_ = policy;
  for (const HealthReport::Down& each : now.down) {
    if (each.is_lost) lost_before_.insert(each.path);
  }
  told_status_ = status(now);
  service_manager_.ready(told_status_);
  tell_log(now);
}

void Health::reloaded(schema::OnActorLost policy, std::string note) {
  policy_ = policy;
  note_ = std::move(note);
  told_status_ = status(report(HealthReport::settling));
  service_manager_.ready(told_status_);
  look_after(HealthReport::settling);
}

void Health::warn(std::string text) {
  warning_ = std::move(text);
  look_after(nanoseconds{0});
}

void Health::tell_journal(std::string text) {
  journal_ = std::move(text);
  look_after(nanoseconds{0});
}

void Health::on_changed() { look_after(HealthReport::settling); }

void Health::stop() {
  actors_ = nullptr;
  timer_.cancel();
}

void Health::look_after(nanoseconds delay) {
  if (is_waiting_ || actors_ == nullptr) return;
  is_waiting_ = true;
  timer_.start(delay, [this] {
    is_waiting_ = false;
    if (actors_ != nullptr) look();
  });
}

void Health::look() {
  const HealthReport now = report(HealthReport::settling);
  if (std::string text = status(now); text != told_status_) {
    told_status_ = std::move(text);
    service_manager_.status(told_status_);
  }
  tell_log(now);
  if (!now.is_settled) look_after(HealthReport::settling);
  tell_if_lost(now);  // last, since it may stop this object
}

HealthReport Health::report(nanoseconds settling) {
  const std::vector<system::ConfiguredActor> actors = actors_->list();
  std::erase_if(lost_before_, [&](const std::string& path) {
    const auto found = std::ranges::find(actors, path, &system::ConfiguredActor::path);
    return found == actors.end() || found->state == ActorState::up;
  });
  return judge(actors, base::monotonic_ns(), settling);
}

std::string Health::status(const HealthReport& report) const {
  std::string text = text_of(report);
  for (const std::string* each : {&journal_, &warning_, &note_}) {
    if (!each->empty()) text += "; " + *each;
  }
  return mask_.masked(text);
}

/// Writes a line when an actor is down that was not so at the last line, and when none is any more.
void Health::tell_log(const HealthReport& report) {
  const bool has_more = std::ranges::any_of(
      report.down, [&](const HealthReport::Down& each) { return !told_down_.contains(each.path); });
  const bool is_over = report.down.empty() && report.is_settled && !told_down_.empty();
  if (policy_ == schema::OnActorLost::ignore) return told_down_.clear();
  if (!has_more && !is_over) return;
  const std::int64_t now_ns = base::monotonic_ns();
  const std::int64_t next_ns = last_event_ns_ + nanoseconds{event_interval}.count();
  if (last_event_ns_ != 0 && now_ns < next_ns) return look_after(nanoseconds{next_ns - now_ns});
  last_event_ns_ = now_ns;
  if (told_down_.empty()) down_since_ns_ = now_ns;
  told_down_.clear();
  if (is_over) {
    hub_.shared().emit(Level::info, "daemon.healthy", "no configured actor is down any more",
                       {{"actors", report.actors},
                        {"up", report.up},
                        {"duration_ms", (now_ns - down_since_ns_) / base::ns_per_ms}});
    return;
  }
  std::vector<std::string_view> texts;
  for (const HealthReport::Down& each : report.down) {
    told_down_.insert(each.path);
    if (texts.size() < down_logged_max) texts.push_back(each.text);
  }
  hub_.shared().emit(Level::warning, "daemon.degraded",
                     base::counted(report.down.size(), "configured actor") +
                         std::string{base::by_number(report.down.size(), " is", " are")} + " down",
                     {{"actors", report.actors},
                      {"up", report.up},
                      {"down", std::span<const std::string_view>(texts)}});
}

void Health::tell_if_lost(const HealthReport& report) {
  if (policy_ != schema::OnActorLost::exit) return;
  for (const HealthReport::Down& each : report.down) {
    if (each.is_lost && !lost_before_.contains(each.path)) return on_lost_(each.text);
  }
}

}  // namespace actord::app
