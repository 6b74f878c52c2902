// SPDX-License-Identifier: Apache-2.0
#include "os/service_manager.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "os/process.hpp"

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

TEST_SUITE_END();

}  // namespace actord::os
