// SPDX-License-Identifier: Apache-2.0
//
// The messages between listener, worker, counter service, counter and storage.
#pragma once

#include <actord/actord.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace data_store {

// ---- listener and worker ------------------------------------------------------------------------

/// Listener to worker: begin, and send Progress.
struct Start {};
ACTORD_MESSAGE(Start, "data_store.Start/1")

/// Worker to listener, after each answer of the counter.
struct Progress {
  std::int64_t count = 0;
  std::int64_t saved = 0;
  double percent = 0;  // saved, in percent of the total
};
ACTORD_MESSAGE(Progress, "data_store.Progress/1", count, saved, percent)

// ---- handled by the counter service -------------------------------------------------------------

/// A command. Answered with CurrentCount when it has been carried out, which may be much later, or
/// at once with a ServiceUnavailable.
struct Increment {
  std::int64_t by = 1;
};
ACTORD_MESSAGE(Increment, "data_store.Increment/1", by)

/// A question. Answered with CurrentCount, or with a ServiceUnavailable.
struct GetCurrentCount {};
ACTORD_MESSAGE(GetCurrentCount, "data_store.GetCurrentCount/1")

/// The answer to Increment and GetCurrentCount.
struct CurrentCount {
  std::string key;
  std::int64_t count = 0;
  std::int64_t saved = 0;  // the last count that the storage has confirmed
};
ACTORD_MESSAGE(CurrentCount, "data_store.CurrentCount/1", key, count, saved)

// ---- below the counter service ------------------------------------------------------------------

/// Service to counter: save to this storage from now on; none: there is no storage.
struct UseStorage {
  std::optional<actord::Ref> storage;
};
ACTORD_MESSAGE(UseStorage, "data_store.UseStorage/1", storage)

/// Service to storage: answered with an Entry, with 0 if there is no count of that key.
struct Get {
  std::string key;
};
ACTORD_MESSAGE(Get, "data_store.Get/1", key)

/// The answer to Get.
struct Entry {
  std::string key;
  std::int64_t value = 0;
};
ACTORD_MESSAGE(Entry, "data_store.Entry/1", key, value)

/// Counter to storage: answered with Stored; not answered if the storage fails on it.
struct Store {
  std::string key;
  std::int64_t value = 0;
};
ACTORD_MESSAGE(Store, "data_store.Store/1", key, value)

/// The answer to Store.
struct Stored {
  std::int64_t value = 0;
};
ACTORD_MESSAGE(Stored, "data_store.Stored/1", value)

// Timers: the worker's next increments, and the service's next try to create a storage.
struct Do {};
ACTORD_MESSAGE(Do, "data_store.Do/1")
struct Reconnect {};
ACTORD_MESSAGE(Reconnect, "data_store.Reconnect/1")

}  // namespace data_store
