// SPDX-License-Identifier: Apache-2.0
//
// A value in memory by its type as data, for what prints values and tells their defaults.
#pragma once

#include <cstring>
#include <string>

#include <actord/data_types.hpp>

namespace actord::detail {

template <class T>
T value_at(const void* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// The number of an integer or an enumerator; that of an unsigned one of 64 bits has its bits.
inline std::int64_t number_at(const actord_data_type& type, const void* at) {
  const bool is_signed = type.kind == ACTORD_DATA_NAME ? (type.flags & ACTORD_DATA_SIGNED) != 0
                                                       : type.kind == ACTORD_DATA_INT;
  switch (type.size) {
    case 1: return is_signed ? value_at<std::int8_t>(at) : value_at<std::uint8_t>(at);
    case 2: return is_signed ? value_at<std::int16_t>(at) : value_at<std::uint16_t>(at);
    case 4:
      return is_signed ? value_at<std::int32_t>(at) : std::int64_t{value_at<std::uint32_t>(at)};
    default: return value_at<std::int64_t>(at);
  }
}
inline std::int64_t nanoseconds_at(const actord_data_type& type, const void* at) {
  return (type.flags & ACTORD_DATA_UNIT) == 0 ? value_at<std::int64_t>(at)
                                              : type.of.duration->get(at);
}
inline double real_at(const actord_data_type& type, const void* at) {
  if (type.size == sizeof(float)) return value_at<float>(at);
  return type.size == sizeof(double) ? value_at<double>(at)
                                     : static_cast<double>(value_at<long double>(at));
}
/// The enumerator's name; empty if it has none.
inline std::string_view name_at(const actord_data_type& type, const void* at) {
  const std::int64_t number = number_at(type, at);
  for (std::size_t i = 0; i < type.of.names->n_names; ++i) {
    if (type.of.names->names[i].number == number) return detail::view(type.of.names->names[i].name);
  }
  return {};
}
inline std::string number_text(const actord_data_type& type, const void* at) {
  const std::int64_t number = number_at(type, at);
  const bool is_unsigned = type.kind == ACTORD_DATA_UINT;
  return is_unsigned ? std::to_string(static_cast<std::uint64_t>(number)) : std::to_string(number);
}

}  // namespace actord::detail
