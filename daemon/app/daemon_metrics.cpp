// SPDX-License-Identifier: Apache-2.0
#include "app/daemon_metrics.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "app/journal_desk.hpp"
#include "app/metrics_text.hpp"
#include "app/reload.hpp"
#include "base/clock.hpp"
#include "config/isolation.hpp"
#include "log/hub.hpp"
#include "os/process.hpp"
#include "os/process_usage.hpp"
#include "sinks/log_writer.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

using ActorState = system::ConfiguredActor::State;

namespace {

double seconds(std::int64_t ns) {
  return static_cast<double>(ns) / static_cast<double>(base::ns_per_s);
}

bool is_up(const system::ConfiguredActor& actor) {
  return actor.is_below_running && actor.state == ActorState::up;
}

double figure(std::size_t count) { return static_cast<double>(count); }

}  // namespace

void DaemonMetrics::write(MetricsText& text) const {
  write_process(text);
  write_actors(text);
  write_counts(text);
  write_messages(text);
  write_breakers(text);
  write_journal(text);
  write_workers(text);
  write_log(text);
  write_reloads(text);
}

void DaemonMetrics::write_process(MetricsText& text) const {
  text.gauge("actord_build_info", "The version of actord; always 1.");
  text.sample("actord_build_info", {{"version", ACTORD_VERSION}}, 1);
  text.gauge("process_start_time_seconds", "The start of the process, since 1970.",
             seconds(started_wall_ns_));
  text.gauge("process_resident_memory_bytes", "The memory that the process takes up.",
             figure(os::resident_memory()));
}

void DaemonMetrics::write_actors(MetricsText& text) const {
  const auto all = actors_.configured_actors().list();
  const auto count = [&](auto&& holds) {
    return figure(static_cast<std::size_t>(std::ranges::count_if(all, holds)));
  };
  text.gauge("actord_configured_actors", "Actors of the configuration.", figure(all.size()));
  text.gauge("actord_configured_actors_up", "Those of them that are up.", count(is_up));
  text.gauge("actord_configured_actors_waiting", "Those that wait for their restart.",
             count([](const auto& each) { return each.state == ActorState::waiting; }));
  text.gauge("actord_configured_actors_lost", "Those that are gone and should be there.",
             count([](const auto& each) { return each.is_lost(); }));
  text.gauge("actord_configured_actor_up",
             "Whether the configured actor is up; of the first 1000.");
  for (std::size_t i = 0; i < std::min(all.size(), actors_max); ++i) {
    text.sample("actord_configured_actor_up", {{"path", all[i].path}}, is_up(all[i]) ? 1 : 0);
  }
}

/// The configured actors that are counted have figures of their own.
void DaemonMetrics::write_counts(MetricsText& text) const {
  using Count = actor::ActorCounts::Count;
  std::unordered_map<actor::Ref, Count> by_ref;
  for (const Count& each : actors_.counts.read()) by_ref.emplace(each.actor, each);
  std::vector<std::pair<std::string, Count>> counted;
  for (const system::ConfiguredActor& each : actors_.configured_actors().list()) {
    if (counted.size() == actors_max) break;
    const auto found = by_ref.find(actors_.find(each.path));
    if (found != by_ref.end()) counted.emplace_back(each.path, found->second);
  }
  const auto write = [&](const char* name, const char* help, std::uint64_t Count::*figure_of) {
    text.counter(name, help);
    for (const auto& [path, count] : counted)
      text.sample(std::string{name} + "_total", {{"path", path}},
                  static_cast<double>(count.*figure_of));
  };
  write("actord_actor_messages", "Messages that the configured actor has taken; of the first 1000.",
        &Count::messages);
  write("actord_actor_failures", "Failures of the configured actor.", &Count::failures);
  write("actord_actor_restarts", "Restarts of the configured actor.", &Count::restarts);
}

void DaemonMetrics::write_messages(MetricsText& text) const {
  const auto totals = actors_.totals();
  text.counter("actord_messages_handled", "Messages that were handled.", totals.handled);
  text.counter("actord_messages_failed", "Messages whose handlers have failed.", totals.failed);
  text.counter("actord_messages_undelivered", "Dead letters, and messages without a handler.",
               totals.undelivered);
  text.counter("actord_messages_redelivered",
               "Messages given again to actors that had failed on them.", totals.redelivered);
  const system::MessageQuarantine& quarantine = actors_.message_quarantine();
  text.counter("actord_messages_quarantined",
               "Messages that have come into the quarantine, after all their attempts.",
               quarantine.total());
  text.gauge("actord_quarantine_messages", "Messages in the quarantine.",
             figure(quarantine.size()));
  text.counter("actord_restarts", "Restarts of actors, each of which is a new instance.",
               totals.restarts);
  text.gauge("actord_message_memory_bytes", "The memory of messages that wait.",
             figure(actors_.message_memory()));
  text.gauge("actord_message_memory_limit_bytes",
             "At this size no more messages from outside are accepted.",
             figure(actors_.message_memory_max()));
  const system::Activity now = actors_.look();
  text.gauge("actord_dispatcher_threads", "Threads of the dispatcher.");
  for (std::size_t id = 1; id < now.dispatchers.size(); ++id) {
    const auto threads = std::ranges::count(now.workers, id, &system::WorkerActivity::dispatcher);
    text.sample("actord_dispatcher_threads", {{"dispatcher", now.dispatchers[id].name}},
                static_cast<double>(threads));
  }
  text.gauge("actord_dispatcher_waiting", "Actors that wait for a thread of the dispatcher.");
  for (std::size_t id = 1; id < now.dispatchers.size(); ++id)
    text.sample("actord_dispatcher_waiting", {{"dispatcher", now.dispatchers[id].name}},
                figure(now.dispatchers[id].waiting));
}

/// The circuit breakers that actors share.
void DaemonMetrics::write_breakers(MetricsText& text) const {
  using State = system::BreakerState;
  auto all = actors_.breakers().reports(std::chrono::nanoseconds{actors_.now_ns()});
  if (all.empty()) return;
  all.resize(std::min(all.size(), breakers_max));
  text.gauge("actord_circuit_breaker_state",
             "Whether the circuit breaker is in that state; of the first 250 by name.");
  for (const auto& each : all) {
    for (const State state : {State::closed, State::open, State::half_open})
      text.sample("actord_circuit_breaker_state",
                  {{"name", each.name}, {"state", system::name_of(state)}},
                  each.state == state ? 1 : 0);
  }
  text.counter("actord_circuit_breaker_transitions",
               "How often the circuit breaker has come to be in that state.");
  for (const auto& each : all) {
    for (const State state : {State::closed, State::open, State::half_open})
      text.sample("actord_circuit_breaker_transitions_total",
                  {{"name", each.name}, {"state", system::name_of(state)}},
                  static_cast<double>(each.entered[static_cast<std::size_t>(state)]));
  }
  text.counter("actord_circuit_breaker_refused",
               "Calls that the circuit breaker let fail at once.");
  for (const auto& each : all)
    text.sample("actord_circuit_breaker_refused_total", {{"name", each.name}},
                static_cast<double>(each.refused));
  text.counter("actord_circuit_breaker_failures",
               "Calls through the circuit breaker that have failed or taken too long.");
  for (const auto& each : all)
    text.sample("actord_circuit_breaker_failures_total", {{"name", each.name}},
                static_cast<double>(each.failed));
}

/// Only if a persistent actor has needed the journal.
void DaemonMetrics::write_journal(MetricsText& text) const {
  const system::JournalReport now = actors_.event_journal()->report();
  const std::string_view state = state_of(now);
  if (state == "unused") return;
  text.gauge("actord_journal_state", "Whether the journal of persistent actors is in that state.");
  for (const std::string_view each : {"ok", "full", "failed"})
    text.sample("actord_journal_state", {{"state", each}}, each == state ? 1 : 0);
  text.counter("actord_journal_events", "Events that were written.", now.events);
  text.counter("actord_journal_snapshots", "Snapshots that were written.", now.snapshots);
  text.counter("actord_journal_bytes", "The content of events and snapshots that were written.",
               now.bytes);
  text.counter("actord_journal_groups",
               "Groups that were written, each with one wait for the disk.", now.groups);
  text.counter("actord_journal_groups_failed", "Groups that could not be written.",
               now.failed_groups);
  text.counter("actord_journal_writing_seconds", "The time that the groups took.");
  text.sample("actord_journal_writing_seconds_total", {}, seconds(now.writing_ns));
  text.gauge("actord_journal_largest_group_events", "Events of the largest group so far.",
             figure(now.largest_group));
  text.counter("actord_journal_replayed", "Events that were read for recoveries.", now.replayed);
  text.gauge("actord_journal_actors", "Actors that write.", figure(now.writers));
  text.gauge("actord_journal_recoveries", "Actors that recover.", figure(now.recovering));
  text.gauge("actord_journal_recoveries_waiting", "Actors that wait until they may recover.",
             figure(now.to_recover));
  text.gauge("actord_journal_size_bytes", "The size of the database.", figure(now.store.bytes));
  text.gauge("actord_journal_log_size_bytes", "The size of its write-ahead log.",
             figure(now.store.log_bytes));
  text.gauge("actord_journal_reserve_bytes", "The room that is kept for a full disk; 0: none.",
             figure(now.store.reserve_bytes));
}

/// The host processes of each plugin, if there are or were some.
void DaemonMetrics::write_workers(MetricsText& text) const {
  struct Sum {
    std::map<std::string_view, std::size_t> by_state{{"spare", 0}, {"starting", 0}, {"ready", 0}};
    std::size_t actors = 0, bytes = 0;
  };
  const auto counts = isolation_.host_counts();
  std::map<std::string, Sum> sums;
  for (const auto& [plugin, count] : counts) sums[plugin];
  for (const isolate::HostFacts& host : isolation_.hosts()) {
    Sum& sum = sums[host.plugin];
    ++sum.by_state[state_name(host)];
    sum.actors += host.actors;
    sum.bytes += os::usage_of(host.process_id).resident_bytes;
  }
  if (sums.empty()) return;
  text.gauge("actord_workers", "Host processes of the plugin in that state.");
  for (const auto& [plugin, sum] : sums) {
    for (const auto& [state, hosts] : sum.by_state)
      text.sample("actord_workers", {{"plugin", plugin}, {"state", state}}, figure(hosts));
  }
  text.gauge("actord_worker_actors", "Actors in host processes of the plugin.");
  for (const auto& [plugin, sum] : sums)
    text.sample("actord_worker_actors", {{"plugin", plugin}}, figure(sum.actors));
  text.gauge("actord_worker_resident_memory_bytes",
             "The memory of host processes of the plugin; what they share counts in each.");
  for (const auto& [plugin, sum] : sums)
    text.sample("actord_worker_resident_memory_bytes", {{"plugin", plugin}}, figure(sum.bytes));
  text.counter("actord_workers_started", "Host processes of the plugin that have taken actors.");
  for (const auto& [plugin, count] : counts)
    text.sample("actord_workers_started_total", {{"plugin", plugin}},
                static_cast<double>(count.started));
  text.counter("actord_workers_crashed",
               "Host processes of the plugin that have ended by themselves.");
  for (const auto& [plugin, count] : counts)
    text.sample("actord_workers_crashed_total", {{"plugin", plugin}},
                static_cast<double>(count.of(isolate::HostOutcome::crashed)));
  text.counter("actord_workers_killed",
               "Host processes of the plugin that actord has killed for that reason.");
  for (const auto& [plugin, count] : counts) {
    for (const isolate::HostOutcome reason : isolate::kill_reasons)
      text.sample("actord_workers_killed_total",
                  {{"plugin", plugin}, {"reason", isolate::name_of(reason)}},
                  static_cast<double>(count.of(reason)));
  }
}

void DaemonMetrics::write_log(MetricsText& text) const {
  const log::Losses losses = hub_.losses();
  text.counter("actord_log_dropped", "Records of the log that there was no room for.",
               losses.lost_lifecycle + losses.dropped_best_effort);
  text.counter("actord_log_unwritten", "Lines of the log that could not be written.",
               writer_.failures().lost_lines);
}

void DaemonMetrics::write_reloads(MetricsText& text) const {
  const Reloader::Reloads& reloads = reloader_.reloads();
  text.gauge("actord_config_generation", "The number of the configuration in effect.",
             static_cast<double>(reloader_.generation()));
  text.counter("actord_config_reloads_applied", "Reloads that have succeeded.", reloads.applied);
  text.counter("actord_config_reloads_rejected", "Reloads that were rejected.", reloads.rejected);
  text.gauge("actord_config_last_reload_successful",
             "Whether the last reload has succeeded; 1 without any.",
             reloads.was_last_rejected ? 0 : 1);
  text.gauge("actord_config_last_reload_timestamp_seconds",
             "The time of the last reload, since 1970; 0 without any.",
             seconds(reloads.last_wall_ns));
}

}  // namespace actord::app
