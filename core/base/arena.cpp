// SPDX-License-Identifier: Apache-2.0
#include "base/arena.hpp"

#include <sys/mman.h>

#include "base/assert.hpp"

namespace actord::base {

Arena::Arena(std::size_t bytes) : size_(bytes) {
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ACTORD_ASSERT(at != MAP_FAILED);
  base_ = static_cast<std::byte*>(at);
}

Arena::~Arena() { munmap(base_, size_); }

}  // namespace actord::base
