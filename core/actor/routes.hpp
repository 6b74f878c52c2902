// SPDX-License-Identifier: Apache-2.0
//
// The routees of all routers. The sender of a message to a router finds the routee here, and the
// message goes straight there (supervision.md 95, 96, 180u). A table beside the cells has a list
// for each router; only the router's turns change it, and all threads read it.
//
// Not here: what a router does besides (actord/router.hpp).
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "actor/cell_pool.hpp"
#include "base/arena.hpp"
#include "base/random.hpp"

namespace actord::actor {

/// How the sender chooses. The values are those of actord_route_logic.
enum class RouteLogic : std::uint8_t {
  round_robin,
  random,
  smallest_mailbox,
  by_router  // the router gets the messages and sends them on
};

/// "round-robin".
std::string_view name_of(RouteLogic logic) noexcept;

class Routes {
 public:
  /// A routee as a resizer sees it.
  struct Load {
    Ref routee = nobody;
    std::int64_t waiting = -1;    // messages in its mailbox; -1: its mailbox is not counted
    bool is_idle = true;          // it handles no message, and none waits
    std::uint32_t unhandled = 0;  // credited messages that it has
  };

  /// Turns that one thread has taken at once, for a handler that sends many messages: taking them
  /// one by one would cost as much as a message.
  class Turns;

  explicit Routes(const CellPool& cells) noexcept;
  ~Routes();
  Routes(const Routes&) = delete;
  Routes& operator=(const Routes&) = delete;

  // ---- any thread ----
  /// The routee for the next message to that router; the router itself if it is to get it, or has
  /// no routees. Lists that change meanwhile cost another look, and no lock.
  Ref choose(Ref router, base::Random& random) const noexcept;
  /// Takes turns at a router whose logic is round_robin. False: it is none, or has no routees.
  bool begin(Turns& turns, Ref router) const noexcept;
  /// Gives back the turns that are left.
  static void give_back(Turns& turns) noexcept;
  /// The routees, in no particular order; empty if it is no router.
  std::vector<Load> read(Ref router) const;
  /// How senders choose; none if it is no router.
  std::optional<RouteLogic> logic_of(Ref router) const noexcept;

  // ---- the turns of the router ----
  /// Makes the actor a router, or changes its logic. Throws std::bad_alloc.
  void begin(Cell& router, RouteLogic logic);
  /// Makes room for one more routee. Throws std::bad_alloc.
  void reserve(Cell& router);
  /// Adds a routee, unless it is in the list. Call reserve() before.
  void add(Cell& router, Ref routee) noexcept;
  /// False: it is not in the list.
  bool remove(const Cell& router, Ref routee) noexcept;
  /// The routee has one credited message more, or one less. False: it is not in the list.
  bool change_unhandled(const Cell& router, Ref routee, std::int32_t change) noexcept;
  /// The actor is no router any more.
  void end(Cell& router) noexcept;

 private:
  // A list is never freed and may get another owner, so that a reader that is late reads something
  // that is no longer meant. It therefore looks at `owner` again after it has read: a new owner is
  // stored before new routees, and the acquire of a routee pairs with the release of its store, so
  // that a reader of a new routee sees the new owner.
  //
  // The router's turn stores to `ref`, `owner`, `count`, `entry` and `sender_flags` (release). Each
  // store pairs with the acquire of the same word by senders: they see what it has written before.
  // The order of `entries_` is told below.
  struct List {
    struct Routee {
      base::Atomic<Ref> ref{nobody};
      base::Atomic<std::int32_t> capacity{-1};  // of its mailbox when it was added; -1: not counted
      base::Atomic<std::uint32_t> unhandled{0};  // credited messages; outlives the router's restart

      void copy(const Routee& from) noexcept {
        unhandled.store(from.unhandled.load(base::relaxed), base::relaxed);
        capacity.store(from.capacity.load(base::relaxed), base::relaxed);
        ref.store(from.ref.load(base::relaxed), base::release);
      }
    };

    explicit List(std::size_t capacity_)
        : capacity(static_cast<std::uint32_t>(capacity_)), routees(new Routee[capacity_]) {}

    base::Atomic<Ref> owner{nobody};
    base::Atomic<std::uint32_t> count{0};
    base::Atomic<RouteLogic> logic{RouteLogic::round_robin};
    const std::uint32_t capacity;
    const std::unique_ptr<Routee[]> routees;
    // The next in turn; relaxed, as it orders nothing. On a line that senders write.
    alignas(64) base::Atomic<std::uint32_t> next{0};

    void clear() noexcept {
      owner.store(nobody, base::release);
      for (std::uint32_t i = count.exchange(0, base::acq_rel); i-- > 0;)
        routees[i].ref.store(nobody, base::release);
    }
  };
  using Entry = base::Atomic<List*>;

  Entry* entry_of(std::uint32_t index) const noexcept;
  List* list_of(Ref router) const noexcept;
  List& take(std::size_t capacity);
  void give(List& list) noexcept;

  const CellPool& cells_;
  base::Mutex mutex_;                         // guards what follows but `entries_`
  std::unique_ptr<base::Arena> arena_;        // made for the first router
  std::vector<std::unique_ptr<List>> lists_;  // never freed before the end: readers may be late
  std::vector<List*> free_;
  // The release of `entries_` in begin() pairs with the acquire in entry_of(), which sees the size.
  base::Atomic<Entry*> entries_{nullptr};
};

class Routes::Turns {
 public:
  static constexpr std::uint32_t at_once = 64;

  /// Returns the router that the turns belong to, or `nobody` if there are no turns.
  Ref router() const noexcept { return router_; }
  /// Returns the next routee, or `nobody` if the round is over or the list has changed meanwhile.
  Ref take() noexcept {
    if (next_ == stop_) [[unlikely]]
      return nobody;
    const Ref routee = next_++->ref.load(base::acquire);
    return list_->owner.load(base::acquire) == router_ ? routee : nobody;
  }
  /// Goes on with the first one when all have had their turn. False: no turn is left.
  bool go_round() noexcept {
    if (next_ != stop_ || left_ == 0) return false;
    begin_round(first_);
    return true;
  }

 private:
  friend class Routes;
  // Turns up to the end of the list, or as many as are left. They count as taken from here on.
  void begin_round(const List::Routee* from) noexcept {
    const auto n = std::min<std::uint32_t>(static_cast<std::uint32_t>(past_ - from), left_);
    next_ = from;
    stop_ = from + n;
    left_ -= n;
  }
  Ref router_ = nobody;
  List* list_ = nullptr;
  const List::Routee *first_ = nullptr, *past_ = nullptr;  // of the list
  const List::Routee *next_ = nullptr, *stop_ = nullptr;   // of this round
  std::uint32_t end_ = 0, left_ = 0;
};

}  // namespace actord::actor
