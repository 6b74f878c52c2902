// SPDX-License-Identifier: Apache-2.0
//
// HOCON.md, "Units format", "Duration format", "Size in bytes format".
#include "hocon/units.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>

namespace actord::hocon::test {

namespace {

struct Number {
  const char* text;
  std::optional<std::int64_t> value;
};

template <class Parse, std::size_t Count>
void check(Parse parse, const Number (&rows)[Count]) {
  for (const Number& row : rows) {
    CAPTURE(std::string(row.text));
    const auto parsed = parse(row.text);
    CHECK((parsed ? std::optional(*parsed) : std::nullopt) == row.value);
  }
}

constexpr auto none = std::nullopt;

}  // namespace

TEST_SUITE_BEGIN("hocon/units");

TEST_CASE("a duration is a number and one of HOCON's lower-case units, milliseconds without one") {
  check(parse_duration_ns, {
                               {"1ns", 1},
                               {"2 us", 2000},
                               {"3ms", 3'000'000},
                               {"4 s", 4'000'000'000},
                               {"5m", 300'000'000'000},
                               {"6h", 21'600'000'000'000},
                               {"1d", 86'400'000'000'000},
                               {"7", 7'000'000},
                               {"2 seconds", 2'000'000'000},
                               {"1 minute", 60'000'000'000},
                               {"  5 s\n", 5'000'000'000},
                               {"\u2003 5\u00a0s", 5'000'000'000},
                               {"5 sec", none},
                               {"5 min", none},
                               {"5 S", none},
                               {"5 Seconds", none},
                               {"1h30m", none},
                               {"s", none},
                               {"", none},
                               {"1 2 s", none},
                               {"1_000s", none},
                               {"0x10s", none},
                               {"NaN", none},
                               {"PT5S", none},
                           });
}

TEST_CASE(
    "a duration may have a fraction, a sign and an exponent, and is cut off below a nanosecond") {
  check(parse_duration_ns, {
                               {"0.5s", 500'000'000},
                               {"1.5", 1'500'000},
                               {".5s", 500'000'000},
                               {"1e3s", 1'000'000'000'000},
                               {"-1s", -1'000'000'000},
                               {"+5s", 5'000'000'000},
                               {"1.5ns", 1},
                               {"1.001s", 1'001'000'000},
                               {"0.01666666666666666666666m", 1'000'000'000},
                               {"1e", none},
                               {"1.2.3s", none},
                               {"--5s", none},
                           });
}

TEST_CASE("a duration beyond 64 bits is an error and never wraps") {
  check(parse_duration_ns, {
                               {"9223372036854775807ns", INT64_MAX},
                               {"9223372036854775808ns", none},
                               {"106751d", 9'223'286'400'000'000'000},
                               {"106752d", none},
                               {"9223372036855s", none},
                               {"1e300s", none},
                               {"-106752d", none},
                           });
}

TEST_CASE(
    "a size is in bytes, in powers of 1000 or in powers of 1024, by the exact name of its unit") {
  check(parse_bytes, {
                         {"512", 512},        {"1 B", 1},
                         {"2 bytes", 2},      {"1k", 1024},
                         {"1K", 1024},        {"1Ki", 1024},
                         {"1KiB", 1024},      {"1 kibibyte", 1024},
                         {"1kB", 1000},       {"1 kilobyte", 1000},
                         {"1m", 1 << 20},     {"1MB", 1'000'000},
                         {"64MiB", 64 << 20}, {"1e", 1LL << 60},
                         {"1e3", 1000},       {"1e3k", 1'024'000},
                         {"0.5M", 524'288},   {"0.1k", 102},
                         {"1.001kB", 1001},   {"0.9b", 0},
                         {"7EiB", 7LL << 60}, {"1KB", none},
                         {"1kb", none},       {"1mb", none},
                         {"1 Bytes", none},   {"10%", none},
                         {"k", none},         {"", none},
                         {"-1", none},        {"8 EiB", none},
                         {"1Z", none},        {"9223372036854775808", none},
                     });
}

TEST_CASE("a size is printed in the largest unit that leaves no fraction") {
  CHECK(bytes_text(0) == "0 B");
  CHECK(bytes_text(1000) == "1000 B");
  CHECK(bytes_text(1536) == "1536 B");
  CHECK(bytes_text(64 << 20) == "64 MiB");
  CHECK(bytes_text(std::int64_t{3} << 40) == "3 TiB");
  CHECK(bytes_text(std::int64_t{7} << 60) == "7 EiB");
}

TEST_CASE("the message says what was expected and which units there are") {
  const auto duration = parse_duration_ns("5 sec");
  REQUIRE_FALSE(duration);
  CHECK(
      duration.error().what.starts_with("expected a duration, got \"5 sec\"; units are ns us ms"));
  CHECK(parse_bytes("1Z").error().what ==
        "a size of \"1Z\" is too large; the most is just below 8 EiB");
}

TEST_CASE("a period counts days, months or years") {
  const auto iso = [](const char* text) {
    const auto period = parse_period(text);
    return period ? to_string(*period) : std::string("none");
  };
  CHECK(iso("1y") == "P1Y");
  CHECK(iso("12 mo") == "P12M");
  CHECK(iso("3 weeks") == "P21D");
  CHECK(iso("-1d") == "P-1D");
  CHECK(iso("0") == "P0D");
  CHECK(iso("1.5y") == "none");
  CHECK(iso("1h") == "none");
  CHECK(iso("1 M") == "none");
}

TEST_CASE("six words are booleans") {
  for (const char* word : {"true", "yes", "on"}) CHECK(parse_bool(word) == true);
  for (const char* word : {"false", "no", "off"}) CHECK(parse_bool(word) == false);
  for (const char* word : {"True", "YES", "y", "1", "0", "", " true"})
    CHECK_FALSE(parse_bool(word));
}

TEST_CASE("an integer is a JSON number without a fraction") {
  CHECK(parse_integer("-9223372036854775808") == INT64_MIN);
  CHECK(parse_integer("3.0") == 3);
  CHECK(parse_integer("1e3") == 1000);
  CHECK(parse_integer("1500e-2") == 15);
  for (const char* text : {"9223372036854775808", "3.5", "1e-1", "007", "+1", "1x", "", "1e99"}) {
    CAPTURE(std::string(text));
    CHECK_FALSE(parse_integer(text));
  }
}

TEST_CASE("a number is a finite JSON number") {
  CHECK(parse_number("-2.5e1") == -25.0);
  CHECK(parse_number("1e-400") == 0.0);
  for (const char* text : {"1e400", "Infinity", "NaN", ".5", "1.", "0x1", ""}) {
    CAPTURE(std::string(text));
    CHECK_FALSE(parse_number(text));
  }
}

TEST_CASE(
    "underscores in an environment variable's name stand for a dot, a hyphen, an underscore") {
  CHECK(key_of_environment_name("a_b__c___d") == "a.b-c_d");
  CHECK(key_of_environment_name("a") == "a");
  CHECK_FALSE(key_of_environment_name("a____b"));
}

TEST_SUITE_END();

}  // namespace actord::hocon::test
