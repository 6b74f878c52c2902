// SPDX-License-Identifier: Apache-2.0
#include "app/unused_signals.hpp"

#include <optional>
#include <vector>

#include "admin/peer_fields.hpp"
#include "base/clock.hpp"
#include "os/signal_watch.hpp"

namespace actord::app {

namespace {

constexpr std::int64_t interval_ns = 10 * base::ns_per_s;

}  // namespace

void UnusedSignals::log(const os::Signal& received) {
  const std::int64_t now_ns = base::monotonic_ns();
  const auto [at, is_first] = seen_.try_emplace(received.number);
  Seen& seen = at->second;
  ++seen.count;
  if (!is_first && now_ns - seen.logged_ns < interval_ns) return;
  std::vector<log::Field> fields{{"signal", os::signal_name(received.number)},
                                 {"count", std::exchange(seen.count, 0)}};
  seen.logged_ns = now_ns;
  std::optional<admin::PeerFields> sender;
  if (received.sender) sender.emplace(*received.sender).add_to(fields);
  hub_.shared().emit(log::Level::warning, "daemon.signal-ignored",
                     "a signal that means nothing to actord was ignored", fields);
}

}  // namespace actord::app
