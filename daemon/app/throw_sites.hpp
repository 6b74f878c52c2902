// SPDX-License-Identifier: Apache-2.0
//
// Lets failures have the calls that led to the throw: actord.failures.stacktrace.
#pragma once

#include "schema/known_words.hpp"

namespace actord::app {

/// From now on it holds for the whole process. Any thread.
void apply_throw_sites(schema::ThrowSites which) noexcept;

}  // namespace actord::app
