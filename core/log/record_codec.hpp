// SPDX-License-Identifier: Apache-2.0
//
// A record as bytes: the layout in a ring or in the spill list, and how it is read back.
//
// The layout is private to one process and one build; it is no file format.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "log/log_record.hpp"

namespace actord::log {

/// An event to be written; borrows from the caller of emit().
struct EventData {
  std::int64_t stamp_ns;
  Level level;
  Class kind;
  std::string_view event;
  std::string_view msg;
  std::span<const Field> fields;
};

/// How much of an event goes into a record of bounded size. (Record::shape is something else: the
/// data that records of one place in the code share.)
struct RecordLayout {
  std::size_t bytes;       // of the block, a multiple of 8
  std::size_t text_limit;  // longest text, in bytes, before it is cut
  std::uint16_t n_fields;
  bool truncated;
};

/// The layout of `data` in at most `bytes_max` bytes (at least 256). Long texts are cut first, then
/// the last fields are left out. Never fails.
RecordLayout fit(const EventData& data, std::size_t bytes_max) noexcept;

/// Writes the block of `layout` to `to`, where layout.bytes bytes are free, aligned to 8. The block
/// starts with its size.
void encode(const EventData& data, const RecordLayout& layout, std::byte* to) noexcept;

/// The block's size and stamp, read without decoding it.
std::uint32_t block_size(const std::byte* block) noexcept;
std::int64_t block_stamp(const std::byte* block) noexcept;

/// Reads blocks back. One thread. A record is valid until the next decode() or until its block is
/// released.
class Decoder {
 public:
  /// Does not set `seq`, `thread` and `thread_id`.
  const Record& decode(const std::byte* block) noexcept;
  Record& record() noexcept { return record_; }

 private:
  class Reader;
  // Reads the next value. A list of texts takes its items from `items_`, where `items` are in use.
  void take_value(Value& to, Reader& values, Value::Kind kind, std::size_t& items) noexcept;

  Record record_;
  std::array<Field, record_fields_max> fields_;
  std::array<std::string_view, record_list_items_max> items_;
};

}  // namespace actord::log
