// SPDX-License-Identifier: Apache-2.0
#include "base/result.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>

namespace actord::base {

TEST_SUITE_BEGIN("base/result");

namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return Error{std::to_string(number) + " is odd"};
  return number / 2;
}

}  // namespace

TEST_CASE("a result is its value or its error") {
  const auto good = half(8);
  REQUIRE(good.ok());
  CHECK(static_cast<bool>(good));
  CHECK(*good == 4);
  CHECK(good.value() == 4);

  const auto bad = half(7);
  CHECK_FALSE(bad);
  CHECK(bad.error().what == "7 is odd");
}

TEST_CASE("a value that cannot be copied moves in and out") {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(42);
  REQUIRE(result);
  const std::unique_ptr<int> out = std::move(result).value();
  CHECK(*out == 42);
}

TEST_CASE("an error moves out of a result that is thrown away") {
  CHECK(half(3).error().what == "3 is odd");
  const Error error = half(5).error();
  CHECK(error.what == "5 is odd");
}

TEST_CASE("value and error may be of one type") {
  using Same = Result<std::string, Error>;
  CHECK(Same(std::string{"text"})->size() == 4);
  CHECK(Same(Error{"text"}).error().what == "text");
}

TEST_SUITE_END();

}  // namespace actord::base
