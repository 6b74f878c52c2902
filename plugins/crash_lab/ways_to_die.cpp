// SPDX-License-Identifier: Apache-2.0
//
// Compilers assume that none of this happens, and warn or remove it. Therefore what matters goes
// through volatile objects.
#include "ways_to_die.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

namespace crash_lab {

namespace {

constexpr int exit_status = 3;

volatile int* volatile nowhere = nullptr;
void (*volatile no_function)() = nullptr;
volatile int zero = 0;
volatile bool goes_on = true;
volatile int sink = 0;

// Each level hands its frame to the next, so that no compiler makes a loop of it.
int deeper(volatile const char* above) {  // NOLINT(misc-no-recursion): that is what it is for
  volatile char frame[4096];
  frame[0] = static_cast<char>(above[0] + 1);
  return goes_on ? deeper(frame) + frame[0] : frame[0];
}

void read_behind_end_of_file() {
  const int file = ::memfd_create("crash_lab", MFD_CLOEXEC);
  const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  if (mapped != MAP_FAILED) sink = *static_cast<volatile int*>(mapped);  // the file is empty
}

void divide_by_zero() {
  sink = 100 / zero;
  std::raise(SIGFPE);  // some processors divide by zero without a word
}

void free_twice() {
  void* volatile block = std::malloc(64);
  void* volatile same_block = block;
  std::free(block);
  std::free(same_block);
  std::abort();  // an allocator that does not notice
}

// Blocks of this size lie one behind the other, and are checked when they are freed.
void corrupt_heap() {
  constexpr std::size_t size = 4000, beyond = 64;
  char* volatile block = static_cast<char*>(std::malloc(size));
  void* volatile next_block = std::malloc(size);
  if (block == nullptr) std::abort();
  for (std::size_t i = 0; i < size + beyond; ++i) {
    volatile char& byte = block[i];
    byte = '\xff';
  }
  std::free(next_block);
  std::free(block);
  std::abort();  // an allocator that does not notice
}

void throw_exception() { throw std::runtime_error("an ordinary exception"); }
void break_promise() noexcept { throw_exception(); }

void replace_process() {
  ::execl("/bin/true", "true", static_cast<char*>(nullptr));
  ::_exit(0);  // there is no such program
}

// The child keeps the descriptors of its parent open for ten seconds.
void leave_child() {
  if (::fork() == 0) {
    std::signal(SIGALRM, SIG_DFL);
    ::alarm(10);
    while (goes_on) ::pause();
  }
  ::_exit(exit_status);
}

void loop() {
  while (goes_on) sink = sink ^ 1;
}

// Never freed: an actor that is restarted in the same process has not got its memory back.
void leak() {
  constexpr std::size_t block = 1 << 20, page = 4096;
  for (;;) {
    auto* const leaked = new volatile char[block];
    for (std::size_t i = 0; i < block; i += page) leaked[i] = 1;
  }
}

void die_by_signal(Way way) {
  switch (way) {
    case Way::null_dereference: *nowhere = 1; break;
    case Way::null_call: no_function(); break;
    case Way::stack_overflow: sink = deeper("stack"); break;
    case Way::bus_error: read_behind_end_of_file(); break;
    case Way::divide_by_zero: divide_by_zero(); break;
    case Way::illegal_instruction: __builtin_trap();
    case Way::kill_self: ::kill(::getpid(), SIGKILL); break;
    // To this thread, which therefore stops before the next instruction; a signal to the process
    // may be taken by another thread, while this one goes on for a moment.
    case Way::stop_self: std::raise(SIGSTOP); break;
    default: break;
  }
}

}  // namespace

void die_by(Way way) {
  switch (way) {
    case Way::abort: std::abort();
    case Way::double_free: return free_twice();
    case Way::corrupt_heap: return corrupt_heap();
    case Way::terminate: return break_promise();
    case Way::exit_thread: ::pthread_exit(nullptr);
    case Way::exit: std::exit(exit_status);  // NOLINT(concurrency-mt-unsafe): so does bad code
    case Way::quick_exit: std::quick_exit(exit_status);
    case Way::underscore_exit: ::_exit(exit_status);
    case Way::replace_process: return replace_process();
    case Way::leave_child: return leave_child();
    case Way::endless_loop: return loop();
    case Way::block_forever:
      while (goes_on) ::pause();
      return;
    case Way::leak: return leak();
    case Way::close_descriptors: ::close_range(0, ~0U, 0); return;
    case Way::throw_exception: return throw_exception();
    default: die_by_signal(way);
  }
}

void die_on_own_thread_by(Way way) {
  std::thread([way] { die_by(way); }).join();
}

}  // namespace crash_lab
