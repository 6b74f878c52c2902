// SPDX-License-Identifier: Apache-2.0
//
// What a plugin writes as MessagePack is read back as it was; what is no whole value is found.
#include "message/message_pack.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "message/message_type.hpp"

namespace actord::message {

TEST_SUITE_BEGIN("message/message_pack");

namespace {

using Calls = std::function<void(actord_writer&)>;

/// The bytes of what the calls write, and a reader of them.
struct Packed {
  explicit Packed(const Calls& calls) : bytes(written(calls)), reader(bytes) {}
  static std::string written(const Calls& calls) {
    PackWriter writer;
    calls(writer);
    REQUIRE(writer.fault() == "");
    return writer.bytes();
  }
  actord_value root() const { return reader.root(); }
  actord_value member(std::string_view name) const { return reader.member(root(), to_c(name)); }

  std::string bytes;
  PackReader reader;
};

std::string fault_of(const Calls& calls) {
  PackWriter writer;
  calls(writer);
  return std::string{writer.fault()};
}

struct Reported : actord_errors {
  Reported()
      : actord_errors{[](actord_errors* self, const actord_failure* failure) {
          static_cast<Reported*>(self)->what = view(failure->what);
        }} {}
  std::string what;
};

}  // namespace

TEST_CASE("integers keep all bits, and are read as signed or not where they fit") {
  for (const std::int64_t number :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{127}, INT64_MIN, INT64_MAX}) {
    CAPTURE(number);
    const Packed packed([&](actord_writer& w) { w.integer(&w, number); });
    std::int64_t read = 1;
    std::uint64_t natural = 1;
    CHECK(packed.reader.kind(packed.root()) == ACTORD_INT);
    CHECK(packed.reader.integer(packed.root(), &read));
    CHECK(read == number);
    CHECK(packed.reader.natural(packed.root(), &natural) == (number >= 0 ? 1 : 0));
  }
  for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{INT64_MAX}, UINT64_MAX}) {
    CAPTURE(number);
    const Packed packed([&](actord_writer& w) { w.natural(&w, number); });
    std::uint64_t read = 1;
    std::int64_t integer = 1;
    CHECK(packed.reader.kind(packed.root()) == ACTORD_UINT);
    CHECK(packed.reader.natural(packed.root(), &read));
    CHECK(read == number);
    CHECK(packed.reader.integer(packed.root(), &integer) == (number <= INT64_MAX ? 1 : 0));
  }
}

TEST_CASE("doubles keep their bits, and a whole number is read as one") {
  for (const double number : {0.0, -0.0, 0.1, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::denorm_min(), std::nan("1")}) {
    const Packed packed([&](actord_writer& w) { w.real(&w, number); });
    double read = 7;
    CHECK(packed.reader.kind(packed.root()) == ACTORD_DOUBLE);
    CHECK(packed.reader.real(packed.root(), &read));
    CHECK(std::bit_cast<std::uint64_t>(read) == std::bit_cast<std::uint64_t>(number));
    std::int64_t integer = 0;
    CHECK_FALSE(packed.reader.integer(packed.root(), &integer));
  }
  const Packed whole([](actord_writer& w) { w.integer(&w, -3); });
  double read = 0;
  CHECK(whole.reader.real(whole.root(), &read));
  CHECK(read == -3);
}

TEST_CASE("texts keep their bytes, whether they are UTF-8 or not") {
  for (const std::string& text : {std::string{}, std::string(31, 'x'), std::string(32, 'x'),
                                  std::string(70'000, 'x'), std::string("a\0\xff\xc0z", 5)}) {
    const Packed packed([&](actord_writer& w) { w.text(&w, to_c(text)); });
    actord_str read{};
    CHECK(packed.reader.kind(packed.root()) == ACTORD_TEXT);
    CHECK(packed.reader.text(packed.root(), &read));
    CHECK(view(read) == text);
  }
}

TEST_CASE("refs, durations, truth values and nothing are kinds of their own") {
  const Packed packed([](actord_writer& w) {
    w.begin_list(&w, 5);
    w.ref(&w, UINT64_MAX - 1);
    w.duration(&w, INT64_MIN);
    w.boolean(&w, 1);
    w.boolean(&w, 0);
    w.null(&w);
    w.end(&w);
  });
  const PackReader& r = packed.reader;
  const auto at = [&](std::size_t i) { return r.at(packed.root(), i, nullptr); };
  actord_ref ref = 0;
  std::int64_t ns = 0;
  std::int32_t truth = 2;
  CHECK(r.kind(at(0)) == ACTORD_REF);
  CHECK(r.ref(at(0), &ref));
  CHECK(ref == UINT64_MAX - 1);
  CHECK(r.kind(at(1)) == ACTORD_DURATION);
  CHECK(r.duration(at(1), &ns));
  CHECK(ns == INT64_MIN);
  CHECK(r.boolean(at(2), &truth));
  CHECK(truth == 1);
  CHECK(r.boolean(at(3), &truth));
  CHECK(truth == 0);
  CHECK(r.kind(at(4)) == ACTORD_NULL);
  CHECK_FALSE(r.integer(at(0), &ns));
  CHECK_FALSE(r.ref(at(1), &ref));
  CHECK(at(5).node == nullptr);
}

TEST_CASE("members are found by name in any order, and elements by number") {
  constexpr std::size_t n = 40;  // more than the first byte of a list or map can count
  const Packed packed([&](actord_writer& w) {
    w.begin_map(&w, n);
    for (std::size_t i = 0; i < n; ++i) {
      w.key(&w, to_c(std::to_string(i)));
      w.begin_list(&w, i);
      for (std::size_t j = 0; j < i; ++j) w.natural(&w, 100 * i + j);
      w.end(&w);
    }
    w.end(&w);
  });
  const PackReader& r = packed.reader;
  CHECK(r.kind(packed.root()) == ACTORD_MAP);
  CHECK(r.size(packed.root()) == n);
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}, n - 1, std::size_t{7}, n - 2}) {
    CAPTURE(i);
    const actord_value list = packed.member(std::to_string(i));
    REQUIRE(list.node != nullptr);
    CHECK(r.size(list) == i);
    actord_str key{};
    CHECK(r.at(packed.root(), i, &key).node == list.node);
    CHECK(view(key) == std::to_string(i));
    for (std::size_t j = i; j-- > 0;) {  // backwards
      std::uint64_t read = 0;
      CHECK(r.natural(r.at(list, j, nullptr), &read));
      CHECK(read == 100 * i + j);
    }
  }
  CHECK(packed.member("40").node == nullptr);
  CHECK(r.member(packed.member("1"), to_c("0")).node == nullptr);  // of a list
}

TEST_CASE("an absent value is of no kind, and its members are absent") {
  const Packed packed([](actord_writer& w) { w.begin_map(&w, 0), w.end(&w); });
  const actord_value absent = packed.member("x");
  CHECK(packed.reader.kind(absent) == ACTORD_NULL);
  CHECK(packed.reader.size(absent) == 0);
  CHECK(packed.reader.at(absent, 0, nullptr).node == nullptr);
  CHECK(packed.reader.member(absent, to_c("y")).node == nullptr);
}

TEST_CASE("calls that make no whole value are found") {
  const auto key = [](actord_writer& w) { w.key(&w, to_c("k")); };
  CHECK(fault_of([](actord_writer&) {}) == "it has written no whole value");
  CHECK(fault_of([](actord_writer& w) { w.begin_list(&w, 0); }) == "it has written no whole value");
  CHECK(fault_of([](actord_writer& w) { w.null(&w), w.null(&w); }) ==
        "it has written more than one value");
  CHECK(fault_of([](actord_writer& w) { w.begin_list(&w, 1), w.end(&w); }) ==
        "a list or map has fewer elements than it began with");
  CHECK(fault_of([](actord_writer& w) { w.begin_list(&w, 0), w.null(&w); }) ==
        "a list has more elements than it began with");
  CHECK(fault_of([&](actord_writer& w) { w.begin_map(&w, 0), key(w); }) ==
        "a map has more members than it began with");
  CHECK(fault_of([&](actord_writer& w) { w.begin_map(&w, 1), key(w), w.end(&w); }) ==
        "a list or map has fewer elements than it began with");
  CHECK(fault_of([](actord_writer& w) { w.begin_map(&w, 1), w.null(&w); }) ==
        "a member has no key");
  CHECK(fault_of([&](actord_writer& w) { key(w); }) == "a key stands where none can be");
  CHECK(fault_of([&](actord_writer& w) { w.begin_map(&w, 2), key(w), key(w); }) ==
        "a key stands where none can be");
  CHECK(fault_of([](actord_writer& w) { w.end(&w); }) ==
        "it has ended a list or map that it has not begun");
  CHECK(fault_of([](actord_writer& w) {
          for (int i = 0; i < 1000; ++i) w.begin_list(&w, 1);
        }) == "lists and maps lie too deep in each other");
  CHECK(fault_of([](actord_writer& w) { w.begin_list(&w, SIZE_MAX); }) ==
        "a list or map is too long");
}

TEST_CASE("a value that a plugin rejects is named by the way to it") {
  const Packed packed([](actord_writer& w) {
    w.begin_map(&w, 2);
    w.key(&w, to_c("cards"));
    w.begin_list(&w, 2);
    w.null(&w);
    w.begin_map(&w, 1), w.key(&w, to_c("pin")), w.text(&w, to_c("1234")), w.end(&w);
    w.end(&w);
    w.key(&w, to_c("copies"));
    w.integer(&w, -1);
    w.end(&w);
  });
  const PackReader& r = packed.reader;
  const auto text_for = [&](actord_value value) {
    Reported errors;
    CHECK(r.reject(value, to_c("expected it"), &errors) == ACTORD_FAILED);
    return errors.what;
  };
  const actord_value pin = r.member(r.at(packed.member("cards"), 1, nullptr), to_c("pin"));
  CHECK(text_for(pin) == "cards.1.pin: expected it");
  CHECK(text_for(packed.member("copies")) == "copies: expected it");
  CHECK(text_for(packed.root()) == "expected it");
  CHECK(text_for(packed.member("absent")) == "expected it");
}

TEST_SUITE_END();

}  // namespace actord::message
