// SPDX-License-Identifier: Apache-2.0
#include "message/packed_message.hpp"

#include <cstring>
#include <new>

#include "message/complete.hpp"
#include "message/message_pack.hpp"
#include "message/message_values.hpp"
#include "message/report.hpp"

namespace actord::message {

namespace {

PackedMessage& of(void* message) { return *static_cast<PackedMessage*>(message); }
const PackedMessage& of(const void* message) { return *static_cast<const PackedMessage*>(message); }

void move(void* to, void* from) {
  ::new (to) PackedMessage(of(from));
  of(from) = {};
}

actord_status copy(void* to, const void* from, actord_errors* errors) {
  try {
    ::new (to) PackedMessage(packed_message(of(from).view()));
    return ACTORD_OK;
  } catch (const std::bad_alloc&) {
    return report(*errors, "there is no memory for a copy of the message");
  }
}

void destroy(void* message) { destroy_packed(of(message)); }

actord_status write(const void* message, actord_writer* writer, actord_errors*) {
  const PackReader reader(of(message).view());
  copy_value(reader.root(), *writer);
  return ACTORD_OK;
}

void copy_container(actord_value value, actord_writer& writer, bool is_map) {
  const std::size_t n = value.reader->size(value);
  if (is_map) writer.begin_map(&writer, n);
  else writer.begin_list(&writer, n);
  for (std::size_t i = 0; i < n; ++i) {
    actord_str key{};
    const actord_value element = value.reader->at(value, i, &key);
    if (is_map) writer.key(&writer, key);
    copy_value(element, writer);
  }
  writer.end(&writer);
}

// What `read` reads of the value, or what that type is without content.
template <class T>
T scalar(actord_value value, std::int32_t (*read)(actord_value, T*)) {
  T number{};
  static_cast<void>(read(value, &number));
  return number;
}

}  // namespace

void copy_value(actord_value value, actord_writer& writer) {
  const actord_reader& r = *value.reader;
  switch (r.kind(value)) {
    case ACTORD_BOOL: return writer.boolean(&writer, scalar(value, r.boolean));
    case ACTORD_INT: return writer.integer(&writer, scalar(value, r.integer));
    case ACTORD_UINT: return writer.natural(&writer, scalar(value, r.natural));
    case ACTORD_DOUBLE: return writer.real(&writer, scalar(value, r.real));
    case ACTORD_TEXT: return writer.text(&writer, scalar(value, r.text));
    case ACTORD_REF: return writer.ref(&writer, scalar(value, r.ref));
    case ACTORD_DURATION: return writer.duration(&writer, scalar(value, r.duration));
    case ACTORD_LIST: return copy_container(value, writer, false);
    case ACTORD_MAP: return copy_container(value, writer, true);
    default: return writer.null(&writer);
  }
}

PackedMessage packed_message(std::string_view bytes) {
  auto* const copy = static_cast<char*>(::operator new(bytes.size() + 1));
  std::memcpy(copy, bytes.data(), bytes.size());
  return {copy, bytes.size()};
}

void destroy_packed(PackedMessage& message) noexcept {
  ::operator delete(message.bytes);
  message = {};
}

actord_message_type packed_table(const actord_message_type& declared, actord_type_id* id) {
  actord_message_type table = complete(declared);
  table.struct_size = sizeof table;
  table.flags &= ~static_cast<std::uint32_t>(ACTORD_TRIVIAL);
  table.size = sizeof(PackedMessage);
  table.align = alignof(PackedMessage);
  table.library = ACTORD_STR("MessagePack");
  table.id = id;
  table.move = &move;
  table.copy = &copy;
  table.destroy = &destroy;
  table.write = &write;
  table.read = nullptr;
  return table;
}

bool is_packed(const actord_message_type& table) noexcept { return table.move == &move; }

std::string pack_of(const actord_message_type& table, const void* message) {
  if (is_packed(table)) return std::string{static_cast<const PackedMessage*>(message)->view()};
  PackWriter packed;
  if (write_message(table, message, packed, ignored_errors()) != ACTORD_OK) return {};
  return packed.fault().empty() ? packed.bytes() : std::string{};
}

}  // namespace actord::message
