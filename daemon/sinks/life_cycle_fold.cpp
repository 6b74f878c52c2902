// SPDX-License-Identifier: Apache-2.0
#include "sinks/life_cycle_fold.hpp"

#include <algorithm>

#include "sinks/record_fields.hpp"

namespace actord::sinks {
namespace {

/// The deepest actor that is `a` or an ancestor of it, and also `b` or an ancestor of it.
std::string_view common_ancestor(std::string_view a, std::string_view b) noexcept {
  std::size_t end = 0;
  for (std::size_t i = 0; i <= a.size() && i <= b.size(); ++i) {
    const bool is_end_of_a = i == a.size() || a[i] == '/';
    const bool is_end_of_b = i == b.size() || b[i] == '/';
    if (is_end_of_a && is_end_of_b) end = i;
    if (i == a.size() || i == b.size() || a[i] != b[i]) break;
  }
  return end == 0 ? a.substr(0, 1) : a.substr(0, end);
}

std::string_view parent_of(std::string_view path) noexcept {
  return path.substr(0, std::max<std::size_t>(path.rfind('/'), 1));
}

}  // namespace

bool LifeCycleFold::takes(const log::Record& record) noexcept {
  const std::string_view path = text_of(record, "actor.path");
  if (!path.starts_with('/')) return false;
  const bool is_life = record.event == "actor.started" || record.event == "actor.stopped";
  if (value_of(record, "collateral_of") != nullptr)
    return is_life || record.event == "actor.restarted";
  return is_life && record.level >= log::Level::info && value_of(record, "failure.id") == nullptr;
}

LifeCycleFold::Group& LifeCycleFold::add(const log::Record& record, std::int64_t wall_ns) {
  const std::string_view path = text_of(record, "actor.path");
  const std::string_view failure = text_of(record, "collateral_of");
  if (groups_.empty()) first_stamp_ns_ = record.stamp_ns;
  auto group = std::ranges::find_if(groups_, [&](const Group& each) {
    return each.event == record.event && each.collateral_of == failure;
  });
  if (group == groups_.end()) {
    Group& added = groups_.emplace_back();
    added.level = record.level;
    added.event = record.event;
    added.collateral_of = failure;
    added.path = path;
    group = groups_.end() - 1;
  } else {
    const std::string_view before = group->count == 1 ? parent_of(group->path) : group->path;
    group->path = std::string(common_ancestor(before, parent_of(path)));
  }
  group->level = std::min(group->level, record.level);
  ++group->count;
  group->wall_ns = wall_ns;
  return *group;
}

std::string sentence_of(const LifeCycleFold::Group& group) {
  const std::string_view verb = std::string_view(group.event).substr(std::size("actor.") - 1);
  std::string text = std::to_string(group.count);
  text.append(" actors ").append(verb).append(" below ").append(group.path);
  if (!group.collateral_of.empty()) text.append(", collateral of ").append(group.collateral_of);
  return text;
}

}  // namespace actord::sinks
