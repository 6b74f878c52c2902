// SPDX-License-Identifier: Apache-2.0
#include "log/actor_levels.hpp"

#include <algorithm>

#include "base/tree_path.hpp"

namespace actord::log {

void ActorLevels::set(std::string_view path, Level level) {
  std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(rules_, path, &Rule::path);
  if (found != rules_.end()) found->level = level;
  else rules_.push_back({std::string{path}, level});
}

bool ActorLevels::remove(std::string_view path) {
  std::lock_guard lock(mutex_);
  return std::erase_if(rules_, [path](const Rule& each) { return each.path == path; }) != 0;
}

std::vector<ActorLevels::Rule> ActorLevels::all() const {
  std::shared_lock lock(mutex_);
  return rules_;
}

bool ActorLevels::is_empty() const {
  std::shared_lock lock(mutex_);
  return rules_.empty();
}

Level ActorLevels::level_at(std::string_view path, Level otherwise) const {
  std::shared_lock lock(mutex_);
  const Rule* nearest = nullptr;
  for (const Rule& each : rules_) {
    if (!base::is_at_or_below(path, each.path)) continue;
    if (nearest == nullptr || each.path.size() > nearest->path.size()) nearest = &each;
  }
  return nearest == nullptr ? otherwise : nearest->level;
}

Level ActorLevels::widest(Level otherwise) const {
  std::shared_lock lock(mutex_);
  for (const Rule& each : rules_) otherwise = std::max(otherwise, each.level);
  return otherwise;
}

}  // namespace actord::log
