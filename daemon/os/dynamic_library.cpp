// SPDX-License-Identifier: Apache-2.0
#include "os/dynamic_library.hpp"

#include <dlfcn.h>

namespace actord::os {

base::Result<DynamicLibrary> DynamicLibrary::open(const std::string& path) {
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle != nullptr) return DynamicLibrary(handle);
  const char* const why = ::dlerror();
  return base::Error{why != nullptr ? why : "the dynamic linker does not say why"};
}

void* DynamicLibrary::symbol(const char* name) const noexcept { return ::dlsym(handle_, name); }

}  // namespace actord::os
