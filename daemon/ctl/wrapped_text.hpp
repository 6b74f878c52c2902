// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace actord::ctl {

/// Breaks a paragraph into indented lines for people, each with a newline; empty if it is.
std::string wrapped(std::string_view text, std::size_t indent = 2);

}  // namespace actord::ctl
