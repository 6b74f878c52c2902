// SPDX-License-Identifier: Apache-2.0
#include "link/value_text.hpp"

#include <array>
#include <charconv>

#include "hocon/render.hpp"

namespace actord::link {

namespace {

void add_text(std::string& out, actord_str text) {
  hocon::append_json_string(out, {text.data, text.size});
}

template <class T>
void add_number(std::string& out, T number) {
  std::array<char, 64> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), number).ptr;
  out.append(digits.begin(), end);
}

void add(std::string& out, actord_value value);

void add_container(std::string& out, actord_value value, bool is_map) {
  out += is_map ? '{' : '[';
  const std::size_t n = value.reader->size(value);
  for (std::size_t i = 0; i < n; ++i) {
    actord_str key{};
    const actord_value element = value.reader->at(value, i, &key);
    if (i != 0) out += ',';
    if (is_map) {
      add_text(out, key);
      out += ':';
    }
    add(out, element);
  }
  out += is_map ? '}' : ']';
}

void add(std::string& out, actord_value value) {
  const actord_reader& reader = *value.reader;
  std::int32_t truth = 0;
  std::int64_t integer = 0;
  std::uint64_t natural = 0;
  double real = 0;
  actord_str text{};
  switch (reader.kind(value)) {
    case ACTORD_MAP: return add_container(out, value, true);
    case ACTORD_LIST: return add_container(out, value, false);
    case ACTORD_BOOL:
      reader.boolean(value, &truth);
      out += truth != 0 ? "true" : "false";
      return;
    case ACTORD_INT:
      if (reader.integer(value, &integer) != 0) return add_number(out, integer);
      break;
    case ACTORD_UINT:
      if (reader.natural(value, &natural) != 0) return add_number(out, natural);
      break;
    case ACTORD_DOUBLE:
      if (reader.real(value, &real) != 0) return add_number(out, real);
      break;
    case ACTORD_NULL: out += "null"; return;
    default: break;
  }
  if (reader.text(value, &text) != 0) add_text(out, text);
  else out += "null";
}

}  // namespace

std::string text_of(actord_value value) {
  std::string out;
  if (value.node != nullptr) add(out, value);
  return out;
}

}  // namespace actord::link
