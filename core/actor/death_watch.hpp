// SPDX-License-Identifier: Apache-2.0
//
// Death watch: every watcher of an actor is told exactly once that the actor has stopped
// (supervision.md 117-131).
//
// The watched cell lists its watchers, and the watcher lists whom it watches. The notice is system
// mail and becomes a Terminated in the watcher's mailbox, behind what the stopped actor had sent
// before. From then until its dispatch the actor is *announced*: an unwatch in between makes the
// Terminated void (121), because dispatch asks take_announced().
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "actor/turn.hpp"

namespace actord::actor {

/// An actor's part in death watch, as watcher and as watched. Only the actor's own turn calls it.
class DeathWatch {
 public:
  struct Watcher {
    Ref who;
    std::uint64_t token;  // of the watcher's ask for the end; 0: an ordinary watch
    bool operator==(const Watcher&) const = default;
  };
  /// Beside each watched actor: the message to be told by, or null for Terminated.
  using Watching = std::unordered_map<Ref, Envelope*>;
  struct Books {
    std::vector<Watcher> watchers;
    Watching watching;
    Watching announced;  // watched until their Terminated came
  };

  // ---- as watcher ----
  /// Watches `whom`. Delivers a message of that type, or Terminated if the type is 0. An error if
  /// `whom` is already watched with a different message (124).
  base::Result<void> watch(Turn& turn, Ref whom, message::TypeId type, void* told_by);
  void unwatch(Turn& turn, Ref whom);
  void unwatch_all(Turn& turn);
  /// `who` has stopped: announced from now on, if it was watched. False: it was not, so that the
  /// notice is the parent's book-keeping alone, or forged (125).
  bool announce(Turn& turn, Ref who);
  /// A stashed Terminated will be dispatched again; until then `who` stays announced (157).
  void announce_again(Ref who) { books_.announced.emplace(who, nullptr); }
  /// What a Terminated of `who` means at its dispatch.
  struct Announcement {
    bool is_valid;   // false: unwatched in the meantime (121)
    Envelope* told;  // to be dispatched instead (123), the caller's; null: the Terminated itself
  };
  Announcement take_announced(Ref who);
  /// Puts a Terminated into this actor's mailbox; with a token, as the answer to its ask for the
  /// end.
  static void put_terminated(Turn& turn, const SystemMessage& notice, bool existence_confirmed);

  // ---- as watched ----
  void add(Turn& turn, Watcher watcher);
  void remove(Turn& turn, Watcher watcher);
  /// At the end of the actor, whose queue of orders is closed: no watcher can be added any more.
  std::vector<Watcher> take_watchers() noexcept { return std::move(books_.watchers); }

  /// For checks.
  const Books& books() const noexcept { return books_; }

 private:
  static bool is_told_by(Turn& turn, const Envelope* told, message::TypeId type,
                         const void* message);
  static void forget_all(Turn& turn, Watching& watches);
  static bool forget(Turn& turn, Watching& watches, Ref whom);

  Books books_;
};

}  // namespace actord::actor
