// SPDX-License-Identifier: Apache-2.0
#include "os/thread_interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

#include "os/program_counter.hpp"

namespace actord::os {

namespace {

// A global, because a signal handler receives only the signal. The store in receive_interrupts()
// pairs with the load in on_signal() (seq_cst): the handler sees a completely constructed receiver.
std::atomic<InterruptReceiver*> interrupt_receiver{nullptr};
static_assert(std::atomic<InterruptReceiver*>::is_always_lock_free);

void on_signal(int, siginfo_t*, void* context) noexcept {
  const int before = errno;
  if (InterruptReceiver* const receiver = interrupt_receiver.load())
    receiver->on_interrupt(program_counter_of(context));
  errno = before;
}

}  // namespace

void receive_interrupts(InterruptReceiver* receiver) noexcept {
  interrupt_receiver.store(receiver);
  if (receiver == nullptr) return;  // the handler stays: by default the signal ends the process
  struct sigaction action = {};
  sigemptyset(&action.sa_mask);
  action.sa_sigaction = &on_signal;
  // SA_ONSTACK: the stack of a worker may be nearly used up by a deep recursion
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  ::sigaction(SIGRTMAX, &action, nullptr);
}

bool interrupt_thread(int thread_id) noexcept {
  struct sigaction present = {};
  if (::sigaction(SIGRTMAX, nullptr, &present) != 0 || present.sa_sigaction != &on_signal)
    return false;
  return ::tgkill(::getpid(), thread_id, SIGRTMAX) == 0;
}

}  // namespace actord::os
