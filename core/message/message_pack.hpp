// SPDX-License-Identifier: Apache-2.0
//
// MessagePack: a value that a plugin describes to an actord_writer, as bytes, and those bytes as an
// actord_value that a plugin reads. Nothing is lost on the way: integers keep 64 bits with or
// without a sign, a double its bits, a text its bytes, UTF-8 or not.
//
// Refs and durations are extension types of this process: 1 is a ref, 2 a duration in ns, both of
// eight bytes. A ref means nothing in another process.
//
// Not here: a library. The JSON library of the daemon would build a tree of the value and is no
// part of core; these bytes are written once and read in place.
#pragma once

#include <actord/plugin.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace actord::message {

/// Writes one value. No function of it throws: what goes wrong is found in fault().
class PackWriter : public actord_writer {
 public:
  static constexpr std::size_t depth_max = 64;  // of lists and maps in each other

  PackWriter();
  PackWriter(const PackWriter&) = delete;

  /// Why there is no value, once it is written: the calls do not make one whole value, or there is
  /// no memory for it. Empty: bytes() is the value.
  std::string_view fault() const noexcept;
  const std::string& bytes() const noexcept { return bytes_; }
  /// The value, which the writer has no longer.
  std::string take_bytes() noexcept { return std::move(bytes_); }
  /// Makes room for that many bytes at once. Throws std::bad_alloc.
  void reserve(std::size_t size) { bytes_.reserve(size); }

 private:
  /// A list or a map that has not ended.
  struct Open {
    std::size_t left;  // elements, or members
    bool is_map;
    bool has_key;  // the key of a member is written, its value not
  };

  static PackWriter& of(actord_writer* writer) { return static_cast<PackWriter&>(*writer); }
  // Calls `write` if a value may come here. Keeps every exception.
  template <class Write>
  void value(Write&& write) noexcept;
  void begin(std::size_t n, bool is_map) noexcept;
  void put_key(std::string_view name) noexcept;
  void end() noexcept;
  void put_text(std::string_view content);
  // A byte that says what follows, and a number of `size` bytes.
  void put(unsigned kind, std::uint64_t number, std::size_t size);
  void fail(const char* why) noexcept;

  std::string bytes_;
  std::vector<Open> open_;
  bool is_whole_ = false;
  const char* fault_ = nullptr;
};

/// Reads a value that a PackWriter has written. One thread at a time.
class PackReader : public actord_reader {
 public:
  /// `packed` outlives the reader; it is what a PackWriter has made without a fault.
  explicit PackReader(std::string_view packed);
  PackReader(const PackReader&) = delete;

  actord_value root() const noexcept { return {this, bytes_.data()}; }

 private:
  friend struct PackCalls;

  /// Where an element of a list or map was found last, so that reading all in turn is no search.
  struct Cursor {
    const char* container = nullptr;
    std::size_t index = 0;
    const char* at = nullptr;
  };
  Cursor& cursor_of(const char* container) const noexcept;
  // The index that position() was asked for last; 0 if it is not known any more.
  std::size_t last_index_in(const char* container) const noexcept;
  // The position of an element: of its value in a list, of its key in a map.
  const char* position(const char* container, std::size_t index) const noexcept;
  // The way to a value, "cards.2.pin"; empty for the root.
  std::string path_of(const void* node) const;

  const std::string_view bytes_;
  mutable std::array<Cursor, 16> cursors_;
};

}  // namespace actord::message
