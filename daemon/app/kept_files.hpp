// SPDX-License-Identifier: Apache-2.0
//
// The files of the last good configuration, kept in the state directory: what actord runs with is
// still there when the files have been changed to something with which it does not start.
#pragma once

#include <string>

#include "base/result.hpp"

namespace actord::config {
struct Configuration;
}  // namespace actord::config

namespace actord::app {

/// The folder of the state directory that has them, each below its own path.
inline constexpr const char* kept_folder = "last-good";

/// Replaces what is kept by the files that this configuration was read from. Only the user of the
/// daemon may read them. The error says what cannot be written, and why.
base::Result<void, std::string> keep_files(const config::Configuration& configuration);

}  // namespace actord::app
