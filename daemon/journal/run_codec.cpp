// SPDX-License-Identifier: Apache-2.0
#include "journal/run_codec.hpp"

#include <algorithm>

namespace actord::journal {

namespace {

constexpr std::int64_t row_max = std::int64_t{1} << 60;

// LEB128: seven bits a byte, the lowest first.
void put(std::string& bytes, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
  bytes += static_cast<char>(number);
}

std::optional<std::uint64_t> take(std::string_view& bytes) {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    number |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return number;
  }
  return std::nullopt;
}

}  // namespace

void extend(std::vector<Span>& spans, const Span& more) {
  if (!spans.empty()) {
    Span& last = spans.back();
    if (last.end() == more.sequence &&
        last.row + static_cast<std::int64_t>(last.count) == more.row) {
      last.count += more.count;
      return;
    }
  }
  spans.push_back(more);
}

void cut_before(std::vector<Span>& spans, std::uint64_t first) {
  const auto kept = std::find_if(spans.begin(), spans.end(),
                                 [&](const Span& span) { return span.end() > first; });
  spans.erase(spans.begin(), kept);
  if (spans.empty() || spans.front().sequence >= first) return;
  Span& front = spans.front();
  const std::uint64_t cut = first - front.sequence;
  front = {first, front.row + static_cast<std::int64_t>(cut), front.count - cut};
}

std::string encode(std::span<const Span> spans) {
  std::string bytes;
  std::int64_t behind = 0;
  for (const Span& span : spans) {
    put(bytes, static_cast<std::uint64_t>(span.row - behind));
    put(bytes, span.count);
    behind = span.row + static_cast<std::int64_t>(span.count);
  }
  return bytes;
}

std::optional<std::vector<Span>> decode(std::string_view bytes, std::uint64_t first_sequence) {
  std::vector<Span> spans;
  std::int64_t behind = 0;
  std::uint64_t sequence = first_sequence;
  while (!bytes.empty()) {
    const auto distance = take(bytes);
    const auto count = distance ? take(bytes) : std::nullopt;
    if (!count || *count == 0 || *distance >= std::uint64_t{row_max} ||
        *count >= std::uint64_t{row_max})
      return std::nullopt;
    const std::int64_t row = behind + static_cast<std::int64_t>(*distance);
    if (row <= 0 || row >= row_max) return std::nullopt;
    spans.push_back({sequence, row, *count});
    sequence += *count;
    behind = row + static_cast<std::int64_t>(*count);
  }
  return spans;
}

}  // namespace actord::journal
