// SPDX-License-Identifier: Apache-2.0
//
// A record as bytes: the layout in a ring or in the spill list, and how it is read back.
//
// A record that is written often has a Form: it then consists of a pointer and its values.
//
// The layout is private to one process and one build; it is no file format.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// What the records that one place in the code writes about one subject have in common, encoded
/// once: event, message, keys and the texts that never vary. A record refers to its form, which
/// therefore lives as long as the hub (Hub::make_form()).
class Form {
 public:
  enum class Kind : std::uint8_t {
    text,
    natural,
    base32,   // given as a natural, read back as its text
    constant  // `text` of the slot; no value is given
  };
  struct Slot {
    std::string key;
    Kind kind = Kind::text;
    std::string text = {};
  };
  static constexpr std::size_t base32_max = 2;

  /// At most base32_max of the slots are of the kind base32. The first one is the text actor.path.
  Form(std::string_view event, std::string_view msg, std::vector<Slot> slots);
  Form(const Form&) = delete;
  Form& operator=(const Form&) = delete;

  std::string_view event() const noexcept { return event_; }
  std::string_view msg() const noexcept { return msg_; }
  std::string_view shape() const noexcept { return shape_; }
  const std::vector<Slot>& slots() const noexcept { return slots_; }

 private:
  const std::string event_, msg_;
  const std::vector<Slot> slots_;
  std::string shape_;
};

/// An event with a form to be written; borrows from the caller of emit(). `values` are those of the
/// slots that are not constant.
struct FormData {
  std::int64_t stamp_ns;
  Level level;
  Class kind;
  const Form& form;
  std::span<const Value> values;
  std::size_t bytes;  // size_of() the form and the values
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

/// The bytes of a record with a form; nothing of it is cut.
std::size_t size_of(std::span<const Value> values) noexcept;
/// The same for a record with a form.
void encode(const FormData& data, std::byte* to) noexcept;

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
  const Record& decode_values(const Form& form, Reader& values) noexcept;
  // Reads the next value. A list of texts takes its items from `items_`, where `items` are in use.
  void take_value(Value& to, Reader& values, Value::Kind kind, std::size_t& items) noexcept;

  Record record_;
  char base32_[Form::base32_max][13];  // texts of numbers
  std::array<Field, record_fields_max> fields_;
  std::array<std::string_view, record_list_items_max> items_;
};

}  // namespace actord::log
