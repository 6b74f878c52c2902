// SPDX-License-Identifier: Apache-2.0
//
// The default of a config member as text in the syntax of a configuration (HOCON), so that the host
// can document it.
#pragma once

#include <clocale>
#include <cstdio>
#include <cstdlib>

#include <actord/values_at.hpp>

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

inline void append_duration(std::string& out, std::int64_t ns) {
  constexpr std::int64_t second = 1'000'000'000, millisecond = 1'000'000;
  if (ns % second == 0) out.append(std::to_string(ns / second)).append(" s");
  else if (ns % millisecond == 0) out.append(std::to_string(ns / millisecond)).append(" ms");
  else out.append(std::to_string(ns)).append(" ns");
}

/// The shortest text that is read as the same number again, in the syntax of a configuration
/// whatever the locale of the process.
inline void append_real(std::string& out, double value, bool is_float) {
  std::string shortest;
  for (int digits = 1; digits <= 17; ++digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    const double read =
        is_float ? static_cast<double>(std::strtof(text, nullptr)) : std::strtod(text, nullptr);
    const std::string_view found = text;
    if (read == value && (shortest.empty() || found.size() <= shortest.size())) shortest = found;
  }
  const std::string_view point = std::localeconv()->decimal_point;
  if (const std::size_t at = shortest.find(point); at != std::string::npos)
    shortest.replace(at, point.size(), ".");
  out += shortest;
}

/// A name of ACTORD_ENUM, with hyphens as in a configuration; the number if it has no name.
inline void append_name(std::string& out, const actord_data_type& type, const void* at) {
  const std::string_view name = name_at(type, at);
  if (name.empty()) out += number_text(type, at);
  for (const char c : name) out += c == '_' ? '-' : c;
}

inline bool append_default(std::string& out, const actord_data_type& type, const void* at);

struct DefaultElements {
  std::string& out;
  const actord_data_type& type;  // of the container
  bool is_written = true;

  static void append(void* with, actord_str key, const void* element) {
    auto& self = *static_cast<DefaultElements*>(with);
    const bool is_map = self.type.kind == ACTORD_DATA_MAP;
    if (self.out.back() != (is_map ? '{' : '[')) self.out += ", ";
    if (is_map) append_quoted(self.out, detail::view(key)), self.out += " = ";
    self.is_written = self.is_written && append_default(self.out, *self.type.element, element);
  }
};

/// Appends the value as a configuration writes it. Returns false, and may append a part, for what
/// is not written there, as an absent optional and a Ref, and for a struct: each of its members has
/// a default of its own.
inline bool append_default(std::string& out, const actord_data_type& type, const void* at) {
  switch (type.kind) {
    case ACTORD_DATA_BOOL: out += value_at<std::uint8_t>(at) != 0 ? "true" : "false"; return true;
    case ACTORD_DATA_REAL: {
      const double value = real_at(type, at);
      if (!(value - value == 0)) return false;
      append_real(out, value, type.size == sizeof(float));
      return true;
    }
    case ACTORD_DATA_NAME: append_name(out, type, at); return true;
    case ACTORD_DATA_TEXT: append_quoted(out, detail::view(type.of.text->get(at))); return true;
    case ACTORD_DATA_DURATION: append_duration(out, nanoseconds_at(type, at)); return true;
    case ACTORD_DATA_OPTIONAL: {
      const void* held = nullptr;
      type.of.container->each(at, &held, [](void* with, actord_str, const void* element) {
        *static_cast<const void**>(with) = element;
      });
      return held != nullptr && append_default(out, *type.element, held);
    }
    case ACTORD_DATA_LIST:
    case ACTORD_DATA_MAP: {
      DefaultElements elements{out, type};
      out += type.kind == ACTORD_DATA_MAP ? '{' : '[';
      type.of.container->each(at, &elements, &DefaultElements::append);
      out += type.kind == ACTORD_DATA_MAP ? '}' : ']';
      return elements.is_written;
    }
    case ACTORD_DATA_REF:
    case ACTORD_DATA_STRUCT: return false;
    default: out += number_text(type, at); return true;
  }
}

/// Empty if append_default() cannot write the value.
inline std::string default_text(const actord_data_type& type, const void* at) {
  std::string text;
  if (!append_default(text, type, at)) text.clear();
  return text;
}

}  // namespace actord::detail
