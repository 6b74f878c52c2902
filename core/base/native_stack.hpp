// SPDX-License-Identifier: Apache-2.0
//
// The calling thread's native stack, for recursion that a hostile input could make deep.
#pragma once

#include <cstddef>
#include <cstdint>

namespace actord::base {

/// The address of a frame that the caller has just called. Stacks grow downwards: a deeper call has
/// a lower address.
std::uintptr_t stack_position() noexcept;

/// The bytes from the caller's frame to the end of its thread's stack. 256 kB on a fiber, whose
/// stack the system does not know, and where the system does not tell. Not for hot paths: on the
/// main thread it reads /proc/self/maps.
std::size_t stack_left() noexcept;

}  // namespace actord::base
