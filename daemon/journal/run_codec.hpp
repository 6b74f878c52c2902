// SPDX-License-Identifier: Apache-2.0
//
// Where the events of an id lie: spans of rows one behind the other, and their compact form in the
// table of runs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace actord::journal {

/// Events of one id with successive sequence numbers in successive rows.
struct Span {
  std::uint64_t sequence = 0;  // of the first
  std::int64_t row = 0;        // of the first
  std::uint64_t count = 0;

  std::uint64_t end() const noexcept { return sequence + count; }  // behind the last
  bool operator==(const Span&) const = default;
};

/// Adds events behind the last.
void extend(std::vector<Span>& spans, const Span& more);
/// Removes the events before `first`.
void cut_before(std::vector<Span>& spans, std::uint64_t first);

/// The spans without their first sequence number, which the table has in a column.
std::string encode(std::span<const Span> spans);
/// Nullopt: these are no spans.
std::optional<std::vector<Span>> decode(std::string_view bytes, std::uint64_t first_sequence);

}  // namespace actord::journal
