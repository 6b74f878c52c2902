// SPDX-License-Identifier: Apache-2.0
#include "base/arena.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace actord::base {

namespace {
constexpr std::size_t size_min = std::size_t{16} << 20;
constexpr std::size_t huge_page = std::size_t{2} << 20;
// An arena tells the kernel in such steps which part of it a core dump contains.
constexpr std::size_t dump_step = std::size_t{8} << 20;
// About as many arenas share the addresses that a limit permits.
constexpr std::size_t arenas_max = 32;

struct Limit {
  int resource;
  const char* name;
  const char* shell;
  const char* unit;
};
constexpr Limit limits[] = {{RLIMIT_AS, "RLIMIT_AS", "ulimit -v", "LimitAS="},
                            {RLIMIT_DATA, "RLIMIT_DATA", "ulimit -d", "LimitDATA="}};

/// Bytes; RLIM_INFINITY, the largest number, without a limit.
rlim_t value_of(const Limit& limit) {
  rlimit value{};
  return getrlimit(limit.resource, &value) == 0 ? value.rlim_cur : RLIM_INFINITY;
}

/// The lower of the limits.
std::size_t limit() { return std::min(value_of(limits[0]), value_of(limits[1])); }

std::string refusal(int error) {
  std::string text = "the kernel does not reserve 16 MiB of addresses: ";
  text += std::generic_category().message(error);
  for (const Limit& each : limits) {
    if (value_of(each) == RLIM_INFINITY) continue;
    text.append("; ").append(each.name).append(" (").append(each.shell).append(", ");
    text.append(each.unit).append(") is ").append(std::to_string(value_of(each) >> 20U));
    text.append(" MiB and must be raised");
  }
  return text;
}

}  // namespace

Arena::Arena(std::size_t bytes) : size_(bytes) {
  const std::size_t share = limit() / arenas_max;
  while (size_ > share && size_ / 2 >= size_min) size_ /= 2;
  const auto reserve = [this] {
    return mmap(nullptr, size_ + huge_page, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  };
  void* at = reserve();
  for (; at == MAP_FAILED && size_ / 2 >= size_min; at = reserve()) size_ /= 2;
  if (at == MAP_FAILED) throw NoAddresses(refusal(errno));
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
