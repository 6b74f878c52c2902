// SPDX-License-Identifier: Apache-2.0
//
// The table of the plugin: its behaviour, messages and failures.

#include <actord/actord.hpp>

#include "journal_counter.hpp"
#include "listener.hpp"

namespace data_store {

using AllMessages =
    actord::Messages<Start, Progress, Increment, GetCurrentCount, CurrentCount, UseStorage, Get,
                     Entry, Store, Stored, Do, Reconnect, Counted, Incremented>;

}  // namespace data_store

ACTORD_PLUGIN("data_store", "1.0.0", actord::Behaviours<data_store::Listener>,
              data_store::AllMessages,
              actord::Failures<data_store::StorageException, data_store::ServiceUnavailable>)
