// SPDX-License-Identifier: Apache-2.0
//
// A shortage of memory on demand: this program's operator new fails when a case asks for it.
#pragma once

namespace actord::conformance {

/// This thread's next `allocations_to_spare` allocations succeed; `allocations_to_fail` after those
/// fail.
extern thread_local int allocations_to_spare, allocations_to_fail;

}  // namespace actord::conformance
