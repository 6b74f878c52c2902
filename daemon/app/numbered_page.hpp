// SPDX-License-Identifier: Apache-2.0
//
// A list that may be longer than a reply, as a page of it.
#pragma once

#include <cstdint>
#include <utility>

#include "app/reply_size.hpp"
#include "wire/frame.hpp"

namespace actord::app {

/// The elements that are `wanted` and have a higher number than `after`, as `json_of` makes them,
/// as the member `name`. "next" is what the next request has to begin after; without it there are
/// no more.
template <class List, class IsWanted, class JsonOf>
wire::Json numbered_page(const List& all, const char* name, std::uint64_t after, IsWanted wanted,
                         JsonOf json_of) {
  constexpr std::size_t bytes_per_reply = wire::text_size_max / 2;
  wire::Json page = {{name, wire::Json::array()}};
  std::size_t bytes = 0;
  for (const auto& each : all) {
    if (each->number <= after || !wanted(*each)) continue;
    wire::Json json = json_of(*each);
    cut_texts(json);
    bytes += size_of(json);
    page[name].push_back(std::move(json));
    if (bytes <= bytes_per_reply) continue;
    page["next"] = each->number;
    break;
  }
  return page;
}

}  // namespace actord::app
