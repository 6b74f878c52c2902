// SPDX-License-Identifier: Apache-2.0
//
// The operator's questions to one actor of the tree, and the messages that are sent to it by hand:
// what it is, what is below it, a message, an ask.
//
// Not here: orders (actor_orders.hpp), configured actors that are not running (actor_starts.hpp),
// and messages as JSON (message_json.hpp).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "actor/inspection.hpp"
#include "base/intrusive_ptr.hpp"
#include "config/exit_codes.hpp"
#include "message/owned_message.hpp"
#include "message/trace_context.hpp"
#include "os/event_loop.hpp"
#include "wire/control_message.hpp"

namespace actord::system {
class ActorSystem;
}  // namespace actord::system

namespace actord::app {

/// Threads: only the event loop's.
class ActorQuestions {
 public:
  struct Outcome {
    int status = 0;          // of actorctl; 0: it has succeeded
    std::string reason;      // one sentence; empty if it has succeeded
    wire::Json result = {};  // may hold "help" and "findings", too
  };
  /// Called once, now or later. It outlives this object.
  using Done = std::function<void(const Outcome&)>;

  static constexpr int busy = static_cast<int>(config::ExitCode::boot_failed);
  /// The question or the order makes no sense.
  static Outcome refused(std::string reason, const std::string& help = {});
  /// Messages take up so much memory that none is accepted from outside.
  Outcome no_room(actor::Ref whom) const;

  /// A message by the name of its type, with its members as the text of a JSON object.
  struct Message {
    std::string type;
    std::string json;
    std::string traceparent;  // empty: the message belongs to no trace
  };

  /// How long an actor may take to say what it is; within an ask half of its time, if that is
  /// shorter.
  static constexpr std::chrono::seconds patience{2};

  /// Both outlive this object.
  ActorQuestions(os::EventLoop& loop, system::ActorSystem& actors) noexcept
      : loop_(loop), actors_(actors) {}

  void inspect(const std::string& path, const Done& done);
  /// The actor and those below it, `levels` deep: at most 100 children of each, and 1000 in all.
  void tree(const std::string& path, unsigned levels, const Done& done);
  /// Refuses a message that the actor has no handler for. If the actor does not answer in time, the
  /// message is sent all the same.
  void tell(const std::string& path, const Message& message, const Done& done);
  /// The answer becomes the result: its "type" and its "message".
  void ask(const std::string& path, const Message& message, std::chrono::nanoseconds timeout,
           const Done& done);

  /// The inspection has no answer yet if the time is over.
  using Inspected =
      std::function<void(actor::Inspection::Outcome, bool is_in_time, const actor::Inspection&)>;

  /// Gets the actor, and the type of the message that it takes.
  using Taker = std::function<void(actor::Ref, message::TypeId)>;
  /// Calls `then` if an actor lives at the path and takes such messages, or has not said within the
  /// time what it takes.
  void find_taker(const std::string& path, const std::string& type,
                  std::chrono::nanoseconds at_most, const Done& done, Taker then);

  /// Returns the actor at the path. If there is none, it tells `done` so and returns `nobody`.
  actor::Ref find(const std::string& path, const Done& done) const;
  /// Calls `then` once, when the actor has said what it is, or when the time is over.
  void look_at(actor::Ref whom, std::chrono::nanoseconds at_most, Inspected then);

 private:
  struct Question;
  struct Tree;
  using InspectionPtr = base::IntrusivePtr<actor::Inspection>;

  /// A message that an actor takes, and the trace that it belongs to.
  struct Prepared {
    actor::Ref to;
    message::OwnedMessage& message;
    std::optional<message::TraceContext> trace;
  };
  /// Reads the message, and calls `send` if the actor takes it.
  void prepare(const std::string& path, const Message& message, std::chrono::nanoseconds at_most,
               const Done& done, std::function<void(const Prepared&)> send);
  /// Looks at the actor and fills in its node of the tree, then at its children.
  void fill(const std::shared_ptr<Tree>& tree, actor::Ref whom, wire::Json& node, unsigned levels);
  void fill_children(const std::shared_ptr<Tree>& tree, const actor::Inspection& of,
                     wire::Json& node, unsigned levels);
  wire::Json router_json(const actor::InspectedRouter& of) const;
  wire::Json json_of(const std::string& path, const actor::Inspection& of) const;

  os::EventLoop& loop_;
  system::ActorSystem& actors_;
};

}  // namespace actord::app
