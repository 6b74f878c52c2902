// SPDX-License-Identifier: Apache-2.0
//
// Describes a value to the host's writer. The host makes JSON and other formats of it.
#pragma once

#include <actord/field_kinds.hpp>

namespace actord::detail {

template <class T>
void write(actord_writer* out, const T& value);

template <Enumerated T>
void write_name(actord_writer* out, T value) {
  for (const auto& known : enumerators<T>) {
    if (known.value == value) return out->text(out, to_c(known.name));
  }
  write(out, static_cast<std::underlying_type_t<T>>(value));
}

template <Described T>
void write_members(actord_writer* out, const T& object) {
  with_members<T>([&](auto... m) {
    out->begin_map(out, sizeof...(m));
    ((out->key(out, to_c(m.name)), write(out, object.*m.pointer)), ...);
    out->end(out);
  });
}

template <class T>
void write(actord_writer* out, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    out->boolean(out, value ? 1 : 0);
  } else if constexpr (Enumerated<T>) {
    write_name(out, value);
  } else if constexpr (std::is_enum_v<T>) {
    write(out, static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_same_v<T, Bytes>) {
    out->integer(out, value.count);
  } else if constexpr (std::signed_integral<T>) {
    out->integer(out, value);
  } else if constexpr (std::unsigned_integral<T>) {
    out->natural(out, value);
  } else if constexpr (std::is_floating_point_v<T>) {
    out->real(out, static_cast<double>(value));
  } else if constexpr (Text<T>) {
    out->text(out, to_c(value));
  } else if constexpr (std::is_same_v<T, Ref>) {
    out->ref(out, value.value);
  } else if constexpr (is_duration<T>) {
    out->duration(out, std::chrono::duration_cast<std::chrono::nanoseconds>(value).count());
  } else if constexpr (is_required<T>) {
    write(out, *value);
  } else if constexpr (is_optional<T>) {
    value ? write(out, *value) : out->null(out);
  } else if constexpr (Map<T>) {
    out->begin_map(out, value.size());
    for (const auto& [key, element] : value) out->key(out, to_c(key)), write(out, element);
    out->end(out);
  } else if constexpr (List<T>) {
    out->begin_list(out, value.size());
    for (const auto& element : value) write<typename T::value_type>(out, element);
    out->end(out);
  } else {
    write_members(out, value);
  }
}

}  // namespace actord::detail
