// SPDX-License-Identifier: Apache-2.0
//
// The C++ types that a field may have, as concepts for reading, writing and printing.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <actord/fields.hpp>

namespace actord::detail {

template <class T>
concept Text = std::convertible_to<const T&, std::string_view>;
template <class T>
concept Map = requires(T& map) {
  typename T::mapped_type;
  map.emplace(std::string{}, typename T::mapped_type{});
};
template <class T>
concept List = !Text<T> && requires(T& list) {
  typename T::value_type;
  list.begin();
  list.push_back(std::declval<typename T::value_type>());
};

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;
template <class T>
constexpr bool is_required = false;
template <class T>
constexpr bool is_required<Required<T>> = true;
template <class T>
constexpr bool is_duration = false;
template <class R, class P>
constexpr bool is_duration<std::chrono::duration<R, P>> = true;

/// Whether a value of T can be written and read again, as the fields of messages can.
template <class T>
constexpr bool is_portable() {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || is_duration<T>) return true;
  else if constexpr (std::is_same_v<T, Bytes> || std::is_same_v<T, Ref>) return true;
  else if constexpr (std::is_same_v<T, std::string>) return true;
  else if constexpr (is_required<T> || is_optional<T>)
    return is_portable<std::remove_cvref_t<decltype(*std::declval<T&>())>>();
  else if constexpr (Map<T>) return is_portable<typename T::mapped_type>();
  else if constexpr (List<T>) return is_portable<typename T::value_type>();
  else if constexpr (Described<T> && std::is_default_constructible_v<T>)
    return with_members<T>(
        [](auto... m) { return (is_portable<typename decltype(m)::value_type>() && ...); });
  else return false;
}

/// The name of the first field of T that is Required; empty if there is none.
template <Described T>
constexpr std::string_view first_required() {
  return with_members<T>([](auto... m) {
    std::string_view found;
    ((found = found.empty() && is_required<typename decltype(m)::value_type> ? m.name : found),
     ...);
    return found;
  });
}

}  // namespace actord::detail
