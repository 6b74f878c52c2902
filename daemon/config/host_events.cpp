// SPDX-License-Identifier: Apache-2.0
#include "config/host_events.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"

namespace actord::config {

namespace {

using isolate::HostDeath;
using isolate::HostFacts;
using isolate::HostOutcome;

/// The fields that every line about a host has.
std::vector<log::Field> fields_of(const HostFacts& host) {
  return {{"worker.pid", static_cast<std::uint64_t>(host.process_id)},
          {"worker.group", group_name(host)},
          {"plugin.name", std::string_view{host.plugin}}};
}

/// Adds the actor that a call was for.
void add_site(std::vector<log::Field>& fields, const std::optional<isolate::CallSite>& site) {
  if (!site) return;
  fields.push_back({"actor.path", std::string_view{site->path}});
  fields.push_back({"actor.incarnation", std::uint64_t{site->incarnation}});
  fields.push_back({"actor.behaviour", std::string_view{site->behaviour}});
  if (!site->message.empty()) fields.push_back({"message.type", std::string_view{site->message}});
}

std::uint64_t milliseconds(std::int64_t ns) {
  return static_cast<std::uint64_t>(ns / base::ns_per_ms);
}

void write_end(log::Hub& hub, const HostFacts& host, const HostDeath& death) {
  std::vector<log::Field> fields = fields_of(host);
  const HostOutcome outcome = outcome_of(death);
  if (outcome == HostOutcome::stopped) {
    hub.shared().emit(log::Level::info, "worker.stopped", "a host process has ended", fields);
    return;
  }
  fields.push_back({"worker.residents", static_cast<std::uint64_t>(host.actors)});
  const bool is_killed = outcome != HostOutcome::crashed;
  std::string address;
  if (is_killed) {
    fields.push_back({"reason", name_of(outcome)});
    if (!death.end.detail.empty()) fields.push_back({"detail", std::string_view{death.end.detail}});
  } else if (death.end.kind == link::HostEnd::Kind::signal) {
    fields.push_back({"signal", std::string_view{death.end.signal}});
    if (death.address) {
      std::array<char, 24> digits{'0', 'x'};
      const auto end = std::to_chars(&digits[2], digits.end(), *death.address, 16).ptr;
      address.assign(digits.begin(), end);
      fields.push_back({"address", std::string_view{address}});
    }
  } else {
    fields.push_back({"exit", static_cast<std::uint64_t>(death.end.number)});
  }
  add_site(fields, death.site);
  const std::vector<std::string_view> stack(death.stack.begin(), death.stack.end());
  if (!stack.empty()) fields.push_back({"stack", std::span<const std::string_view>(stack)});
  hub.shared().emit(log::Level::error, is_killed ? "worker.killed" : "worker.crashed",
                    is_killed ? "a host process was killed" : "a host process has ended by itself",
                    fields);
}

}  // namespace

isolate::IsolationEvents host_events(log::Hub& hub) {
  isolate::IsolationEvents events;
  events.ready = [&hub](const HostFacts& host) {
    std::vector<log::Field> fields = fields_of(host);
    fields.push_back({"duration_ms", milliseconds(host.starting_ns)});
    fields.push_back({"worker.spare", host.was_spare});
    hub.shared().emit(log::Level::info, "worker.started", "a host process has its first actor",
                      fields);
  };
  events.ended = [&hub](const HostFacts& host, const HostDeath& death) {
    write_end(hub, host, death);
  };
  events.stuck = [&hub](const HostFacts& host, const isolate::StuckCall& call) {
    std::vector<log::Field> fields = fields_of(host);
    fields.push_back({"duration_ms", milliseconds(call.lasting_ns)});
    add_site(fields, call.site);
    hub.shared().emit(log::Level::warning, "worker.stuck",
                      "a handler or a hook in a host process has not returned", fields);
  };
  return events;
}

}  // namespace actord::config
