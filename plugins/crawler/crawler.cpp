// SPDX-License-Identifier: Apache-2.0
//
// The table of the plugin: its behaviours, messages and failures.

#include <actord/actord.hpp>

#include "indexer.hpp"
#include "master.hpp"

ACTORD_PLUGIN(
    "crawler", "1.0.0", actord::Behaviours<crawler::Master>,
    actord::Messages<crawler::Fetch, crawler::Begun, crawler::Fetched, crawler::Failing,
                     crawler::Restarting, crawler::Ready, crawler::Page, crawler::Finish,
                     crawler::Indexed, crawler::Search, crawler::Found, crawler::Flush,
                     crawler::Sweep, crawler::Report>,
    actord::Failures<crawler::RetrievalException, crawler::Timeout, crawler::ConnectionLost,
                     crawler::Exhausted, crawler::InvalidSearch, crawler::IndexError>)
