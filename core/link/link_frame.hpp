// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a frame: numbers as this machine has them, since both ends run on it, and texts with
// their lengths. What a host has written may be anything: a FrameReader that is asked for more than
// there is has failed from then on, and gives zeros and empty texts.
#pragma once

#include <actord/plugin.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace actord::link {

/// A frame that is written. A short one lies in the object, since most are short and every message
/// needs some.
class FrameWriter {
 public:
  FrameWriter() = default;
  FrameWriter(const FrameWriter&) = delete;
  FrameWriter& operator=(const FrameWriter&) = delete;

  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void put(T number) {
    add(&number, sizeof number);
  }
  void text(std::string_view content) {
    put(static_cast<std::uint32_t>(content.size()));
    append(content);
  }
  void text(actord_str content) { text(std::string_view{content.data, content.size}); }
  void raw(const void* content, std::size_t size) {
    put(static_cast<std::uint32_t>(size));
    add(content, size);
  }
  /// Adds what another writer has written.
  void append(std::string_view bytes) { add(bytes.data(), bytes.size()); }
  /// Writes a number at a place that put() has filled.
  template <class T>
  void put_at(std::size_t position, T number) {
    std::memcpy(at_ + position, &number, sizeof number);
  }

  void clear() noexcept { size_ = 0; }
  std::size_t size() const noexcept { return size_; }
  std::string_view bytes() const noexcept { return {at_, size_}; }

 private:
  void add(const void* content, std::size_t size) {
    if (size == 0) return;
    if (size > capacity_ - size_) grow(size);
    std::memcpy(at_ + size_, content, size);
    size_ += size;
  }
  void grow(std::size_t by) {
    const std::size_t capacity = std::max(2 * capacity_, size_ + by);
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    std::memcpy(larger.get(), at_, size_);
    outside_ = std::move(larger);
    at_ = outside_.get();
    capacity_ = capacity;
  }

  char inside_[240];
  std::unique_ptr<char[]> outside_;
  char* at_ = inside_;
  std::size_t size_ = 0, capacity_ = sizeof inside_;
};

class FrameReader {
 public:
  explicit FrameReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  T take() {
    T number{};
    if (rest_.size() < sizeof number) return fail(), number;
    std::memcpy(&number, rest_.data(), sizeof number);
    rest_.remove_prefix(sizeof number);
    return number;
  }
  /// Points into the frame.
  std::string_view text() {
    const auto size = take<std::uint32_t>();
    if (rest_.size() < size) return fail(), std::string_view{};
    const std::string_view content = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return content;
  }
  actord_str str() {
    const std::string_view content = text();
    return {content.data(), content.size()};
  }

  bool has_failed() const noexcept { return has_failed_; }
  bool is_at_end() const noexcept { return rest_.empty(); }
  void fail() noexcept {
    has_failed_ = true;
    rest_ = {};
  }

 private:
  std::string_view rest_;
  bool has_failed_ = false;
};

}  // namespace actord::link
