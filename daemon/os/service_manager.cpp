// SPDX-License-Identifier: Apache-2.0
#include "os/service_manager.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>

#include "os/descriptor.hpp"
#include "os/local_socket.hpp"
#include "os/process.hpp"

namespace actord::os {

namespace {

constexpr std::chrono::milliseconds retry_after{200};

}  // namespace

std::optional<std::int64_t> take_watchdog_timeout_ns() {
  constexpr const char *timeout_name = "WATCHDOG_USEC", *process_name = "WATCHDOG_PID";
  constexpr std::int64_t ns_per_us = 1000;
  const auto timeout_us = number_of_variable(timeout_name);
  const bool is_for_us =
      !environment_variable(process_name) || number_of_variable(process_name) == process_id();
  ::unsetenv(timeout_name);
  ::unsetenv(process_name);
  if (!timeout_us || !is_for_us || *timeout_us > INT64_MAX / ns_per_us) return std::nullopt;
  return *timeout_us * ns_per_us;
}

bool is_started_by_systemd() { return number_of_variable("SYSTEMD_EXEC_PID") == process_id(); }

std::string ServiceManager::assignment(std::string_view status) {
  std::string line = "STATUS=";
  line += status.substr(0, status_size_max);
  if (status.size() > status_size_max) line += " ...";
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return line;
}

ServiceManager::ServiceManager(EventLoop& loop, const std::optional<std::string>& socket)
    : retry_(loop) {
  if (!socket || socket->size() > socket_path_max) return;
  address_ = *socket;
  if (address_.starts_with('@')) address_.front() = '\0';
}

/// A message takes the place of a kept one of its kind, which tells something older.
void ServiceManager::send(std::string message) {
  if (address_.empty() || (late_.empty() && deliver(message))) return;
  const auto kind_of = [](const std::string& text) { return text.substr(0, text.find('=')); };
  std::erase_if(late_, [&](const std::string& kept) { return kind_of(kept) == kind_of(message); });
  late_.push_back(std::move(message));
  if (late_.size() == 1) deliver_late();
}

bool ServiceManager::deliver(const std::string& message) const noexcept {
  const Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket.get() < 0) return false;
  sockaddr_un to = {};
  to.sun_family = AF_UNIX;
  std::ranges::copy(address_, to.sun_path);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
  if (::sendto(socket.get(), message.data(), message.size(), MSG_NOSIGNAL,
               reinterpret_cast<const sockaddr*>(&to), size) >= 0)
    return true;
  return errno != EAGAIN && errno != ENOBUFS;
}

void ServiceManager::deliver_late() {
  while (!late_.empty() && deliver(late_.front())) late_.erase(late_.begin());
  if (late_.empty()) return;
  retry_.start(retry_after, [this] { deliver_late(); });
}

}  // namespace actord::os
