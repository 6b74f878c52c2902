// SPDX-License-Identifier: Apache-2.0
//
// The arguments of a spawn as values, for an actor that is created in another process
// (isolation = process): written here, and read there by the same plugin.
#pragma once

#include <algorithm>
#include <cstring>
#include <tuple>

#include <actord/context.hpp>
#include <actord/reading.hpp>
#include <actord/writing.hpp>

namespace actord::detail {

template <class... Args>
actord_status write_args(const void* args, actord_writer* out, actord_errors* errors) {
  return guarded(errors, [&] {
    out->begin_list(out, sizeof...(Args));
    std::apply([&](const Args&... each) { (write(out, each), ...); },
               *static_cast<const std::tuple<Args...>*>(args));
    out->end(out);
  });
}

template <class... Args>
actord_status read_args(actord_value in, std::tuple<Args...>& args, actord_errors* errors) {
  std::size_t i = 0;
  const bool is_read = std::apply(
      [&](Args&... each) {
        return ((read(in.reader->at(in, i++, nullptr), each, errors) == ACTORD_OK) && ...);
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
    made.struct_size = std::min(out->struct_size, made.struct_size);
    std::memcpy(out, &made, made.struct_size);
  });
  return read_status == ACTORD_OK ? status : read_status;
}

}  // namespace actord::detail
