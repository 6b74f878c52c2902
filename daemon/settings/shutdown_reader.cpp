// SPDX-License-Identifier: Apache-2.0
#include "settings/shutdown_reader.hpp"

#include <algorithm>
#include <utility>

#include "base/suggestion.hpp"
#include "schema/known_words.hpp"
#include "schema/setting_codes.hpp"

namespace actord::settings {

using hocon::Value;
using system::ShutdownPhase;
using system::ShutdownPlan;

namespace {

// The phases while they are read, and where the configuration names what they depend on.
struct Draft {
  std::vector<ShutdownPhase> phases = ShutdownPlan::standard_phases();
  std::vector<std::pair<std::string, Value>> written;  // a phase, and an element of its depends-on
};

bool is_phase_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

void read_depends_on(ObjectReader& block, ShutdownPhase& phase, Draft& draft) {
  const Value value = block.take("depends-on");
  if (!value) return;
  const auto names = block.findings().take(value.as_list());
  if (!names) return;
  phase.depends_on.clear();
  for (const Value& each : *names) {
    const auto name = block.findings().take(each.as_string());
    if (!name) continue;
    phase.depends_on.push_back(*name);
    draft.written.emplace_back(phase.name, each);
  }
}

void read_phase(ObjectReader block, const hocon::Member& member, Draft& draft,
                std::int64_t default_timeout_ns) {
  auto phase = std::ranges::find(draft.phases, member.key, &ShutdownPhase::name);
  if (phase == draft.phases.end()) {
    if (!is_phase_name(member.key))
      block.findings().add(at_key(
          member.value.reject("the name of a phase has letters, digits, - and _"), member.key));
    draft.phases.push_back({std::string{member.key}, {}, default_timeout_ns});
    phase = draft.phases.end() - 1;
  }
  read_depends_on(block, *phase, draft);
  block.read_duration("timeout", phase->timeout_ns);
  block.read("recover", phase->recovers);
  block.read("enabled", phase->is_enabled);
  block.finish({{"depends", "depends-on"}, {"after", "depends-on"}});
}

// Adds an error for each name that is none of a phase, or that of the last phase. False: there are.
bool names_phases(Findings& findings, const Draft& draft) {
  std::vector<std::string_view> known;
  for (const ShutdownPhase& each : draft.phases) known.push_back(each.name);
  const std::size_t errors = findings.error_count();
  for (const auto& [phase, value] : draft.written) {
    const std::string_view name = value.text();
    if (std::ranges::find(known, name) == known.end()) {
      findings.add(coded(hocon::codes::mismatch,
                         value.reject("unknown phase " + hocon::quoted_for_message(name),
                                      suggestion_for(name, known, "the phases are "))));
    } else if (name == ShutdownPlan::last && phase != name) {
      findings.add(coded(
          schema::codes::conflict,
          value.reject("no phase comes after " + std::string{name} + ", which stops the actors",
                       "write the phase that " + phase +
                           " really needs, such as "
                           "before-actor-system-terminate")));
    }
  }
  return findings.error_count() == errors;
}

hocon::Diagnostic cycle_error(const system::ShutdownPlanFault& fault, const Draft& draft) {
  // The standard phases alone are no cycle, so that the configuration names one of this one.
  std::string circle;
  Value place;
  for (std::size_t i = 0; i < fault.circle.size(); ++i) {
    const std::string& phase = fault.circle[i];
    const std::string& next = fault.circle[(i + 1) % fault.circle.size()];
    circle.append(phase).append(" → ");
    const auto written = std::ranges::find_if(draft.written, [&](const auto& each) {
      return each.first == phase && each.second.text() == next;
    });
    if (!place && written != draft.written.end()) place = written->second;
  }
  hocon::Diagnostic error =
      coded(schema::codes::conflict, place.reject("the phases depend on each other in a circle",
                                                  "take one of the names out of its depends-on"));
  error.note = circle + fault.circle.front();
  return error;
}

ShutdownPlan read_phases(ObjectReader block, std::int64_t default_timeout_ns) {
  Draft draft;
  for (ShutdownPhase& each : draft.phases) each.timeout_ns = default_timeout_ns;
  for (const hocon::Member& member : block.take_all()) {
    if (block.findings().is_full()) break;
    read_phase({block.findings(), member.value, block.key("*")}, member, draft, default_timeout_ns);
  }
  if (!names_phases(block.findings(), draft)) return {};
  auto plan = ShutdownPlan::of(draft.phases);
  if (plan) return std::move(plan).value();
  block.findings().add(cycle_error(plan.error(), draft));
  return {};
}

void read_override(ObjectReader block, const hocon::Member& member, ShutdownSettings& shutdown) {
  const auto& words = schema::shutdown_reasons;
  if (std::ranges::find(words, member.key) == words.end()) {
    block.findings().add(at_key(
        coded(hocon::codes::mismatch,
              member.value.reject(
                  "unknown reason " + hocon::quoted_for_message(member.key),
                  suggestion_for(member.key, {words.begin(), words.end()}, "the reasons are "))),
        member.key));
  }
  if (block.take("exit-code"))
    block.read("exit-code", shutdown.exit_codes[std::string{member.key}]);
  block.finish();
}

}  // namespace

ShutdownSettings read_shutdown(ObjectReader block) {
  ShutdownSettings shutdown;
  std::int64_t timeout_ns = ShutdownPhase{}.timeout_ns;
  block.read_duration("default-phase-timeout", timeout_ns);
  block.read("exit-code", shutdown.exit_code);
  shutdown.plan = read_phases(block.section("phases"), timeout_ns);
  ObjectReader overrides = block.section("reason-overrides");
  for (const hocon::Member& member : overrides.take_all())
    read_override({block.findings(), member.value, overrides.key("*")}, member, shutdown);
  block.finish({{"exit-jvm", "exit-code"}});
  return shutdown;
}

}  // namespace actord::settings
