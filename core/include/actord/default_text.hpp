// SPDX-License-Identifier: Apache-2.0
//
// The default of a config member as text in the syntax of a configuration (HOCON), so that the host
// can document it.
#pragma once

#include <charconv>

#include <actord/about.hpp>

namespace actord::detail {

inline void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out.append(1, '\\').append(1, c);
    else if (byte < 0x20) out.append("\\u00").append(1, digits[byte >> 4]) += digits[byte & 15U];
    else out += c;
  }
  out += '"';
}

template <class T>
void append_number(std::string& out, T value) {
  char text[32];
  const auto end = std::to_chars(std::begin(text), std::end(text), value).ptr;
  out.append(std::begin(text), end);
}

/// A name of ACTORD_ENUM, with hyphens as in a configuration; the number if it has no name.
template <Enumerated T>
void append_name(std::string& out, T value) {
  for (const auto& known : enumerators<T>) {
    if (known.value != value) continue;
    for (const char c : known.name) out += c == '_' ? '-' : c;
    return;
  }
  append_number(out, static_cast<std::underlying_type_t<T>>(value));
}

/// Appends the value as a configuration writes it. Returns false, and may append a part, for what
/// is not written there, as an absent optional and a Ref, and for a struct: each of its members has
/// a default of its own.
template <class T>
bool append_default(std::string& out, const T& value);

template <List T>
bool append_list(std::string& out, const T& list) {
  out += '[';
  bool is_written = true;
  for (const auto& element : list) {
    if (out.back() != '[') out += ", ";
    is_written = is_written && append_default<typename T::value_type>(out, element);
  }
  out += ']';
  return is_written;
}

template <Map T>
bool append_map(std::string& out, const T& map) {
  out += '{';
  bool is_written = true;
  for (const auto& [key, element] : map) {
    if (out.back() != '{') out += ", ";
    append_quoted(out, key);
    out += " = ";
    is_written = is_written && append_default(out, element);
  }
  out += '}';
  return is_written;
}

template <class T>
bool append_default(std::string& out, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (Enumerated<T>) {
    append_name(out, value);
  } else if constexpr (std::is_enum_v<T>) {
    append_number(out, static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_same_v<T, Bytes>) {
    append_number(out, value.count);
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!(value - value == 0)) return false;
    append_number(out, value);
  } else if constexpr (std::is_integral_v<T>) {
    append_number(out, value);
  } else if constexpr (Text<T>) {
    append_quoted(out, std::string_view{value});
  } else if constexpr (is_duration<T>) {
    out += text_of(bound_of(value));
  } else if constexpr (is_required<T> || std::is_same_v<T, Ref>) {
    return false;
  } else if constexpr (is_optional<T>) {
    return value && append_default(out, *value);
  } else if constexpr (Map<T>) {
    return append_map(out, value);
  } else if constexpr (List<T>) {
    return append_list(out, value);
  } else {
    return false;
  }
  return true;
}

/// Empty if append_default() cannot write the value.
template <class T>
std::string default_text(const T& value) {
  std::string text;
  if (!append_default(text, value)) text.clear();
  return text;
}

}  // namespace actord::detail
