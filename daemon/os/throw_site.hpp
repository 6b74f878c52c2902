// SPDX-License-Identifier: Apache-2.0
//
// Remembers the calls that lead to a throw, for the failure that comes of it. Where an exception is
// caught they are gone.
//
// The program has a __cxa_throw() of its own, which takes the calls and goes on with that of the
// C++ library; the dynamic linker finds it first, for plugins, too. Under a sanitizer, which has
// one itself, and for a plugin that is linked with a C++ library of its own, nothing is remembered.
#pragma once

#include <cstdint>
#include <span>

namespace actord::os {

/// first: of exceptions of one class those that are the first in an hour.
enum class ThrowSites : std::uint8_t { off, first, all };

/// Any thread. What the process begins with is off.
void remember_throw_sites(ThrowSites which) noexcept;

/// The return addresses of the calls that led to the throw of the exception that this thread
/// handles, the innermost first; empty if they are not remembered. Valid until the thread throws
/// again.
std::span<void* const> throw_site_of_current_exception() noexcept;

}  // namespace actord::os
