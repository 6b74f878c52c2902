// SPDX-License-Identifier: Apache-2.0
//
// Equal messages have equal texts, and different ones different texts.
#include "message/canonical_text.hpp"

#include <doctest/doctest.h>
#include <actord/actord.hpp>

namespace actord::message {

TEST_SUITE_BEGIN("message/canonical_text");

namespace {

struct Everything {
  std::string text;
  std::int64_t whole = 0;
  std::uint32_t natural = 0;
  double real = 0;
  bool truth = false;
  std::optional<std::string> maybe;
  std::vector<std::string> list;
  std::map<std::string, std::int64_t> map;
  std::chrono::milliseconds time{};
  Ref who;
};
ACTORD_MESSAGE(Everything, "test.Everything/1", text, whole, natural, real, truth, maybe, list, map,
               time, who)

struct Unwritable {
  std::string text;
};
ACTORD_MESSAGE(Unwritable, "test.Unwritable/1", text)

template <class M>
std::string text_of(const M& message) {
  MessageType type;
  type.table = detail::message_table<M>();
  return canonical_text(type, &message);
}

Everything something() {
  return {"text", -1, 1, 0.5, true, "1", {"a", "b"}, {{"k", 1}}, std::chrono::milliseconds{1}, {7}};
}

}  // namespace

TEST_CASE("two equal messages have the same text") {
  CHECK(text_of(something()) == text_of(something()));
}

TEST_CASE("a change of any field changes the text") {
  const std::string before = text_of(something());
  const auto changed = [&](auto&& change) {
    Everything other = something();
    change(other);
    return text_of(other) != before;
  };
  CHECK(changed([](Everything& m) { m.text = "texs"; }));
  CHECK(changed([](Everything& m) { m.whole = 1; }));
  CHECK(changed([](Everything& m) { m.natural = 2; }));
  CHECK(changed([](Everything& m) { m.real = 0.25; }));
  CHECK(changed([](Everything& m) { m.truth = false; }));
  CHECK(changed([](Everything& m) { m.maybe.reset(); }));
  CHECK(changed([](Everything& m) { m.list = {"ab", ""}; }));
  CHECK(changed([](Everything& m) { m.map["k"] = 2; }));
  CHECK(changed([](Everything& m) { m.time = std::chrono::milliseconds{2}; }));
  CHECK(changed([](Everything& m) { m.who = {8}; }));
}

TEST_CASE("where a text ends cannot be mistaken for its content") {
  Everything a = something(), b = something();
  a.list = {"a;s1;b"};
  b.list = {"a", "b"};
  CHECK(text_of(a) != text_of(b));
}

TEST_CASE("a message that cannot be written has its type's name for a text") {
  actord_message_type table = *detail::message_table<Unwritable>();
  table.write = [](const void*, actord_writer*, actord_errors*) {
    return actord_status{ACTORD_FAILED};
  };
  MessageType type;
  type.table = &table;
  const Unwritable message{"text"};
  CHECK(canonical_text(type, &message) == "test.Unwritable/1");
}

TEST_SUITE_END();

}  // namespace actord::message
