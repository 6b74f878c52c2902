// SPDX-License-Identifier: Apache-2.0
#include "app/daemon_status.hpp"

#include <unistd.h>

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "app/health.hpp"
#include "app/journal_desk.hpp"
#include "app/reload.hpp"
#include "app/reply_size.hpp"
#include "base/clock.hpp"
#include "os/process.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

using actor::Census;
using wire::Json;
using ActorState = system::ConfiguredActor::State;

namespace {

constexpr std::chrono::milliseconds poll_interval{20};
constexpr std::size_t silent_max = 5;

}  // namespace

/// One answer in the making.
struct DaemonStatus::Look {
  Look(os::EventLoop& loop, Done done_) : timer(loop), done(std::move(done_)) {}

  os::Timer timer;
  const Done done;
  base::IntrusivePtr<Census> census;
  system::ActorSystem::Totals before;
  std::int64_t began_ns = 0;
};

void DaemonStatus::tell(Done done) {
  const auto look = std::make_shared<Look>(loop_, std::move(done));
  look->before = actors_.totals();
  look->began_ns = base::monotonic_ns();
  look->census = actors_.take_census();
  wait(look);
}

void DaemonStatus::wait(const std::shared_ptr<Look>& look) {
  look->timer.start(poll_interval, [this, look] {
    if (is_stopped_) return;
    const std::chrono::nanoseconds passed{base::monotonic_ns() - look->began_ns};
    const bool is_complete = look->census->answers() == look->census->asked.size();
    if (passed < rate_time || (!is_complete && passed < answer_time)) return wait(look);
    look->done(json_of(*look));
  });
}

Json DaemonStatus::json_of(const Look& look) const {
  const std::int64_t now = base::monotonic_ns();
  const auto totals = actors_.totals();
  const auto rate = static_cast<double>(totals.handled - look.before.handled) *
                    static_cast<double>(base::ns_per_s) / static_cast<double>(now - look.began_ns);
  Json json = {{"name", actors_.settings().name},
               {"version", ACTORD_VERSION},
               {"pid", ::getpid()},
               {"boot", process_.boot},
               {"state", actors_.is_terminating() ? "stopping"
                         : process_.is_draining   ? "draining"
                                                  : "running"},
               {"uptime_ms", (now - process_.started_ns) / base::ns_per_ms},
               {"generation", reloader_.generation()},
               {"pending", reloader_.pending()}};
  if (const auto left = reloader_.confirmation_left(); left.count() != 0)
    json["unconfirmed_ms"] = left.count();
  cut_list(json, "pending");
  add_actors(json);
  add_journal(json);
  json["restarts"] = totals.restarts;
  json["messages"] = {{"handled", totals.handled},
                      {"failed", totals.failed},
                      {"undelivered", totals.undelivered},
                      {"per_second", static_cast<std::uint64_t>(rate)}};
  add_mailboxes(*look.census, json);
  json["memory"] = {{"resident_bytes", os::resident_memory()},
                    {"limit_bytes", process_.memory_limit},
                    {"messages_bytes", actors_.message_memory()},
                    {"messages_limit_bytes", actors_.message_memory_max()}};
  return json;
}

void DaemonStatus::add_actors(Json& json) const {
  const auto all = actors_.configured_actors().list();
  const std::int64_t now = actors_.now_ns();
  const HealthReport report = judge(all, now, std::chrono::nanoseconds{0});
  json["configured"] = report.actors;
  json["up"] = report.up;
  Json& down = json["down"] = Json::array();
  for (const HealthReport::Down& each : report.down) {
    if (each.is_lost) down.push_back({{"path", each.path}, {"why", each.text}});
  }
  Json& waiting = json["waiting"] = Json::array();
  for (const system::ConfiguredActor& each : all) {
    if (each.state != ActorState::waiting || !each.is_below_running) continue;
    const std::int64_t in_ns = std::max<std::int64_t>(each.until_ns - now, 0);
    waiting.push_back({{"path", each.path},
                       {"in_ms", in_ns / base::ns_per_ms},
                       {"type", each.failure_type},
                       {"message", each.failure_message}});
  }
  for (const char* list : {"down", "waiting"}) cut_list(json, list);
}

void DaemonStatus::add_journal(Json& json) const {
  const system::JournalReport report = actors_.event_journal()->report();
  if (!report.fault) return;
  json["journal"] = {{"state", state_of(report)}, {"why", report.fault->what}};
}

void DaemonStatus::add_mailboxes(const Census& census, Json& json) const {
  std::vector<Census::Count> counts = census.counts();
  std::unordered_set<actor::Ref> answered;
  for (const Census::Count& each : counts) answered.insert(each.actor);
  const std::size_t told = std::min(mailboxes_max, counts.size());
  std::ranges::partial_sort(counts, counts.begin() + static_cast<std::ptrdiff_t>(told),
                            std::ranges::greater{}, &Census::Count::messages);
  Json& mailboxes = json["mailboxes"] = Json::array();
  for (std::size_t i = 0; i < told && counts[i].messages != 0; ++i) {
    Json entry = {{"path", actors_.path(counts[i].actor)}, {"messages", counts[i].messages}};
    if (counts[i].has_more) entry["has_more"] = true;
    if (counts[i].type != 0) entry["most"] = actors_.types.name(counts[i].type);
    mailboxes.push_back(std::move(entry));
  }
  std::uint64_t n_silent = 0;
  Json& silent = json["silent"] = Json::array();
  for (const actor::Ref each : census.asked) {
    if (answered.contains(each)) continue;
    if (++n_silent <= silent_max) silent.push_back(actors_.path(each));
  }
  json["silent_count"] = n_silent;
}

}  // namespace actord::app
