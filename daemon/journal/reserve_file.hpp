// SPDX-License-Identifier: Apache-2.0
//
// Room on the disk that is kept for the moment when there is no other: with it the database is
// brought into a clean state, and the last snapshots are written.
#pragma once

#include <cstddef>
#include <string>

namespace actord::journal {

class ReserveFile {
 public:
  ReserveFile(std::string path, std::size_t bytes) : path_(std::move(path)), bytes_(bytes) {}

  /// Takes the room, if it is not taken. False: there is not so much, and nothing is taken.
  bool take() noexcept;
  void release() noexcept;
  bool is_taken() const noexcept { return is_taken_; }
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::string path_;
  std::size_t bytes_;
  bool is_taken_ = false;
};

}  // namespace actord::journal
