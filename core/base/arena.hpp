// SPDX-License-Identifier: Apache-2.0
//
// A range of addresses reserved once and filled from the bottom; memory is taken from the kernel at
// the first touch and the addresses never move, so an index into it is as good as a pointer.
#pragma once

#include <cstddef>

namespace actord::base {

class Arena {
 public:
  /// Reserves `bytes` of address space; asserts if even that is refused.
  explicit Arena(std::size_t bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  std::byte* base() const noexcept { return base_; }
  std::size_t size() const noexcept { return size_; }

 private:
  std::byte* base_;
  std::size_t size_;
};

}  // namespace actord::base
