// SPDX-License-Identifier: Apache-2.0
#include "system/shutdown_run.hpp"

#include <algorithm>
#include <iterator>

#include "base/assert.hpp"

namespace actord::system {

namespace {

std::string quoted(std::string_view text) { return '"' + std::string{text} + '"'; }

// Moves those for which `is_one` holds out of `tasks`.
template <class Predicate>
std::vector<PhaseTask> take_if(std::vector<PhaseTask>& tasks, Predicate is_one) {
  std::vector<PhaseTask> taken;
  std::ranges::copy_if(tasks, std::back_inserter(taken), is_one);
  std::erase_if(tasks, is_one);
  return taken;
}

}  // namespace

base::Result<ShutdownRun::Added> ShutdownRun::add(std::string_view phase, std::string_view name,
                                                  actor::Ref actor, bool is_end) {
  const ShutdownPhase* const known = plan_.find(phase);
  if (known == nullptr)
    return base::Error{"the shutdown has no phase " + quoted(phase) + "; it has " + plan_.names()};
  if (name.empty())
    return base::Error{"a task of the shutdown needs a name: phase " + std::string{phase}};
  const auto index = static_cast<std::size_t>(known - plan_.phases().data());
  const auto is_same = [&](const PhaseTask& each) {
    return each.actor == actor && each.phase == phase && each.name == name;
  };
  const std::lock_guard lock(mutex_);
  if (std::ranges::any_of(begun_, is_same)) return Added::known;
  if (is_over_ || (has_begun_ && index < next_)) return Added::late;
  if (const auto same = std::ranges::find_if(tasks_, is_same); same != tasks_.end()) {
    same->is_end = is_end;
    return Added::known;
  }
  tasks_.push_back({++last_number_, std::string{phase}, std::string{name}, actor, is_end});
  return Added::yes;
}

std::vector<PhaseTask> ShutdownRun::forget(actor::Ref actor) {
  const auto is_of_actor = [&](const PhaseTask& each) { return each.actor == actor; };
  const std::lock_guard lock(mutex_);
  std::erase_if(tasks_, is_of_actor);
  std::erase_if(begun_, is_of_actor);
  std::vector<PhaseTask> open;
  std::ranges::copy_if(running_, std::back_inserter(open), is_of_actor);
  return open;
}

bool ShutdownRun::begin(std::string_view reason, std::string_view from) {
  const std::lock_guard lock(mutex_);
  if (has_begun_) return false;
  has_begun_ = true;
  outcome_.reason = reason;
  if (const ShutdownPhase* const first = plan_.find(from))
    next_ = static_cast<std::size_t>(first - plan_.phases().data());
  return true;
}

ShutdownRun::Step ShutdownRun::next() {
  const std::lock_guard lock(mutex_);
  ACTORD_ASSERT(has_begun_ && running_.empty());
  while (!is_over_ && next_ < plan_.phases().size()) {
    const ShutdownPhase& phase = plan_.phases()[next_++];
    auto tasks = take_if(tasks_, [&](const auto& each) { return each.phase == phase.name; });
    if (tasks.empty()) continue;
    begun_.insert(begun_.end(), tasks.begin(), tasks.end());
    if (!phase.is_enabled) return {Step::Kind::skip, &phase, std::move(tasks)};
    running_ = tasks;
    return {Step::Kind::run, &phase, std::move(tasks)};
  }
  is_over_ = true;
  tasks_.clear();
  return {};
}

bool ShutdownRun::end(std::uint64_t number, bool is_failure) {
  const std::lock_guard lock(mutex_);
  if (std::erase_if(running_, [&](const auto& each) { return each.number == number; }) == 0)
    return false;
  if (is_failure && !current().recovers) {
    outcome_.aborted_in = current().name;
    is_over_ = true;
    running_.clear();
  }
  return running_.empty();
}

std::optional<PhaseTask> ShutdownRun::running(std::uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(running_, number, &PhaseTask::number);
  return found == running_.end() ? std::nullopt : std::optional{*found};
}

}  // namespace actord::system
