// SPDX-License-Identifier: Apache-2.0
//
// Values that are written and read by their types as data: what fields_test.cpp, in which a struct
// is written and read as a whole, does not show.
#include <doctest/doctest.h>

#include <limits>
#include <map>
#include <optional>

#include "unit/sdk/fake_values.hpp"

namespace kinds {

enum class Small : std::int8_t { minus = -3, plus = 3 };
ACTORD_ENUM(Small, minus, plus)
enum class Large : std::uint64_t { most = std::numeric_limits<std::uint64_t>::max() };
ACTORD_ENUM(Large, most)

struct Inner {
  std::optional<std::vector<int>> numbers;
};
ACTORD_FIELDS(Inner, numbers)
struct Outer {
  std::map<std::string, Inner> inner;
};
ACTORD_FIELDS(Outer, inner)

}  // namespace kinds

TEST_SUITE_BEGIN("message/data_values");

namespace {

using fake::Node;

template <class T>
std::string written(const T& value) {
  fake::Writer writer;
  writer.data(&writer, &actord::detail::data_type<T>, &value);
  return writer.out;
}
template <class T>
std::optional<T> read(const Node& from) {
  T value{};
  const actord_value in = from.value();
  if (in.reader->data(in, &actord::detail::data_type<T>, &value, nullptr) != ACTORD_OK) return {};
  return value;
}

}  // namespace

TEST_CASE("an integer of each size is written with its sign, and read within its range") {
  CHECK(written(std::int8_t{-128}) == "-128");
  CHECK(written(std::uint8_t{255}) == "255u");
  CHECK(written(std::int16_t{-2}) == "-2");
  CHECK(written(std::int32_t{-3}) == "-3");
  CHECK(written(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615u");
  CHECK(read<std::int8_t>(Node::of(-128)) == -128);
  CHECK_FALSE(read<std::int8_t>(Node::of(-129)));
  CHECK(fake::complaint() == "expected an integer from -128 to 127");
  CHECK(read<std::uint16_t>(Node::of(65'535)) == 65'535);
  CHECK_FALSE(read<std::uint16_t>(Node::of(65'536)));
  CHECK(read<std::int64_t>(Node::of(-1)) == -1);
  CHECK_FALSE(read<std::uint64_t>(Node::of(-1)));
}

TEST_CASE("an enumerator is its name, and a number without a name is that number") {
  CHECK(written(kinds::Small::minus) == "\"minus\"");
  CHECK(written(static_cast<kinds::Small>(-7)) == "-7");
  CHECK(written(kinds::Large::most) == "\"most\"");
  CHECK(written(static_cast<kinds::Large>(7)) == "7u");
  CHECK(read<kinds::Small>(Node::of("minus")) == kinds::Small::minus);
  CHECK(read<kinds::Large>(Node::of("most")) == kinds::Large::most);
  CHECK_FALSE(read<kinds::Small>(Node::of("none")));
  CHECK(fake::complaint() == "expected one of minus, plus");
}

TEST_CASE("real numbers, and durations in other units than nanoseconds") {
  CHECK(written(0.5F) == "0.50");
  CHECK(written(std::chrono::minutes{2}) == "120000000000ns");
  CHECK(written(std::chrono::duration<double>{0.25}) == "250000000ns");
  CHECK(read<float>(Node::of(0.5)) == 0.5F);
  CHECK(read<std::chrono::minutes>(Node::ns(60'000'000'000)) == std::chrono::minutes{1});
  CHECK_FALSE(read<std::chrono::minutes>(Node::ns(1)));
  CHECK(fake::complaint() == "expected a multiple of 60000000000 ns");
  CHECK(read<std::chrono::duration<double>>(Node::ns(1)) == std::chrono::duration<double>{1e-9});
}

TEST_CASE("containers lie in each other, and a fault in one ends the reading") {
  kinds::Outer outer;
  outer.inner["a"].numbers = {1, 2};
  outer.inner["b"];
  CHECK(written(outer) == "{ inner: { a: { numbers: ( 1 2 ; ; b: { numbers: null ; ; ;");
  const Node numbers = Node::list({Node::of(1), Node::of(2)});
  const auto of = [](const Node& value) {
    return Node::map({{"inner", Node::map({{"a", Node::map({{"numbers", value}})}})}});
  };
  const auto found = read<kinds::Outer>(of(numbers));
  REQUIRE(found);
  CHECK(found->inner.at("a").numbers == std::vector{1, 2});
  CHECK(read<kinds::Outer>(of(Node{}))->inner.at("a").numbers == std::nullopt);
  CHECK_FALSE(read<kinds::Outer>(of(Node::list({Node::of("x")}))));
  CHECK_FALSE(read<kinds::Outer>(of(Node::of(1))));
  CHECK(fake::complaint() == "expected a list");
  CHECK_FALSE(read<kinds::Outer>(Node::map({{"inner", numbers}})));
  CHECK(fake::complaint() == "expected an object");
}

TEST_CASE("a kind that this actord does not know is rejected, and written as nothing") {
  actord_data_type type = actord::detail::data_type<int>;
  type.kind = 99;
  int value = 5;
  const actord_value in = Node::of(1).value();
  CHECK(in.reader->data(in, &type, &value, nullptr) == ACTORD_FAILED);
  CHECK(fake::complaint() == "is of a type that this actord does not know");
  CHECK(value == 5);
  fake::Writer writer;
  writer.data(&writer, &type, &value);
  CHECK(writer.out == "null");
}

TEST_SUITE_END();
