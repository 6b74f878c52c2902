// SPDX-License-Identifier: Apache-2.0
#include "message/message_values.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "message/message_pack.hpp"
#include "message/packed_message.hpp"
#include "message/report.hpp"
#include "message/type_text.hpp"

namespace actord::message {

namespace {

std::span<const actord_member> members_of(const actord_message_type& table) {
  return {table.members, table.n_members};
}

// ---- scalars ------------------------------------------------------------------------------------

template <class T>
struct Tag {
  using Type = T;
};

/// A scalar member whose value is stored as a T, and is kept by `kind`.
enum class ScalarKind : std::uint8_t { boolean, integer, natural, real, ref, duration };

// Calls `use(Tag<T>, kind)` for the type of that name. False: it is no scalar.
template <class Use>
bool with_scalar(std::string_view type, Use&& use) {
  using Kind = ScalarKind;
  if (type == "bool") use(Tag<std::uint8_t>{}, Kind::boolean);
  else if (type == "int8") use(Tag<std::int8_t>{}, Kind::integer);
  else if (type == "int16") use(Tag<std::int16_t>{}, Kind::integer);
  else if (type == "int32") use(Tag<std::int32_t>{}, Kind::integer);
  else if (type == "int64") use(Tag<std::int64_t>{}, Kind::integer);
  else if (type == "uint8") use(Tag<std::uint8_t>{}, Kind::natural);
  else if (type == "uint16") use(Tag<std::uint16_t>{}, Kind::natural);
  else if (type == "uint32") use(Tag<std::uint32_t>{}, Kind::natural);
  else if (type == "uint64") use(Tag<std::uint64_t>{}, Kind::natural);
  else if (type == "float") use(Tag<float>{}, Kind::real);
  else if (type == "double") use(Tag<double>{}, Kind::real);
  else if (type == "ref") use(Tag<actord_ref>{}, Kind::ref);
  else if (type == "duration") use(Tag<std::int64_t>{}, Kind::duration);
  else return false;
  return true;
}

template <class T>
void write_scalar(T number, ScalarKind kind, actord_writer& writer) {
  switch (kind) {
    case ScalarKind::boolean: return writer.boolean(&writer, number != 0 ? 1 : 0);
    case ScalarKind::integer: return writer.integer(&writer, static_cast<std::int64_t>(number));
    case ScalarKind::natural: return writer.natural(&writer, static_cast<std::uint64_t>(number));
    case ScalarKind::real: return writer.real(&writer, static_cast<double>(number));
    case ScalarKind::ref: return writer.ref(&writer, static_cast<actord_ref>(number));
    case ScalarKind::duration: return writer.duration(&writer, static_cast<std::int64_t>(number));
  }
}

template <class T, class Wide>
bool narrow(Wide wide, T& out) {
  if constexpr (std::is_integral_v<T> && std::is_integral_v<Wide>) {
    if (!std::in_range<T>(wide)) return false;
  }
  out = static_cast<T>(wide);
  return true;
}

// False: the value cannot be read as that.
template <class T>
bool read_scalar(actord_value value, ScalarKind kind, T& out) {
  const actord_reader& reader = *value.reader;
  std::int32_t truth = 0;
  std::int64_t integer = 0;
  std::uint64_t natural = 0;
  double real = 0;
  switch (kind) {
    case ScalarKind::boolean:
      return reader.boolean(value, &truth) != 0 && (out = static_cast<T>(truth != 0 ? 1 : 0), true);
    case ScalarKind::integer:
      if constexpr (std::is_integral_v<T>)
        return reader.integer(value, &integer) != 0 && narrow(integer, out);
      return false;
    case ScalarKind::natural:
      if constexpr (std::is_integral_v<T>)
        return reader.natural(value, &natural) != 0 && narrow(natural, out);
      return false;
    case ScalarKind::real: return reader.real(value, &real) != 0 && narrow(real, out);
    case ScalarKind::ref: return reader.ref(value, &natural) != 0 && narrow(natural, out);
    case ScalarKind::duration: return reader.duration(value, &integer) != 0 && narrow(integer, out);
  }
  return false;
}

// ---- a value of a type, as MessagePack ----------------------------------------------------------

class Packer {
 public:
  Packer(actord_writer& writer, actord_errors& errors) : writer_(writer), errors_(errors) {}

  actord_status pack(std::string_view type, actord_value value) {
    bool is_read = false;
    const bool is_scalar = with_scalar(type, [&]<class T>(Tag<T>, ScalarKind kind) {
      T number{};
      is_read = read_scalar(value, kind, number);
      if (is_read) write_scalar(number, kind, writer_);
    });
    if (is_scalar) return is_read ? ACTORD_OK : wrong(value, type);
    if (type == "text") return pack_text(value);
    if (const auto element = argument_of(type, "optional")) {
      if (value.node != nullptr && value.reader->kind(value) != ACTORD_NULL)
        return pack(*element, value);
      writer_.null(&writer_);
      return ACTORD_OK;
    }
    if (const auto element = argument_of(type, "list")) return pack_list(*element, value);
    if (const auto element = argument_of(type, "map")) return pack_map(*element, value);
    if (is_struct(type)) return pack_members(members_in(type), value);
    return report(errors_, "actord does not know the type " + std::string{type});
  }
  /// Members that the value lacks are left out.
  actord_status pack_members(const std::vector<NamedType>& members, actord_value value) {
    const actord_reader& reader = *value.reader;
    if (reader.kind(value) != ACTORD_MAP) return wrong(value, "an object");
    const std::size_t n = reader.size(value);
    for (std::size_t i = 0; i < n; ++i) {
      actord_str key{};
      const actord_value element = reader.at(value, i, &key);
      const auto is_it = [&](const NamedType& each) { return is_same(each.name, view(key)); };
      if (std::ranges::none_of(members, is_it))
        return reader.reject(element, to_c("there is no such member"), &errors_);
    }
    std::vector<std::pair<NamedType, actord_value>> present;
    for (const NamedType& each : members) {
      const actord_value found = reader.member(value, to_c(each.name));
      if (found.node != nullptr) present.emplace_back(each, found);
    }
    writer_.begin_map(&writer_, present.size());
    for (const auto& [member, content] : present) {
      writer_.key(&writer_, to_c(member.name));
      if (pack(member.type, content) != ACTORD_OK) return ACTORD_FAILED;
    }
    writer_.end(&writer_);
    return ACTORD_OK;
  }

 private:
  // As in configurations, hyphens and underscores are the same.
  static bool is_same(std::string_view a, std::string_view b) {
    const auto plain = [](char c) { return c == '-' ? '_' : c; };
    return std::ranges::equal(a, b, {}, plain, plain);
  }
  actord_status wrong(actord_value value, std::string_view type) {
    const std::string reason = "it is no " + std::string{type};
    return value.reader->reject(value, to_c(reason), &errors_);
  }
  actord_status pack_text(actord_value value) {
    actord_str content{};
    if (value.reader->text(value, &content) == 0) return wrong(value, "text");
    writer_.text(&writer_, content);
    return ACTORD_OK;
  }
  actord_status pack_list(std::string_view element, actord_value value) {
    if (value.reader->kind(value) != ACTORD_LIST) return wrong(value, "list");
    const std::size_t n = value.reader->size(value);
    writer_.begin_list(&writer_, n);
    for (std::size_t i = 0; i < n; ++i) {
      if (pack(element, value.reader->at(value, i, nullptr)) != ACTORD_OK) return ACTORD_FAILED;
    }
    writer_.end(&writer_);
    return ACTORD_OK;
  }
  actord_status pack_map(std::string_view element, actord_value value) {
    if (value.reader->kind(value) != ACTORD_MAP) return wrong(value, "an object");
    const std::size_t n = value.reader->size(value);
    writer_.begin_map(&writer_, n);
    for (std::size_t i = 0; i < n; ++i) {
      actord_str key{};
      const actord_value content = value.reader->at(value, i, &key);
      writer_.key(&writer_, key);
      if (pack(element, content) != ACTORD_OK) return ACTORD_FAILED;
    }
    writer_.end(&writer_);
    return ACTORD_OK;
  }

  actord_writer& writer_;
  actord_errors& errors_;
};

actord_status read_packed(const actord_message_type& table, void* to, actord_value value,
                          actord_errors& errors) try {
  PackWriter writer;
  std::vector<NamedType> members;
  for (const actord_member& each : members_of(table))
    members.push_back({view(each.name), view(each.type)});
  if (Packer(writer, errors).pack_members(members, value) != ACTORD_OK) return ACTORD_FAILED;
  if (const std::string_view fault = writer.fault(); !fault.empty()) return report(errors, fault);
  ::new (to) PackedMessage(packed_message(writer.bytes()));
  return ACTORD_OK;
} catch (const std::bad_alloc&) {
  return report(errors, "there is no memory for the message");
}

// ---- plain messages -----------------------------------------------------------------------------

void write_plain(const actord_message_type& table, const void* message, actord_writer& writer) {
  writer.begin_map(&writer, table.n_members);
  for (const actord_member& each : members_of(table)) {
    writer.key(&writer, each.name);
    with_scalar(view(each.type), [&]<class T>(Tag<T>, ScalarKind kind) {
      T number;
      std::memcpy(&number, static_cast<const std::byte*>(message) + each.offset, sizeof number);
      write_scalar(number, kind, writer);
    });
  }
  writer.end(&writer);
}

actord_status read_plain(const actord_message_type& table, void* to, actord_value value,
                         actord_errors& errors) {
  PackedMessage packed{};
  if (read_packed(table, &packed, value, errors) != ACTORD_OK) return ACTORD_FAILED;
  const PackReader reader(packed.view());
  std::memset(to, 0, table.size);
  for (const actord_member& each : members_of(table)) {
    const actord_value content = reader.member(reader.root(), each.name);
    if (content.node == nullptr) {
      const std::string lack = "it lacks the member " + std::string{view(each.name)};
      destroy_packed(packed);
      return value.reader->reject(value, to_c(lack), &errors);
    }
    with_scalar(view(each.type), [&]<class T>(Tag<T>, ScalarKind kind) {
      T number{};
      if (read_scalar(content, kind, number))
        std::memcpy(static_cast<std::byte*>(to) + each.offset, &number, sizeof number);
    });
  }
  destroy_packed(packed);
  return ACTORD_OK;
}

}  // namespace

bool is_plain(const actord_message_type& table) noexcept {
  const auto fits = [&](const actord_member& each) {
    bool is_inside = false;
    with_scalar(view(each.type), [&]<class T>(Tag<T>, ScalarKind) {
      is_inside = each.offset <= table.size && table.size - each.offset >= sizeof(T);
    });
    return is_inside;
  };
  const bool is_told = table.n_members != 0 || table.size == 1;  // an empty struct has a byte
  return (table.flags & ACTORD_TRIVIAL) != 0 && table.library.size == 0 && is_told &&
         std::ranges::all_of(members_of(table), fits);
}

bool is_possible(const actord_message_type& table, const void* message) noexcept {
  return std::ranges::all_of(members_of(table), [&](const actord_member& each) {
    return view(each.type) != "bool" ||
           std::to_integer<unsigned>(static_cast<const std::byte*>(message)[each.offset]) <= 1;
  });
}

namespace {

std::string named(const actord_message_type& table) {
  const std::string_view library = view(table.library);
  return std::string{view(table.name)} + " (" +
         (library.empty() ? "a plain struct" : std::string{library}) + ')';
}

}  // namespace

std::string named(const MessageType& type) { return named(*type.table); }

actord_status write_message(const actord_message_type& table, const void* message,
                            actord_writer& writer, actord_errors& errors) {
  if (table.write != nullptr) return table.write(message, &writer, &errors);
  if (!is_plain(table))
    return report(errors, named(table) + " has no function `write`, so that it cannot cross");
  write_plain(table, message, writer);
  return ACTORD_OK;
}

actord_status write_message(const MessageType& type, const void* message, actord_writer& writer,
                            actord_errors& errors) {
  return write_message(*type.table, message, writer, errors);
}

actord_status read_message(const MessageType& type, void* to, actord_value value,
                           actord_errors& errors) {
  const actord_message_type& table = *type.table;
  if (table.read != nullptr) return table.read(to, value, &errors);
  if (is_packed(table)) return read_packed(table, to, value, errors);
  if (is_plain(table)) return read_plain(table, to, value, errors);
  return report(errors, named(type) + " has no function `read`, so that none can come");
}

}  // namespace actord::message
