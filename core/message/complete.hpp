// SPDX-License-Identifier: Apache-2.0
//
// Tables of plugins that were built for another minor version of the interface.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace actord::message {

template <class T>
concept HasSize = requires(T table) { table.struct_size; };

/// A copy of the table in which members that an older plugin does not know are null. A table
/// without a size has the same members in every version.
template <class T>
T complete(const T& table) {
  T whole{};
  std::size_t size = sizeof whole;
  if constexpr (HasSize<T>) size = std::min<std::size_t>(size, table.struct_size);
  std::memcpy(&whole, &table, size);
  return whole;
}

}  // namespace actord::message
