// SPDX-License-Identifier: Apache-2.0
//
// What an operator does with the journal, step by step on the journal's own thread. Each is a
// system::JournalTask whose outcome is a plain value; it is told on the event loop.
//
// Not here: answers as JSON (journal_desk.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actor/ref.hpp"
#include "os/event_loop.hpp"
#include "persist/store.hpp"
#include "system/journal_task.hpp"

namespace actord::system {
class ActorSystem;
}  // namespace actord::system

namespace actord::app {

/// Threads: the functions are called on the event loop's; what they are given is, too.
class JournalWork {
 public:
  using Error = std::optional<persist::StoreError>;
  template <class Result>
  using Done = std::function<void(const Error&, Result)>;

  /// Both outlive this object.
  JournalWork(os::EventLoop& loop, system::ActorSystem& actors) noexcept
      : loop_(loop), actors_(actors) {}

  struct Listed {
    persist::IdFacts facts;
    actor::Ref writer = actor::nobody;
  };
  struct Page {
    std::vector<Listed> ids;
    bool has_more = false;
  };
  /// Ids behind `after` that begin with `prefix`, `limit` at most.
  void list(std::string after, std::string prefix, std::size_t limit, Done<Page> done);

  struct Unreadable {
    std::uint64_t sequence = 0;
    std::string why;
  };
  struct History {
    std::optional<Listed> of;      // nullopt: there is nothing of that id
    std::string nearest;           // then an id that is similar; empty: there is none
    persist::Beginning beginning;  // with the snapshot, if it was asked for
    std::string no_beginning;      // why the id cannot be recovered; empty: it can
    std::vector<persist::StoredEntry> events;
    std::vector<Unreadable> unreadable;  // between them
    std::uint64_t next = 0;              // the first event that is not here; 0: these were the last
  };
  /// The events from `from` on, `limit` at most. With 0 from the first one, and the snapshot.
  void read(std::string id, std::uint64_t from, std::size_t limit, Done<History> done);

  struct Checked {
    std::uint64_t events = 0, snapshots = 0, damage_count = 0;
    std::vector<std::string> damages;
    double progress = 0;
    bool is_complete = false;
  };
  /// `on_progress` is called now and then on the event loop. The work ends when `is_wanted` says
  /// no, which any thread may call; then `done` is not called.
  void verify(std::function<bool()> is_wanted, std::function<void(const Checked&)> on_progress,
              Done<Checked> done);

  struct Compacted {
    persist::StoreStatus before, now;
    std::int64_t pages_left = 0;
  };
  void compact(std::function<bool()> is_wanted, std::function<void(const Compacted&)> on_progress,
               Done<Compacted> done);

  struct Dropped {
    bool was_there = false;
    actor::Ref writer = actor::nobody;  // if it is not `nobody`, nothing was dropped
    std::string nearest;
  };
  void drop(std::string id, Done<Dropped> done);

 private:
  template <class State>
  void perform(std::shared_ptr<State> state,
               std::function<bool(const system::JournalTask::Desk&, State&)> step,
               std::function<void(const Error&, State&)> done);

  os::EventLoop& loop_;
  system::ActorSystem& actors_;
};

}  // namespace actord::app
