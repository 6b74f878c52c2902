// SPDX-License-Identifier: Apache-2.0
//
// The fields of an event that tell which actor the thread was running when the process ended.
#pragma once

#include <cstdint>

#include "log/log_record.hpp"
#include "system/crash_site.hpp"

namespace actord::app {

/// Calls `add(key, value)` for each field. Async-signal-safe if `add` is.
template <class Add>
void add_site_fields(const system::CrashSite& site, Add add) noexcept {
  add("actor.path", log::Value(site.path));
  add("actor.incarnation", log::Value(std::uint64_t{site.incarnation}));
  add("actor.behaviour", log::Value(site.behaviour));
  if (!site.message.empty()) add("message.type", log::Value(site.message));
  add("plugin.name", log::Value(site.plugin));
  add("plugin.version", log::Value(site.version));
}

}  // namespace actord::app
