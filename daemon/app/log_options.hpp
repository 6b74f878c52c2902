// SPDX-License-Identifier: Apache-2.0
//
// What the configuration says of the log, in the words of the sinks.
#pragma once

#include "log/hub.hpp"
#include "settings/settings.hpp"
#include "sinks/log_output.hpp"

namespace actord::app {

/// Formats, levels, name and sinks. The caller adds what belongs to this run.
sinks::LogWriterOptions log_options_of(const settings::Settings& settings);

log::HubOptions hub_options_of(const settings::Settings& settings);

}  // namespace actord::app
