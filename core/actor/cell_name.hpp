// SPDX-License-Identifier: Apache-2.0
//
// The name of an actor in one word of its cell.
#pragma once

#include <cstdlib>
#include <new>
#include <string_view>

#include "actor/path.hpp"

namespace actord::actor {

/// A name that was given, which is stored on the heap, or the number of a generated name. The root
/// and free cells have neither. Copies share the text; the pool of cells frees it with destroy().
class CellName {
 public:
  /// Room for the longest generated name.
  using Buffer = char[16];

  CellName() = default;
  static CellName generated(std::uint64_t number) noexcept { return CellName(number << 1 | 1); }
  /// Throws std::bad_alloc.
  static CellName given(std::string_view text) {
    char* const copy = static_cast<char*>(std::malloc(text.size() + 1));
    if (copy == nullptr) throw std::bad_alloc();
    text.copy(copy, text.size());
    copy[text.size()] = '\0';
    return CellName(reinterpret_cast<std::uint64_t>(copy));
  }
  /// Frees the text. Afterwards there is no name.
  void destroy() noexcept {
    if (!is_generated()) std::free(reinterpret_cast<void*>(word_));
    word_ = 0;
  }

  bool is_none() const noexcept { return word_ == 0; }
  bool is_generated() const noexcept { return (word_ & 1) != 0; }
  /// Empty if no name was given. Valid until destroy().
  std::string_view given_text() const noexcept {
    return is_none() || is_generated() ? std::string_view{} : reinterpret_cast<const char*>(word_);
  }
  /// The name, given or generated. A generated one is written to `buffer`. Async-signal-safe.
  std::string_view text(Buffer& buffer) const noexcept {
    return is_generated() ? std::string_view{buffer, write_numbered_name(word_ >> 1, buffer)}
                          : given_text();
  }

 private:
  explicit CellName(std::uint64_t word) noexcept : word_(word) {}

  std::uint64_t word_ =
      0;  // 0: none; odd: a number times 2, plus 1; else the address of a C string
};

}  // namespace actord::actor
