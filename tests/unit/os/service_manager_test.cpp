// SPDX-License-Identifier: Apache-2.0
#include "os/service_manager.hpp"

#include <doctest/doctest.h>
#include <sys/socket.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/datagram_protocol.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "os/descriptor.hpp"
#include "os/process.hpp"
#include "support/full_queue.hpp"
#include "support/scratch_folder.hpp"

namespace actord::os {

TEST_SUITE_BEGIN("os/service_manager");

namespace {

std::optional<std::int64_t> timeout_with(const char* timeout_us, const char* process = nullptr) {
  ::unsetenv("WATCHDOG_USEC");
  ::unsetenv("WATCHDOG_PID");
  if (timeout_us != nullptr) ::setenv("WATCHDOG_USEC", timeout_us, 1);
  if (process != nullptr) ::setenv("WATCHDOG_PID", process, 1);
  const auto timeout_ns = take_watchdog_timeout_ns();
  CHECK(std::getenv("WATCHDOG_USEC") == nullptr);
  CHECK(std::getenv("WATCHDOG_PID") == nullptr);
  return timeout_ns;
}

/// The socket of a service manager that reads only when it is asked to.
class ManagerSocket {
 public:
  explicit ManagerSocket(const std::string& path) {
    const boost::asio::local::datagram_protocol::endpoint address(path);
    REQUIRE(::bind(socket_.get(), address.data(), static_cast<socklen_t>(address.size())) == 0);
  }
  /// The next message; empty: there is none.
  std::string next() const {
    std::string text(4096, '\0');
    const ssize_t size = ::recv(socket_.get(), text.data(), text.size(), MSG_DONTWAIT);
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
  }

 private:
  Descriptor socket_{::socket(AF_UNIX, SOCK_DGRAM, 0)};
};

}  // namespace

TEST_CASE("the watchdog's timeout is read once, and is not for child processes") {
  CHECK(timeout_with("30000000") == 30'000'000'000);
  CHECK_FALSE(take_watchdog_timeout_ns());
}

TEST_CASE("there is no watchdog without a positive number") {
  for (const char* const text :
       {"", "0", "-1", "x", "1s", "1 ", "99999999999999999999", "9223372036854775807"}) {
    CAPTURE(text);
    CHECK_FALSE(timeout_with(text));
  }
  CHECK_FALSE(timeout_with(nullptr));
}

TEST_CASE("the watchdog of another process is not ours") {
  CHECK(timeout_with("1000", std::to_string(process_id()).c_str()) == 1'000'000);
  CHECK_FALSE(timeout_with("1000", "1"));
  CHECK_FALSE(timeout_with("1000", "x"));
}

TEST_CASE("messages wait for a service manager whose queue is full, and the caller does not") {
  const support::ScratchFolder folder;
  const ManagerSocket receiver(folder.at("notify"));
  const std::size_t n_others = support::fill_queue(folder.at("notify"));
  boost::asio::io_context loop{1};
  ServiceManager manager(loop, folder.at("notify"));
  manager.status("one");
  manager.watchdog();
  manager.ready("two");
  manager.status("three");
  manager.watchdog();
  manager.stopping("four");
  for (std::size_t i = 0; i < n_others; ++i) CHECK(receiver.next() == "x");
  CHECK(receiver.next() == "");
  std::vector<std::string> received;
  while (received.size() < 4) {
    if (std::string text = receiver.next(); !text.empty()) received.push_back(std::move(text));
    else loop.run_one();  // the next try
  }
  CHECK(received == std::vector<std::string>{"READY=1\nSTATUS=two", "STATUS=three", "WATCHDOG=1",
                                             "STOPPING=1\nSTATUS=four"});
  manager.status("five");
  CHECK(receiver.next() == "STATUS=five");
}

TEST_CASE("a message that nobody can receive is dropped") {
  boost::asio::io_context loop{1};
  for (const std::string& name : {std::string{"/nowhere/notify"}, std::string(200, 'x')}) {
    ServiceManager manager(loop, name);
    manager.ready("up");
    CHECK(loop.poll() == 0);
  }
}

TEST_SUITE_END();

}  // namespace actord::os
