// SPDX-License-Identifier: Apache-2.0
//
// The host's end of the socket to actord: its steps, and what threads without a lane ask for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/sync.hpp"
#include "isolate/host_steps.hpp"
#include "link/channel.hpp"

namespace actord::host {

class ControlChannel final : public link::OutsideChannel {
 public:
  explicit ControlChannel(int socket) noexcept : socket_(socket) {}

  /// Any thread but the one that calls next(). One question at a time is asked.
  bool ask(std::string_view request, std::string* answer) override;
  /// Any thread.
  void send(isolate::StepKind kind, std::string_view text);

  /// The next step of actord; answers are given to the threads that wait for them. Ends the process
  /// if actord has closed the connection. One thread.
  isolate::Step next();

 private:
  const int socket_;
  isolate::StepReader reader_;
  base::Mutex ask_mutex_;   // held for a question and its answer
  base::Mutex send_mutex_;  // for the packets of a step
  base::Mutex mutex_;       // guards answer_
  base::Condition answered_;
  std::optional<std::string> answer_;
};

}  // namespace actord::host
