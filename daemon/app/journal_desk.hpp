// SPDX-License-Identifier: Apache-2.0
//
// The operator's hand on the journal of persistent actors: what is stored, whether it is whole, and
// giving back what is not needed. Answers are JSON; the work is done on the journal's thread.
//
// Not here: the steps of that (journal_work.hpp).
#pragma once

#include <string>
#include <vector>

#include "app/actor_questions.hpp"
#include "app/journal_work.hpp"
#include "os/event_loop.hpp"

namespace actord::system {
class ActorSystem;
struct JournalReport;
}  // namespace actord::system

namespace actord::app {

/// How the journal is, in one word: "unused", "ok", "full" or "failed".
std::string_view state_of(const system::JournalReport& report);

/// Threads: only the event loop's.
class JournalDesk {
 public:
  using Done = ActorQuestions::Done;
  using OnProgress = std::function<void(wire::Json)>;
  using IsWanted = std::function<bool()>;

  static constexpr std::size_t ids_max = 500, events_max = 500;  // in one answer

  /// `actors` outlives this object. `folder`: of the journal; empty: there is no place for one.
  JournalDesk(os::EventLoop& loop, system::ActorSystem& actors, std::string folder)
      : work_(loop, actors), actors_(actors), folder_(std::move(folder)) {}

  /// The "ids" behind `after` that begin with `prefix`. "next" is what the next request has to
  /// begin after; without it there are no more.
  void list(const std::string& after, const std::string& prefix, std::size_t most,
            const Done& done);
  /// The "events" of an id from `from` on, with their content if a plugin that is loaded knows it;
  /// members that the type calls secret are masked. "next" is the next event; without it there are
  /// no more. With 0 from the first one, and the "snapshot".
  void show(const std::string& id, std::uint64_t from, std::size_t most, const Done& done);
  /// Checks everything. What is wrong is in "damages", and no failure of the request.
  void verify(IsWanted is_wanted, OnProgress on_progress, const Done& done);
  /// Gives free room to the file system.
  void compact(IsWanted is_wanted, OnProgress on_progress, const Done& done);
  /// Deletes all of an id that no actor has.
  void drop(const std::string& id, const Done& done);
  void tell_status(const Done& done) const;

 private:
  /// False: there is no journal, and `done` was told so.
  bool is_there(const Done& done) const;
  wire::Json json_of(const JournalWork::Listed& of) const;
  wire::Json json_of(const persist::StoredEntry& entry) const;
  wire::Json json_of(const JournalWork::History& history) const;
  /// The members "message" or "why".
  void add_content(const persist::StoredEntry& entry, wire::Json& json) const;

  JournalWork work_;
  system::ActorSystem& actors_;
  const std::string folder_;
};

}  // namespace actord::app
