// SPDX-License-Identifier: Apache-2.0
//
// The messages that the system itself sends or carries out. Every plugin may use them without
// listing them.
#pragma once

#include <string>
#include <vector>

#include <actord/message.hpp>

namespace actord {

/// To each watcher of `who`, once, when it has stopped (supervision.md 116-131).
struct Terminated {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
  Ref who;
  bool existence_confirmed = false;  // false: no such actor was there when the watch began
  // Why it stopped: stopped, parent, poison, killed, failed, init-failed, limit, restart, shutdown,
  // config or no-such-actor.
  std::string reason;
};
ACTORD_BUILTIN_MESSAGE_(Terminated, "actord.Terminated/1", who, existence_confirmed, reason)

/// To an actor that called Context::receive_timeout(after), when it has got no message for that
/// long (supervision.md 165).
struct ReceiveTimeout {
  std::chrono::nanoseconds after{};
};
ACTORD_BUILTIN_MESSAGE_(ReceiveTimeout, "actord.ReceiveTimeout/1", after)

/// Stops its receiver. Messages that are before it in the mailbox are handled first
/// (supervision.md 135).
struct PoisonPill {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
};
ACTORD_BUILTIN_MESSAGE_(PoisonPill, "actord.PoisonPill/1")

/// Makes its receiver fail with actord::Killed; its supervisor decides (supervision.md 136).
struct Kill {};
ACTORD_BUILTIN_MESSAGE_(Kill, "actord.Kill/1")

/// Published: a message that was not delivered (supervision.md 146-153).
struct DeadLetter {
  Ref recipient;
  Ref sender;
  std::string type;  // the message type: "echo.Text/1"
  // no-actor, stopped, mailbox-full, backoff-full, timeout, not-translated, poison or no-routee
  std::string reason;
  std::string path;  // the path of the recipient, or the path that no actor has
};
ACTORD_BUILTIN_MESSAGE_(DeadLetter, "actord.DeadLetter/1", recipient, sender, type, reason, path)

/// Published instead of a DeadLetter for message types with ACTORD_NO_DEAD_LETTER, and never logged
/// (supervision.md 150). Its fields are those of a DeadLetter.
struct SuppressedDeadLetter {
  Ref recipient;
  Ref sender;
  std::string type;
  std::string reason;
  std::string path;
};
ACTORD_BUILTIN_MESSAGE_(SuppressedDeadLetter, "actord.SuppressedDeadLetter/1", recipient, sender,
                        type, reason, path)

/// Published: an unhandled message. Its receiver has no handler for it in its current state.
struct Unhandled {
  Ref recipient;
  Ref sender;
  std::string type;
};
ACTORD_BUILTIN_MESSAGE_(Unhandled, "actord.Unhandled/1", recipient, sender, type)

/// Asks for the address of an actor. The system answers for the actor, with an ActorIdentity of the
/// same id (supervision.md 145).
struct Identify {
  std::uint64_t id = 0;
};
ACTORD_BUILTIN_MESSAGE_(Identify, "actord.Identify/1", id)

/// The answer to Identify. `who` is empty if there is no such actor.
struct ActorIdentity {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
  std::uint64_t id = 0;
  Ref who;
};
ACTORD_BUILTIN_MESSAGE_(ActorIdentity, "actord.ActorIdentity/1", id, who)

/// Published once when an actor has started (supervision.md 179i).
struct ActorStarted {
  Ref who;
  std::string path;
};
ACTORD_BUILTIN_MESSAGE_(ActorStarted, "actord.ActorStarted/1", who, path)

/// Published once for each restart, when the new incarnation runs.
struct ActorRestarted {
  Ref who;
  std::string path;
  std::string cause;  // the type of the innermost cause
};
ACTORD_BUILTIN_MESSAGE_(ActorRestarted, "actord.ActorRestarted/1", who, path, cause)

/// Published once when an actor has stopped.
struct ActorStopped {
  Ref who;
  std::string path;
  std::string reason;  // as in Terminated
};
ACTORD_BUILTIN_MESSAGE_(ActorStopped, "actord.ActorStopped/1", who, path, reason)

/// Sent to /system, by an actor that System::spawn_system() created. When all user actors have
/// stopped, the sender gets a TerminationHook, and the system waits for its TerminationHookDone, or
/// for its end, before it shuts down (supervision.md 101).
struct RegisterTerminationHook {};
ACTORD_BUILTIN_MESSAGE_(RegisterTerminationHook, "actord.RegisterTerminationHook/1")
/// To each actor that has registered, when all user actors have stopped.
struct TerminationHook {};
ACTORD_BUILTIN_MESSAGE_(TerminationHook, "actord.TerminationHook/1")
/// The answer to TerminationHook: the system may shut down.
struct TerminationHookDone {};
ACTORD_BUILTIN_MESSAGE_(TerminationHookDone, "actord.TerminationHookDone/1")

namespace detail {

/// From the root to /system: all user actors have stopped.
struct UserStopped {};
ACTORD_BUILTIN_MESSAGE_(UserStopped, "actord.UserStopped/1")
/// To /system/log: write which failures were not logged, and which storms are over.
struct WriteSummary {};
ACTORD_BUILTIN_MESSAGE_(WriteSummary, "actord.WriteSummary/1")

/// To the worker of Context::pipe(): begin.
struct Perform {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
};
ACTORD_BUILTIN_MESSAGE_(Perform, "actord.Perform/1")

}  // namespace detail

template <class... M>
struct Messages;

// ---- back-off supervisors (backoff_supervisor.hpp) ----------------------------------------------

/// A question to a back-off supervisor, answered with a CurrentChild (supervision.md 168b).
struct GetCurrentChild {};
ACTORD_BUILTIN_MESSAGE_(GetCurrentChild, "actord.GetCurrentChild/1")
/// The answer to GetCurrentChild.
struct CurrentChild {
  Ref child;  // empty while the child is down
};
ACTORD_BUILTIN_MESSAGE_(CurrentChild, "actord.CurrentChild/1", child)

/// A question to a back-off supervisor, answered with a RestartCount (supervision.md 168b).
struct GetRestartCount {};
ACTORD_BUILTIN_MESSAGE_(GetRestartCount, "actord.GetRestartCount/1")
/// The answer to GetRestartCount.
struct RestartCount {
  std::int64_t count = 0;  // delayed starts since the last reset
};
ACTORD_BUILTIN_MESSAGE_(RestartCount, "actord.RestartCount/1", count)

/// To a back-off supervisor with manual_reset(): sets the count to 0. For other back-off
/// supervisors it is an unhandled message (supervision.md 176).
struct Reset {};
ACTORD_BUILTIN_MESSAGE_(Reset, "actord.Reset/1")

namespace detail {

/// From a back-off supervisor to itself: the delay is over.
struct StartChild {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
};
ACTORD_BUILTIN_MESSAGE_(StartChild, "actord.StartChild/1")
/// From a back-off supervisor to itself: the count goes back to 0 if it is still `count`.
struct ResetRestartCount {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
  std::int64_t count = 0;
};
ACTORD_BUILTIN_MESSAGE_(ResetRestartCount, "actord.ResetRestartCount/1", count)

}  // namespace detail

// ---- state machines (state_machine.hpp) ---------------------------------------------------------

/// To a state machine from itself: no message has been handled for as long as its state allows
/// (supervision.md 180m).
struct StateTimeout {};
ACTORD_BUILTIN_MESSAGE_(StateTimeout, "actord.StateTimeout/1")

/// To a state machine: it answers the subscriber with a CurrentState, and tells it each Transition
/// from now on. The subscription ends with the subscriber, and with a restart of the machine.
struct SubscribeTransitions {
  Ref subscriber;  // empty: the sender
};
ACTORD_BUILTIN_MESSAGE_(SubscribeTransitions, "actord.SubscribeTransitions/1", subscriber)
/// To a state machine: ends the subscription.
struct UnsubscribeTransitions {
  Ref subscriber;  // empty: the sender
};
ACTORD_BUILTIN_MESSAGE_(UnsubscribeTransitions, "actord.UnsubscribeTransitions/1", subscriber)
/// The answer to SubscribeTransitions.
struct CurrentState {
  Ref machine;
  std::string state;
};
ACTORD_BUILTIN_MESSAGE_(CurrentState, "actord.CurrentState/1", machine, state)
/// To each subscriber: the machine has changed its state, or has gone to the same one.
struct Transition {
  Ref machine;
  std::string from;
  std::string to;
};
ACTORD_BUILTIN_MESSAGE_(Transition, "actord.Transition/1", machine, from, to)

// ---- routers (router.hpp) -----------------------------------------------------------------------

/// A question to a router, answered with Routees (supervision.md 180w).
struct GetRoutees {};
ACTORD_BUILTIN_MESSAGE_(GetRoutees, "actord.GetRoutees/1")
/// The answer to GetRoutees.
struct Routees {
  std::vector<Ref> routees;
};
ACTORD_BUILTIN_MESSAGE_(Routees, "actord.Routees/1", routees)
/// To a router: sends to that actor, too, until it stops.
struct AddRoutee {
  Ref routee;
};
ACTORD_BUILTIN_MESSAGE_(AddRoutee, "actord.AddRoutee/1", routee)
/// To a router: sends no more to that actor. If the router has created it, it stops when it has
/// handled its messages.
struct RemoveRoutee {
  Ref routee;
};
ACTORD_BUILTIN_MESSAGE_(RemoveRoutee, "actord.RemoveRoutee/1", routee)
/// To the router of a pool: so many routees more, or fewer. Those that leave stop when they have
/// handled their messages.
struct AdjustPoolSize {
  std::int64_t change = 0;
};
ACTORD_BUILTIN_MESSAGE_(AdjustPoolSize, "actord.AdjustPoolSize/1", change)

namespace detail {

/// From a router to itself: a routee has stopped.
struct CheckPool {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
};
ACTORD_BUILTIN_MESSAGE_(CheckPool, "actord.CheckPool/1")
/// From a router to itself: adapt the size to the load.
struct ResizePool {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
};
ACTORD_BUILTIN_MESSAGE_(ResizePool, "actord.ResizePool/1")
/// From a router to itself: look for the actors of the group that were missing.
struct FindRoutees {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
};
ACTORD_BUILTIN_MESSAGE_(FindRoutees, "actord.FindRoutees/1")
/// To a router instead of the Terminated of a routee that is no child.
struct RouteeStopped {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
  Ref who;
};
ACTORD_BUILTIN_MESSAGE_(RouteeStopped, "actord.RouteeStopped/1", who)
/// From a gatherer to itself: no answer has come in time.
struct GatherTimeout {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
};
ACTORD_BUILTIN_MESSAGE_(GatherTimeout, "actord.GatherTimeout/1")
/// From a gatherer to itself: send the question to another routee.
struct TryNextRoutee {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
};
ACTORD_BUILTIN_MESSAGE_(TryNextRoutee, "actord.TryNextRoutee/1")

/// To a state machine of a plugin before ABI 1.14, instead of the Terminated of a subscriber.
struct SubscriberStopped {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
  Ref who;
};
ACTORD_BUILTIN_MESSAGE_(SubscriberStopped, "actord.SubscriberStopped/1", who)

}  // namespace detail

// ---- deliveries (at_least_once.hpp) -------------------------------------------------------------

/// Which delivery a message is: a member of messages that are delivered at least once.
struct DeliveryId {
  std::string from;          // the persistence id of the sender
  std::uint64_t number = 0;  // grows with each delivery of the sender
  std::uint64_t lowest = 0;  // the sender will not send one again that is below
};
ACTORD_FIELDS(DeliveryId, from, number, lowest)
/// From a receiver to the sender: the delivery has arrived.
struct DeliveryConfirmed {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
  std::uint64_t number = 0;
};
ACTORD_BUILTIN_MESSAGE_(DeliveryConfirmed, "actord.DeliveryConfirmed/1", number)

namespace detail {

/// From a sender to itself: it is time to send what is not confirmed.
struct RedeliveryDue {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
};
ACTORD_BUILTIN_MESSAGE_(RedeliveryDue, "actord.RedeliveryDue/1")

}  // namespace detail

// ---- coordinated shutdown (coordinated_shutdown.hpp) --------------------------------------------

/// To an actor that has registered the task with on_shutdown(): the phase has begun. The task is
/// done when the actor has answered with a ShutdownTaskDone, or has ended; it has failed with an
/// answer of reply_failure(), or when the phase's timeout is over (supervision.md 180l).
struct ShutdownTask {
  std::string phase;
  std::string name;    // of the task
  std::string reason;  // why the system shuts down: "SIGTERM"
};
ACTORD_BUILTIN_MESSAGE_(ShutdownTask, "actord.ShutdownTask/1", phase, name, reason)
/// The answer to ShutdownTask: the task is done.
struct ShutdownTaskDone {};
ACTORD_BUILTIN_MESSAGE_(ShutdownTaskDone, "actord.ShutdownTaskDone/1")

namespace detail {

/// To /system: the actor, which is watched from now on, has a task. actord tells it; plugins before
/// ABI 1.14 ask, and are answered with a ShutdownTaskAdded or with a failure.
struct AddShutdownTask {
  std::string phase;
  std::string name;
  Ref actor;
  bool is_end = false;  // the task is the end of the actor, which is told to stop
};
ACTORD_BUILTIN_MESSAGE_(AddShutdownTask, "actord.AddShutdownTask/1", phase, name, actor, is_end)
/// The answer to AddShutdownTask.
struct ShutdownTaskAdded {};
ACTORD_BUILTIN_MESSAGE_(ShutdownTaskAdded, "actord.ShutdownTaskAdded/1")
/// To /system: run the phases.
struct RunShutdown {
  std::string reason;
  std::string from;  // the first phase; empty: of all
};
ACTORD_BUILTIN_MESSAGE_(RunShutdown, "actord.RunShutdown/1", reason, from)
/// From the actor that runs one task: how it has ended.
struct ShutdownTaskEnded {
  std::uint64_t number = 0;
  std::string fault;  // "failed", "timeout"; empty: it is done
  std::string type;   // of the failure
  std::string text;
};
ACTORD_BUILTIN_MESSAGE_(ShutdownTaskEnded, "actord.ShutdownTaskEnded/1", number, fault, type, text)
/// Instead of the Terminated of an actor that has registered tasks.
struct ShutdownPartyEnded {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
  Ref who;
};
ACTORD_BUILTIN_MESSAGE_(ShutdownPartyEnded, "actord.ShutdownPartyEnded/1", who)

/// To /system/journal: there is something to do.
struct JournalWork {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
};
ACTORD_BUILTIN_MESSAGE_(JournalWork, "actord.JournalWork/1")

/// All messages above. Every plugin imports them (plugin_parts.hpp).
using BuiltinMessages =
    Messages<Terminated, ReceiveTimeout, PoisonPill, Kill, Identify, DeadLetter,
             SuppressedDeadLetter, Unhandled, ActorIdentity, ActorStarted, ActorRestarted,
             ActorStopped, RegisterTerminationHook, TerminationHook, TerminationHookDone,
             UserStopped, WriteSummary, Perform, GetCurrentChild, CurrentChild, GetRestartCount,
             RestartCount, Reset, StartChild, ResetRestartCount, StateTimeout, SubscribeTransitions,
             UnsubscribeTransitions, CurrentState, Transition, SubscriberStopped, GetRoutees,
             Routees, AddRoutee, RemoveRoutee, AdjustPoolSize, CheckPool, ResizePool, FindRoutees,
             RouteeStopped, GatherTimeout, TryNextRoutee, ShutdownTask, ShutdownTaskDone,
             AddShutdownTask, ShutdownTaskAdded, RunShutdown, ShutdownTaskEnded, ShutdownPartyEnded,
             JournalWork, DeliveryConfirmed, RedeliveryDue>;

}  // namespace detail

/// Prints a message of actord's own into a stream, as ACTORD_MESSAGE does for those of others.
template <class Out, Message M>
  requires(message_name<M>.starts_with("actord.")) && requires(Out& out) { out.flush(); }
Out& operator<<(Out& out, const M& message) {
  return detail::print(out, message);
}

}  // namespace actord
