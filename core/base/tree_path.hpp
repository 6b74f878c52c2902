// SPDX-License-Identifier: Apache-2.0
//
// How the paths of actors lie to each other, for rooms that do not know actors.
#pragma once

#include <string_view>

namespace actord::base {

/// Whether `path` is `top` or lies below it; both absolute.
inline bool is_at_or_below(std::string_view path, std::string_view top) noexcept {
  if (top == "/") return path.starts_with('/');
  return path.starts_with(top) && (path.size() == top.size() || path[top.size()] == '/');
}

}  // namespace actord::base
