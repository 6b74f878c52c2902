// SPDX-License-Identifier: Apache-2.0
//
// Generates manual pages: actord.conf(5) from the schema of the configuration, actord-log(7) from
// the table of events.
#pragma once

#include <string>

namespace actord::manual {

/// The pages as man(7) source.
std::string man_page();
std::string log_man_page();

}  // namespace actord::manual
