// SPDX-License-Identifier: Apache-2.0
//
// What listener, worker, counter service, counter and storage say to each other.
#pragma once

#include <actord/actord.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace data_store {

// ---- listener and worker ------------------------------------------------------------------------

/// Listener to worker: begin, and tell me how it goes.
struct Start {};
ACTORD_MESSAGE(Start, "data_store.Start/1")

/// Worker to listener.
struct Progress {
  std::int64_t count = 0;
  std::int64_t saved = 0;
  double percent = 0;  // of the total, saved
};
ACTORD_MESSAGE(Progress, "data_store.Progress/1", count, saved, percent)

// ---- what the counter service understands -------------------------------------------------------

/// A command. Answered with CurrentCount when it has been carried out, which may be long after; or
/// with a ServiceUnavailable at once.
struct Increment {
  std::int64_t by = 1;
};
ACTORD_MESSAGE(Increment, "data_store.Increment/1", by)

/// A question. Answered with CurrentCount, or with a ServiceUnavailable.
struct GetCurrentCount {};
ACTORD_MESSAGE(GetCurrentCount, "data_store.GetCurrentCount/1")

struct CurrentCount {
  std::string key;
  std::int64_t count = 0;
  std::int64_t saved = 0;  // what the storage has confirmed last
};
ACTORD_MESSAGE(CurrentCount, "data_store.CurrentCount/1", key, count, saved)

// ---- below the counter service ------------------------------------------------------------------

/// Service to counter: save there from now on, or nowhere.
struct UseStorage {
  std::optional<actord::Ref> storage;
};
ACTORD_MESSAGE(UseStorage, "data_store.UseStorage/1", storage)

/// Service to storage: answered with an Entry, 0 where there is none.
struct Get {
  std::string key;
};
ACTORD_MESSAGE(Get, "data_store.Get/1", key)

struct Entry {
  std::string key;
  std::int64_t value = 0;
};
ACTORD_MESSAGE(Entry, "data_store.Entry/1", key, value)

/// Counter to storage: answered with Stored, or not at all.
struct Store {
  std::string key;
  std::int64_t value = 0;
};
ACTORD_MESSAGE(Store, "data_store.Store/1", key, value)

struct Stored {
  std::int64_t value = 0;
};
ACTORD_MESSAGE(Stored, "data_store.Stored/1", value)

// Timers.
struct Do {};
ACTORD_MESSAGE(Do, "data_store.Do/1")
struct Reconnect {};
ACTORD_MESSAGE(Reconnect, "data_store.Reconnect/1")

}  // namespace data_store
