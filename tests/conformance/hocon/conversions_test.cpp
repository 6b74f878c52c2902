// SPDX-License-Identifier: Apache-2.0
//
// HOCON.md: conversion of numerically-indexed objects to arrays, automatic type conversions, units
// format, durations, periods, sizes in bytes.
#include "hocon_reading.hpp"

#include "hocon/units.hpp"

namespace actord::hocon::conformance {

namespace {

std::string period(std::string_view text) {
  const auto period = parse_period(text);
  return period ? to_string(*period) : refused;
}

}  // namespace

TEST_SUITE_BEGIN("hocon/conversions");

// ---- numerically-indexed objects ----------------------------------------------------------------

TEST_CASE("HOCON numeric keys: such an object is a list where a list is asked for") {
  CHECK(Typed("{ 0 : x, 1 : y }").list() == R"("x" "y")");
}

TEST_CASE("HOCON numeric keys: the elements stand in the order of their numbers") {
  CHECK(Typed("{ 10 : c, 2 : b, 0 : a }").list() == R"("a" "b" "c")");
}

TEST_CASE("HOCON numeric keys: gaps are closed") {
  CHECK(Typed("{ 5 : x, 100 : y }").list() == R"("x" "y")");
}

TEST_CASE("HOCON numeric keys: other keys are passed over") {
  CHECK(Typed("{ 0 : x, b : y, -1 : z, \"1.5\" : w }").list() == R"("x")");
}

TEST_CASE("HOCON numeric keys: an object without any is no list") {
  CHECK(Typed("{ b : x }").list() == refused);
  CHECK(Typed("{}").list() == refused);
}

TEST_CASE("HOCON numeric keys: joined to a list such an object is a list") {
  reads("a = { 1 : y, 0 : x } [z], b = [z] { 0 : x }", R"({"a":["x","y","z"],"b":["z","x"]})");
}

TEST_CASE("HOCON numeric keys: += adds to such an object as to a list") {
  reads("a { 0 : x }, a += y", R"({"a":["x","y"]})");
}

TEST_CASE("HOCON numeric keys: where no list is asked for it stays an object") {
  reads("a { 0 : x, 1 : y }, b = ${a}", R"({"a":{"0":"x","1":"y"},"b":{"0":"x","1":"y"}})");
}

TEST_CASE("HOCON numeric keys: a single value is no list") {
  CHECK(Typed("x").list() == refused);
  CHECK(Typed("[x]").list() == R"("x")");
}

// ---- automatic type conversions -----------------------------------------------------------------

TEST_CASE("HOCON conversion: a number and a boolean are strings where one is asked for") {
  CHECK(Typed("1.50").string() == "1.50");
  CHECK(Typed("1e5").string() == "1e5");
  CHECK(Typed("true").string() == "true");
}

TEST_CASE("HOCON conversion: a string is a number by JSON's grammar") {
  CHECK(Typed("\"-12\"").integer() == "-12");
  CHECK(Typed("\"2.5e2\"").number() == "250.000000");
  CHECK(Typed("\"007\"").integer() == refused);
  CHECK(Typed("\" 1\"").integer() == refused);
  CHECK(Typed("\"0x10\"").integer() == refused);
  CHECK(Typed("\"\"").number() == refused);
}

TEST_CASE("HOCON conversion: six words are booleans, quoted or not, and no others") {
  for (const char* yes : {"true", "yes", "on", "\"true\"", "\"yes\"", "\"on\""})
    CHECK(Typed(yes).boolean() == "true");
  for (const char* no : {"false", "no", "off", "\"false\"", "\"no\"", "\"off\""})
    CHECK(Typed(no).boolean() == "false");
  for (const char* neither : {"1", "0", "True", "YES", "y", "enabled", "\"\"", "null"})
    CHECK(Typed(neither).boolean() == refused);
}

TEST_CASE("HOCON conversion: null is a value of no type") {
  CHECK(Typed("null").string() == refused);
  CHECK(Typed("null").integer() == refused);
  CHECK(Typed("null").duration() == refused);
  CHECK(Typed("null").list() == refused);
}

TEST_CASE("HOCON conversion: an object or a list is no scalar, and a scalar neither of them") {
  for (const char* written : {"{}", "[]", "[1]", "{ 0 : 1 }"}) {
    CHECK(Typed(written).string() == refused);
    CHECK(Typed(written).integer() == refused);
    CHECK(Typed(written).boolean() == refused);
    CHECK(Typed(written).bytes() == refused);
  }
  CHECK(Typed("\"[1]\"").list() == refused);
}

TEST_CASE("HOCON conversion: a whole number may be written with a point or an exponent") {
  CHECK(Typed("3.0").integer() == "3");
  CHECK(Typed("1e3").integer() == "1000");
  CHECK(Typed("120e-1").integer() == "12");
}

TEST_CASE("HOCON conversion: a fraction is no whole number: it is never cut off") {
  CHECK(Typed("3.5").integer() == refused);
  CHECK(Typed("1e-1").integer() == refused);
}

TEST_CASE("HOCON conversion: whole numbers have 64 bits") {
  CHECK(Typed("9223372036854775807").integer() == "9223372036854775807");
  CHECK(Typed("-9223372036854775808").integer() == "-9223372036854775808");
  CHECK(Typed("9223372036854775808").integer() == refused);
  CHECK(Typed("1e19").integer() == refused);
}

TEST_CASE("HOCON conversion: an integer beyond 64 bits keeps all its digits, as text") {
  reads("a = 123456789012345678901234567890", R"({"a":"123456789012345678901234567890"})");
}

TEST_CASE("HOCON conversion: a number too large for a double is refused, one too small is zero") {
  CHECK(Typed("1e999").number() == refused);
  CHECK(Typed("1e-999").number() == "0.000000");
}

// ---- units format -------------------------------------------------------------------------------

TEST_CASE("HOCON units: blanks may stand before, behind and between number and unit") {
  CHECK(Typed("\"  5  s  \"").duration() == "5000000000");
  CHECK(Typed("\"5s\"").duration() == "5000000000");
  CHECK(Typed("\"5\u00a0s\"").duration() == "5000000000");
  CHECK(Typed("10 kB").bytes() == "10000");
}

TEST_CASE("HOCON units: a number without a unit has the kind's own: ms, bytes, days") {
  CHECK(Typed("500").duration() == "500000000");
  CHECK(Typed("\"500\"").duration() == "500000000");
  CHECK(Typed("500").bytes() == "500");
  CHECK(period("7") == "P7D");
}

TEST_CASE("HOCON units: a unit without a number is refused") {
  CHECK(Typed("s").duration() == refused);
  CHECK(Typed("kB").bytes() == refused);
  CHECK(Typed("\"\"").duration() == refused);
  CHECK(period("days") == refused);
}

TEST_CASE("HOCON units: two quantities in one value are refused") {
  CHECK(Typed("1h30m").duration() == refused);
  CHECK(Typed("1 h 30 m").duration() == refused);
  CHECK(Typed("1 MB 5 kB").bytes() == refused);
}

TEST_CASE("HOCON units: a sign may stand before the number") {
  CHECK(Typed("-5 s").duration() == "-5000000000");
  CHECK(Typed("\"+5 s\"").duration() == "5000000000");
}

// ---- durations ----------------------------------------------------------------------------------

TEST_CASE("HOCON durations: every unit has its short name, its word and its plural") {
  const std::vector<std::pair<const char*, std::vector<const char*>>> units = {
      {"3", {"ns", "nano", "nanos", "nanosecond", "nanoseconds"}},
      {"3000", {"us", "micro", "micros", "microsecond", "microseconds"}},
      {"3000000", {"ms", "milli", "millis", "millisecond", "milliseconds"}},
      {"3000000000", {"s", "second", "seconds"}},
      {"180000000000", {"m", "minute", "minutes"}},
      {"10800000000000", {"h", "hour", "hours"}},
      {"259200000000000", {"d", "day", "days"}},
  };
  for (const auto& [ns, names] : units) {
    for (const char* name : names) CHECK(Typed(std::string("3 ") + name).duration() == ns);
  }
}

TEST_CASE("HOCON durations: other abbreviations are refused") {
  for (const char* written : {"5 sec", "5 min", "5 hr", "5 msec", "5 usec", "5 weeks", "5 mo"})
    CHECK(Typed(written).duration() == refused);
}

TEST_CASE("HOCON durations: units have small letters") {
  for (const char* written : {"5 S", "5 MS", "5 Seconds", "5 D"})
    CHECK(Typed(written).duration() == refused);
}

TEST_CASE("HOCON durations: fractions and exponents are numbers, too") {
  CHECK(Typed("1.5 s").duration() == "1500000000");
  CHECK(Typed("0.5m").duration() == "30000000000");
  CHECK(Typed("1.0s").duration() == "1000000000");
  CHECK(Typed(".5 s").duration() == "500000000");
  CHECK(Typed("1e3 ms").duration() == "1000000000");
}

TEST_CASE("HOCON durations: what is below a nanosecond is cut off") {
  CHECK(Typed("1.7 ns").duration() == "1");
  CHECK(Typed("0.9999 ns").duration() == "0");
}

TEST_CASE("HOCON durations: what does not fit in 64 bits of nanoseconds is refused") {
  CHECK(Typed("9223372036854775807 ns").duration() == "9223372036854775807");
  CHECK(Typed("9223372036854775808 ns").duration() == refused);
  CHECK(Typed("9223372036855 s").duration() == refused);
  CHECK(Typed("106751 days").duration() == "9223286400000000000");
  CHECK(Typed("106752 days").duration() == refused);
  CHECK(Typed("1e300 s").duration() == refused);
}

TEST_CASE("HOCON durations: a day is a day and no number with a suffix") {
  CHECK(Typed("1d").duration() == "86400000000000");
  CHECK(Typed("1f").duration() == refused);
}

// ---- sizes in bytes -----------------------------------------------------------------------------

TEST_CASE("HOCON sizes: bytes have four names") {
  for (const char* name : {"B", "b", "byte", "bytes"})
    CHECK(Typed(std::string("7 ") + name).bytes() == "7");
}

TEST_CASE("HOCON sizes: kB, MB and so on are powers of 1000") {
  const std::vector<std::pair<const char*, std::vector<const char*>>> units = {
      {"2000", {"kB", "kilobyte", "kilobytes"}},
      {"2000000", {"MB", "megabyte", "megabytes"}},
      {"2000000000", {"GB", "gigabyte", "gigabytes"}},
      {"2000000000000", {"TB", "terabyte", "terabytes"}},
      {"2000000000000000", {"PB", "petabyte", "petabytes"}},
      {"2000000000000000000", {"EB", "exabyte", "exabytes"}},
  };
  for (const auto& [bytes, names] : units) {
    for (const char* name : names) CHECK(Typed(std::string("2 ") + name).bytes() == bytes);
  }
}

TEST_CASE("HOCON sizes: K, KiB and so on are powers of 1024") {
  const std::vector<std::pair<const char*, std::vector<const char*>>> units = {
      {"2048", {"K", "k", "Ki", "KiB", "kibibyte", "kibibytes"}},
      {"2097152", {"M", "m", "Mi", "MiB", "mebibyte", "mebibytes"}},
      {"2147483648", {"G", "g", "Gi", "GiB", "gibibyte", "gibibytes"}},
      {"2199023255552", {"T", "t", "Ti", "TiB", "tebibyte", "tebibytes"}},
      {"2251799813685248", {"P", "p", "Pi", "PiB", "pebibyte", "pebibytes"}},
      {"2305843009213693952", {"E", "e", "Ei", "EiB", "exbibyte", "exbibytes"}},
  };
  for (const auto& [bytes, names] : units) {
    for (const char* name : names) CHECK(Typed(std::string("2 ") + name).bytes() == bytes);
  }
}

TEST_CASE("HOCON sizes: other spellings are refused") {
  for (const char* written :
       {"10KB", "10mb", "10 kb", "10 kib", "10 MIB", "10 Kilobytes", "10 bit"})
    CHECK(Typed(written).bytes() == refused);
}

TEST_CASE("HOCON sizes: a fraction of a unit counts, a fraction of a byte is cut off") {
  CHECK(Typed("1.5 KiB").bytes() == "1536");
  CHECK(Typed("0.5 MB").bytes() == "500000");
  CHECK(Typed("1.9 B").bytes() == "1");
}

TEST_CASE("HOCON sizes: a negative one is refused") {
  CHECK(Typed("-1").bytes() == refused);
  CHECK(Typed("-1 KiB").bytes() == refused);
}

TEST_CASE("HOCON sizes: zetta and yotta are known, and too large but for nothing of them") {
  for (const char* name : {"ZB", "zettabytes", "Z", "ZiB", "YB", "yottabytes", "y", "yobibytes"})
    CHECK(Typed(std::string("1 ") + name).bytes() == refused);
}

TEST_CASE("HOCON sizes: what does not fit in 63 bits is refused") {
  CHECK(Typed("9223372036854775807").bytes() == "9223372036854775807");
  CHECK(Typed("8 EiB").bytes() == refused);
  CHECK(Typed("10 EB").bytes() == refused);
}

// ---- periods ------------------------------------------------------------------------------------

TEST_CASE("HOCON periods: days, weeks, months and years, each with its names") {
  for (const char* name : {"d", "day", "days"}) CHECK(period(std::string("3 ") + name) == "P3D");
  for (const char* name : {"w", "week", "weeks"}) CHECK(period(std::string("3 ") + name) == "P21D");
  for (const char* name : {"m", "mo", "month", "months"})
    CHECK(period(std::string("3 ") + name) == "P3M");
  for (const char* name : {"y", "year", "years"}) CHECK(period(std::string("3 ") + name) == "P3Y");
}

TEST_CASE("HOCON periods: a count is whole: there is no fraction of a month") {
  CHECK(period("1.5 months") == refused);
  CHECK(period("1e1 days") == refused);
}

TEST_CASE("HOCON periods: units of durations are none of periods") {
  CHECK(period("5 s") == refused);
  CHECK(period("5 h") == refused);
}

TEST_CASE("HOCON periods: one may be negative, and must fit") {
  CHECK(period("-3 days") == "P-3D");
  CHECK(period("2147483647 years") == "P2147483647Y");
  CHECK(period("2147483648 days") == refused);
  CHECK(period("306783379 weeks") == refused);
}

TEST_SUITE_END();

}  // namespace actord::hocon::conformance
