// SPDX-License-Identifier: Apache-2.0
#include "app/log_levels.hpp"

#include <algorithm>

namespace actord::app {

using wire::Json;

void LogLevels::set(const std::string& path, log::Level level, std::chrono::milliseconds time) {
  ends_.erase(path);
  hub_.set_actor_level(path, level);
  if (time.count() == 0) return;
  auto& end = ends_.emplace(path, loop_).first->second;
  end.start(time, [this, path] { reset(path); });
}

bool LogLevels::reset(const std::string& path) {
  ends_.erase(path);
  return hub_.reset_actor_level(path);
}

Json LogLevels::list() const {
  Json actors = Json::array();
  for (const log::ActorLevels::Rule& each : hub_.actor_levels()) {
    Json entry = {{"path", each.path}, {"level", log::level_name(each.level)}};
    if (const auto end = ends_.find(each.path); end != ends_.end()) {
      const auto left = end->second.left();
      entry["left_ms"] = std::max<std::int64_t>(
          std::chrono::duration_cast<std::chrono::milliseconds>(left).count(), 0);
    }
    actors.push_back(std::move(entry));
  }
  return {{"level", log::level_name(hub_.level())}, {"actors", std::move(actors)}};
}

std::optional<log::Level> LogLevels::level_named(std::string_view word) noexcept {
  for (const log::Level each :
       {log::Level::error, log::Level::warning, log::Level::info, log::Level::debug}) {
    if (word == log::level_name(each)) return each;
  }
  return std::nullopt;
}

}  // namespace actord::app
