// SPDX-License-Identifier: Apache-2.0
//
// What one actor tells of itself to someone outside the tree. Only its own turn can read all of
// that, so a system message asks it (SystemMessage::inspect). An actor whose handler does not
// return does not answer meanwhile; one that is suspended or waits for its restart does.
//
// Not here: how it answers (inspector.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "actor/overflow.hpp"
#include "actor/ref.hpp"
#include "actor/request.hpp"
#include "actor/routes.hpp"
#include "actor/strategy.hpp"
#include "message/message_type.hpp"

namespace actord::actor {

/// How a message to a router finds its routee.
struct InspectedRouter {
  RouteLogic logic = RouteLogic::by_router;
  std::size_t n_routees = 0;
  std::vector<Routes::Load> routees;  // in no particular order; at most Inspection::list_max
};

/// What of a persistent actor is stored.
struct InspectedPersistence {
  std::string id;
  actord_persistence_state state{};  // without its `id`
};

struct Inspection final : Request {
  /// Lists that grow with the system have at most this many entries; their sizes are told in full.
  static constexpr std::size_t list_max = 100;

  enum class Outcome : std::uint8_t {
    answered,
    gone,      // the actor has stopped
    no_memory  // there was no memory for the answer
  };
  /// Called once, unless the system ends before: on any thread, which it must not block. It must
  /// not call the system.
  using Done = std::function<void(Outcome)>;

  struct Child {
    Ref ref = nobody;
    std::string name;
    bool is_stopping = false;
  };
  struct Timer {
    std::string key;
    std::int64_t due_ns = 0, period_ns = 0;  // by the executor's clock; period 0: once
    message::TypeId type = 0;
  };

  struct Mailbox {
    std::size_t messages = 0;  // that wait, with those in the stash
    bool has_more = false;     // so many that they were not all counted
    message::TypeId most = 0;  // the most frequent type; 0: there are none
    std::int64_t stashed = 0;
    std::int32_t capacity = 0;  // 0: unlimited
    Overflow overflow = Overflow::unset;
    std::uint64_t overflows = 0;  // messages that found it full since the actor was created
    std::string order;            // as MessageRanks::text(); empty: messages are taken as they came
  };

  explicit Inspection(Done done_) : done(std::move(done_)) {}

  const Done done;

  // ---- the answer: written before done() is called, and not afterwards ----
  Ref self = nobody;
  std::string behaviour, plugin_version;
  std::string_view state;           // "running", "suspended", "failed", "restarting", …
  bool is_held = false;             // an operator has suspended it
  std::uint32_t incarnation = 0;    // the number of restarts
  std::int64_t restart_due_ns = 0;  // by the executor's clock; 0: it is not backing off
  std::uint16_t dispatcher = 0;
  int process_id = 0;  // of the host process it lives in; 0: in none
  std::string origin;  // "file:line" of its node; empty: code has created it
  Strategy strategy;   // for its children
  std::size_t n_children = 0, n_watchers = 0, n_watched = 0, n_timers = 0;
  std::vector<Child> children;  // in the order of their creation
  std::vector<Ref> watchers, watched;
  std::vector<Timer> timers;            // in any order
  std::int64_t receive_timeout_ns = 0;  // 0: none
  std::size_t asks = 0;                 // that wait for their answers
  Mailbox mailbox;
  std::optional<InspectedRouter> router;            // none: it is no router
  std::optional<InspectedPersistence> persistence;  // none: it is not persistent
  std::string named_state;               // of its receive table; empty if that has no name
  std::vector<std::string> takes;        // types with a handler in the current state
  std::vector<std::string> takes_later;  // those that only other states have
  bool takes_all = false;                // the current state has a handler for all other types
};

}  // namespace actord::actor
