// SPDX-License-Identifier: Apache-2.0
#include "os/crash_handler.hpp"

#include <actord/plugin.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <ctime>

#include "os/program_counter.hpp"

namespace actord::os {

namespace {

struct Known {
  int number;
  std::string_view name;
};
constexpr Known crash_signals[] = {{SIGSEGV, "SIGSEGV"},
                                   {SIGBUS, "SIGBUS"},
                                   {SIGFPE, "SIGFPE"},
                                   {SIGILL, "SIGILL"},
                                   {SIGABRT, "SIGABRT"}};
constexpr std::size_t stack_size = 64 * 1024;

// These are globals, because a signal handler receives only the signal. The store to
// `crash_reporter` in report_crashes() pairs with the load in call_reporter() (seq_cst): the
// handler sees a completely constructed reporter. `crashed_thread` is decided by one
// compare-exchange and `crash_count` by one increment; nothing else depends on their order.
std::atomic<CrashReporter*> crash_reporter{nullptr};
std::atomic<int> crashed_thread{0};
std::atomic<int> crash_count{0};
std::atomic<int> reporting_process{0};  // a child that a plugin has forked is another one
// The thread that does not go on, and whether a signal was passed on to it. Relaxed: the number is
// all that is passed.
std::atomic<int> hanging_thread{0};
std::atomic<bool> is_passed_on{false};
static_assert(std::atomic<CrashReporter*>::is_always_lock_free);

std::string_view name_of(int signal) noexcept {
  for (const Known& known : crash_signals) {
    if (known.number == signal) return known.name;
  }
  return "?";
}

// Whether the process has raised the signal itself, by a fault or by a call such as abort().
bool is_own(const siginfo_t& info) noexcept {
  return info.si_code > 0 || info.si_pid == ::getpid();
}

void call_reporter(int signal, const siginfo_t& info, void* context, bool is_second,
                   int thread) noexcept {
  CrashReporter* const reporter = crash_reporter.load();
  if (reporter == nullptr) return;
  Crash crash;
  crash.signal = name_of(signal);
  crash.program_counter = program_counter_of(context);
  crash.is_own = is_own(info);
  crash.is_hang = signal == SIGABRT && thread == hanging_thread.load(std::memory_order_relaxed) &&
                  (!crash.is_own || is_passed_on.load(std::memory_order_relaxed));
  // otherwise the signal was sent by a process
  crash.has_address = info.si_code > 0 && signal != SIGABRT;
  if (crash.has_address) crash.address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  crash.is_second = is_second;
  crash.thread_id = thread;
  reporter->report(crash);
}

// Returns if the thread that does not go on is this one, if there is none, or if it takes no
// signal.
void pass_on(int signal, const siginfo_t& info, int thread) noexcept {
  const int hanging = hanging_thread.load(std::memory_order_relaxed);
  if (signal != SIGABRT || is_own(info) || hanging == 0 || hanging == thread) return;
  if (is_passed_on.exchange(true, std::memory_order_relaxed)) return;
  if (::tgkill(::getpid(), hanging, SIGABRT) != 0) return;
  timespec left{2, 0};
  while (::nanosleep(&left, &left) != 0 && errno == EINTR) {}
}

void end_by(int signal, const siginfo_t& info) noexcept {
  std::signal(signal, SIG_DFL);
  // A fault occurs again after the return, now without a handler. A signal that was sent does not.
  if (info.si_code <= 0 || signal == SIGABRT) std::raise(signal);
}

void on_crash(int signal, siginfo_t* info, void* context) noexcept {
  const int thread = ::gettid();
  if (::getpid() != reporting_process.load()) return end_by(signal, *info);
  pass_on(signal, *info, thread);
  int first = 0;
  if (!crashed_thread.compare_exchange_strong(first, thread) && first != thread) {
    for (;;) ::pause();  // another thread is reporting its crash, which ends this thread too
  }
  const int before = crash_count.fetch_add(1);
  if (before < 2) call_reporter(signal, *info, context, before == 1, thread);
  end_by(signal, *info);
}

// Installs the crash handler, or the default actions.
void handle_crashes(bool is_ours) {
  for (const Known& known : crash_signals) {
    struct sigaction action = {};
    sigemptyset(&action.sa_mask);
    if (is_ours) {
      action.sa_sigaction = &on_crash;
      // SA_NODEFER: a crash during the report is reported too
      action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    } else {
      action.sa_handler = SIG_DFL;
    }
    ::sigaction(known.number, &action, nullptr);
  }
}

// An alternate signal stack for the current thread, released when the thread ends.
class CrashStack {
 public:
  CrashStack() noexcept
      : memory_(::mmap(nullptr, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                       0)) {
    if (memory_ == MAP_FAILED) return;
    stack_t stack = {};
    stack.ss_sp = memory_;
    stack.ss_size = stack_size;
    ::sigaltstack(&stack, nullptr);
  }
  ~CrashStack() {
    if (memory_ == MAP_FAILED) return;
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
    ::munmap(memory_, stack_size);
  }
  CrashStack(const CrashStack&) = delete;
  CrashStack& operator=(const CrashStack&) = delete;

 private:
  void* const memory_;
};

}  // namespace

const bool can_report_crashes = std::string_view{ACTORD_SANITIZER} == "none";

void report_crashes(CrashReporter* reporter) {
  if (!can_report_crashes) return;
  reporting_process.store(::getpid());
  crash_reporter.store(reporter);
  handle_crashes(reporter != nullptr);
}

void pass_aborts_on_to(int thread_id) noexcept {
  hanging_thread.store(thread_id, std::memory_order_relaxed);
}

void use_crash_stack() noexcept {
  if (!can_report_crashes) return;
  [[maybe_unused]] static thread_local const CrashStack stack;
}

bool is_same_file(int fd, int other) noexcept {
  struct stat a = {}, b = {};
  return ::fstat(fd, &a) == 0 && ::fstat(other, &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

}  // namespace actord::os
