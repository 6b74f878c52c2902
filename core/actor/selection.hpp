// SPDX-License-Identifier: Apache-2.0
//
// Sends a message to the actor at a path, or to all actors whose paths match a pattern
// (supervision.md 145).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "actor/path.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

/// The named actors that `paths` selects. `paths` is a path or a pattern, relative to this actor's
/// own path.
struct Selected {
  std::string pattern;  // absolute
  std::vector<Ref> actors;

  bool is_one_path() const noexcept { return !is_pattern(pattern); }
};
Selected select(Turn& turn, std::string_view paths);

/// The failure of an ask that `pattern` sends to no actor.
FailurePtr no_recipient(Turn& turn, message::TypeId type, const std::string& pattern);
/// Sends `*message`, which is moved from, to all of them. If a path that is
/// no pattern selects none, an Identify is answered with `nobody`, and any other message becomes a
/// dead letter.
void tell_all(Turn& turn, const Selected& selected, message::TypeId type, void* message,
              Ref sender);
/// Sends a copy of the current message, with its sender, to all of them. A question that goes to
/// one actor remains one; one that goes to several becomes an ordinary message, and each of them
/// may answer.
void forward_all(Turn& turn, const Selected& selected);

}  // namespace actord::actor
