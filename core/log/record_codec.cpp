// SPDX-License-Identifier: Apache-2.0
//
// The layout of a block: a header; the shape (sizes and kinds, event, keys: equal for all records
// of one place in the code); the message; the values. With a form, a pointer to it in the header
// stands for shape and message. Only the header is aligned; the rest is read and written with
// memcpy.
#include "log/record_codec.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "base/assert.hpp"
#include "base/base32.hpp"
#include "base/short_copy.hpp"
#include "base/utf8.hpp"

namespace actord::log {
namespace {

struct BlockSizes {
  std::uint32_t msg;
  std::uint32_t shape;
};
struct BlockHeader {
  std::uint32_t size;
  std::uint8_t level;
  std::uint8_t kind;
  std::uint8_t truncated;
  std::uint8_t has_form;
  std::int64_t stamp_ns;
  union {
    BlockSizes sizes;
    const Form* form;  // if has_form
  };
};
static_assert(sizeof(BlockHeader) == 24);

/// The start of the shape. A FieldHead for each field, the event and the keys follow.
struct ShapeHead {
  std::uint8_t event_size;
  std::uint8_t n_fields;
};
struct FieldHead {
  std::uint8_t kind;
  std::uint8_t key_size;
};
static_assert(record_fields_max <= 255);

using Extent = std::uint32_t;  // stands before the bytes of a text or the items of a list

constexpr std::size_t key_max = 128;    // bytes; longer keys are cut
constexpr std::size_t event_max = 128;  // bytes; longer event names are cut
constexpr std::size_t bytes_min = 256;
static_assert(key_max <= 255 && event_max <= 255);
// Limits of a text, in bytes; the first with which the record fits is used.
constexpr std::array<std::size_t, 6> text_limits = {record_bytes_max, 8192, 2048, 512, 128, 32};

std::size_t clipped_size(std::string_view text, std::size_t limit) noexcept {
  return base::utf8::clip(text, limit).size();
}

/// The bytes of a field with its texts cut at `limit`. `items` counts the list items of the record
/// so far and is increased by those of this field.
std::size_t field_size(const Field& field, std::size_t limit, std::size_t& items) noexcept {
  const std::size_t size = sizeof(FieldHead) + clipped_size(field.key, key_max);
  switch (field.value.kind()) {
    case Value::Kind::text: return size + sizeof(Extent) + clipped_size(field.value.text(), limit);
    case Value::Kind::texts: {
      std::size_t list = sizeof(Extent);
      for (std::string_view item : field.value.texts()) {
        if (items == record_list_items_max) break;
        ++items;
        list += sizeof(Extent) + clipped_size(item, limit);
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

bool is_truncated(const EventData& data, const RecordLayout& layout) noexcept {
  if (layout.n_fields < data.fields.size() || data.event.size() > event_max) return true;
  if (data.msg.size() > layout.text_limit) return true;
  std::size_t items = 0;
  for (const Field& field : data.fields) {
    if (is_cut(field, layout.text_limit)) return true;
    if (field.value.kind() == Value::Kind::texts) items += field.value.texts().size();
  }
  return items > record_list_items_max;
}

constexpr std::size_t round_up(std::size_t size) noexcept { return (size + 7) & ~std::size_t{7}; }

/// Writes values one after the other.
class Cursor {
 public:
  explicit Cursor(std::byte* at) noexcept : at_(at) {}

  template <class T>
  void put(T value) noexcept {
    std::memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }
  void text(std::string_view text) noexcept {
    base::copy_short(at_, text.data(), text.size());
    at_ += text.size();
  }
  std::byte* at() const noexcept { return at_; }

 private:
  std::byte* at_;
};

void encode_text(Cursor& cursor, std::string_view text, std::size_t limit) noexcept {
  text = base::utf8::clip(text, limit);
  cursor.put(static_cast<Extent>(text.size()));
  cursor.text(text);
}

void encode_value(Cursor& cursor, const Value& value, std::size_t limit,
                  std::size_t& items) noexcept {
  switch (value.kind()) {
    case Value::Kind::text: return encode_text(cursor, value.text(), limit);
    case Value::Kind::texts: {
      const auto list =
          value.texts().first(std::min(value.texts().size(), record_list_items_max - items));
      items += list.size();
      cursor.put(static_cast<Extent>(list.size()));
      for (std::string_view item : list) encode_text(cursor, item, limit);
      return;
    }
    case Value::Kind::real: return cursor.put(value.real());
    case Value::Kind::natural: return cursor.put(value.natural());
    default: return cursor.put(value.integer());
  }
}

/// The bytes of the whole event, or 0 if a part of it might have to be cut.
std::size_t whole_size(const EventData& data) noexcept {
  if (data.fields.size() > record_fields_max || data.event.size() > event_max) return 0;
  std::size_t size = sizeof(BlockHeader) + sizeof(ShapeHead) + data.event.size() + data.msg.size() +
                     data.fields.size() * sizeof(FieldHead);
  for (const Field& field : data.fields) {
    if (field.key.size() > key_max || field.value.kind() == Value::Kind::texts) return 0;
    size += field.key.size() + (field.value.kind() == Value::Kind::text
                                    ? sizeof(Extent) + field.value.text().size()
                                    : sizeof(std::uint64_t));
  }
  return round_up(size);
}

}  // namespace

RecordLayout fit(const EventData& data, std::size_t bytes_max) noexcept {
  ACTORD_DEBUG_ASSERT(bytes_max >= bytes_min && bytes_max <= record_bytes_max);
  if (const std::size_t whole = whole_size(data); whole != 0 && whole <= bytes_max) [[likely]]
    return {whole, record_bytes_max, static_cast<std::uint16_t>(data.fields.size()), false};
  const std::size_t names =
      sizeof(BlockHeader) + sizeof(ShapeHead) + clipped_size(data.event, event_max);
  RecordLayout layout{};
  for (std::size_t limit : text_limits) {
    const std::size_t start = names + clipped_size(data.msg, limit);
    std::size_t size = start;
    std::size_t items = 0;
    std::size_t count = 0;
    // With the last, shortest limit this keeps as many fields as fit.
    for (const Field& field : data.fields) {
      const std::size_t with = size + field_size(field, limit, items);
      if (count == record_fields_max || round_up(with) > bytes_max) break;
      size = with;
      ++count;
    }
    layout = {round_up(size), limit, static_cast<std::uint16_t>(count), false};
    const bool is_whole = count == std::min(data.fields.size(), record_fields_max);
    if (is_whole && round_up(start) <= bytes_max) break;
  }
  layout.truncated = is_truncated(data, layout);
  return layout;
}

void encode(const EventData& data, const RecordLayout& layout, std::byte* to) noexcept {
  const auto fields = data.fields.first(layout.n_fields);
  const std::string_view event = base::utf8::clip(data.event, event_max);
  const std::string_view msg = base::utf8::clip(data.msg, layout.text_limit);
  std::byte* const start = to + sizeof(BlockHeader);
  Cursor heads(start);
  heads.put(
      ShapeHead{static_cast<std::uint8_t>(event.size()), static_cast<std::uint8_t>(fields.size())});
  Cursor cursor(heads.at() + fields.size() * sizeof(FieldHead));
  cursor.text(event);
  for (const Field& field : fields) {
    const std::string_view key = base::utf8::clip(field.key, key_max);
    heads.put(FieldHead{static_cast<std::uint8_t>(field.value.kind()),
                        static_cast<std::uint8_t>(key.size())});
    cursor.text(key);
  }
  // Built in place, because blocks are aligned: the compiler would store a header built elsewhere
  // in pieces and then wait for them while copying it.
  ::new (to) BlockHeader{static_cast<std::uint32_t>(layout.bytes),
                         static_cast<std::uint8_t>(data.level),
                         static_cast<std::uint8_t>(data.kind),
                         static_cast<std::uint8_t>(layout.truncated),
                         0,
                         data.stamp_ns,
                         {.sizes = {static_cast<std::uint32_t>(msg.size()),
                                    static_cast<std::uint32_t>(cursor.at() - start)}}};
  cursor.text(msg);
  std::size_t items = 0;
  for (const Field& field : fields) encode_value(cursor, field.value, layout.text_limit, items);
  ACTORD_DEBUG_ASSERT(cursor.at() <= to + layout.bytes);
}

// ---- forms --------------------------------------------------------------------------------------

Form::Form(std::string_view event, std::string_view msg, std::vector<Slot> slots)
    : event_(event), msg_(msg), slots_(std::move(slots)) {
  ACTORD_ASSERT(event.size() <= event_max && slots_.size() <= record_fields_max);
  const auto put = [this](auto head) {
    shape_.append(reinterpret_cast<const char*>(&head), sizeof head);
  };
  put(ShapeHead{static_cast<std::uint8_t>(event.size()), static_cast<std::uint8_t>(slots_.size())});
  for (const Slot& slot : slots_) {
    const auto kind = slot.kind == Kind::natural ? Value::Kind::natural : Value::Kind::text;
    put(FieldHead{static_cast<std::uint8_t>(kind), static_cast<std::uint8_t>(slot.key.size())});
  }
  shape_.append(event_);
  for (const Slot& slot : slots_) shape_.append(slot.key);
}

std::size_t size_of(std::span<const Value> values) noexcept {
  std::size_t size = sizeof(BlockHeader);
  for (const Value& value : values)
    size += value.kind() == Value::Kind::text ? sizeof(Extent) + value.text().size()
                                              : sizeof(std::uint64_t);
  return round_up(size);
}

void encode(const FormData& data, std::byte* to) noexcept {
  ::new (to) BlockHeader{static_cast<std::uint32_t>(data.bytes),
                         static_cast<std::uint8_t>(data.level),
                         static_cast<std::uint8_t>(data.kind),
                         0,
                         1,
                         data.stamp_ns,
                         {.form = &data.form}};
  Cursor cursor(to + sizeof(BlockHeader));
  for (const Value& value : data.values) {
    if (value.kind() == Value::Kind::text) {
      cursor.put(static_cast<Extent>(value.text().size()));
      cursor.text(value.text());
    } else {
      cursor.put(value.natural());
    }
  }
  ACTORD_DEBUG_ASSERT(cursor.at() <= to + data.bytes);
}

// ---- reading ------------------------------------------------------------------------------------

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

/// Reads values one after the other.
class Decoder::Reader {
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

/// Builds the value in place, because copying one built elsewhere would wait for its stores.
inline void Decoder::take_value(Value& to, Reader& values, Value::Kind kind,
                                std::size_t& items) noexcept {
  const auto is = [&](auto value) { std::construct_at(&to, value); };
  switch (kind) {
    case Value::Kind::boolean: return is(values.take<std::int64_t>() != 0);
    case Value::Kind::integer: return is(values.take<std::int64_t>());
    case Value::Kind::natural: return is(values.take<std::uint64_t>());
    case Value::Kind::real: return is(values.take<double>());
    case Value::Kind::text: return is(values.text(values.take<Extent>()));
    case Value::Kind::duration: return is(std::chrono::nanoseconds(values.take<std::int64_t>()));
    case Value::Kind::texts: break;
  }
  const std::size_t first = items;
  const auto count = values.take<Extent>();
  for (Extent n = 0; n < count; ++n) items_[items++] = values.text(values.take<Extent>());
  is(std::span<const std::string_view>(items_.data() + first, count));
}

const Record& Decoder::decode(const std::byte* block) noexcept {
  Reader values(block);
  const auto header = values.take<BlockHeader>();
  record_.stamp_ns = header.stamp_ns;
  record_.level = static_cast<Level>(header.level);
  record_.kind = static_cast<Class>(header.kind);
  record_.truncated = header.truncated != 0;
  if (header.has_form != 0) return decode_values(*header.form, values);
  record_.shape = values.text(header.sizes.shape);
  record_.msg = values.text(header.sizes.msg);
  Reader reader(reinterpret_cast<const std::byte*>(record_.shape.data()));
  const auto head = reader.take<ShapeHead>();
  Reader heads(reader);
  reader.text(head.n_fields * sizeof(FieldHead));
  record_.event = reader.text(head.event_size);
  std::size_t items = 0;
  for (std::size_t i = 0; i < head.n_fields; ++i) {
    const auto field = heads.take<FieldHead>();
    fields_[i].key = reader.text(field.key_size);
    take_value(fields_[i].value, values, static_cast<Value::Kind>(field.kind), items);
  }
  record_.fields = std::span<const Field>(fields_.data(), head.n_fields);
  return record_;
}

const Record& Decoder::decode_values(const Form& form, Reader& values) noexcept {
  record_.event = form.event();
  record_.msg = form.msg();
  record_.shape = form.shape();
  std::size_t numbers = 0;
  Field* to = fields_.data();
  for (const Form::Slot& slot : form.slots()) {
    to->key = slot.key;
    switch (slot.kind) {
      case Form::Kind::text: to->value = values.text(values.take<Extent>()); break;
      case Form::Kind::natural: to->value = values.take<std::uint64_t>(); break;
      case Form::Kind::constant: to->value = slot.text; break;
      case Form::Kind::base32:
        auto& text = base32_[numbers++];
        to->value = std::string_view(text, base::write_base32(values.take<std::uint64_t>(), text));
    }
    ++to;
  }
  record_.fields = {fields_.data(), to};
  return record_;
}

}  // namespace actord::log
