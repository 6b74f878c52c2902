// SPDX-License-Identifier: Apache-2.0
#include "journal/run_codec.hpp"

#include <doctest/doctest.h>

namespace actord::journal {

using Spans = std::vector<Span>;

TEST_CASE("events in successive rows are one span") {
  Spans spans;
  extend(spans, {1, 10, 1});
  extend(spans, {2, 11, 2});
  extend(spans, {4, 20, 1});
  CHECK(spans == Spans{{1, 10, 3}, {4, 20, 1}});
}

TEST_CASE("cutting removes the events before one") {
  Spans spans{{1, 10, 3}, {4, 20, 2}};
  cut_before(spans, 2);
  CHECK(spans == Spans{{2, 11, 2}, {4, 20, 2}});
  cut_before(spans, 4);
  CHECK(spans == Spans{{4, 20, 2}});
  cut_before(spans, 6);
  CHECK(spans.empty());
}

TEST_CASE("spans come back as they were encoded") {
  const Spans spans{{7, 1, 1}, {8, 3, 300}, {308, std::int64_t{1} << 50, 1}};
  CHECK(decode(encode(spans), 7) == spans);
  CHECK(decode("", 7) == Spans{});
}

TEST_CASE("bytes that are no spans are refused") {
  CHECK_FALSE(decode("\x80", 1));                           // a number without an end
  CHECK_FALSE(decode("\x05", 1));                           // a row without a count
  CHECK_FALSE(decode(std::string_view{"\x05\x00", 2}, 1));  // no events
  CHECK_FALSE(decode(std::string_view{"\x00\x01", 2}, 1));  // there is no row 0
  CHECK_FALSE(decode("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01", 1));  // beyond all rows
}

}  // namespace actord::journal
