// SPDX-License-Identifier: Apache-2.0
#include "message/data_values.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "message/message_type.hpp"
#include "message/report.hpp"

namespace actord::message {

namespace {

template <class T>
T as(const void* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}
template <class T>
void put(void* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

std::int64_t integer_at(const void* at, std::uint32_t size) {
  switch (size) {
    case 1: return as<std::int8_t>(at);
    case 2: return as<std::int16_t>(at);
    case 4: return as<std::int32_t>(at);
    default: return as<std::int64_t>(at);
  }
}
std::uint64_t natural_at(const void* at, std::uint32_t size) {
  switch (size) {
    case 1: return as<std::uint8_t>(at);
    case 2: return as<std::uint16_t>(at);
    case 4: return as<std::uint32_t>(at);
    default: return as<std::uint64_t>(at);
  }
}
double real_at(const void* at, std::uint32_t size) {
  if (size == sizeof(float)) return as<float>(at);
  return size == sizeof(double) ? as<double>(at) : static_cast<double>(as<long double>(at));
}
void put_number(void* at, std::uint32_t size, std::uint64_t bits) {
  switch (size) {
    case 1: return put(at, static_cast<std::uint8_t>(bits));
    case 2: return put(at, static_cast<std::uint16_t>(bits));
    case 4: return put(at, static_cast<std::uint32_t>(bits));
    default: return put(at, bits);
  }
}
void put_real(void* at, std::uint32_t size, double number) {
  if (size == sizeof(float)) put(at, static_cast<float>(number));
  else if (size == sizeof(double)) put(at, number);
  else put(at, static_cast<long double>(number));
}

std::int64_t nanoseconds_at(const actord_data_type& type, const void* at) {
  return (type.flags & ACTORD_DATA_UNIT) == 0 ? as<std::int64_t>(at) : type.of.duration->get(at);
}
// The number of an enumerator, with its bits as an int64.
std::int64_t number_at(const actord_data_type& type, const void* at) {
  return (type.flags & ACTORD_DATA_SIGNED) != 0
             ? integer_at(at, type.size)
             : static_cast<std::int64_t>(natural_at(at, type.size));
}

std::span<const actord_data_name> names_of(const actord_data_type& type) {
  return {type.of.names->names, type.of.names->n_names};
}
std::span<const actord_data_member> members_of(const actord_data_type& type) {
  return {type.of.members->members, type.of.members->n_members};
}

// ---- writing ------------------------------------------------------------------------------------

void write_name(actord_writer* out, const actord_data_type& type, const void* at) {
  const std::int64_t number = number_at(type, at);
  for (const actord_data_name& known : names_of(type)) {
    if (known.number == number) return out->text(out, known.name);
  }
  if ((type.flags & ACTORD_DATA_SIGNED) != 0) out->integer(out, number);
  else out->natural(out, static_cast<std::uint64_t>(number));
}

struct ElementWriter {
  actord_writer* out;
  const actord_data_type* type;  // of the elements

  static void write(void* with, actord_str, const void* element) {
    const auto& self = *static_cast<const ElementWriter*>(with);
    write_data(self.out, self.type, element);
  }
  static void write_with_key(void* with, actord_str key, const void* element) {
    const auto& self = *static_cast<const ElementWriter*>(with);
    self.out->key(self.out, key);
    write_data(self.out, self.type, element);
  }
};

void write_elements(actord_writer* out, const actord_data_type& type, const void* at) {
  const actord_data_container& container = *type.of.container;
  const std::size_t size = container.size(at);
  ElementWriter elements{out, type.element};
  if (type.kind == ACTORD_DATA_OPTIONAL) {
    if (size == 0) out->null(out);
    else container.each(at, &elements, &ElementWriter::write);
  } else if (type.kind == ACTORD_DATA_LIST) {
    out->begin_list(out, size);
    container.each(at, &elements, &ElementWriter::write);
    out->end(out);
  } else {
    out->begin_map(out, size);
    container.each(at, &elements, &ElementWriter::write_with_key);
    out->end(out);
  }
}

void write_members(actord_writer* out, const actord_data_type& type, const void* at) {
  const std::span members = members_of(type);
  out->begin_map(out, members.size());
  for (const actord_data_member& member : members) {
    out->key(out, member.name);
    write_data(out, member.type, static_cast<const char*>(at) + member.offset);
  }
  out->end(out);
}

// ---- reading ------------------------------------------------------------------------------------

actord_status reject(actord_value in, const std::string& reason, actord_errors* errors) {
  return in.reader->reject(in, to_c(reason), errors);
}

// The member of that name, where _ and - are alike: max_attempts may be written max-attempts.
actord_value member_of(actord_value in, actord_str name) {
  const actord_value found = in.reader->member(in, name);
  if (found.node != nullptr || view(name).find('_') == std::string_view::npos) return found;
  std::string hyphenated{view(name)};
  std::ranges::replace(hyphenated, '_', '-');
  return in.reader->member(in, to_c(hyphenated));
}

bool is_same_name(std::string_view a, std::string_view b) {
  const auto plain = [](char c) { return c == '-' ? '_' : c; };
  return std::ranges::equal(a, b, {}, plain, plain);
}

actord_status read_integer(actord_value in, const actord_data_type& type, void* to,
                           actord_errors* errors) {
  const unsigned unused_bits = 64 - 8 * type.size;
  const std::int64_t max = std::numeric_limits<std::int64_t>::max() >> unused_bits, min = -max - 1;
  std::int64_t number = 0;
  if (in.reader->integer(in, &number) == 0 || number < min || number > max)
    return reject(in,
                  "expected an integer from " + std::to_string(min) + " to " + std::to_string(max),
                  errors);
  put_number(to, type.size, static_cast<std::uint64_t>(number));
  return ACTORD_OK;
}

actord_status read_natural(actord_value in, const actord_data_type& type, void* to,
                           actord_errors* errors) {
  const std::uint64_t max = std::numeric_limits<std::uint64_t>::max() >> (64 - 8 * type.size);
  std::uint64_t number = 0;
  if (in.reader->natural(in, &number) == 0 || number > max)
    return reject(in, "expected an integer from 0 to " + std::to_string(max), errors);
  put_number(to, type.size, number);
  return ACTORD_OK;
}

actord_status read_duration(actord_value in, const actord_data_type& type, void* to,
                            actord_errors* errors) {
  std::int64_t ns = 0;
  if (in.reader->duration(in, &ns) == 0)
    return reject(in, "expected a duration such as 500ms", errors);
  if ((type.flags & ACTORD_DATA_UNIT) == 0) return put(to, ns), ACTORD_OK;
  const actord_data_duration& of = *type.of.duration;
  if (of.set(to, ns) != 0) return ACTORD_OK;
  const std::int64_t unit_ns = of.num * (1'000'000'000 / of.den);
  return reject(in, "expected a multiple of " + std::to_string(unit_ns) + " ns", errors);
}

actord_status read_name(actord_value in, const actord_data_type& type, void* to,
                        actord_errors* errors) {
  actord_str text{};
  const bool is_text = in.reader->text(in, &text) != 0;
  std::string reason;
  for (const actord_data_name& known : names_of(type)) {
    if (is_text && is_same_name(view(known.name), view(text)))
      return put_number(to, type.size, static_cast<std::uint64_t>(known.number)), ACTORD_OK;
    reason.append(reason.empty() ? "expected one of " : ", ").append(view(known.name));
  }
  return reject(in, reason, errors);
}

struct ElementReader {
  actord_value in;
  const actord_data_type* type;
  actord_errors* errors;

  static actord_status fill(void* with, void* element) {
    const auto& self = *static_cast<const ElementReader*>(with);
    return read_data(self.in, self.type, element, self.errors);
  }
};

actord_status read_elements(actord_value in, const actord_data_type& type, void* to,
                            actord_errors* errors) {
  const actord_reader& reader = *in.reader;
  const actord_data_container& container = *type.of.container;
  ElementReader element{in, type.element, errors};
  const std::int32_t kind = reader.kind(in);
  if (type.kind == ACTORD_DATA_OPTIONAL) {
    container.clear(to);
    if (kind == ACTORD_NULL) return ACTORD_OK;
    return container.add(to, {}, &element, &ElementReader::fill, errors);
  }
  if (type.kind == ACTORD_DATA_LIST && kind != ACTORD_LIST)
    return reject(in, "expected a list", errors);
  if (type.kind == ACTORD_DATA_MAP && kind != ACTORD_MAP)
    return reject(in, "expected an object", errors);
  container.clear(to);
  const std::size_t size = reader.size(in);
  for (std::size_t i = 0; i < size; ++i) {
    actord_str key{};
    element.in = reader.at(in, i, &key);
    if (container.add(to, key, &element, &ElementReader::fill, errors) != ACTORD_OK)
      return ACTORD_FAILED;
  }
  return ACTORD_OK;
}

// ---- what the author says of the members --------------------------------------------------------

constexpr actord_bound no_bound = {ACTORD_NULL, {.i = 0}};

// Whether a > b. Both bounds have the same kind, or one is no bound: then false.
bool is_above(const actord_bound& a, const actord_bound& b) {
  if (a.kind == ACTORD_NULL || b.kind == ACTORD_NULL) return false;
  if (a.kind == ACTORD_DOUBLE) return !(a.value.d <= b.value.d);
  return a.kind == ACTORD_UINT ? a.value.u > b.value.u : a.value.i > b.value.i;
}

std::string text_of(const actord_bound& bound) {
  constexpr std::int64_t second = 1'000'000'000, millisecond = 1'000'000;
  const std::int64_t i = bound.value.i;
  if (bound.kind == ACTORD_UINT) return std::to_string(bound.value.u);
  if (bound.kind == ACTORD_DOUBLE) {
    std::string text = std::to_string(bound.value.d);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  }
  if (bound.kind == ACTORD_INT) return std::to_string(i);
  if (i % second == 0) return std::to_string(i / second) + " s";
  if (i % millisecond == 0) return std::to_string(i / millisecond) + " ms";
  return std::to_string(i) + " ns";
}

std::string range_of(const actord_data_about& about) {
  if (about.most.kind == ACTORD_NULL) return "at least " + text_of(about.least);
  if (about.least.kind == ACTORD_NULL) return "at most " + text_of(about.most);
  return text_of(about.least) + " to " + text_of(about.most);
}

// The value that a type holds: that of an optional, or the value itself. Null: none.
struct Held {
  const actord_data_type* type;
  const void* at;
};
Held held_by(const actord_data_type* type, const void* at) {
  Held held{type, at};
  while (held.at != nullptr && held.type->kind == ACTORD_DATA_OPTIONAL) {
    Held inner{held.type->element, nullptr};
    held.type->of.container->each(held.at, &inner, [](void* with, actord_str, const void* element) {
      static_cast<Held*>(with)->at = element;
    });
    held = inner;
  }
  return held;
}

actord_bound bound_of(const Held& held) {
  if (held.at == nullptr) return no_bound;
  const actord_data_type& type = *held.type;
  switch (type.kind) {
    case ACTORD_DATA_INT:
    case ACTORD_DATA_SIZE: return {ACTORD_INT, {.i = integer_at(held.at, type.size)}};
    case ACTORD_DATA_UINT: return {ACTORD_UINT, {.u = natural_at(held.at, type.size)}};
    case ACTORD_DATA_REAL: return {ACTORD_DOUBLE, {.d = real_at(held.at, type.size)}};
    case ACTORD_DATA_DURATION: return {ACTORD_DURATION, {.i = nanoseconds_at(type, held.at)}};
    default: return no_bound;
  }
}

bool is_file_name(std::string_view text) {
  return !text.empty() && text != "." && text != ".." &&
         text.find_first_of(std::string_view{"/\0", 2}) == text.npos;
}

// Rejects a value outside its range. Defaults are not checked: only written values are. Rejects a
// value that must be a file name in the state directory and is none, also a default.
actord_status check_member(actord_value in, const actord_data_member& member,
                           const actord_data_about& about, const void* at, actord_errors* errors) {
  const Held held = held_by(member.type, at);
  const actord_bound value = bound_of(held);
  if (is_above(about.least, value) || is_above(value, about.most)) {
    const actord_value written = member_of(in, member.name);
    if (written.node != nullptr) return reject(written, "expected " + range_of(about), errors);
  }
  if ((about.use & ACTORD_IN_STATE_DIRECTORY) != 0 && held.at != nullptr &&
      held.type->kind == ACTORD_DATA_TEXT &&
      !is_file_name(view(held.type->of.text->get(held.at)))) {
    const actord_value written = member_of(in, member.name);
    return reject(written.node != nullptr ? written : in, "expected a file name, without a folder",
                  errors);
  }
  return ACTORD_OK;
}

actord_status read_members(actord_value in, const actord_data_type& type, void* to,
                           actord_errors* errors) {
  if (in.reader->kind(in) != ACTORD_MAP) return reject(in, "expected an object", errors);
  std::size_t n_about = 0;
  const actord_data_about* const all =
      type.of.members->about != nullptr ? type.of.members->about(&n_about) : nullptr;
  for (const actord_data_member& member : members_of(type)) {
    void* const at = static_cast<char*>(to) + member.offset;
    if (const actord_value found = member_of(in, member.name); found.node != nullptr) {
      if (read_data(found, member.type, at, errors) != ACTORD_OK) return ACTORD_FAILED;
    } else if (member.is_required != 0) {
      return reject(in, "needs " + std::string{view(member.name)}, errors);
    }
    for (const actord_data_about& about : std::span{all, n_about}) {
      if (about.offset == member.offset && check_member(in, member, about, at, errors) != ACTORD_OK)
        return ACTORD_FAILED;
    }
  }
  return ACTORD_OK;
}

}  // namespace

void write_data(actord_writer* out, const actord_data_type* type, const void* at) {
  switch (type->kind) {
    case ACTORD_DATA_BOOL: return out->boolean(out, as<std::uint8_t>(at) != 0 ? 1 : 0);
    case ACTORD_DATA_INT: return out->integer(out, integer_at(at, type->size));
    case ACTORD_DATA_UINT: return out->natural(out, natural_at(at, type->size));
    case ACTORD_DATA_REAL: return out->real(out, real_at(at, type->size));
    case ACTORD_DATA_SIZE: return out->integer(out, as<std::int64_t>(at));
    case ACTORD_DATA_REF: return out->ref(out, as<actord_ref>(at));
    case ACTORD_DATA_DURATION: return out->duration(out, nanoseconds_at(*type, at));
    case ACTORD_DATA_TEXT: return out->text(out, type->of.text->get(at));
    case ACTORD_DATA_NAME: return write_name(out, *type, at);
    case ACTORD_DATA_OPTIONAL:
    case ACTORD_DATA_LIST:
    case ACTORD_DATA_MAP: return write_elements(out, *type, at);
    case ACTORD_DATA_STRUCT: return write_members(out, *type, at);
    default: return out->null(out);  // of a newer interface
  }
}

actord_status read_data(actord_value in, const actord_data_type* type, void* to,
                        actord_errors* errors) try {
  const actord_reader& reader = *in.reader;
  switch (type->kind) {
    case ACTORD_DATA_BOOL: {
      std::int32_t truth = 0;
      if (reader.boolean(in, &truth) == 0) return reject(in, "expected true or false", errors);
      return put(to, truth != 0), ACTORD_OK;
    }
    case ACTORD_DATA_INT: return read_integer(in, *type, to, errors);
    case ACTORD_DATA_UINT: return read_natural(in, *type, to, errors);
    case ACTORD_DATA_REAL: {
      double number = 0;
      if (reader.real(in, &number) == 0) return reject(in, "expected a number", errors);
      return put_real(to, type->size, number), ACTORD_OK;
    }
    case ACTORD_DATA_SIZE: {
      std::int64_t count = 0;
      if (reader.bytes(in, &count) == 0) return reject(in, "expected a size such as 64k", errors);
      return put(to, count), ACTORD_OK;
    }
    case ACTORD_DATA_REF: {
      actord_ref ref = 0;
      if (reader.ref(in, &ref) == 0)
        return reject(in, "expected the path of a living actor", errors);
      return put(to, ref), ACTORD_OK;
    }
    case ACTORD_DATA_DURATION: return read_duration(in, *type, to, errors);
    case ACTORD_DATA_TEXT: {
      actord_str text{};
      if (reader.text(in, &text) == 0) return reject(in, "expected text", errors);
      return type->of.text->set(to, text, errors);
    }
    case ACTORD_DATA_NAME: return read_name(in, *type, to, errors);
    case ACTORD_DATA_OPTIONAL:
    case ACTORD_DATA_LIST:
    case ACTORD_DATA_MAP: return read_elements(in, *type, to, errors);
    case ACTORD_DATA_STRUCT: return read_members(in, *type, to, errors);
    default: return reject(in, "is of a type that this actord does not know", errors);
  }
} catch (const std::bad_alloc&) {
  return report(*errors, "there is no memory for the value");
}

}  // namespace actord::message
