// SPDX-License-Identifier: Apache-2.0
//
// A shortage of memory on demand: this program's operator new fails when a case tells it to.
#pragma once

namespace actord::conformance {

/// Of this thread's next allocations so many succeed, and so many after those fail.
extern thread_local int allocations_to_spare, allocations_to_fail;

}  // namespace actord::conformance
