// SPDX-License-Identifier: Apache-2.0
#include "os/dynamic_library.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <exception>

namespace actord::os {

namespace {

/// Calls dlopen() through a pointer. Its header declares it noexcept, and a direct call would be
/// compiled without exception handling, although static initialisers may throw.
void* (*volatile const open_library)(const char*, int) = &::dlopen;

}  // namespace

base::Result<DynamicLibrary> DynamicLibrary::open(const std::string& path) {
  try {
    void* const handle = open_library(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle != nullptr) return DynamicLibrary(handle);
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (const std::exception& error) {
    return base::Error{std::string{"a static initialiser throws: "} + error.what()};
  } catch (...) {
    return base::Error{"a static initialiser throws something other than a std::exception"};
  }
  const char* const why = ::dlerror();
  return base::Error{why != nullptr ? why : "the dynamic linker gives no reason"};
}

void* DynamicLibrary::symbol(const char* name) const noexcept { return ::dlsym(handle_, name); }

bool is_symbol_of_process(const std::string& name) noexcept {
  return ::dlsym(RTLD_DEFAULT, name.c_str()) != nullptr;
}

}  // namespace actord::os
