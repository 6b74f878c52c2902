// SPDX-License-Identifier: Apache-2.0
//
// The member table of a described struct for plugin.h: name, type as text, offset. The types of two
// plugins are the same message type if name and members are equal.
#pragma once

#include <bit>

#include <actord/field_kinds.hpp>

namespace actord::detail {

/// The type as plugin.h writes it, independent of compiler and library.
template <class T>
[[gnu::cold]] std::string type_text() {
  if constexpr (std::is_same_v<T, bool>) {
    return "bool";
  } else if constexpr (Enumerated<T>) {
    return "text";
  } else if constexpr (std::is_enum_v<T>) {
    return type_text<std::underlying_type_t<T>>();
  } else if constexpr (std::is_same_v<T, Bytes>) {
    return "int64";
  } else if constexpr (std::is_integral_v<T>) {
    return (std::is_signed_v<T> ? "int" : "uint") + std::to_string(sizeof(T) * 8);
  } else if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? "float" : "double";
  } else if constexpr (Text<T>) {
    return "text";
  } else if constexpr (std::is_same_v<T, Ref>) {
    return "ref";
  } else if constexpr (is_duration<T>) {
    return "duration";
  } else if constexpr (is_required<T>) {
    return type_text<typename T::value_type>();
  } else if constexpr (is_optional<T>) {
    return "optional<" + type_text<typename T::value_type>() + '>';
  } else if constexpr (Map<T>) {
    return "map<" + type_text<typename T::mapped_type>() + '>';
  } else if constexpr (List<T>) {
    return "list<" + type_text<typename T::value_type>() + '>';
  } else if constexpr (Described<T>) {
    return with_members<T>([](auto... m) {
      std::string text;
      ((text += (text.empty() ? "" : ","), text += m.name, text += ':',
        text += type_text<typename decltype(m)::value_type>()),
       ...);
      return '{' + text + '}';
    });
  } else {
    static_assert(!is_unsupported<T>,
                  "a field is a bool, number, text, enum, duration, Ref, Bytes, a struct with "
                  "ACTORD_FIELDS, or an optional, vector or map of these");
  }
}

/// What neither type_text() nor an offset says of how a T is stored: the unit of a duration, the
/// numbers of an enumeration. Empty: nothing, as for a whole number of nanoseconds.
template <class T>
[[gnu::cold]] std::string storage_text() {
  if constexpr (Enumerated<T>) {
    std::string text;
    for (const auto& known : enumerators<T>) {
      text.append(text.empty() ? "" : " ").append(known.name).append("=");
      text += std::to_string(static_cast<std::underlying_type_t<T>>(known.value));
    }
    return text;
  } else if constexpr (is_duration<T>) {
    if (std::is_same_v<typename T::period, std::nano> && std::is_integral_v<typename T::rep>)
      return {};
    std::string text = std::is_floating_point_v<typename T::rep> ? "fractions of " : "units of ";
    text += std::to_string(T::period::num) + '/' + std::to_string(T::period::den);
    return text + " s";
  } else if constexpr (is_required<T> || is_optional<T>) {
    return storage_text<typename T::value_type>();
  } else if constexpr (Map<T>) {
    return storage_text<typename T::mapped_type>();
  } else if constexpr (List<T>) {
    return storage_text<typename T::value_type>();
  } else if constexpr (Described<T>) {
    return with_members<T>([](auto... m) {
      std::string text;
      [[maybe_unused]] const auto add = [&text](std::string_view name, const std::string& storage) {
        if (storage.empty()) return;
        text.append(text.empty() ? "" : ", ").append(name).append(": ").append(storage);
      };
      (add(m.name, storage_text<typename decltype(m)::value_type>()), ...);
      return text;
    });
  } else {
    return {};
  }
}

/// The table is never destroyed: the host may read it as long as the plugin is loaded.
template <Described T>
[[gnu::cold]] const auto& member_table() {
  static const auto& table = with_members<T>([](auto... m) -> const auto& {
    static_assert(sizeof...(m) > 0 || std::is_empty_v<T>,
                  "the list names no field, but the struct has some");
    static const auto& types = *new std::array<std::string, sizeof...(m)>{
        type_text<typename decltype(m)::value_type>()...};
    [[maybe_unused]] std::size_t next = 0;
    // In the Itanium ABI a pointer to member is its offset.
    return *new std::array<actord_member, sizeof...(m)>{
        actord_member{to_c(m.name), to_c(types[next++]),
                      static_cast<std::size_t>(std::bit_cast<std::ptrdiff_t>(m.pointer))}...};
  });
  return table;
}

}  // namespace actord::detail
