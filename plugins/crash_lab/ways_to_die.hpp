// SPDX-License-Identifier: Apache-2.0
//
// Every way in which native code can take its process down, or keep it from going on.
#pragma once

#include <actord/actord.hpp>

namespace crash_lab {

/// die_by() has the code of each.
enum class Way {
  // signals
  null_dereference,     // writes to address 0: SIGSEGV
  null_call,            // calls a function at address 0: SIGSEGV, and the caller is hard to find
  stack_overflow,       // calls itself until the stack ends: SIGSEGV
  bus_error,            // reads a mapping behind the end of its file: SIGBUS
  divide_by_zero,       // SIGFPE
  illegal_instruction,  // SIGILL
  // what the C and C++ libraries notice themselves: SIGABRT
  abort,
  double_free,
  corrupt_heap,  // writes beyond a block, and frees the next one
  terminate,     // an exception leaves a noexcept function
  exit_thread,   // pthread_exit() in a handler
  // the process ends in order, with status 3
  exit,
  quick_exit,
  underscore_exit,
  replace_process,  // execs another program, which ends with status 0
  leave_child,      // _exit(), but a forked child with the same descriptors lives on for a while
  // from outside, as it seems
  kill_self,  // SIGKILL
  stop_self,  // SIGSTOP: the process still exists
  // it does not come back
  endless_loop,
  block_forever,
  // resources
  leak,               // takes memory until there is none: killed, or std::bad_alloc
  close_descriptors,  // closes every descriptor, and goes on
  // no crash, for comparison
  throw_exception
};
ACTORD_ENUM(Way, null_dereference, null_call, stack_overflow, bus_error, divide_by_zero,
            illegal_instruction, abort, double_free, corrupt_heap, terminate, exit_thread, exit,
            quick_exit, underscore_exit, replace_process, leave_child, kill_self, stop_self,
            endless_loop, block_forever, leak, close_descriptors, throw_exception)

/// Returns only after close_descriptors, and after stop_self when the process is continued; throws
/// after throw_exception, and after leak if memory is refused.
void die_by(Way way);
/// The same on a thread that it starts, while the caller waits. What is thrown there ends the
/// process, too.
void die_on_own_thread_by(Way way);

}  // namespace crash_lab
