// SPDX-License-Identifier: Apache-2.0
//
// A shared library in this process. It is never unmapped: code, types and messages of it may be in
// use anywhere, so the handle has no way to close it.
#pragma once

#include <string>

#include "base/result.hpp"

namespace actord::os {

class DynamicLibrary {
 public:
  /// Runs the library's static initialisers. All symbols are bound now and seen by nobody else. An
  /// error is the dynamic linker's sentence, or tells what an initialiser threw. Then this thread
  /// holds the linker's lock for ever: no other can open a library, or end the process in order.
  static base::Result<DynamicLibrary> open(const std::string& path);

  /// Null when there is no such symbol.
  template <class Function>
  Function* function(const char* name) const noexcept {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  explicit DynamicLibrary(void* handle) : handle_(handle) {}
  void* symbol(const char* name) const noexcept;

  void* handle_;
};

}  // namespace actord::os
