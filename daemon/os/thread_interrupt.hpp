// SPDX-License-Identifier: Apache-2.0
//
// Runs a function on another thread of this process, in the middle of whatever that thread does: a
// signal interrupts it. Not here: what the function does (app/stack_probe.hpp).
#pragma once

namespace actord::os {

class InterruptReceiver {
 public:
  /// Called on the interrupted thread, in a signal handler. `program_counter` is the instruction at
  /// which the thread was interrupted; null: unknown on this architecture.
  virtual void on_interrupt(const void* program_counter) noexcept = 0;

 protected:
  ~InterruptReceiver() = default;
};

/// The signal is SIGRTMAX. Its handler has SA_RESTART, so that a system call of the thread goes on
/// afterwards, except for those that signal(7) lists, such as poll() and nanosleep(): these fail
/// with EINTR.
///
/// Null: the signal does nothing from now on, even if it was sent before. One receiver in a
/// process.
void receive_interrupts(InterruptReceiver* receiver) noexcept;

/// Interrupts a thread of this process, by the kernel's id. False: there is no such thread, or the
/// signal cannot be sent, for example because a plugin has taken SIGRTMAX for itself. A thread that
/// blocks the signal, or that waits in the kernel for a device, receives it later.
bool interrupt_thread(int thread_id) noexcept;

}  // namespace actord::os
