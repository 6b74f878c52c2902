// SPDX-License-Identifier: Apache-2.0
//
// The messages that all programs have, the failures, and what their configs share.
#pragma once

#include <actord/actord.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace savina {

/// To a program: run once more. Answered with a Result, or with the failure of the run. A program
/// that is running begins when the run has ended.
struct Run {};
ACTORD_MESSAGE(Run, "savina.Run/1")

/// The answer to Run. It has been compared with what a computation without actors has found.
struct Result {
  std::string program;
  std::int64_t result = 0;
  std::uint64_t messages = 0;  // that the actors of the run have sent to each other
  double milliseconds = 0;
};
ACTORD_MESSAGE(Result, "savina.Result/1", program, result, messages, milliseconds)

/// The master of a run to its program: the run has ended with this result.
struct Finished {
  std::int64_t result = 0;
  std::uint64_t messages = 0;
};
ACTORD_MESSAGE(Finished, "savina.Finished/1", result, messages)

/// The message of a timer: the run takes longer than its `deadline`.
struct Deadline {};
ACTORD_MESSAGE(Deadline, "savina.Deadline/1")

/// A result differs from that of the computation without actors, or an actor has seen something
/// that the program excludes. The program fails.
struct WrongResult : actord::Error {
  using Error::Error;
};
/// A run has not ended: its deadline has passed, or its master was stopped.
struct Unfinished : actord::Error {
  using Error::Error;
};

/// The default of each program's `deadline`.
constexpr std::chrono::nanoseconds usual_deadline = std::chrono::minutes{1};

/// The range and the description of a program's `deadline`.
template <class Config>
actord::About about_deadline(std::chrono::nanoseconds Config::*deadline) {
  return actord::about(deadline)
      .at_least(std::chrono::milliseconds{1})
      .doc("Time limit of a run. The program fails when it has passed.");
}

}  // namespace savina
