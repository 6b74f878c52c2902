// SPDX-License-Identifier: Apache-2.0
//
// The messages of the laboratory.
#pragma once

#include <cstdint>
#include <string>

#include "ways_to_die.hpp"

namespace crash_lab {

/// Die in this way: in the handler of this message, or on another thread while the handler waits.
struct Die {
  Way how = Way::null_dereference;
  bool on_own_thread = false;
};
ACTORD_MESSAGE(Die, "crash_lab.Die/1", how, on_own_thread)

/// Add this to the count.
struct Count {
  std::int64_t by = 1;
};
ACTORD_MESSAGE(Count, "crash_lab.Count/1", by)

/// Answered with a Counted.
struct GetCount {};
ACTORD_MESSAGE(GetCount, "crash_lab.GetCount/1")

/// The count shows whether state was kept or lost; `instance`, a random number of the instance,
/// whether the actor was restarted; `process`, in which process it runs.
struct Counted {
  std::int64_t count = 0;
  std::uint64_t instance = 0;
  std::int64_t process = 0;
};
ACTORD_MESSAGE(Counted, "crash_lab.Counted/1", count, instance, process)

/// Make a call through the circuit breaker `crash_lab`, which all victims share: it fails, or does
/// not. Answered with a Called.
struct Call {
  bool fails = false;
};
ACTORD_MESSAGE(Call, "crash_lab.Call/1", fails)

/// Whether the breaker let the call through, and whether it lets calls through now.
struct Called {
  bool was_made = false, is_closed = false;
};
ACTORD_MESSAGE(Called, "crash_lab.Called/1", was_made, is_closed)

/// The moments at which an actor may die by itself, besides a Die.
enum class Moment { never, constructor, pre_start, pre_restart, post_restart, post_stop, decide };
ACTORD_ENUM(Moment, never, constructor, pre_start, pre_restart, post_restart, post_stop, decide)

/// Create a child of the same class with this config. Answered with a ChildBorn.
struct NewChild {
  std::string name;
  Moment dies_in = Moment::never;
  Way how = Way::null_dereference;
};
ACTORD_MESSAGE(NewChild, "crash_lab.NewChild/1", name, dies_in, how)

/// The answer to NewChild.
struct ChildBorn {
  actord::Ref child;
};
ACTORD_MESSAGE(ChildBorn, "crash_lab.ChildBorn/1", child)

}  // namespace crash_lab
