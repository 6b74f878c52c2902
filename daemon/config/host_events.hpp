// SPDX-License-Identifier: Apache-2.0
//
// The log lines about host processes.
#pragma once

#include "isolate/options.hpp"
#include "log/hub.hpp"

namespace actord::config {

/// `hub` outlives them.
isolate::IsolationEvents host_events(log::Hub& hub);

}  // namespace actord::config
