// SPDX-License-Identifier: Apache-2.0
//
// The buffer in which lines are formatted. It grows to the size of a batch and is reused.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace actord::sinks {

/// A growing array of bytes. Used by one thread.
class LineBuffer {
 public:
  /// Bytes that may be written beyond the reserved space; they are not part of the line. This
  /// allows copies in steps of 32 bytes.
  static constexpr std::size_t slack = 32;

  explicit LineBuffer(std::size_t capacity = 4096)
      : bytes_(new char[capacity + slack]), capacity_(capacity) {}

  /// Returns the end of the line, with space for at least `n` bytes. Bytes written there belong to
  /// the line after advance() or end_at().
  char* reserve(std::size_t n) {
    if (capacity_ - size_ < n) [[unlikely]]
      grow(n);
    return bytes_.get() + size_;
  }
  void advance(std::size_t n) noexcept { size_ += n; }
  /// Sets the size so that it ends at `end`, which lies in the space reserved last.
  void end_at(const char* end) noexcept { size_ = static_cast<std::size_t>(end - bytes_.get()); }

  void append(std::string_view text) {
    if (text.empty()) return;
    std::memcpy(reserve(text.size()), text.data(), text.size());
    size_ += text.size();
  }
  void append(char c) {
    *reserve(1) = c;
    ++size_;
  }

  /// Writes over bytes of the line; all of them belong to it already.
  void overwrite(std::size_t at, const void* bytes, std::size_t n) noexcept {
    std::memcpy(bytes_.get() + at, bytes, n);
  }

  std::size_t size() const noexcept { return size_; }
  std::string_view view() const noexcept { return {bytes_.get(), size_}; }
  /// Drops everything from `size` on.
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

/// A constant text, padded so that it can be copied in steps of 32 bytes.
class Literal {
 public:
  Literal() : Literal(std::string_view{}) {}
  explicit Literal(std::string_view text)
      : bytes_(new char[text.size() + LineBuffer::slack]()), size_(text.size()) {
    text.copy(bytes_.get(), text.size());
  }

  std::size_t size() const noexcept { return size_; }
  std::string_view view() const noexcept { return {bytes_.get(), size_}; }
  /// Copies the text, or the part from `begin` to `end`, into reserved space of a line buffer;
  /// returns the end.
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
