// SPDX-License-Identifier: Apache-2.0
//
// The causes that the system itself reports, as types: for rules, for failure.is<…>() and for
// catch, where a call of the author failed. They are matched by printed name, as all causes are.
#pragma once

#include <actord/error.hpp>

namespace actord {
namespace detail {

/// The common base of these causes. Its printed name is "actord::Failure" (type_chain.hpp). A rule
/// names it with the class actord::Failure, which authors use to read a failure.
class FailureRoot : public Error {
 public:
  using Error::Error;
};

}  // namespace detail

/// The constructor or pre_start failed. cause() of the failure is the exception
/// (supervision.md 41, 42).
class InitializationFailure : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// A plugin sends a message type that its ACTORD_PLUGIN does not list, or spawns an actor that
/// handles one. No restart mends that, so it counts as an InitializationFailure, which the default
/// decider stops.
class UnlistedMessage : public InitializationFailure {
 public:
  using InitializationFailure::InitializationFailure;
};

/// An actor has registered a task of the shutdown in a phase that does not exist, or without a name
/// (supervision.md 180l). No restart mends that either.
class ShutdownTaskRefused : public InitializationFailure {
 public:
  using InitializationFailure::InitializationFailure;
};

/// The host process of an isolated actor was not ready in time (actord.worker.start-timeout), so
/// that the actor could not be created.
class StartTimeout : public InitializationFailure {
 public:
  using InitializationFailure::InitializationFailure;
};

/// During a restart the constructor or post_restart failed (supervision.md 53).
class PostRestartFailure : public InitializationFailure {
 public:
  using InitializationFailure::InitializationFailure;
};

/// The actor received a Kill (supervision.md 136).
class Killed : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// An actor that this actor watched has stopped, and this actor has no handler for Terminated
/// (supervision.md 120).
class DeathPact : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// The reason of a restart after the operator has changed the config of the actor. No actor has
/// failed: only restart hooks get this cause, and no decider does.
class ConfigChanged : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// The reason of a restart that an operator has ordered; its text says why. As with ConfigChanged,
/// no actor has failed.
class RestartOrdered : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// An ask was not answered in time (supervision.md 137, 180j).
class AskTimeout : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// An ask was sent to an actor that has stopped or never existed (supervision.md 180j).
class NoRecipient : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// The mailbox of the receiver was full. An ask fails with it. With `overflow = fail-sender` the
/// handler or hook that has sent the message fails with it when it returns (supervision.md 180y).
class MailboxFull : public NoRecipient {
 public:
  using NoRecipient::NoRecipient;
};

/// The answer to an ask came from a plugin that has its type in another layout, and could not be
/// translated: a text is no name of an enumerator here, or longer than a field of a C struct
/// (decisions/0011). cause() says which member.
class NotTranslated : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// A value of the config does not fit: it has the wrong type, or the plugin has rejected it. It is
/// the cause() of an InitializationFailure.
class ConfigError : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// Context::stash() throws it if the stash is full (supervision.md 156).
class StashOverflow : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// The plugin has as many actors, timers or asks as the operator allows (actord.plugins.limits).
/// spawn() throws it. A timer is not started and an ask not sent, and the handler or hook that
/// wanted one fails with this when it returns.
class LimitReached : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// The process that ran the actor has ended: the host process of an isolated actor (supervision.md
/// 181), or actord itself, whose next run reports it for the configured actor before that starts
/// (179k).
class WorkerCrash : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

namespace crash {

/// A signal has ended the process. The most derived name is that of the signal, for which there is
/// no class: actord::crash::SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGKILL …
class Signal : public WorkerCrash {
 public:
  using WorkerCrash::WorkerCrash;
};

/// The signal came because the actor's handler or hook did not return: from actord, for a host
/// process (actord.worker.stuck-timeout), or from a service manager, whose watchdog has waited in
/// vain for actord.
class Hang : public Signal {
 public:
  using Signal::Signal;
};

/// The host process has sent what it must not send, so that its memory is damaged, and was killed.
class Protocol : public WorkerCrash {
 public:
  using WorkerCrash::WorkerCrash;
};

/// Code of the actor has called exit() or a function like it.
class Exit : public WorkerCrash {
 public:
  using WorkerCrash::WorkerCrash;
};

}  // namespace crash

/// Another actor in the same host process has ended it. The restart limit does not count it
/// (supervision.md 181h).
class PeerCrash : public WorkerCrash {
 public:
  using WorkerCrash::WorkerCrash;
};

/// The answer to an ask has another type than the handler of the reply takes.
class UnexpectedReply : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// The name in rules for anything thrown that is no std::exception (supervision.md 97). It is never
/// thrown itself.
class ForeignException {};

}  // namespace actord
