// SPDX-License-Identifier: Apache-2.0
//
// A message of one layout becomes the same message of another one: every kind of field, in structs
// whose members lie elsewhere and whose texts are of another class.
#include "message/translation.hpp"

#include <doctest/doctest.h>
#include <actord/actord.hpp>

#include <cmath>
#include <cstring>
#include <limits>

#include "message/owned_message.hpp"
#include "message/type_registry.hpp"

namespace actord::message {

TEST_SUITE_BEGIN("message/translation");

namespace {

/// A layout of C++.
namespace here {

struct Card {
  std::string pin;
  std::int16_t digits = 0;
};
ACTORD_FIELDS(Card, pin, digits)
enum class Mode : std::uint8_t { calm, loud };
ACTORD_ENUM(Mode, calm, loud)
struct Everything {
  bool truth = false;
  std::int8_t small = 0;
  std::int64_t whole = 0;
  std::uint64_t natural = 0;
  float real = 0;
  double exact = 0;
  std::string text;
  Ref who;
  std::chrono::nanoseconds time{};
  std::vector<Card> cards;
  std::map<std::string, std::vector<std::int64_t>> map;
  std::optional<std::string> maybe;
  Mode mode = Mode::calm;
};
ACTORD_MESSAGE(Everything, "test.Everything/1", truth, small, whole, natural, real, exact, text,
               who, time, cards, map, maybe, mode)

}  // namespace here

/// The same members in another order, and a mode more.
namespace there {

struct Card {
  std::int16_t digits = 0;
  std::string pin;
};
ACTORD_FIELDS(Card, pin, digits)
enum class Mode : std::uint32_t { shy, loud, calm };
ACTORD_ENUM(Mode, calm, loud, shy)
struct alignas(64) Everything {
  std::optional<std::string> maybe;
  std::map<std::string, std::vector<std::int64_t>> map;
  std::string text;
  std::vector<Card> cards;
  Mode mode = Mode::calm;
  std::chrono::nanoseconds time{};
  Ref who;
  double exact = 0;
  float real = 0;
  std::uint64_t natural = 0;
  std::int64_t whole = 0;
  std::int8_t small = 0;
  bool truth = false;
};
ACTORD_MESSAGE(Everything, "test.Everything/1", truth, small, whole, natural, real, exact, text,
               who, time, cards, map, maybe, mode)

}  // namespace there

template <class M>
MessageType type_of() {
  MessageType type;
  type.table = detail::message_table<M>();
  type.size = sizeof(M);
  type.is_trivial = std::is_trivially_copyable_v<M>;
  return type;
}

struct Reported : actord_errors {
  Reported()
      : actord_errors{[](actord_errors* self, const actord_failure* failure) {
          static_cast<Reported*>(self)->what = view(failure->what);
        }} {}
  std::string what;
};

/// The message in the layout of To; the REQUIREd translation may fail only with `fault`.
template <class To, class From>
To translated(const From& from) {
  const MessageType to = type_of<To>();
  OwnedMessage made(1, to);
  Reported errors;
  const actord_status status = made.translate(type_of<From>(), &from, errors);
  REQUIRE(errors.what == "");
  REQUIRE(status == ACTORD_OK);
  return *static_cast<To*>(made.content());
}

here::Everything something() {
  return {true,
          -128,
          INT64_MIN,
          UINT64_MAX,
          -0.5F,
          0.1,
          std::string("not UTF-8: \xff\0.", 13),
          {UINT64_MAX - 5},
          std::chrono::nanoseconds{-1},
          {{"1234", 4}, {"", -1}},
          {{"a", {1, 2}}, {"", {}}},
          std::string{},
          here::Mode::loud};
}

}  // namespace

TEST_CASE("every kind of field comes through, there and back") {
  const here::Everything message = something();
  const auto crossed = translated<there::Everything>(message);
  CHECK(crossed.text.size() == 13);
  CHECK(crossed.cards.at(0).pin == "1234");
  CHECK(crossed.mode == there::Mode::loud);
  CHECK(crossed.map.at("a").at(1) == 2);
  CHECK(translated<here::Everything>(crossed) == message);

  here::Everything none;
  const auto empty = translated<there::Everything>(none);
  CHECK_FALSE(empty.maybe);
  CHECK(translated<here::Everything>(empty) == none);
}

TEST_CASE("a number that is none keeps being none") {
  here::Everything message;
  message.exact = std::nan("");
  message.real = std::numeric_limits<float>::quiet_NaN();
  const auto crossed = translated<there::Everything>(message);
  CHECK(std::isnan(crossed.exact));
  CHECK(std::isnan(crossed.real));
  message.exact = -std::numeric_limits<double>::infinity();
  message.real = std::numeric_limits<float>::max();
  const auto back = translated<here::Everything>(translated<there::Everything>(message));
  CHECK(back.exact == message.exact);
  CHECK(back.real == message.real);
}

// ---- a struct of C ------------------------------------------------------------------------------

namespace {

struct CText {
  std::uint32_t length;
  char text[8];
  std::int32_t copies;
};

actord_status write_c(const void* message, actord_writer* w, actord_errors*) {
  const auto& it = *static_cast<const CText*>(message);
  w->begin_map(w, 2);
  w->key(w, to_c("text"));
  w->text(w, {it.text, it.length});
  w->key(w, to_c("copies"));
  w->integer(w, it.copies);
  w->end(w);
  return ACTORD_OK;
}

actord_status read_c(void* to, actord_value in, actord_errors* errors) {
  CText made{};
  actord_str text{};
  std::int64_t copies = 0;
  const actord_value of_text = in.reader->member(in, to_c("text"));
  if (!in.reader->text(of_text, &text) ||
      !in.reader->integer(in.reader->member(in, to_c("copies")), &copies))
    return in.reader->reject(in, to_c("expected text and copies"), errors);
  if (text.size > sizeof made.text)
    return in.reader->reject(of_text, to_c("a text of at most 8 bytes"), errors);
  made.length = static_cast<std::uint32_t>(text.size);
  std::memcpy(made.text, text.data, text.size);
  made.copies = static_cast<std::int32_t>(copies);
  std::memcpy(to, &made, sizeof made);
  return ACTORD_OK;
}

struct Text {
  std::string text;
  std::int32_t copies = 0;
};
ACTORD_MESSAGE(Text, "echo.Text/1", text, copies)

actord_message_type c_table() {
  actord_message_type table{};
  table.struct_size = sizeof table;
  table.flags = ACTORD_TRIVIAL;
  table.name = to_c("echo.Text/1");
  table.size = sizeof(CText);
  table.align = alignof(CText);
  table.write = &write_c;
  table.read = &read_c;
  return table;
}

/// What comes of a message to a struct of C: its text, or the error.
std::string to_c_struct(const actord_message_type& table, const Text& message) {
  const MessageType type{&table, table.size, true};
  CText made{};
  Reported errors;
  if (translate(type_of<Text>(), &message, type, &made, errors) != ACTORD_OK) return errors.what;
  return std::string{made.text, made.length} + ' ' + std::to_string(made.copies);
}

std::string from_c_struct(const actord_message_type& table, const CText& message) {
  const MessageType type{&table, table.size, true};
  const MessageType to = type_of<Text>();
  OwnedMessage made(1, to);
  Reported errors;
  if (made.translate(type, &message, errors) != ACTORD_OK) return errors.what;
  const Text& text = *static_cast<Text*>(made.content());
  return text.text + ' ' + std::to_string(text.copies);
}

}  // namespace

TEST_CASE("a struct of C and a class of C++ become each other") {
  const actord_message_type table = c_table();
  CHECK(to_c_struct(table, {"tea", -2}) == "tea -2");
  CHECK(from_c_struct(table, {3, "tea", -2}) == "tea -2");
}

TEST_CASE("what the reader cannot hold is an error that names the member") {
  CHECK(to_c_struct(c_table(), {"too long for it", 1}) == "text: a text of at most 8 bytes");
  here::Everything known;
  there::Everything unknown;
  unknown.mode = there::Mode::shy;
  const MessageType to = type_of<here::Everything>();
  OwnedMessage made(1, to);
  Reported errors;
  CHECK(made.translate(type_of<there::Everything>(), &unknown, errors) == ACTORD_FAILED);
  CHECK(errors.what == "mode: expected one of calm, loud");
}

namespace {

namespace fast {
enum class Gear : std::uint8_t { first, second };
ACTORD_ENUM(Gear, first, second)
struct Drive {
  Gear gear = Gear::first;
  std::chrono::seconds time{};
};
ACTORD_MESSAGE(Drive, "test.Drive/1", gear, time)
}  // namespace fast

/// It has the same size, and its members are at the same offsets.
namespace slow {
enum class Gear : std::uint8_t { reverse, first, second };
ACTORD_ENUM(Gear, reverse, first, second)
struct Drive {
  Gear gear = Gear::first;
  std::chrono::milliseconds time{};
};
ACTORD_MESSAGE(Drive, "test.Drive/1", gear, time)
}  // namespace slow

}  // namespace

TEST_CASE("numbers that mean something else in another plugin are another layout") {
  const actord_message_type& here = *detail::message_table<fast::Drive>();
  const actord_message_type& there = *detail::message_table<slow::Drive>();
  REQUIRE(here.size == there.size);
  CHECK(view(here.library) == "gear: first=0 second=1, time: units of 1/1 s");
  TypeRegistry registry;
  const auto id = registry.add(here, "fast 1"), other = registry.add(there, "slow 1");
  REQUIRE(id);
  REQUIRE(other);
  CHECK(*id != *other);
  const fast::Drive sent{fast::Gear::second, std::chrono::seconds{5}};
  OwnedMessage got(*other, registry.at(*other));
  Reported errors;
  REQUIRE(got.translate(registry.at(*id), &sent, errors) == ACTORD_OK);
  CHECK(static_cast<slow::Drive*>(got.content())->gear == slow::Gear::second);
  CHECK(static_cast<slow::Drive*>(got.content())->time == std::chrono::seconds{5});
}

TEST_CASE("a plugin that does not write a whole message, or cannot, is named") {
  actord_message_type table = c_table();
  table.write = [](const void*, actord_writer* w, actord_errors*) -> actord_status {
    w->begin_map(w, 2);
    w->key(w, to_c("text"));
    w->text(w, to_c("tea"));
    w->end(w);
    return ACTORD_OK;
  };
  CHECK(from_c_struct(table, {}) ==
        "the function `write` of echo.Text/1 (a plain struct): a list or map has fewer elements "
        "than it began with");
  table.write = nullptr;
  CHECK(from_c_struct(table, {}) ==
        "echo.Text/1 (a plain struct) has no function `write`, so that it cannot cross");
  table.read = nullptr;
  CHECK(to_c_struct(table, {}) ==
        "echo.Text/1 (a plain struct) has no function `read`, so that none can come");
}

TEST_SUITE_END();

}  // namespace actord::message
