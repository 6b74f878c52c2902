// SPDX-License-Identifier: Apache-2.0
#include "memory_shortage.hpp"

#include <cstdlib>
#include <new>

namespace actord::conformance {

thread_local int allocations_to_spare = 0, allocations_to_fail = 0;

}  // namespace actord::conformance

namespace {

void* allocate(std::size_t size) {
  using namespace actord::conformance;
  if (allocations_to_fail > 0 && allocations_to_spare-- <= 0) {
    --allocations_to_fail;
    throw std::bad_alloc();
  }
  if (void* const block = std::malloc(size != 0 ? size : 1)) return block;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
