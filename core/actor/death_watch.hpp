// SPDX-License-Identifier: Apache-2.0
//
// Death watch: when an actor has stopped, every watcher of it receives exactly one Terminated, or
// the message that the watcher has chosen instead (supervision.md 117-131).
//
// The watched actor lists its watchers, and the watcher lists the actors that it watches. The death
// notice is a system message. The watcher turns it into a Terminated in its own mailbox, behind all
// messages that the stopped actor had sent before. From then until the Terminated is dispatched the
// stopped actor is *announced*. An unwatch in between makes the Terminated void (121), because the
// dispatch asks take_announced().
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "actor/turn.hpp"

namespace actord::actor {

/// One actor's part in death watch, as watcher and as watched actor. Only the actor's own turn
/// calls it.
class DeathWatch {
 public:
  struct Watcher {
    Ref who;
    std::uint64_t token;  // of the watcher's graceful stop of this actor; 0: an ordinary watch
    bool operator==(const Watcher&) const = default;
  };
  /// Maps each watched actor to the message that its watcher gets instead of Terminated, or to null
  /// for Terminated. The map owns the messages.
  using Watching = std::unordered_map<Ref, Envelope*>;
  struct Watches {
    std::vector<Watcher> watchers;
    Watching watching;
    Watching announced;  // stopped actors whose Terminated is not dispatched yet
  };

  // ---- as watcher ----
  /// Watches `whom`. Its end will be delivered as `*message`, which is moved from, or as Terminated
  /// if the type is 0. Fails if `whom` is already watched with a different message (124).
  base::Result<void> watch(Turn& turn, Ref whom, message::TypeId type, void* message);
  /// Ends the watch of `whom`, also if its Terminated is already in the mailbox (121).
  void unwatch(Turn& turn, Ref whom);
  void unwatch_all(Turn& turn);
  /// Marks `who`, which has stopped, as announced. False if this actor does not watch `who`: then
  /// the notice only informs it as the parent, or is forged (125).
  bool announce(Turn& turn, Ref who);
  /// Keeps `who` announced, because its Terminated is stashed and will be dispatched again (157).
  void announce_again(Ref who);
  /// How a Terminated is to be dispatched.
  struct Announcement {
    bool is_valid;  // false: the Terminated is void, because the actor was unwatched (121)
    Envelope*
        replacement;  // dispatched instead (123), now the caller's; null: dispatch the Terminated
  };
  /// Ends the announcement of `who`, whose Terminated is being dispatched.
  Announcement take_announced(Ref who);
  /// Puts a Terminated into this actor's mailbox. If the notice has a token, the Terminated is the
  /// answer to this actor's graceful stop.
  static void put_terminated(Turn& turn, const SystemMessage& notice);

  // ---- as watched ----
  void add(Turn& turn, Watcher watcher);
  void remove(Turn& turn, Watcher watcher);
  /// Called at the end of the actor, when its system queue is closed, so that no further watcher
  /// can be added.
  std::vector<Watcher> take_watchers() noexcept { return std::move(watches_.watchers); }

  const Watches& watches() const noexcept { return watches_; }

 private:
  /// True if an existing watch with `replacement` delivers the same as a new one with `message`.
  static bool is_same_watch(Turn& turn, const Envelope* replacement, message::TypeId type,
                            const void* message);
  /// Empties the map and discards its messages.
  static void forget_all(Turn& turn, Watching& map);
  /// Removes `whom` and discards its message. False if `whom` is not in the map.
  static bool forget(Turn& turn, Watching& map, Ref whom);

  Watches watches_;
};

}  // namespace actord::actor
