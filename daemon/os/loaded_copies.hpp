// SPDX-License-Identifier: Apache-2.0
//
// Which files the libraries in this process are copies of. The dynamic linker knows a copy by a
// path below /proc, which tells an operator nothing: code that names a library asks here first.
#pragma once

#include <string>

namespace actord::os {

/// From now on the library that is loaded from `copy` is named `file`. The entry stays until the
/// process ends, as the library does. Threads: any, at any time.
void name_loaded_copy(const std::string& copy, const std::string& file);

/// The file that the library loaded from `path` is a copy of; null: it is no copy.
/// Async-signal-safe.
const char* original_of(const char* path) noexcept;

}  // namespace actord::os
