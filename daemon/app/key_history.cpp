// SPDX-License-Identifier: Apache-2.0
#include "app/key_history.hpp"

#include <chrono>

#include "config/config_diff.hpp"

namespace actord::app {

bool is_part_of(std::string_view key, std::string_view other) noexcept {
  return key.starts_with(other) && (key.size() == other.size() || key[other.size()] == '.');
}

KeyHistory::Moment KeyHistory::moment_of(std::uint64_t generation) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {generation, std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()};
}

void KeyHistory::record(const hocon::Tree& older, const hocon::Tree& newer, Moment moment) {
  for (const config::KeyChange& change : config::diff_between(older, newer).changes)
    changed_[change.key] = moment;
}

KeyHistory::Moment KeyHistory::last_change(std::string_view key) const {
  Moment last = start_;
  for (const auto& [changed, moment] : changed_) {
    const bool is_about_key = is_part_of(changed, key) || is_part_of(key, changed);
    if (is_about_key && moment.generation >= last.generation) last = moment;
  }
  return last;
}

}  // namespace actord::app
