// SPDX-License-Identifier: Apache-2.0
//
// Messages as values, and values as messages, where the runtime has no function of the plugin for
// it: plain structs, and messages that lie as MessagePack.
#include "message/message_values.hpp"

#include <doctest/doctest.h>
#include <actord/actord.hpp>

#include <functional>
#include <limits>

#include "message/message_pack.hpp"
#include "message/message_text.hpp"
#include "message/packed_message.hpp"

namespace actord::message {

TEST_SUITE_BEGIN("message/message_values");

namespace {

struct Plain {
  bool truth = false;
  std::int8_t i8 = 0;
  std::int16_t i16 = 0;
  std::int32_t i32 = 0;
  std::int64_t i64 = 0;
  std::uint8_t u8 = 0;
  std::uint16_t u16 = 0;
  std::uint32_t u32 = 0;
  std::uint64_t u64 = 0;
  float f = 0;
  double d = 0;
  Ref who;
};
ACTORD_MESSAGE(Plain, "test.Plain/1", truth, i8, i16, i32, i64, u8, u16, u32, u64, f, d, who)

struct Small {
  std::int8_t n = 0;
};
ACTORD_MESSAGE(Small, "test.Small/1", n)

struct Card {
  std::string pin;
  std::int16_t digits = 0;
};
ACTORD_FIELDS(Card, pin, digits)
struct Rich {
  std::string text;
  std::optional<std::int32_t> maybe;
  std::vector<Card> cards;
  std::map<std::string, std::vector<std::int64_t>> map;
  std::chrono::nanoseconds time{};
};
ACTORD_MESSAGE(Rich, "test.Rich/1", text, maybe, cards, map, time)

struct Reported : actord_errors {
  Reported()
      : actord_errors{[](actord_errors* self, const actord_failure* failure) {
          static_cast<Reported*>(self)->what = view(failure->what);
        }} {}
  std::string what;
};

/// The table that the runtime has of a message of a host: without functions of the plugin.
template <class M>
actord_message_type plain_table() {
  actord_message_type table = *detail::message_table<M>();
  table.write = nullptr;
  table.read = nullptr;
  return table;
}

using Calls = std::function<void(actord_writer&)>;

std::string packed(const Calls& calls) {
  PackWriter writer;
  calls(writer);
  REQUIRE(writer.fault() == "");
  return std::string{writer.bytes()};
}

std::string written(const actord_message_type& table, const void* message) {
  PackWriter writer;
  Reported errors;
  const MessageType type{.table = &table};
  REQUIRE(write_message(type, message, writer, errors) == ACTORD_OK);
  REQUIRE(writer.fault() == "");
  return std::string{writer.bytes()};
}

/// What is said of the value; empty: it was read.
std::string fault_of(const actord_message_type& table, void* to, std::string_view bytes) {
  const PackReader reader(bytes);
  Reported errors;
  const MessageType type{.table = &table};
  const actord_status status = read_message(type, to, reader.root(), errors);
  CHECK((status == ACTORD_OK) == errors.what.empty());
  return errors.what;
}

// A map with one member.
std::string only(std::string_view name, const Calls& content) {
  return packed([&](actord_writer& w) {
    w.begin_map(&w, 1);
    w.key(&w, to_c(name));
    content(w);
    w.end(&w);
  });
}

/// What the runtime says of a Rich with this content; what it takes is destroyed.
std::string fault_of_rich(std::string_view bytes) {
  static actord_type_id id = 0;
  const actord_message_type table = packed_table(*detail::message_table<Rich>(), &id);
  PackedMessage message{};
  std::string fault = fault_of(table, &message, bytes);
  if (fault.empty()) {
    CHECK(message.view() == bytes);
    destroy_packed(message);
  }
  return fault;
}

}  // namespace

TEST_CASE("every number of a plain message comes back, at its limits too") {
  const actord_message_type table = plain_table<Plain>();
  REQUIRE(is_plain(table));
  constexpr auto infinity = std::numeric_limits<double>::infinity();
  for (const Plain& each :
       {Plain{},
        Plain{true,
              -128,
              INT16_MIN,
              INT32_MIN,
              INT64_MIN,
              255,
              UINT16_MAX,
              UINT32_MAX,
              UINT64_MAX,
              std::numeric_limits<float>::max(),
              infinity,
              {UINT64_MAX}},
        Plain{false, 127, INT16_MAX, INT32_MAX, INT64_MAX, 0, 0, 0, 0, -0.5F, -0.1, {1}}}) {
    Plain read;
    CHECK(fault_of(table, &read, written(table, &each)) == "");
    CHECK(std::memcmp(&read.i64, &each.i64, sizeof each.i64) == 0);
    CHECK(read.truth == each.truth);
    CHECK(read.i8 == each.i8);
    CHECK(read.i16 == each.i16);
    CHECK(read.i32 == each.i32);
    CHECK(read.u8 == each.u8);
    CHECK(read.u16 == each.u16);
    CHECK(read.u32 == each.u32);
    CHECK(read.u64 == each.u64);
    CHECK(read.f == each.f);
    CHECK(read.d == each.d);
    CHECK(read.who == each.who);
  }
}

TEST_CASE("a plain message is written as the plugin's own function writes it") {
  const actord_message_type table = plain_table<Plain>();
  const Plain message{true, -1, 2, -3, 4, 5, 6, 7, 8, 0.5F, 0.25, {9}};
  CHECK(written(table, &message) == written(*detail::message_table<Plain>(), &message));
}

TEST_CASE("what people are shown of a plain message needs no function of the plugin either") {
  const auto path = [](actord_ref who) { return "/user/" + std::to_string(who); };
  const Plain message{true, -1, 2, -3, 4, 5, 6, 7, 8, 0.5F, 0.25, {9}};
  CHECK(text_of_message(plain_table<Plain>(), &message, path) ==
        text_of_message(*detail::message_table<Plain>(), &message, path));
}

TEST_CASE("numbers that do not fit, wrong types, and members too many or too few are refused") {
  const actord_message_type table = plain_table<Small>();
  Small read;
  const auto integer = [](std::int64_t n) { return [n](actord_writer& w) { w.integer(&w, n); }; };
  CHECK(fault_of(table, &read, only("n", integer(-128))) == "");
  CHECK(read.n == -128);
  for (const std::int64_t n : {std::int64_t{-129}, std::int64_t{128}, INT64_MIN, INT64_MAX})
    CHECK(fault_of(table, &read, only("n", integer(n))).find("int8") != std::string::npos);
  for (const Calls& wrong :
       {Calls{[](actord_writer& w) { w.null(&w); }},
        Calls{[](actord_writer& w) { w.boolean(&w, 1); }},
        Calls{[](actord_writer& w) { w.text(&w, to_c("1")); }},
        Calls{[](actord_writer& w) { w.real(&w, 0.5); }}, Calls{[](actord_writer& w) {
          w.begin_list(&w, 0);
          w.end(&w);
        }}})
    CHECK(fault_of(table, &read, only("n", wrong)) != "");
  CHECK(fault_of(table, &read, only("other", integer(1))).find("no such member") !=
        std::string::npos);
  CHECK(fault_of(table, &read, packed([](actord_writer& w) {
                   w.begin_map(&w, 0);
                   w.end(&w);
                 }))
            .find("lacks the member n") != std::string::npos);
  CHECK(fault_of(table, &read, packed(integer(1))) != "");
}

TEST_CASE("a truth value that is neither 0 nor 1 is no message") {
  const actord_message_type table = plain_table<Plain>();
  Plain message;
  CHECK(is_possible(table, &message));
  const unsigned char two = 2;
  std::memcpy(&message.truth, &two, 1);
  CHECK_FALSE(is_possible(table, &message));
}

TEST_CASE("a message with texts, or whose members lie outside of it, is not plain") {
  CHECK_FALSE(is_plain(*detail::message_table<Rich>()));
  actord_message_type table = plain_table<Small>();
  CHECK(is_plain(table));
  const actord_member outside{to_c("n"), to_c("int64"), 0};
  table.members = &outside;
  CHECK_FALSE(is_plain(table));
  actord_member behind{to_c("n"), to_c("int8"), 1};
  table.members = &behind;
  CHECK_FALSE(is_plain(table));
}

TEST_CASE("a packed message takes what its members say, nested in each other") {
  const Rich rich{
      "a\nb", 7, {{"12", 2}, {"", -1}}, {{"x", {1, 2}}, {"", {}}}, std::chrono::nanoseconds{5}};
  CHECK(fault_of_rich(written(*detail::message_table<Rich>(), &rich)) == "");
  CHECK(fault_of_rich(written(*detail::message_table<Rich>(), std::make_unique<Rich>().get())) ==
        "");
  CHECK(fault_of_rich(only("maybe", [](actord_writer& w) { w.null(&w); })) == "");
}

TEST_CASE("a packed message refuses what is wrong at any depth") {
  const Calls number = [](actord_writer& w) { w.integer(&w, 40'000); };
  const auto list_of = [](const Calls& element) {
    return [element](actord_writer& w) {
      w.begin_list(&w, 1);
      element(w);
      w.end(&w);
    };
  };
  const auto map_of = [](std::string key, const Calls& element) {
    return [key, element](actord_writer& w) {
      w.begin_map(&w, 1);
      w.key(&w, to_c(key));
      element(w);
      w.end(&w);
    };
  };
  const Calls text = [](actord_writer& w) { w.text(&w, to_c("x")); };
  CHECK(fault_of_rich(only("text", number)) != "");
  CHECK(fault_of_rich(only("maybe", text)) != "");
  CHECK(fault_of_rich(only("cards", text)) != "");
  CHECK(fault_of_rich(only("cards", list_of(number))) != "");
  CHECK(fault_of_rich(only("cards", list_of(map_of("digits", number)))) != "");  // no int16
  CHECK(fault_of_rich(only("cards", list_of(map_of("pin", text)))) == "");
  CHECK(fault_of_rich(only("cards", list_of(map_of("other", text)))) != "");
  CHECK(fault_of_rich(only("map", list_of(number))) != "");
  CHECK(fault_of_rich(only("map", map_of("k", number))) != "");
  CHECK(fault_of_rich(only("map", map_of("k", list_of(number)))) == "");
  CHECK(fault_of_rich(only("map", map_of("k", list_of(text)))) != "");
  CHECK(fault_of_rich(only("time", text)) != "");
}

TEST_SUITE_END();

}  // namespace actord::message
