// SPDX-License-Identifier: Apache-2.0
#include "system/shutdown_plan.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <utility>

namespace actord::system {

namespace {

using Fault = ShutdownPlanFault;
using Index = std::map<std::string_view, std::size_t>;

std::optional<Fault> find_unknown(const std::vector<ShutdownPhase>& phases, const Index& by_name) {
  for (const ShutdownPhase& phase : phases) {
    for (const std::string& other : phase.depends_on) {
      if (!by_name.contains(other)) return Fault{Fault::Kind::unknown, phase.name, other, {}};
      if (other == ShutdownPlan::last && phase.name != other)
        return Fault{Fault::Kind::after_last, phase.name, other, {}};
    }
  }
  return std::nullopt;
}

// Each phase that could not be placed depends on another one of these. So the way from one to the
// next meets a phase for the second time.
Fault find_cycle(const std::vector<ShutdownPhase>& phases, const Index& by_name,
                 const std::vector<bool>& is_placed) {
  const auto next_of = [&](std::size_t at) {
    return std::ranges::find_if(phases[at].depends_on, [&](const std::string& name) {
      return !is_placed[by_name.at(name)];
    });
  };
  std::vector<std::size_t> way;
  auto at = static_cast<std::size_t>(std::ranges::find(is_placed, false) - is_placed.begin());
  auto met = way.end();
  while ((met = std::ranges::find(way, at)) == way.end()) {
    way.push_back(at);
    at = by_name.at(*next_of(at));
  }
  Fault fault{Fault::Kind::cycle, phases[at].name, *next_of(at), {}};
  for (; met != way.end(); ++met) fault.circle.push_back(phases[*met].name);
  return fault;
}

}  // namespace

ShutdownPlan::ShutdownPlan() : phases_(standard_phases()) {}
ShutdownPlan::ShutdownPlan(std::vector<ShutdownPhase> in_order) : phases_(std::move(in_order)) {}

std::vector<ShutdownPhase> ShutdownPlan::standard_phases() {
  std::vector<ShutdownPhase> phases;
  for (const std::string_view name :
       {std::string_view{"before-service-unbind"}, std::string_view{"service-unbind"},
        std::string_view{"service-requests-done"}, std::string_view{"service-stop"},
        std::string_view{"before-actor-system-terminate"}, last}) {
    ShutdownPhase& added = phases.emplace_back();
    added.name = name;
    if (phases.size() > 1) added.depends_on.push_back(phases[phases.size() - 2].name);
  }
  return phases;
}

base::Result<ShutdownPlan, ShutdownPlanFault> ShutdownPlan::of(std::vector<ShutdownPhase> phases) {
  if (std::ranges::find(phases, last, &ShutdownPhase::name) == phases.end())
    phases.emplace_back().name = last;
  Index by_name;
  for (std::size_t i = 0; i < phases.size(); ++i) by_name.emplace(phases[i].name, i);
  if (auto fault = find_unknown(phases, by_name)) return std::move(*fault);

  std::vector<std::size_t> awaited(phases.size());  // phases that are not placed yet
  std::vector<std::vector<std::size_t>> followers(phases.size());
  // The phases that may come next; the first one in the list does.
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    for (const std::string& other : phases[i].depends_on) {
      followers[by_name.at(other)].push_back(i);
      ++awaited[i];
    }
    if (awaited[i] == 0) ready.push(i);
  }
  std::vector<bool> is_placed(phases.size());
  std::vector<std::size_t> order;
  while (!ready.empty()) {
    const std::size_t at = ready.top();
    ready.pop();
    is_placed[at] = true;
    order.push_back(at);
    for (const std::size_t follower : followers[at]) {
      if (--awaited[follower] == 0) ready.push(follower);
    }
  }
  if (order.size() != phases.size()) return find_cycle(phases, by_name, is_placed);
  const std::size_t last_at = by_name.at(last);
  std::vector<ShutdownPhase> in_order;
  for (const std::size_t at : order) {
    if (at != last_at) in_order.push_back(std::move(phases[at]));
  }
  in_order.push_back(std::move(phases[last_at]));
  return ShutdownPlan(std::move(in_order));
}

const ShutdownPhase* ShutdownPlan::find(std::string_view name) const noexcept {
  const auto found = std::ranges::find(phases_, name, &ShutdownPhase::name);
  return found == phases_.end() ? nullptr : &*found;
}

std::string ShutdownPlan::names() const {
  std::string text;
  for (const ShutdownPhase& phase : phases_)
    text.append(text.empty() ? "" : ", ").append(phase.name);
  return text;
}

}  // namespace actord::system
