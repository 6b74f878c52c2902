// SPDX-License-Identifier: Apache-2.0
#include "log/event_schema.hpp"

#include <algorithm>
#include <array>

#include "log/daemon_events.hpp"
#include "log/event_ids.hpp"
#include "log/runtime_events.hpp"

namespace actord::log {

namespace {

constexpr auto events = [] {
  std::array<EventSchema, std::size(event_lists::runtime) + std::size(event_lists::daemon)> all;
  const auto rest = std::ranges::copy(event_lists::runtime, all.begin()).out;
  std::ranges::copy(event_lists::daemon, rest);
  return all;
}();

static_assert(have_ids(events), "each event has 32 digits of its own, a to f in lower case");

}  // namespace

std::span<const EventSchema> event_schemas() noexcept { return events; }

}  // namespace actord::log
