// SPDX-License-Identifier: Apache-2.0
//
// A value of the configuration as a text in HOCON, from which the host process reads it again.
#pragma once

#include <actord/plugin.h>

#include <string>

namespace actord::link {

/// Empty: the value is absent.
std::string text_of(actord_value value);

}  // namespace actord::link
