// SPDX-License-Identifier: Apache-2.0
//
// The arguments of a spawn as values, for an actor that is created in another process
// (isolation = process): written here, and read there by the same plugin.
#pragma once

#include <cstring>
#include <tuple>

#include <actord/context.hpp>
#include <actord/data_types.hpp>

namespace actord::detail {

template <class... Args>
actord_status write_args(const void* args, actord_writer* out, actord_errors* errors) {
  out->begin_list(out, sizeof...(Args));
  const bool is_written = std::apply(
      [&](const Args&... each) {
        return ((write_data(out, data_type<Args>, &each, errors) == ACTORD_OK) && ...);
      },
      *static_cast<const std::tuple<Args...>*>(args));
  out->end(out);
  return is_written ? ACTORD_OK : ACTORD_FAILED;
}

template <class... Args>
actord_status read_args(actord_value in, std::tuple<Args...>& args, actord_errors* errors) {
  std::size_t i = 0;
  const bool is_read = std::apply(
      [&](Args&... each) {
        return ((read_data(in.reader->at(in, i++, nullptr), data_type<Args>, &each, errors) ==
                 ACTORD_OK) &&
                ...);
      },
      args);
  return is_read ? ACTORD_OK : ACTORD_FAILED;
}

// A host of an earlier interface has less room for the props than this one knows.
template <class A, class... Args>
actord_status remake(actord_value in, actord_props* out, actord_errors* errors) {
  actord_status read_status = ACTORD_OK;
  const actord_status status = guarded(errors, [&] {
    std::tuple<Args...> args{};
    if constexpr (sizeof...(Args) > 0) read_status = read_args(in, args, errors);
    if (read_status != ACTORD_OK) return;
    actord_props made =
        std::apply([](Args&... each) { return props_of<A>(std::move(each)...); }, args);
    if (out->struct_size < made.struct_size) made.struct_size = out->struct_size;
    std::memcpy(out, &made, made.struct_size);
  });
  return read_status == ACTORD_OK ? status : read_status;
}

}  // namespace actord::detail
