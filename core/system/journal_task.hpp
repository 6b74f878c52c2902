// SPDX-License-Identifier: Apache-2.0
//
// Work on the store of a journal that an operator asks for. It is done on the journal's own thread,
// in steps between two groups, so that the store has one user and what is persisted meanwhile waits
// for one step at most.
//
// Not here: what there is to do (the owner of the system knows).
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "actor/ref.hpp"
#include "persist/store.hpp"

namespace actord::system {

class JournalTask {
 public:
  /// What a step may use.
  struct Desk {
    persist::Store& store;
    /// The living actor that writes for an id; `nobody`: none does.
    std::function<actor::Ref(std::string_view id)> writer_of;
    /// The other way round; empty: the actor has no id.
    std::function<std::string(actor::Ref writer)> id_of;
  };

  JournalTask() = default;
  virtual ~JournalTask() = default;
  JournalTask(const JournalTask&) = delete;
  JournalTask& operator=(const JournalTask&) = delete;

  // Exactly one of the two comes last.
  /// A step that takes some milliseconds. False: it was the last.
  virtual bool step(const Desk& desk) = 0;
  /// There is no store, or the system ends.
  virtual void fail(const persist::StoreError& error) = 0;
};

}  // namespace actord::system
