// SPDX-License-Identifier: Apache-2.0
//
// A shared library in this process. It is never unmapped, because its code, types and messages may
// be in use anywhere. Therefore a handle cannot be closed.
#pragma once

#include <string>

#include "base/result.hpp"

namespace actord::os {

class DynamicLibrary {
 public:
  /// Runs the library's static initialisers. All symbols are bound at once and are invisible to
  /// other libraries. The error is the dynamic linker's message, or says what an initialiser threw.
  /// After such an exception this thread holds the linker's lock for ever: no other thread can open
  /// a library or call exit().
  static base::Result<DynamicLibrary> open(const std::string& path);

  /// Null if there is no such symbol.
  template <class Function>
  Function* function(const char* name) const noexcept {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  explicit DynamicLibrary(void* handle) : handle_(handle) {}
  void* symbol(const char* name) const noexcept;

  void* handle_;
};

/// Whether a library of this process has a function or a variable of that name: "clock".
bool is_symbol_of_process(const std::string& name) noexcept;

}  // namespace actord::os
