// SPDX-License-Identifier: Apache-2.0
//
// What the verbs about the journal have in common: asking the daemon for ids and events, page by
// page, so that none of them holds a whole journal in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ctl/daemon_client.hpp"
#include "ctl/verb.hpp"
#include "wire/control_message.hpp"

namespace actord::ctl {

/// Called for each; false: that is enough.
using OnEntry = std::function<bool(const wire::Json&)>;

/// The ids that begin with `prefix`, in the order of their bytes. False after reporting a failure.
bool for_each_id(const Call& call, const std::string& prefix, const OnEntry& on_id, Exit& exit);
/// One answer of journal.show: the id with its "events" from `from` on, `most` at most.
std::optional<wire::Json> ask_for_events(const Call& call, const std::string& id,
                                         std::uint64_t from, std::uint64_t most, Exit& exit);
/// The events from `from` on, each with "sequence", and "type" unless it is damaged. With 0 from
/// the first one; then `on_id` gets the answer about the id before. False after reporting a
/// failure.
bool for_each_event(const Call& call, const std::string& id, std::uint64_t from,
                    const std::function<void(const wire::Json&)>& on_id, const OnEntry& on_event,
                    Exit& exit);

/// Asks the daemon for work that may take long: --timeout is how long there may be no progress.
std::optional<wire::Json> ask_for_long_work(
    const Call& call, const std::string& verb, const AnswerShape& shape,
    const std::function<std::string(const wire::Json&)>& in_words, Exit& exit);

/// Bytes as people say them, with those below 1 KiB as they are.
std::string exact_bytes(std::uint64_t bytes);

}  // namespace actord::ctl
