// SPDX-License-Identifier: Apache-2.0
#include "system/configured_actors.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "actor/start_sequence.hpp"

namespace actord::system {

using actor::ConfiguredStep;
using actor::NodeSpec;
using actor::StopReason;

namespace {

// A behaviour that starts its own children and has one of its own name: a back-off supervisor as
// the settings build it.
bool is_front_of_actor(const NodeSpec& node) noexcept {
  return actor::starts_own_children(*node.behaviour) && node.children.size() == 1 &&
         node.children.front().name == node.name;
}

bool is_failure(StopReason reason) noexcept {
  return reason == StopReason::failed || reason == StopReason::init_failed ||
         reason == StopReason::limit || reason == StopReason::killed;
}

// Takes over why an actor has stopped or waits.
void take_cause(ConfiguredActor& of, const ConfiguredStep& step, std::string_view failure_id) {
  of.failure_type.clear(), of.failure_message.clear(), of.failure_id.clear();
  of.stopped_by = step.stopped_by;
  if (step.failure == nullptr) return;
  const actor::Failure& root = step.failure->root_cause();
  of.failure_type = root.types->type();
  of.failure_message = root.what.view();
  of.failure_id = failure_id;
}

void copy_cause(ConfiguredActor& to, const ConfiguredActor& from) {
  to.is_by_failure = true;
  to.failure_type = from.failure_type;
  to.failure_message = from.failure_message;
  to.failure_id = from.failure_id;
}

}  // namespace

// ---- the configuration --------------------------------------------------------------------------

void ConfiguredActors::replace(const NodeSpec& user, std::int64_t now_ns) {
  std::lock_guard lock(mutex_);
  std::vector<Entry> former = std::exchange(entries_, {});
  const auto known = std::exchange(by_path_, {});
  for (const NodeSpec& node : user.children) add(node, "/user/" + node.name, none, now_ns);
  for (Entry& each : entries_) {
    const auto found = known.find(each.own.path);
    if (found == known.end()) continue;
    Entry& was = former[found->second];
    each.has_given_up = was.has_given_up;
    each.order = was.order;
    ConfiguredActor now = std::exchange(each.own, was.own);
    each.own.origin = std::move(now.origin);
    each.own.is_permanent = now.is_permanent;
  }
  index();
}

void ConfiguredActors::add(const NodeSpec& node, const std::string& path, std::size_t parent,
                           std::int64_t now_ns) {
  const std::size_t at = entries_.size();
  Entry& added = entries_.emplace_back();
  added.own.path = path;
  added.own.origin = node.origin;
  added.own.is_permanent = node.is_permanent;
  added.own.since_ns = now_ns;
  added.parent = parent;
  added.is_front = is_front_of_actor(node);
  added.is_behind = parent != none && entries_[parent].is_front;
  for (const NodeSpec& child : node.children) add(child, path + '/' + child.name, at, now_ns);
  entries_[at].end = entries_.size();
}

void ConfiguredActors::index() {
  by_path_.reserve(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) by_path_.emplace(entries_[i].own.path, i);
}

// ---- steps --------------------------------------------------------------------------------------

bool ConfiguredActors::note(std::string_view path, const ConfiguredStep& step,
                            std::string_view failure_id, std::int64_t now_ns) noexcept {
  std::lock_guard lock(mutex_);
  const auto found = by_path_.find(path);
  if (found == by_path_.end()) return false;
  Entry& entry = entries_[found->second];
  bool has_changed = true;
  entry.own.is_quarantined = step.kind == ConfiguredStep::Kind::quarantined;
  switch (step.kind) {
    case ConfiguredStep::Kind::child_waiting:
      if (!entry.is_front) return false;
      [[fallthrough]];
    case ConfiguredStep::Kind::waiting:
      step_to(entry, State::waiting, now_ns);
      entry.own.delay_ns = step.delay_ns;
      entry.own.until_ns = now_ns + step.delay_ns;
      break;
    case ConfiguredStep::Kind::starting:
      has_changed = step_to(entry, State::starting, now_ns);
      break;
    case ConfiguredStep::Kind::up:
      entry.has_given_up = false;
      has_changed = step_to(entry, State::up, now_ns);
      has_changed |= start_children(found->second, now_ns);
      break;
    case ConfiguredStep::Kind::quarantined:
      step_to(entry, State::stopped, now_ns);
      entry.own.reason = StopReason::failed;
      entry.own.is_by_failure = true;
      break;
    case ConfiguredStep::Kind::gave_up: entry.has_given_up = true; break;
    case ConfiguredStep::Kind::stopped:
      // A reload stops an actor in order to replace it.
      step_to(entry, step.reason == StopReason::config ? State::starting : State::stopped, now_ns);
      entry.own.reason = step.reason;
      entry.own.is_by_failure = step.failure != nullptr || is_failure(step.reason);
      break;
  }
  if (step.kind == ConfiguredStep::Kind::stopped || step.kind == ConfiguredStep::Kind::waiting ||
      step.kind == ConfiguredStep::Kind::quarantined) {
    try {
      take_cause(entry.own, step, failure_id);
    } catch (const std::bad_alloc&) {}
  }
  return has_changed && !std::exchange(is_told_, true);
}

bool ConfiguredActors::step_to(Entry& entry, State state, std::int64_t now_ns) noexcept {
  if (entry.own.state == state && (state == State::starting || state == State::up)) return false;
  entry.own.state = state;
  entry.own.since_ns = now_ns;
  entry.order = ++last_order_;
  ++entry.own.steps;
  return true;
}

// The actor starts all its configured children anew: those that its restart has stopped, too.
bool ConfiguredActors::start_children(std::size_t of, std::int64_t now_ns) noexcept {
  bool has_changed = false;
  for (std::size_t i = of + 1; i < entries_[of].end; i = entries_[i].end) {
    if (entries_[i].own.state == State::stopped)
      has_changed |= step_to(entries_[i], State::starting, now_ns);
  }
  return has_changed;
}

// ---- reading ------------------------------------------------------------------------------------

std::vector<ConfiguredActor> ConfiguredActors::list() {
  std::lock_guard lock(mutex_);
  is_told_ = false;
  std::vector<ConfiguredActor> all;
  all.reserve(entries_.size());
  for (const Entry& each : entries_) {
    if (!each.is_behind) all.push_back(combined(each));
  }
  return all;
}

std::optional<ConfiguredActor> ConfiguredActors::find(std::string_view path) const {
  std::lock_guard lock(mutex_);
  const Entry* const found = entry(path);
  if (found == nullptr || found->is_behind) return std::nullopt;
  return combined(*found);
}

bool ConfiguredActors::is_due_again(std::string_view path, bool is_forced) const {
  const auto found = find(path);
  return found && found->state == State::stopped && (is_forced || found->is_lost());
}

bool ConfiguredActors::has_stopped(std::string_view path) const {
  std::lock_guard lock(mutex_);
  const Entry* const found = entry(path);
  return found != nullptr && found->own.state == State::stopped;
}

const ConfiguredActors::Entry* ConfiguredActors::entry(std::string_view path) const {
  const auto found = by_path_.find(path);
  return found != by_path_.end() ? &entries_[found->second] : nullptr;
}

// The state of the entry. A supervisor is up while its actor is, and has stopped only when it has
// stopped itself.
ConfiguredActors::State ConfiguredActors::state_of(const Entry& entry) const {
  const State own = entry.own.state;
  if (!entry.is_front || own == State::stopped || own == State::starting) return own;
  const Entry& behind = *(&entry + 1);
  if (own == State::waiting && (behind.own.state != State::up || behind.order < entry.order))
    return State::waiting;
  return behind.own.state == State::stopped ? State::starting : behind.own.state;
}

ConfiguredActor ConfiguredActors::combined(const Entry& entry) const {
  ConfiguredActor all = entry.own;
  if (entry.is_front) {
    const ConfiguredActor& behind = (&entry + 1)->own;
    all.state = state_of(entry);
    all.steps += behind.steps;
    if (entry.own.state != State::stopped) all.since_ns = std::max(all.since_ns, behind.since_ns);
    if (all.state == State::waiting) {
      if (entry.own.state != State::waiting) all.delay_ns = behind.delay_ns;
      if (entry.own.state != State::waiting) all.until_ns = behind.until_ns;
      copy_cause(all, behind);
    } else if (all.state == State::stopped && !all.is_by_failure) {
      if (entry.has_given_up) all.reason = StopReason::limit;
      else if (all.reason == StopReason::stopped && behind.is_by_failure)
        all.reason = behind.reason;
      if (entry.has_given_up || behind.is_by_failure) copy_cause(all, behind);
    }
  }
  all.settled_ns = all.since_ns;
  for (std::size_t at = entry.parent; at != none; at = entries_[at].parent) {
    all.is_below_running &= state_of(entries_[at]) == State::up;
    all.settled_ns = std::max(all.settled_ns, entries_[at].own.since_ns);
  }
  return all;
}

}  // namespace actord::system
