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
  /// So much may be written behind what was asked for; it does not count. Copies in large steps
  /// need not know their end exactly.
  static constexpr std::size_t slack = 32;

  explicit LineBuffer(std::size_t capacity = 4096)
      : bytes_(new char[capacity + slack]), capacity_(capacity) {}

  /// Room for at least `n` bytes; what was written there counts after advance() or end_at().
  char* room(std::size_t n) {
    if (capacity_ - size_ < n) [[unlikely]]
      grow(n);
    return bytes_.get() + size_;
  }
  void advance(std::size_t n) noexcept { size_ += n; }
  /// Everything before `end`, which lies in the room that was asked for last, counts.
  void end_at(const char* end) noexcept { size_ = static_cast<std::size_t>(end - bytes_.get()); }

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
    std::unique_ptr<char[]> bytes(new char[capacity + slack]);
    std::memcpy(bytes.get(), bytes_.get(), size_);
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_;
  std::size_t size_ = 0;
};

/// A text that never changes, padded so that it is copied in steps of 32 bytes.
class Literal {
 public:
  Literal() : Literal(std::string_view{}) {}
  explicit Literal(std::string_view text)
      : bytes_(new char[text.size() + LineBuffer::slack]()), size_(text.size()) {
    text.copy(bytes_.get(), text.size());
  }

  std::size_t size() const noexcept { return size_; }
  std::string_view view() const noexcept { return {bytes_.get(), size_}; }
  /// Copies it to the room of a line buffer, and from `begin` to `end` only; returns the end.
  char* put(char* to) const noexcept { return put(to, 0, size_); }
  char* put(char* to, std::size_t begin, std::size_t end) const noexcept {
    for (std::size_t i = begin; i < end; i += LineBuffer::slack)
      std::memcpy(to + (i - begin), bytes_.get() + i, LineBuffer::slack);
    return to + (end - begin);
  }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

}  // namespace actord::sinks
