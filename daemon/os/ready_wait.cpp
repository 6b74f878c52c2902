// SPDX-License-Identifier: Apache-2.0
#include "os/ready_wait.hpp"

#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <system_error>
#include <vector>

#include "base/clock.hpp"

namespace actord::os {

ReadyWait::ReadyWait() : woken_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (woken_.get() < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

void ReadyWait::wait(std::span<Watched> watched, std::int64_t until_ns) {
  std::vector<pollfd> polled{{woken_.get(), POLLIN, 0}};
  for (const Watched& each : watched)
    polled.push_back(
        {each.fd, static_cast<short>(each.for_writing ? POLLIN | POLLOUT : POLLIN), 0});
  const std::int64_t left_ns = std::max<std::int64_t>(until_ns - base::monotonic_ns(), 0);
  const std::int64_t left_ms =
      std::min<std::int64_t>((left_ns + base::ns_per_ms - 1) / base::ns_per_ms, INT_MAX);
  const int ready = ::poll(polled.data(), polled.size(), static_cast<int>(left_ms));
  for (std::size_t i = 0; i < watched.size(); ++i)
    watched[i].is_ready = ready > 0 && polled[i + 1].revents != 0;
  eventfd_t ignored = 0;
  if (ready > 0 && polled[0].revents != 0) ::eventfd_read(woken_.get(), &ignored);
}

void ReadyWait::wake() noexcept { ::eventfd_write(woken_.get(), 1); }

}  // namespace actord::os
