// SPDX-License-Identifier: Apache-2.0
#include "actor/plugin_usage.hpp"

namespace actord::actor {

namespace {

constexpr std::int64_t quiet_ns = 10'000'000'000;

}  // namespace

std::string_view name_of(PluginUsage::Kind kind) noexcept {
  constexpr std::string_view names[] = {"actors", "timers", "asks"};
  return names[kind];
}

void PluginUsage::set_limits(const PluginLimits& limits) noexcept {
  for (std::size_t i = 0; i < limits.size(); ++i) counts_[i].limit.store(limits[i], base::relaxed);
}

bool PluginUsage::take(Kind kind) noexcept {
  Count& count = counts_[kind];
  const std::int64_t max = count.limit.load(base::relaxed);
  std::int64_t used = count.used.load(base::relaxed);
  do {
    if (max != unlimited && used >= max) return false;
  } while (!count.used.compare_exchange_weak(used, used + 1, base::relaxed));
  return true;
}

std::optional<std::uint64_t> PluginUsage::note_refusal(Kind kind, std::int64_t now_ns) noexcept {
  Count& count = counts_[kind];
  count.refusals.fetch_add(1, base::relaxed);
  std::int64_t until = count.quiet_until_ns.load(base::relaxed);
  if (now_ns < until ||
      !count.quiet_until_ns.compare_exchange_strong(until, now_ns + quiet_ns, base::relaxed))
    return std::nullopt;
  return count.refusals.exchange(0, base::relaxed);
}

}  // namespace actord::actor
