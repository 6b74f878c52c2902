// SPDX-License-Identifier: Apache-2.0
//
// The buffer that lines are formatted into: it grows once to the size of a batch and is then
// reused.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace actord::sinks {

/// Bytes, appended. One thread.
class LineBuffer {
 public:
  explicit LineBuffer(std::size_t capacity = 4096)
      : bytes_(new char[capacity]), capacity_(capacity) {}

  /// Room for at least `n` bytes; what was written there counts after advance().
  char* room(std::size_t n) {
    if (capacity_ - size_ < n) [[unlikely]]
      grow(n);
    return bytes_.get() + size_;
  }
  void advance(std::size_t n) noexcept { size_ += n; }

  void append(std::string_view text) {
    if (text.empty()) return;
    std::memcpy(room(text.size()), text.data(), text.size());
    size_ += text.size();
  }
  void append(char c) {
    *room(1) = c;
    ++size_;
  }

  std::size_t size() const noexcept { return size_; }
  std::string_view view() const noexcept { return {bytes_.get(), size_}; }
  /// Forgets everything from `size` on.
  void rewind(std::size_t size) noexcept { size_ = size; }
  void clear() noexcept { size_ = 0; }

 private:
  void grow(std::size_t n) {
    const std::size_t capacity = std::max(capacity_ * 2, size_ + n);
    std::unique_ptr<char[]> bytes(new char[capacity]);
    std::memcpy(bytes.get(), bytes_.get(), size_);
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_;
  std::size_t size_ = 0;
};

}  // namespace actord::sinks
