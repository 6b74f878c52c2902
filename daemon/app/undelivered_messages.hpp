// SPDX-License-Identifier: Apache-2.0
//
// The operator's hand on dead letters and unhandled messages: which there are, what is in them, and
// sending them again.
//
// Not here: how they are kept (system/dead_letter_box.hpp), and their log lines.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "app/actor_questions.hpp"

namespace actord::system {
class ActorSystem;
struct KeptLetter;
}  // namespace actord::system

namespace actord::app {

/// Threads: only the event loop's.
class UndeliveredMessages {
 public:
  using Done = ActorQuestions::Done;

  struct Filter {
    std::uint64_t after = 0;  // only letters with a higher number
    std::string path = "/";   // only to actors there and below
    std::string reason;       // only those; empty: all
  };

  /// Both outlive this object.
  UndeliveredMessages(ActorQuestions& questions, system::ActorSystem& actors) noexcept
      : questions_(questions), actors_(actors) {}

  /// The "letters" that match, the oldest first, without their content. "next" is what the next
  /// request has to begin after; without it there are no more.
  wire::Json list(const Filter& filter) const;
  /// The letter with its content, in which members that the type calls secret are masked.
  void show(const std::string& id, const Done& done) const;
  /// Sends the message again, to the actor that has its recipient's path now or to the one at `to`,
  /// and forgets the letter. The sender is the same if it still lives. Refuses a message that the
  /// actor has no handler for.
  void replay(const std::string& id, const std::string& to, const Done& done);
  void drop(const std::string& id, const Done& done);

 private:
  /// "h5e6qavf.12": the run of the daemon, and the number of the letter in it.
  std::string id_of(const system::KeptLetter& letter) const;
  /// The letter. If there is none, tells `done` so and returns null.
  std::shared_ptr<const system::KeptLetter> find(const std::string& id, const Done& done) const;
  wire::Json json_of(const system::KeptLetter& letter) const;

  ActorQuestions& questions_;
  system::ActorSystem& actors_;
};

}  // namespace actord::app
