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
  std::string path;  // of the recipient, also where nobody ever was
};
ACTORD_MESSAGE(DeadLetter, "actord.DeadLetter/1", recipient, sender, type, reason, path)

/// Published instead of a DeadLetter for messages that nobody misses (ACTORD_NO_DEAD_LETTER). Never
/// logged.
struct SuppressedDeadLetter {
  Ref recipient;
  Ref sender;
  std::string type;
  std::string reason;
  std::string path;
};
ACTORD_MESSAGE(SuppressedDeadLetter, "actord.SuppressedDeadLetter/1", recipient, sender, type,
               reason, path)

/// Published: a message that its receiver, in its present state, has no handler for.
struct Unhandled {
  Ref recipient;
  Ref sender;
  std::string type;
};
ACTORD_MESSAGE(Unhandled, "actord.Unhandled/1", recipient, sender, type)

/// Asks an actor for its address; the runtime answers for it with an ActorIdentity of the same id.
struct Identify {
  std::uint64_t id = 0;
};
ACTORD_MESSAGE(Identify, "actord.Identify/1", id)

/// `who` is nobody if none lives at the address that was asked.
struct ActorIdentity {
  std::uint64_t id = 0;
  Ref who;
};
ACTORD_MESSAGE(ActorIdentity, "actord.ActorIdentity/1", id, who)

/// Published: an actor has started; exactly one per life, as the next two per step of it.
struct ActorStarted {
  Ref who;
  std::string path;
};
ACTORD_MESSAGE(ActorStarted, "actord.ActorStarted/1", who, path)

/// Published: a new incarnation has taken over.
struct ActorRestarted {
  Ref who;
  std::string path;
  std::string cause;  // the type of the innermost cause
};
ACTORD_MESSAGE(ActorRestarted, "actord.ActorRestarted/1", who, path, cause)

/// Published: an actor has stopped for good.
struct ActorStopped {
  Ref who;
  std::string path;
  std::string reason;  // as in Terminated
};
ACTORD_MESSAGE(ActorStopped, "actord.ActorStopped/1", who, path, reason)

/// Sent to /system: the sender wants to hear a TerminationHook when all user actors have stopped,
/// and the system waits for its TerminationHookDone, or its end, before it goes down.
struct RegisterTerminationHook {};
ACTORD_MESSAGE(RegisterTerminationHook, "actord.RegisterTerminationHook/1")
struct TerminationHook {};
ACTORD_MESSAGE(TerminationHook, "actord.TerminationHook/1")
struct TerminationHookDone {};
ACTORD_MESSAGE(TerminationHookDone, "actord.TerminationHookDone/1")

namespace detail {

/// From the root to /system: the user actors are gone.
struct UserStopped {};
ACTORD_MESSAGE(UserStopped, "actord.UserStopped/1")

/// To the worker of ctx.pipe(): begin.
struct Perform {};
ACTORD_MESSAGE(Perform, "actord.Perform/1")

}  // namespace detail

template <class... M>
struct Messages;

// ---- of back-off supervisors (backoff_supervisor.hpp)

/// Answered with a CurrentChild.
struct GetCurrentChild {};
ACTORD_MESSAGE(GetCurrentChild, "actord.GetCurrentChild/1")
struct CurrentChild {
  Ref child;  // nobody while it is down
};
ACTORD_MESSAGE(CurrentChild, "actord.CurrentChild/1", child)

/// Answered with a RestartCount.
struct GetRestartCount {};
ACTORD_MESSAGE(GetRestartCount, "actord.GetRestartCount/1")
struct RestartCount {
  std::int64_t count = 0;  // delayed starts since the last reset
};
ACTORD_MESSAGE(RestartCount, "actord.RestartCount/1", count)

/// Sets the count to 0 where that is left to such a message; elsewhere it is unhandled.
struct Reset {};
ACTORD_MESSAGE(Reset, "actord.Reset/1")

namespace detail {

struct StartChild {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
};
ACTORD_MESSAGE(StartChild, "actord.StartChild/1")
struct ResetRestartCount {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
  std::int64_t count = 0;
};
ACTORD_MESSAGE(ResetRestartCount, "actord.ResetRestartCount/1", count)

/// In every plugin's list.
using BuiltinMessages =
    Messages<Terminated, ReceiveTimeout, PoisonPill, Kill, Identify, DeadLetter,
             SuppressedDeadLetter, Unhandled, ActorIdentity, ActorStarted, ActorRestarted,
             ActorStopped, RegisterTerminationHook, TerminationHook, TerminationHookDone,
             UserStopped, Perform, GetCurrentChild, CurrentChild, GetRestartCount, RestartCount,
             Reset, StartChild, ResetRestartCount>;

}  // namespace detail

}  // namespace actord
