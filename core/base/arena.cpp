// SPDX-License-Identifier: Apache-2.0
#include "base/arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>

#include "base/assert.hpp"

namespace actord::base {

namespace {
constexpr std::size_t size_min = std::size_t{16} << 20;
constexpr std::size_t huge_page = std::size_t{2} << 20;
// An arena tells the kernel in such steps which part of it a core dump contains.
constexpr std::size_t dump_step = std::size_t{8} << 20;
}  // namespace

Arena::Arena(std::size_t bytes) : size_(bytes) {
  const auto reserve = [this] {
    return mmap(nullptr, size_ + huge_page, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  };
  void* at = reserve();
  for (; at == MAP_FAILED && size_ / 2 >= size_min; at = reserve()) size_ /= 2;
  ACTORD_ASSERT(at != MAP_FAILED);
  mapping_ = static_cast<std::byte*>(at);
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(at) + small_page_bytes;
  base_ = mapping_ + (huge_page - first % huge_page) % huge_page;
  madvise(mapping_, size_ + huge_page, MADV_DONTDUMP);
  if (size_ > 2 * huge_page)
    madvise(base_ + small_page_bytes, size_ - small_page_bytes, MADV_HUGEPAGE);
}

Arena::~Arena() { munmap(mapping_, size_ + huge_page); }

void Arena::dump(std::size_t bytes) noexcept {
  const std::size_t end = std::min((bytes + dump_step - 1) / dump_step * dump_step, size_);
  madvise(base_ + dumped_, end - dumped_, MADV_DODUMP);
  dumped_ = end;
}

void Arena::decommit(std::size_t offset, std::size_t bytes) noexcept {
  constexpr std::size_t page = 4096;
  const std::size_t begin = (offset + page - 1) / page * page, end = (offset + bytes) / page * page;
  if (begin < end) madvise(base_ + begin, end - begin, MADV_DONTNEED);
}

}  // namespace actord::base
