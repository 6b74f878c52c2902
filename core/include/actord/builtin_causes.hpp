// SPDX-License-Identifier: Apache-2.0
//
// The causes that the system itself reports, as types: for rules, failure.is<…>() and, where a call
// of the author's own failed, for catch. Matching is by printed name, as for all causes.
#pragma once

#include <actord/error.hpp>

namespace actord {
namespace detail {

/// Their common base. Its printed name is "actord::Failure" (type_chain.hpp): the class of that
/// name is what an author reads a failure through, and stands for this one in rules.
class FailureRoot : public Error {
 public:
  using Error::Error;
};

}  // namespace detail

/// The constructor or pre_start failed; the failure's cause says with what.
class InitializationFailure : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// post_restart, or the constructor during a restart, failed.
class PostRestartFailure : public InitializationFailure {
 public:
  using InitializationFailure::InitializationFailure;
};

/// The actor was sent a Kill.
class Killed : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// The actor watches one that stopped, and does not handle Terminated.
class DeathPact : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// Nobody failed: the operator has changed what the actor is built from. What its restart hooks are
/// given; no decider ever sees it.
class ConfigChanged : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// An ask was not answered in time.
class AskTimeout : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// Thrown by ctx.stash() when the stash is full.
class StashOverflow : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// The process that ran the actor died: a signal, a hang, no memory.
class WorkerCrash : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// The answer to an ask was of another type than the one asked for.
class UnexpectedReply : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

/// Something was thrown that is no std::exception. Only a name for rules: nobody throws it.
class ForeignException {};

}  // namespace actord
