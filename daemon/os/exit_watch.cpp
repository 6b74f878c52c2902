// SPDX-License-Identifier: Apache-2.0
#include "os/exit_watch.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <threads.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>

#include "os/process.hpp"

namespace actord::os {

namespace {

// These are globals, because the C library passes no argument. The store to `exit_reporter` in
// report_exits() pairs with the load in report() (seq_cst): the exiting thread sees a completely
// constructed reporter. Nothing else depends on the order of the two flags.
std::atomic<ExitReporter*> exit_reporter{nullptr};
std::atomic<bool> is_reported{false};
std::atomic<bool> is_exiting_normally{false};
std::atomic<int> reporting_process{0};  // a child that a plugin has forked is another one

/// Returns only if exits are not reported.
void report(const std::string& call) noexcept {
  ExitReporter* const reporter = exit_reporter.load();
  if (reporter == nullptr || process_id() != reporting_process.load()) return;
  if (is_reported.exchange(true))
    for (;;) ::pause();
  reporter->on_exit(call);
}

void report_thread_exit(const char* call) noexcept {
  ExitReporter* const reporter = exit_reporter.load();
  if (reporter != nullptr && (thread_id() == process_id() || reporter->needs_this_thread()))
    report(call);
}

std::string call_of(const char* function, int status) {
  return std::string(function) + '(' + std::to_string(status) + ')';
}

void on_exit_of_library(int status, void*) {
  if (!is_exiting_normally.load()) report(call_of("exit", status));
}

/// The C library's own function of that name, which a function below replaces.
template <class Function>
Function* replaced(const char* name) noexcept {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

void report_exits(ExitReporter* reporter) {
  [[maybe_unused]] static const int registered = ::on_exit(&on_exit_of_library, nullptr);
  reporting_process.store(process_id());
  exit_reporter.store(reporter);
}

void exit_normally(int status) {
  is_exiting_normally.store(true);
  replaced<void(int)>("exit")(status);
  exit_at_once(status);  // not reached
}

}  // namespace actord::os

// These replace the C library's functions for every library of the process, because the dynamic
// linker finds the executable's symbols first. Calls from within the C library do not come here:
// on_exit() above covers those of exit().
extern "C" {

void exit(int status) noexcept {
  using namespace actord::os;
  report(call_of("exit", status));
  replaced<void(int)>("exit")(status);
  exit_at_once(status);  // not reached
}

void quick_exit(int status) noexcept {
  using namespace actord::os;
  report(call_of("quick_exit", status));
  replaced<void(int)>("quick_exit")(status);
  exit_at_once(status);  // not reached
}

void _exit(int status) {
  using namespace actord::os;
  report(call_of("_exit", status));
  exit_at_once(status);
}

void _Exit(int status) noexcept { ::_exit(status); }

void pthread_exit(void* value) {
  using namespace actord::os;
  report_thread_exit("pthread_exit()");
  replaced<void(void*)>("pthread_exit")(value);
  exit_at_once(EXIT_FAILURE);  // not reached
}

void thrd_exit(int value) {
  using namespace actord::os;
  report_thread_exit("thrd_exit()");
  replaced<void(int)>("thrd_exit")(value);
  exit_at_once(EXIT_FAILURE);  // not reached
}
}
