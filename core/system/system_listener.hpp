// SPDX-License-Identifier: Apache-2.0
//
// What an ActorSystem tells its owner.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "actor/failure.hpp"

namespace actord::system {

struct QuarantinedMessage;
struct ShutdownOutcome;
struct ShutdownPhase;

/// The reason for which a system ended.
struct TerminationCause {
  enum class Kind : std::uint8_t { asked, guardian_failed, root_failed };
  Kind kind = Kind::asked;
  std::string path;  // of the guardian
  actor::FailurePtr failure;
};

/// A configured actor that could not be created.
struct LostChild {
  std::string path;
  std::string type, what;  // of the innermost cause
  std::vector<std::string> types;
  std::int64_t error_number = 0;  // errno, if the cause has one; else 0
};

/// Callbacks to the owner of the system. They run on worker threads, must be quick and must not
/// block.
struct SystemListener {
  std::function<void()> on_ready;
  std::function<void(const LostChild&)> on_child_lost;
  /// The table of configured actors has changed; once until its next list().
  std::function<void()> on_configured_actors_changed;
  std::function<void(const TerminationCause&)> on_stopping_by_itself;
  /// A message has come into the quarantine.
  std::function<void(const std::shared_ptr<const QuarantinedMessage>&)> on_quarantined;
  /// A phase of begin_shutdown() begins with so many tasks.
  std::function<void(const ShutdownPhase&, std::size_t tasks)> on_shutdown_phase;
  /// The phases of begin_shutdown() are over; what called it may call terminate() now. Also runs on
  /// the thread that calls begin_shutdown().
  std::function<void(const ShutdownOutcome&)> on_shutdown_over;
  std::function<void()> on_journal_changed;  // it has failed, or works again
  std::function<void()> on_stopped;
  std::function<void()> on_worker;  // in a new worker thread, before its first task
  std::function<void()> on_busy;    // see ActorSystem::call_when_busy()
};

}  // namespace actord::system
