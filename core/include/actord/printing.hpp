// SPDX-License-Identifier: Apache-2.0
//
// Prints described structs into a stream, for tests and people; secret members as "…". writing.hpp
// writes the formats that programs read.
#pragma once

#include <actord/secret_members.hpp>

namespace actord::detail {

template <class Out, Enumerated T>
void print_name(Out& out, T value) {
  for (const auto& known : enumerators<T>) {
    if (known.value == value) return void(out << known.name);
  }
  out << +static_cast<std::underlying_type_t<T>>(value);
}

template <class Out, class T>
Out& print(Out& out, const T& value) {
  [[maybe_unused]] const char* separator = "";
  if constexpr (Text<T>) {
    out << '"' << std::string_view{value} << '"';
  } else if constexpr (std::is_same_v<T, bool>) {
    out << (value ? "true" : "false");
  } else if constexpr (std::is_same_v<T, Ref>) {
    out << '#' << value.value;
  } else if constexpr (std::is_same_v<T, Bytes>) {
    out << value.count;
  } else if constexpr (Enumerated<T>) {
    print_name(out, value);
  } else if constexpr (std::is_enum_v<T>) {
    out << +static_cast<std::underlying_type_t<T>>(value);
  } else if constexpr (std::is_arithmetic_v<T>) {
    out << +value;
  } else if constexpr (is_duration<T>) {
    out << std::chrono::duration_cast<std::chrono::nanoseconds>(value).count() << "ns";
  } else if constexpr (is_required<T>) {
    print(out, *value);
  } else if constexpr (is_optional<T>) {
    if (value) print(out, *value);
    else out << "none";
  } else if constexpr (Map<T>) {
    out << '{';
    for (const auto& [key, element] : value) {
      print(out << separator << key << ": ", element);
      separator = ", ";
    }
    out << '}';
  } else if constexpr (List<T>) {
    out << '[';
    for (const auto& element : value) {
      print<Out, typename T::value_type>(out, (out << separator, element));
      separator = ", ";
    }
    out << ']';
  } else {
    with_members<T>([&](auto... m) {
      out << '{';
      [[maybe_unused]] const auto print_member = [&](const auto& member) {
        out << separator << member.name << ": ";
        if (is_secret_member<T>(member)) out << "\u2026";
        else print(out, value.*member.pointer);
        separator = ", ";
      };
      (print_member(m), ...);
      out << '}';
    });
  }
  return out;
}

}  // namespace actord::detail
