// SPDX-License-Identifier: Apache-2.0
#include "os/thread_interrupt.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "support/wait.hpp"

namespace actord::os {

TEST_SUITE_BEGIN("os/thread_interrupt");

namespace {

struct Receiver final : InterruptReceiver {
  Receiver() { receive_interrupts(this); }
  ~Receiver() { receive_interrupts(nullptr); }
  void on_interrupt(const void*) noexcept override {
    by = ::gettid();
    ++count;
  }
  std::atomic<int> by{0}, count{0};
};

/// A thread that runs until the end of the object.
struct Other {
  ~Other() {
    is_over = true;
    thread.join();
  }
  std::atomic<bool> is_over{false};
  std::atomic<int> id{0};
  std::thread thread{[this] {
    id = ::gettid();
    support::wait_until([this] { return is_over.load(); }, "the end of the test");
  }};
};

}  // namespace

TEST_CASE("a thread is interrupted, and no other one") {
  Receiver receiver;
  Other other;
  support::wait_until([&] { return other.id != 0; }, "the other thread");
  REQUIRE(interrupt_thread(other.id));
  support::wait_until([&] { return receiver.count == 1; }, "the interrupt");
  CHECK(receiver.by == other.id);
}

TEST_CASE("a thread that has ended is not interrupted") {
  Receiver receiver;
  int id = 0;
  std::thread([&] { id = ::gettid(); }).join();
  support::wait_until([&] { return !interrupt_thread(id); }, "the kernel to forget the thread");
  CHECK(receiver.by != id);
}

TEST_CASE("without a receiver the signal does nothing") {
  { Receiver receiver; }
  Other other;
  support::wait_until([&] { return other.id != 0; }, "the other thread");
  CHECK(interrupt_thread(other.id));
}

TEST_CASE("no signal is sent if other code has taken it for itself") {
  Receiver receiver;
  struct sigaction theirs = {}, ours = {};
  theirs.sa_handler = SIG_IGN;
  REQUIRE(::sigaction(SIGRTMAX, &theirs, &ours) == 0);
  CHECK_FALSE(interrupt_thread(::gettid()));
  REQUIRE(::sigaction(SIGRTMAX, &ours, nullptr) == 0);
}

TEST_SUITE_END();

}  // namespace actord::os
