// SPDX-License-Identifier: Apache-2.0
#include "os/service_manager.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/datagram_protocol.hpp>
#include <charconv>
#include <cstdlib>

#include "os/process.hpp"

namespace actord::os {

namespace {

/// The positive number that `text` is; else nullopt.
std::optional<std::int64_t> number_in(const std::optional<std::string>& text) {
  std::int64_t number = 0;
  if (!text) return std::nullopt;
  const char* const end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, number);
  if (error != std::errc{} || stop != end || number <= 0) return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::int64_t> take_watchdog_timeout_ns() {
  constexpr const char *timeout_name = "WATCHDOG_USEC", *process_name = "WATCHDOG_PID";
  constexpr std::int64_t ns_per_us = 1000;
  const auto timeout_us = number_in(environment_variable(timeout_name));
  const auto process = environment_variable(process_name);
  ::unsetenv(timeout_name);
  ::unsetenv(process_name);
  const bool is_for_us = !process || number_in(process) == process_id();
  if (!timeout_us || !is_for_us || *timeout_us > INT64_MAX / ns_per_us) return std::nullopt;
  return *timeout_us * ns_per_us;
}

bool is_started_by_systemd() {
  return number_in(environment_variable("SYSTEMD_EXEC_PID")) == process_id();
}

std::string ServiceManager::assignment(std::string_view status) {
  std::string line = "STATUS=";
  line += status.substr(0, status_size_max);
  if (status.size() > status_size_max) line += " ...";
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return line;
}

void ServiceManager::send(const std::string& message) const noexcept {
  using Protocol = boost::asio::local::datagram_protocol;
  if (!socket_ || socket_->empty()) return;
  try {
    std::string address = *socket_;
    if (address.front() == '@') address.front() = '\0';
    boost::asio::io_context context;
    Protocol::socket socket(context, Protocol());
    socket.send_to(boost::asio::buffer(message), Protocol::endpoint(address));
  } catch (const std::exception&) {  // no receiver, or the name is too long: the message is dropped
  }
}

}  // namespace actord::os
