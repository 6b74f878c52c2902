// SPDX-License-Identifier: Apache-2.0
//
// A range of addresses reserved once and filled from the bottom; memory is taken from the kernel at
// the first touch and the addresses never move, so an index into it is as good as a pointer.
#pragma once

#include <cstddef>

namespace actord::base {

class Arena {
 public:
  /// Reserves `bytes` of address space, or as large a part of them (halves, down to 16 MiB) as the
  /// kernel grants: a limit on addresses or strict overcommit must not keep a system from starting.
  /// Beyond its first 2 MiB the range is taken in huge pages where the kernel has them: first
  /// touches are what a burst costs most, and an idle system does not get that far.
  explicit Arena(std::size_t bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Aligned to 2 MiB.
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
