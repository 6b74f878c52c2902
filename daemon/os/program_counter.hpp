// SPDX-License-Identifier: Apache-2.0
//
// The instruction at which a signal has interrupted a thread, from the context that its handler is
// given.
#pragma once

#include <ucontext.h>

namespace actord::os {

/// Null: unknown on this architecture. Async-signal-safe.
inline const void* program_counter_of(void* context) noexcept {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(machine.pc);
#else
  static_cast<void>(machine);
  return nullptr;
#endif
}

}  // namespace actord::os
