// SPDX-License-Identifier: Apache-2.0
//
// Text in a page for man(7).
#pragma once

#include <string>
#include <string_view>

namespace actord::manual {

/// The text with escapes, so that man(7) reads no request or escape in it.
std::string roff_text(std::string_view text);

}  // namespace actord::manual
