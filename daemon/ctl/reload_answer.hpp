// SPDX-License-Identifier: Apache-2.0
//
// What the daemon answers to a reload, and to its opposite.
#pragma once

#include "base/result.hpp"
#include "ctl/daemon_client.hpp"

namespace actord::ctl {

const AnswerShape& reload_shape();

/// Prints what was done, or why nothing was. Returns the exit status.
Exit report_reload(const Call& call, const base::Result<wire::Reply, NoAnswer>& reply);

}  // namespace actord::ctl
