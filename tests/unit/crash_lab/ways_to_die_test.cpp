// SPDX-License-Identifier: Apache-2.0
//
// Each way to die ends a process as it promises, whatever a compiler makes of undefined behaviour.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include "crash_lab/ways_to_die.hpp"
#include "support/dies.hpp"

using actord::support::ChildEnd;
using crash_lab::Way;

namespace {

// doctest handles these signals, and would report the child's end as its own.
void be_no_test() {
  for (const int each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) signal(each, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

ChildEnd end_by(Way way) {
  return actord::support::end_of([way] {
    be_no_test();
    crash_lab::die_by(way);
  });
}

}  // namespace

TEST_SUITE_BEGIN("crash_lab/ways_to_die");

TEST_CASE("an exit has status 3, and that of another program its own") {
  for (const Way way : {Way::quick_exit, Way::underscore_exit})
    CHECK_MESSAGE(end_by(way).status == 3, static_cast<int>(way));
  CHECK(end_by(Way::replace_process).status == 0);
}

TEST_CASE("a kill leaves no word") { CHECK(end_by(Way::kill_self).signal == SIGKILL); }

TEST_CASE("what does not come back is there until it is ended") {
  const auto end_after_a_second = [](Way way) {
    return actord::support::end_of([way] {
      alarm(1);
      crash_lab::die_by(way);
    });
  };
  CHECK(end_after_a_second(Way::endless_loop).signal == SIGALRM);
  CHECK(end_after_a_second(Way::block_forever).signal == SIGALRM);
}

TEST_CASE("closing all descriptors ends nothing") {
  const ChildEnd end = actord::support::end_of([] {
    crash_lab::die_by(Way::close_descriptors);
    _exit(write(STDERR_FILENO, "", 1) < 0 ? 42 : 1);
  });
  CHECK(end.status == 42);
}

// A sanitizer takes these signals, and reports instead.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

TEST_CASE("bad code ends the process by its signal") {
  for (const Way way : {Way::null_dereference, Way::null_call, Way::stack_overflow})
    CHECK_MESSAGE(end_by(way).signal == SIGSEGV, static_cast<int>(way));
  CHECK(end_by(Way::bus_error).signal == SIGBUS);
  CHECK(end_by(Way::divide_by_zero).signal == SIGFPE);
  const int illegal = end_by(Way::illegal_instruction).signal;
  CHECK((illegal == SIGILL || illegal == SIGTRAP));
}

TEST_CASE("what the libraries notice ends the process by SIGABRT") {
  for (const Way way : {Way::abort, Way::double_free, Way::corrupt_heap, Way::terminate})
    CHECK_MESSAGE(end_by(way).signal == SIGABRT, static_cast<int>(way));
}

TEST_CASE("a leak ends in std::bad_alloc where memory is refused") {
  const ChildEnd end = actord::support::end_of([] {
    const rlimit little{512 << 20, 512 << 20};
    setrlimit(RLIMIT_AS, &little);
    try {
      crash_lab::die_by(Way::leak);
    } catch (const std::bad_alloc&) {
      _exit(42);
    }
  });
  CHECK(end.status == 42);
}

TEST_CASE("another thread ends the process just as well") {
  const ChildEnd end = actord::support::end_of([] {
    be_no_test();
    crash_lab::die_on_own_thread_by(Way::throw_exception);
  });
  CHECK(end.signal == SIGABRT);
}

#endif
