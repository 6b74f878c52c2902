// SPDX-License-Identifier: Apache-2.0
#include "base/native_stack.hpp"

#include <pthread.h>

namespace actord::base {

// Not inlined, so that the frame is that of a call.
[[gnu::noinline]] std::uintptr_t stack_position() noexcept {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

std::size_t stack_left() noexcept {
  constexpr std::size_t unknown = 256U << 10U;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return unknown;
  void* lowest = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  const std::size_t left = stack_position() - reinterpret_cast<std::uintptr_t>(lowest);
  return left < bytes ? left : unknown;  // else the caller is on another stack
}

}  // namespace actord::base
