// SPDX-License-Identifier: Apache-2.0
//
// Generates actord.conf(5) from the schema.
#pragma once

#include <string>

namespace actord::manual {

/// The page as man(7) source.
std::string man_page();

}  // namespace actord::manual
