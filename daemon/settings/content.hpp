// SPDX-License-Identifier: Apache-2.0
//
// A value in one form: two that mean the same to whoever reads them have the same one, wherever and
// in whatever order their members were written.
#pragma once

#include <string>
#include <string_view>

#include "hocon/tree.hpp"

namespace actord::settings {

/// "" for an absent value; without the member of that name, if it is an object. Not to be shown: it
/// has everything in it.
std::string content_of(const hocon::Value& value, std::string_view without = {});

}  // namespace actord::settings
