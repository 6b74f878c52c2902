// SPDX-License-Identifier: Apache-2.0
//
// Which trace a message belongs to, in the terms of the W3C's Trace Context: a trace is everything
// that one request has caused, and a span is one step of it, such as the handling of one message.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace actord::message {

/// A trace, and the span of it from which a message comes. A trace that is not recorded is not
/// carried at all, so each context is one of a recorded trace.
struct TraceContext {
  using Id = std::array<std::uint64_t, 2>;  // never all 0

  Id trace_id{};
  std::uint64_t span_id = 0;  // 0: the trace begins here

  bool operator==(const TraceContext&) const = default;
};

inline constexpr std::size_t trace_id_size = 32, span_id_size = 16;  // in characters

/// Writes the id in lower-case hexadecimal digits.
void write_trace_id(const TraceContext::Id& id, char (&to)[trace_id_size]) noexcept;
void write_span_id(std::uint64_t id, char (&to)[span_id_size]) noexcept;

/// The header `traceparent` of a request that the span of the context makes.
std::string traceparent_of(const TraceContext& context);

struct Traceparent {
  TraceContext context;
  bool is_recorded = false;
};
/// Reads such a header; nullopt if it is none. A version later than 00 may have more behind it.
std::optional<Traceparent> read_traceparent(std::string_view text) noexcept;

}  // namespace actord::message
