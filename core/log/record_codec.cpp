// SPDX-License-Identifier: Apache-2.0
//
// The layout of a block: a header, the event, the message, then each field as head, key and
// payload. Nothing but the header is aligned; everything is read and written by memcpy.
#include "log/record_codec.hpp"

#include <algorithm>
#include <cstring>

#include "base/assert.hpp"

namespace actord::log {
namespace {

struct BlockHeader {
  std::uint32_t size;
  std::uint8_t level;
  std::uint8_t kind;
  std::uint8_t truncated;
  std::uint8_t n_fields;
  std::int64_t stamp_ns;
  std::uint32_t event_size;
  std::uint32_t msg_size;
};
static_assert(sizeof(BlockHeader) == 24);
static_assert(record_fields_max <= 255);

struct FieldHeader {
  std::uint32_t extent;  // bytes of a text, items of a list
  std::uint16_t key_size;
  std::uint8_t kind;
  std::uint8_t unused;
};
static_assert(sizeof(FieldHeader) == 8);

constexpr std::size_t key_max = 128;    // a name; longer ones are cut
constexpr std::size_t event_max = 128;  // a constant name, too
constexpr std::size_t bytes_min = 256;
// Tried in turn until the record fits.
constexpr std::array<std::size_t, 6> text_limits = {record_bytes_max, 8192, 2048, 512, 128, 32};

/// The first `limit` bytes, not ending inside a character.
std::string_view clip(std::string_view text, std::size_t limit) noexcept {
  if (text.size() <= limit) return text;
  std::size_t end = limit;
  while (end > 0 && limit - end < 3 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;
  return text.substr(0, end);
}

std::size_t clipped_size(std::string_view text, std::size_t limit) noexcept {
  return text.size() <= limit ? text.size() : clip(text, limit).size();
}

/// `items` counts those of the lists so far, and is moved on by those of this field.
std::size_t field_size(const Field& field, std::size_t limit, std::size_t& items) noexcept {
  const std::size_t size = sizeof(FieldHeader) + clipped_size(field.key, key_max);
  switch (field.value.kind()) {
    case Value::Kind::text: return size + clipped_size(field.value.text(), limit);
    case Value::Kind::texts: {
      std::size_t list = 0;
      for (std::string_view item : field.value.texts()) {
        if (items == record_list_items_max) break;
        ++items;
        list += sizeof(std::uint32_t) + clipped_size(item, limit);
      }
      return size + list;
    }
    default: return size + sizeof(std::uint64_t);
  }
}

bool is_cut(const Field& field, std::size_t limit) noexcept {
  if (field.key.size() > key_max) return true;
  if (field.value.kind() == Value::Kind::text) return field.value.text().size() > limit;
  if (field.value.kind() != Value::Kind::texts) return false;
  return std::ranges::any_of(field.value.texts(),
                             [&](std::string_view item) { return item.size() > limit; });
}

bool anything_cut(const Draft& draft, const Shape& shape) noexcept {
  if (shape.n_fields < draft.fields.size() || draft.event.size() > event_max) return true;
  if (draft.msg.size() > shape.text_limit) return true;
  std::size_t items = 0;
  for (const Field& field : draft.fields) {
    if (is_cut(field, shape.text_limit)) return true;
    if (field.value.kind() == Value::Kind::texts) items += field.value.texts().size();
  }
  return items > record_list_items_max;
}

constexpr std::size_t round_up(std::size_t size) noexcept { return (size + 7) & ~std::size_t{7}; }

/// Writes one after the other.
class Cursor {
 public:
  explicit Cursor(std::byte* at) noexcept : at_(at) {}

  void raw(const void* from, std::size_t size) noexcept {
    std::memcpy(at_, from, size);
    at_ += size;
  }
  void text(std::string_view text) noexcept {
    if (!text.empty()) raw(text.data(), text.size());
  }
  std::byte* at() const noexcept { return at_; }

 private:
  std::byte* at_;
};

void encode_list(Cursor& cursor, std::span<const std::string_view> list,
                 std::size_t limit) noexcept {
  for (std::string_view item : list) {
    const std::string_view text = clip(item, limit);
    const auto size = static_cast<std::uint32_t>(text.size());
    cursor.raw(&size, sizeof size);
    cursor.text(text);
  }
}

void encode_field(Cursor& cursor, const Field& field, std::size_t limit,
                  std::size_t& items) noexcept {
  const std::string_view key = clip(field.key, key_max);
  const Value& value = field.value;
  FieldHeader header{0, static_cast<std::uint16_t>(key.size()),
                     static_cast<std::uint8_t>(value.kind()), 0};
  switch (value.kind()) {
    case Value::Kind::text: {
      const std::string_view text = clip(value.text(), limit);
      header.extent = static_cast<std::uint32_t>(text.size());
      cursor.raw(&header, sizeof header);
      cursor.text(key);
      cursor.text(text);
      return;
    }
    case Value::Kind::texts: {
      const auto list =
          value.texts().first(std::min(value.texts().size(), record_list_items_max - items));
      items += list.size();
      header.extent = static_cast<std::uint32_t>(list.size());
      cursor.raw(&header, sizeof header);
      cursor.text(key);
      encode_list(cursor, list, limit);
      return;
    }
    default: {
      cursor.raw(&header, sizeof header);
      cursor.text(key);
      std::uint64_t bits = 0;
      if (value.kind() == Value::Kind::real) {
        const double real = value.real();
        std::memcpy(&bits, &real, sizeof bits);
      } else if (value.kind() == Value::Kind::natural) {
        bits = value.natural();
      } else {
        bits = static_cast<std::uint64_t>(value.integer());
      }
      cursor.raw(&bits, sizeof bits);
    }
  }
}

/// Reads one after the other.
class Reader {
 public:
  explicit Reader(const std::byte* at) noexcept : at_(at) {}

  template <class T>
  T take() noexcept {
    T value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string_view text(std::size_t size) noexcept {
    const std::string_view text(reinterpret_cast<const char*>(at_), size);
    at_ += size;
    return text;
  }

 private:
  const std::byte* at_;
};

}  // namespace

Shape fit(const Draft& draft, std::size_t bytes_max) noexcept {
  ACTORD_DEBUG_ASSERT(bytes_max >= bytes_min);
  const std::size_t names = sizeof(BlockHeader) + clipped_size(draft.event, event_max);
  Shape shape{};
  for (std::size_t limit : text_limits) {
    const std::size_t start = names + clipped_size(draft.msg, limit);
    std::size_t size = start;
    std::size_t items = 0;
    std::size_t count = 0;
    // On the last, shortest limit this keeps as many fields as fit.
    for (const Field& field : draft.fields) {
      const std::size_t with = size + field_size(field, limit, items);
      if (count == record_fields_max || round_up(with) > bytes_max) break;
      size = with;
      ++count;
    }
    shape = {round_up(size), limit, static_cast<std::uint16_t>(count), false};
    const bool is_whole = count == std::min(draft.fields.size(), record_fields_max);
    if (is_whole && round_up(start) <= bytes_max) break;
  }
  shape.truncated = anything_cut(draft, shape);
  return shape;
}

void encode(const Draft& draft, const Shape& shape, std::byte* to) noexcept {
  const std::string_view event = clip(draft.event, event_max);
  const std::string_view msg = clip(draft.msg, shape.text_limit);
  const BlockHeader header{
      static_cast<std::uint32_t>(shape.bytes),   static_cast<std::uint8_t>(draft.level),
      static_cast<std::uint8_t>(draft.kind),     static_cast<std::uint8_t>(shape.truncated),
      static_cast<std::uint8_t>(shape.n_fields), draft.stamp_ns,
      static_cast<std::uint32_t>(event.size()),  static_cast<std::uint32_t>(msg.size())};
  Cursor cursor(to);
  cursor.raw(&header, sizeof header);
  cursor.text(event);
  cursor.text(msg);
  std::size_t items = 0;
  for (const Field& field : draft.fields.first(shape.n_fields)) {
    encode_field(cursor, field, shape.text_limit, items);
  }
  ACTORD_DEBUG_ASSERT(cursor.at() <= to + shape.bytes);
}

std::uint32_t block_size(const std::byte* block) noexcept {
  std::uint32_t size = 0;
  std::memcpy(&size, block, sizeof size);
  return size;
}

std::int64_t block_stamp(const std::byte* block) noexcept {
  std::int64_t stamp = 0;
  std::memcpy(&stamp, block + offsetof(BlockHeader, stamp_ns), sizeof stamp);
  return stamp;
}

const Record& Decoder::decode(const std::byte* block) noexcept {
  Reader reader(block);
  const auto header = reader.take<BlockHeader>();
  record_.stamp_ns = header.stamp_ns;
  record_.level = static_cast<Level>(header.level);
  record_.kind = static_cast<Class>(header.kind);
  record_.truncated = header.truncated != 0;
  record_.event = reader.text(header.event_size);
  record_.msg = reader.text(header.msg_size);
  std::size_t items = 0;
  for (std::size_t i = 0; i < header.n_fields; ++i) {
    const auto head = reader.take<FieldHeader>();
    Field& field = fields_[i];
    field.key = reader.text(head.key_size);
    switch (static_cast<Value::Kind>(head.kind)) {
      case Value::Kind::boolean: field.value = Value(reader.take<std::int64_t>() != 0); break;
      case Value::Kind::integer: field.value = Value(reader.take<std::int64_t>()); break;
      case Value::Kind::natural: field.value = Value(reader.take<std::uint64_t>()); break;
      case Value::Kind::real: field.value = Value(reader.take<double>()); break;
      case Value::Kind::text: field.value = Value(reader.text(head.extent)); break;
      case Value::Kind::duration:
        field.value = Value(std::chrono::nanoseconds(reader.take<std::int64_t>()));
        break;
      case Value::Kind::texts: {
        const std::size_t first = items;
        for (std::uint32_t n = 0; n < head.extent; ++n) {
          const auto size = reader.take<std::uint32_t>();
          items_[items++] = reader.text(size);
        }
        field.value = Value(std::span<const std::string_view>(items_.data() + first, head.extent));
        break;
      }
    }
  }
  record_.fields = std::span<const Field>(fields_.data(), header.n_fields);
  return record_;
}

}  // namespace actord::log
