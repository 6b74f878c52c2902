// SPDX-License-Identifier: Apache-2.0
//
// What the log knows about one trace, as the story of a request: its steps, each below the one that
// caused it, and what was logged meanwhile.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ctl/verb.hpp"
#include "wire/control_message.hpp"

namespace actord::ctl {

/// Whether the text has the form of the id of a trace.
bool is_trace_id(std::string_view text) noexcept;

/// `lines` are those that name the trace, in the order of the log.
void print_trace(const Call& call, const std::vector<wire::Json>& lines, const std::string& id);

}  // namespace actord::ctl
