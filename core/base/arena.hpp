// SPDX-License-Identifier: Apache-2.0
//
// A range of addresses, reserved once and filled from the bottom. The kernel gives memory at the
// first touch. The addresses never move, so an index into the arena is as good as a pointer.
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <utility>

namespace actord::base {

/// The kernel refuses to reserve addresses; what() is a sentence that names the limit.
class NoAddresses : public std::bad_alloc {
 public:
  explicit NoAddresses(std::string what) : what_(std::move(what)) {}
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};

class Arena {
 public:
  /// This many bytes at the start of an arena are backed by pages of 4 KiB; the first touch of one
  /// takes some 2 us. If the arena has more than 4 MiB, the rest is backed by huge pages of 2 MiB,
  /// some 100 us each, as far as the kernel has any. First touches are the largest cost of a burst;
  /// an idle system uses the small pages only.
  static constexpr std::size_t small_page_bytes = std::size_t{256} << 10;

  /// Reserves `bytes` of address space, or half of it, a quarter and so on (down to 16 MiB) if the
  /// kernel refuses, since strict overcommit must not prevent a start; and at most a 32nd of what
  /// RLIMIT_AS and RLIMIT_DATA permit, to leave room for the other arenas. Throws NoAddresses.
  explicit Arena(std::size_t bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Aligned to 256 KiB; base() + small_page_bytes is aligned to 2 MiB.
  std::byte* base() const noexcept { return base_; }
  /// Bytes reserved, which may be fewer than wanted.
  std::size_t size() const noexcept { return size_; }
  /// The first `bytes` bytes are about to be used. A core dump contains what was announced so, and
  /// not the rest of the addresses: a dump to a pipe would write all of them, as zeros. One caller
  /// at a time.
  void use(std::size_t bytes) noexcept {
    if (bytes > dumped_) [[unlikely]]
      dump(bytes);
  }
  /// Gives the memory of the pages that lie entirely in the range back to the kernel. The addresses
  /// stay reserved, and the bytes read as zero.
  void decommit(std::size_t offset, std::size_t bytes) noexcept;

 private:
  void dump(std::size_t bytes) noexcept;

  std::byte* mapping_;
  std::byte* base_;
  std::size_t size_;
  std::size_t dumped_ = 0;
};

}  // namespace actord::base
