// SPDX-License-Identifier: Apache-2.0
//
// The quarantine of messages as the daemon has it: its files in the state directory, in which the
// messages outlive the process, and the operator's hand on it.
//
// A message has a file from the moment at which it has come until it was sent again or dropped. A
// file has no secrets: members that the type calls secret, and secrets of the configuration, are
// left out. If something is missing in it, the message can be sent again only by the process that
// it came to, and the file says so.
//
// Not here: when a message comes here (actor/redelivery.hpp), and how much there may be
// (system/message_quarantine.hpp).
#pragma once

#include <memory>
#include <string>

#include "app/actor_questions.hpp"
#include "app/json_folder.hpp"
#include "app/loop_thread.hpp"
#include "log/hub.hpp"
#include "message/owned_message.hpp"
#include "os/event_loop.hpp"

namespace actord::sinks {
class SecretMask;
}  // namespace actord::sinks

namespace actord::system {
class ActorSystem;
struct QuarantinedMessage;
}  // namespace actord::system

namespace actord::app {

/// Threads: only the event loop's. A thread of its own writes the files: a disk may be slow.
class QuarantinedMessages {
 public:
  using Done = ActorQuestions::Done;

  /// All of them outlive this object. `folder` is that of the files; it need not exist.
  QuarantinedMessages(os::EventLoop& loop, log::Hub& hub, const sinks::SecretMask& mask,
                      ActorQuestions& questions, system::ActorSystem& actors, std::string folder);
  ~QuarantinedMessages() { close(); }
  QuarantinedMessages(const QuarantinedMessages&) = delete;
  QuarantinedMessages& operator=(const QuarantinedMessages&) = delete;

  /// Before the actors start: takes over what earlier processes have left. A file that cannot be
  /// read stays, and is logged as `quarantine.failed`.
  void open();
  /// A message has come: writes its file.
  void keep(const system::QuarantinedMessage& message);
  /// Returns when all files are written.
  void close();

  /// The "messages" to actors at the path and below it, the oldest first, without their content;
  /// "next" as numbered_page() has it.
  wire::Json list(std::uint64_t after, const std::string& path) const;
  /// All that is known of it, its content without secrets.
  void show(const std::string& id, const Done& done) const;
  /// Sends the message again, to the actor that has its recipient's path now or to the one at `to`,
  /// and forgets it. The sender is the same if it still lives, else the actor that has its path.
  void replay(const std::string& id, const std::string& to, const Done& done);
  void drop(const std::string& id, const Done& done);

 private:
  /// Null after `done` was told that there is no such message.
  std::shared_ptr<const system::QuarantinedMessage> find(const std::string& id,
                                                         const Done& done) const;
  void send(const system::QuarantinedMessage& message, actor::Ref whom, const std::string& path,
            const Done& done);
  /// Takes the message and its file away, then tells `done`.
  void forget(const std::string& id, const std::string& path, const char* outcome,
              const Done& done);
  /// In nanoseconds since 1970.
  std::int64_t came_at(const system::QuarantinedMessage& message) const;
  wire::Json json_of(const system::QuarantinedMessage& message) const;
  /// With cause, stack and content. A content that cannot be had is left out.
  wire::Json whole_json_of(const system::QuarantinedMessage& message) const;
  wire::Json file_of(const system::QuarantinedMessage& message) const;
  /// What the file lacks of a message with that content as JSON; empty: nothing.
  std::string missing_in(const std::string& content, const message::OwnedMessage& message) const;
  /// Reads a message of this type from JSON.
  auto read(message::TypeId type, const std::string& content) const;
  base::Result<std::shared_ptr<system::QuarantinedMessage>> restored(const std::string& id) const;
  void report(const std::string& error, std::string_view help) const;

  os::EventLoop& loop_;
  log::Hub& hub_;
  const sinks::SecretMask& mask_;
  ActorQuestions& questions_;
  system::ActorSystem& actors_;
  const JsonFolder folder_;            // only the thread uses it, once that runs
  const std::int64_t wall_offset_ns_;  // from ActorSystem::now_ns() to the time since 1970
  LoopThread thread_;
};

}  // namespace actord::app
