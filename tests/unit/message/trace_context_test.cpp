// SPDX-License-Identifier: Apache-2.0
#include "message/trace_context.hpp"

#include <doctest/doctest.h>

namespace actord::message {

TEST_CASE("a traceparent is read and written as the W3C has it") {
  const std::string text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const auto read = read_traceparent(text);
  REQUIRE(read);
  CHECK(read->is_recorded);
  CHECK(read->context.trace_id == TraceContext::Id{0x4bf92f3577b34da6, 0xa3ce929d0e0e4736});
  CHECK(read->context.span_id == 0x00f067aa0ba902b7);
  CHECK(traceparent_of(read->context) == text);
}

TEST_CASE("a trace that is not recorded, and a later version with more behind it, are read") {
  const std::string ids = "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-";
  const auto unrecorded = read_traceparent("00-" + ids + "fe");
  REQUIRE(unrecorded);
  CHECK_FALSE(unrecorded->is_recorded);
  CHECK(read_traceparent("cc-" + ids + "01"));
  CHECK(read_traceparent("cc-" + ids + "01-what comes later"));
}

TEST_CASE("what is no traceparent is refused") {
  const std::string good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  for (std::size_t size = 0; size < good.size(); ++size)
    CHECK_FALSE(read_traceparent(std::string_view{good}.substr(0, size)));
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const char wrong : {'G', 'A', ' ', '\0', '_'}) {
      std::string text = good;
      text[at] = wrong;
      CAPTURE(text);
      CHECK_FALSE(read_traceparent(text));
    }
  }
  CHECK_FALSE(read_traceparent(good + '-'));
  CHECK_FALSE(read_traceparent("ff" + good.substr(2)));
  CHECK_FALSE(read_traceparent("01" + good.substr(2) + "x"));
  CHECK_FALSE(read_traceparent("00-00000000000000000000000000000000-00f067aa0ba902b7-01"));
  CHECK_FALSE(read_traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01"));
}

}  // namespace actord::message
