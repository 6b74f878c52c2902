// SPDX-License-Identifier: Apache-2.0
//
// actord.conf(5), written from the schema.
#pragma once

#include <string>

namespace actord::manual {

/// The page in the language of man(7).
std::string man_page();

}  // namespace actord::manual
