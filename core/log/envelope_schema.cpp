// SPDX-License-Identifier: Apache-2.0
//
// The members of every line, and the fields that any event may have (event_schema.hpp).
#include "log/event_field_lists.hpp"
#include "log/event_schema.hpp"

namespace actord::log {

namespace {

using namespace field_lists;

constexpr EventField envelope[] = {
    needed(ts),     needed(level),       needed(event),    needed(msg),      needed(seq),
    needed(pid),    optional(tid),       optional(boot),   optional(system), optional(node),
    needed(schema), optional(truncated), optional(misfits)};

constexpr EventField of_traces[] = {optional(trace_id), optional(span_id)};

}  // namespace

std::span<const EventField> envelope_schema() noexcept { return envelope; }

std::span<const EventField> trace_schema() noexcept { return of_traces; }

}  // namespace actord::log
