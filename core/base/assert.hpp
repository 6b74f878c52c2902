// SPDX-License-Identifier: Apache-2.0
//
// Assertions that stay on in every build: a broken invariant ends the process with a line that
// names it.
//
// They are for bugs of actord only. An error that a peer, a file, a plugin or an operator can cause
// is a Result or an actor's failure instead.
#pragma once

namespace actord::base {

/// Writes "file:line: assertion failed: text" to standard error and ends the process with status 70
/// (sysexits EX_SOFTWARE), without running destructors. Any thread.
[[noreturn]] void assertion_failed(const char* file, int line, const char* text) noexcept;

}  // namespace actord::base

#define ACTORD_ASSERT(condition) \
  (static_cast<bool>(condition)  \
       ? static_cast<void>(0)    \
       : ::actord::base::assertion_failed(__FILE__, __LINE__, #condition))

#ifdef NDEBUG
#define ACTORD_DEBUG_ASSERT(condition) static_cast<void>(0)
#else
#define ACTORD_DEBUG_ASSERT(condition) ACTORD_ASSERT(condition)
#endif
