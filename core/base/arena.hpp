// SPDX-License-Identifier: Apache-2.0
//
// A range of addresses reserved once and filled from the bottom; memory is taken from the kernel at
// the first touch and the addresses never move, so an index into it is as good as a pointer.
#pragma once

#include <cstddef>

namespace actord::base {

class Arena {
 public:
  /// The kernel hands these first bytes out in small pages, at 4 KiB and some 2 us each; what is
  /// beyond them, if the arena is not a small one, in huge pages where it has them, at 2 MiB and
  /// some 100 us. First touches are what a burst costs most, and an idle system does not get that
  /// far.
  static constexpr std::size_t in_small_pages = std::size_t{256} << 10;

  /// Reserves `bytes` of address space, or as large a part of them (halves, down to 16 MiB) as the
  /// kernel grants: a limit on addresses or strict overcommit must not keep a system from starting.
  explicit Arena(std::size_t bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Aligned to 256 KiB; what is `in_small_pages` bytes beyond it, to 2 MiB.
  std::byte* base() const noexcept { return base_; }
  std::size_t size() const noexcept { return size_; }
  /// The memory of the whole pages in that range goes to the kernel; the addresses stay ours.
  void give_back(std::size_t offset, std::size_t bytes) noexcept;

 private:
  std::byte* mapping_;
  std::byte* base_;
  std::size_t size_;
};

}  // namespace actord::base
