// SPDX-License-Identifier: Apache-2.0
#include "link/poisons.hpp"

#include <algorithm>
#include <functional>

namespace actord::link {

std::uint64_t Poisons::key_of(actor::Ref receiver, message::TypeId type,
                              std::string_view content) noexcept {
  const std::uint64_t hash = std::hash<std::string_view>{}(content);
  return (hash ^ receiver) * 0x9e3779b97f4a7c15 + type;
}

std::uint32_t Poisons::count(std::uint64_t key) {
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find(killers_, key, &Killer::key);
  if (known == killers_.end()) {
    if (killers_.size() == capacity) killers_.pop_front();
    killers_.push_back({key, 1});
    return 1;
  }
  if (++known->times == 2) has_any_.store(true, base::relaxed);
  return known->times;
}

bool Poisons::is_poison(std::uint64_t key) const {
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find(killers_, key, &Killer::key);
  return known != killers_.end() && known->times >= 2;
}

}  // namespace actord::link
