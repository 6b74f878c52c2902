// SPDX-License-Identifier: Apache-2.0
//
// For the cases about configured back-off supervisors: "/user/x" is the supervisor, and "/user/x/x"
// the actor of actord.user.x.
#pragma once

#include "conformance/supervision/seeded_test.hpp"

namespace actord::conformance {

inline Ref child(SeededTest& test) { return test.find("/user/x/x"); }

/// Advances the time until the child exists. Returns by how much, in nanoseconds, or -1 if no child
/// comes.
inline std::int64_t time_until_child(SeededTest& test) {
  return test.advance_until_found("/user/x/x");
}

}  // namespace actord::conformance
