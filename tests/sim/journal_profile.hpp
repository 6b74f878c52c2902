// SPDX-License-Identifier: Apache-2.0
//
// The profile `journal`: persistent actors behind back-off supervisors, which persist, fail and
// deliver to each other, with a store that fails at any call, and systems that end at any moment
// and are followed by another one with the same store.
#pragma once

#include "sim/profile.hpp"

namespace actord::sim {

extern const Profile journal_profile;

}  // namespace actord::sim
