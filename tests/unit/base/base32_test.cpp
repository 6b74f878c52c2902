// SPDX-License-Identifier: Apache-2.0
#include "base/base32.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "base/random.hpp"

namespace actord::base {

TEST_SUITE_BEGIN("base/base32");

TEST_CASE("numbers are written in Crockford's digits, lower case, without leading zeros") {
  struct Row {
    std::uint64_t number;
    const char* text;
  };
  for (const Row& row : {Row{0, "0"}, Row{9, "9"}, Row{10, "a"}, Row{31, "z"}, Row{32, "10"},
                         Row{33, "11"}, Row{1023, "zz"}, Row{1024, "100"},
                         Row{1234567890, "14sc0pj"}, Row{~std::uint64_t{0}, "fzzzzzzzzzzzz"}}) {
    CAPTURE(row.number);
    CHECK(base32(row.number) == row.text);
  }
}

TEST_CASE("no digit is one that is misread: no i, l, o or u") {
  std::string all;
  for (std::uint64_t digit = 0; digit < 32; ++digit) all += base32(digit);
  CHECK(all.size() == 32);
  CHECK(all.find_first_of("ilou") == std::string::npos);
}

TEST_CASE("different numbers have different texts, which read back") {
  const std::string digits = "0123456789abcdefghjkmnpqrstvwxyz";
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t number = random.next() >> random.below(64);
    std::uint64_t read = 0;
    for (const char digit : base32(number)) read = read * 32 + digits.find(digit);
    CAPTURE(number);
    CHECK(read == number);
  }
}

TEST_SUITE_END();

}  // namespace actord::base
