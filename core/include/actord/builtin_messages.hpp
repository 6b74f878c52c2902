// SPDX-License-Identifier: Apache-2.0
//
// The messages that the system itself sends or obeys. They are in every plugin's list without being
// named there.
#pragma once

#include <string>

#include <actord/message.hpp>

namespace actord {

/// To those who watch `who`, once, when it has stopped for good.
struct Terminated {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
  Ref who;
  bool existence_confirmed = false;  // false: there was nobody at that address to begin with
  std::string reason;                // a word: stopped, failed, …
};
ACTORD_MESSAGE(Terminated, "actord.Terminated/1", who, existence_confirmed, reason)

/// After ctx.receive_timeout(after) and as long a silence.
struct ReceiveTimeout {
  std::chrono::nanoseconds after{};
};
ACTORD_MESSAGE(ReceiveTimeout, "actord.ReceiveTimeout/1", after)

/// Stops its receiver when its turn comes; what was sent before is handled first.
struct PoisonPill {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
};
ACTORD_MESSAGE(PoisonPill, "actord.PoisonPill/1")

/// Makes its receiver fail with actord::Killed; its supervisor decides.
struct Kill {};
ACTORD_MESSAGE(Kill, "actord.Kill/1")

/// Published: a message that reached nobody.
struct DeadLetter {
  Ref recipient;
  Ref sender;
  std::string type;
  std::string reason;
};
ACTORD_MESSAGE(DeadLetter, "actord.DeadLetter/1", recipient, sender, type, reason)

/// Published: a message that its receiver, in its present state, has no handler for.
struct Unhandled {
  Ref recipient;
  Ref sender;
  std::string type;
};
ACTORD_MESSAGE(Unhandled, "actord.Unhandled/1", recipient, sender, type)

}  // namespace actord
