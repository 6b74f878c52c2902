// SPDX-License-Identifier: Apache-2.0
//
// What a process does that is a zygote (isolate/zygote.hpp).
#pragma once

#include <string>

namespace actord::host {

/// Forks a host for each step of actord that asks for one. Returns in each host, which has its
/// socket under the same number as any other, with the name of its plugin. Ends the process when
/// actord closes the connection. The process has one thread.
std::string serve_as_zygote();

}  // namespace actord::host
