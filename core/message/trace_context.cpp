// SPDX-License-Identifier: Apache-2.0
#include "message/trace_context.hpp"

#include <charconv>

namespace actord::message {

namespace {

constexpr std::size_t flags_at = 53, text_size = 55;
constexpr unsigned recorded = 1;

void write_hex(std::uint64_t number, char* to) noexcept {
  for (std::size_t i = 0; i < span_id_size; ++i)
    to[i] = "0123456789abcdef"[number >> (60 - 4 * i) & 0xf];
}

std::optional<std::uint64_t> read_hex(std::string_view text) noexcept {
  if (text.find_first_not_of("0123456789abcdef") != text.npos) return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return number;
}

}  // namespace

void write_trace_id(const TraceContext::Id& id, char (&to)[trace_id_size]) noexcept {
  write_hex(id[0], to);
  write_hex(id[1], to + span_id_size);
}

void write_span_id(std::uint64_t id, char (&to)[span_id_size]) noexcept { write_hex(id, to); }

std::string traceparent_of(const TraceContext& context) {
  char trace[trace_id_size], span[span_id_size];
  write_trace_id(context.trace_id, trace);
  write_span_id(context.span_id, span);
  std::string text = "00-";
  text.append(trace, sizeof trace).append("-").append(span, sizeof span).append("-01");
  return text;
}

std::optional<Traceparent> read_traceparent(std::string_view text) noexcept {
  if (text.size() < text_size || text[2] != '-' || text[35] != '-' || text[52] != '-')
    return std::nullopt;
  const auto version = read_hex(text.substr(0, 2));
  const bool has_more = text.size() != text_size;
  if (!version || *version == 0xff || (has_more && (*version == 0 || text[text_size] != '-')))
    return std::nullopt;
  const auto high = read_hex(text.substr(3, 16)), low = read_hex(text.substr(19, 16));
  const auto span = read_hex(text.substr(36, span_id_size)),
             flags = read_hex(text.substr(flags_at, 2));
  if (!high || !low || !span || !flags || (*high == 0 && *low == 0) || *span == 0)
    return std::nullopt;
  return Traceparent{{{*high, *low}, *span}, (*flags & recorded) != 0};
}

}  // namespace actord::message
