// SPDX-License-Identifier: Apache-2.0
//
// Settings as one text, to compare two of them: everything that a key can change, without the
// places where it was written.
#pragma once

#include <sstream>
#include <string>

#include "settings/settings.hpp"

namespace actord::settings {

inline void append(std::ostream& out, const std::optional<actor::Strategy>& strategy) {
  if (!strategy) return;
  out << " kind=" << static_cast<int>(strategy->kind)
      << " max-restarts=" << strategy->restart_limit.max_restarts
      << " within=" << strategy->restart_limit.within_ns
      << " otherwise=" << static_cast<int>(strategy->otherwise)
      << " logging=" << strategy->is_logging;
  for (const actor::Rule& rule : strategy->rules)
    out << ' ' << rule.type << '=' << static_cast<int>(rule.directive) << '/' << rule.level;
  if (const auto& backoff = strategy->backoff) {
    out << " backoff=" << backoff->min_ns << '/' << backoff->max_ns << '/' << backoff->random_factor
        << '/' << backoff->reset_after_ns << '/' << backoff->capacity;
  }
}

inline void append_mailbox(std::ostream& out, const actor::ActorOptions& options) {
  out << " mailbox=" << options.mailbox_capacity << '/' << static_cast<int>(options.overflow) << '/'
      << options.push_timeout_ns;
  for (const std::string& each : options.priority) out << '/' << each;
  if (!options.control) return;
  out << " control";
  for (const std::string& each : *options.control) out << '/' << each;
}

inline void append(std::ostream& out, const Node& node) {
  out << '\n' << node.path << ' ' << (node.behaviour ? node.behaviour.text() : "");
  append(out, node.options.strategy);
  append_mailbox(out, node.options);
  out << " dispatcher=" << node.options.dispatcher << " stash=" << node.options.stash_capacity
      << " attempts=" << static_cast<std::int64_t>(node.options.attempts_max.value_or(~0u))
      << " isolation=" << static_cast<int>(node.options.isolation) << '/'
      << node.options.worker_group;
  if (const auto& backoff = node.backoff) {
    out << " supervisor=" << static_cast<int>(backoff->mode) << '/' << backoff->min_ns << '/'
        << backoff->max_ns << '/' << backoff->random_factor << '/' << backoff->reset_after_ns << '/'
        << backoff->final_stop.size();
  }
  for (const Node& child : node.children) append(out, child);
}

inline void append(std::ostream& out, const WorkerSettings& worker) {
  out << " worker=" << worker.group << '/' << worker.spare << '/' << worker.start_timeout_ns << '/'
      << worker.stuck_timeout_ns << '/' << worker.memory_max << '/' << worker.nofile << '/'
      << worker.has_core;
}

inline std::string summary_of(const Settings& settings) {
  std::ostringstream out;
  out << settings.name << ' ' << settings.state_directory << ' ' << settings.plugin_path.size()
      << " boot=" << static_cast<int>(settings.on_boot_failure)
      << " log=" << static_cast<int>(settings.log.level) << '/'
      << static_cast<int>(settings.log.format) << '/' << settings.log.is_verbose << '/'
      << static_cast<int>(settings.log.output_level)
      << " dead-letters=" << settings.dead_letters.logged << '/' << settings.dead_letters.suspend_ns
      << '/' << settings.dead_letters.during_shutdown << " debug=" << settings.debug.receive
      << settings.debug.autoreceive << settings.debug.lifecycle << settings.debug.unhandled
      << settings.debug.event_stream << " stash=" << settings.stash_capacity
      << " pool=" << settings.default_dispatcher.workers << '/'
      << settings.default_dispatcher.throughput << '/'
      << settings.default_dispatcher.throughput_deadline_ns
      << " blocking=" << settings.blocking_io_dispatcher.threads_max << '/'
      << settings.blocking_io_dispatcher.keep_alive_ns;
  out << " shutdown=" << settings.shutdown.exit_code;
  for (const system::ShutdownPhase& each : settings.shutdown.plan.phases()) {
    out << ' ' << each.name << '/' << each.timeout_ns << '/' << each.recovers << '/'
        << each.is_enabled;
    for (const std::string& other : each.depends_on) out << '/' << other;
  }
  for (const auto& [reason, code] : settings.shutdown.exit_codes) out << ' ' << reason << code;
  for (const LogSinkSettings& each : settings.log.sinks)
    out << " sink=" << static_cast<int>(each.type) << '/' << static_cast<int>(each.level) << '/'
        << static_cast<int>(each.format) << '/' << each.path << '/' << each.rotate_bytes << '/'
        << each.keep << '/' << each.facility << '/' << each.socket;
  for (const auto& [plugin, isolation] : settings.plugin_isolation)
    out << ' ' << plugin << '=' << static_cast<int>(isolation);
  append(out, settings.worker);
  append(out, settings.guardian.strategy);
  for (const actor::Deployment& rule : settings.deployments) {
    out << '\n' << rule.pattern;
    append(out, rule.options.strategy);
    append_mailbox(out, rule.options);
    out << " dispatcher=" << rule.options.dispatcher << " stash=" << rule.options.stash_capacity
        << " attempts=" << static_cast<std::int64_t>(rule.options.attempts_max.value_or(~0u))
        << " isolation=" << static_cast<int>(rule.options.isolation) << '/'
        << rule.options.worker_group;
  }
  for (const Node& node : settings.user) append(out, node);
  return std::move(out).str();
}

}  // namespace actord::settings
