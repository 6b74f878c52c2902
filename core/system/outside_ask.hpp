// SPDX-License-Identifier: Apache-2.0
//
// An ask by a thread outside the tree, such as an operator's. An actor of its own below /system,
// the Inquirer, sends the question and gets the answer, so that an ask from outside is to its
// receiver what any other is.
#pragma once

#include <actord/actord.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "message/message_type.hpp"
#include "message/trace_context.hpp"

namespace actord::system {

/// The question, until it is sent, and what is to be called with the answer.
class OutsideAsk {
 public:
  /// `message` and `failure` are lent for the call; one of them is null. If both are, the system is
  /// shutting down.
  struct Answer {
    const message::MessageType* type = nullptr;  // of the message
    const void* message = nullptr;
    const actord_failure* failure = nullptr;
  };
  /// Called once, on any thread, which it must not block. It may call path() of the system, and
  /// nothing else. If it throws std::bad_alloc, nothing comes of the answer.
  using Done = std::function<void(const Answer&)>;

  /// A question of that type, moved from `*question`, which the caller destroys, and the trace that
  /// it belongs to.
  OutsideAsk(Ref to, message::TypeId id, const message::MessageType& type, void* question,
             std::chrono::nanoseconds timeout, std::optional<message::TraceContext> trace,
             Done done);
  /// Stops `whom`, and is answered with its Terminated.
  OutsideAsk(Ref whom, std::chrono::nanoseconds timeout, Done done);
  ~OutsideAsk();
  OutsideAsk(const OutsideAsk&) = delete;
  OutsideAsk& operator=(const OutsideAsk&) = delete;

  /// Sends the question, or the order to stop, as an ask of the actor whose context this is.
  void send(actord_context& asker, actord_reply_handler on_answer);
  void answer(const Answer& answer) noexcept;

 private:
  struct Question;

  const Ref to_;
  const bool is_stop_;
  const std::chrono::nanoseconds timeout_;
  const std::optional<message::TraceContext> trace_;
  std::unique_ptr<Question> question_;  // null: it was sent, or is a stop
  Done done_;                           // empty: it was called
};

/// Sends one OutsideAsk, and stops when that is answered.
class Inquirer : public Actor {
 public:
  static constexpr std::string_view doc = "Asks an actor for someone outside the tree.";
  explicit Inquirer(const std::shared_ptr<OutsideAsk>& ask) : ask_(ask) {}

  void pre_start(Context& ctx) override;
  using Receive = Handlers<>;

 private:
  std::shared_ptr<OutsideAsk> ask_;
};

}  // namespace actord::system
