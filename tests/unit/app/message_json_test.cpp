// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <actord/actord.hpp>
#include <cmath>
#include <limits>
#include <map>

#include "app/message_json.hpp"

namespace actord::app {

namespace {

struct Inner {
  std::string pin;
  std::vector<std::int32_t> digits;
};
ACTORD_FIELDS(Inner, pin, digits)

struct Everything {
  bool flag = false;
  std::uint64_t number = 0;
  double real = 0;
  std::string text;
  std::chrono::milliseconds pause{};
  Ref who;
  std::optional<std::int32_t> maybe;
  std::map<std::string, Inner> inner;
};
ACTORD_MESSAGE(Everything, "test.Everything/1", flag, number, real, text, pause, who, maybe, inner)

struct Names {
  std::vector<std::string> names;
};
ACTORD_MESSAGE(Names, "test.Names/1", names)

template <class M>
message::MessageType type_of() {
  message::MessageType type;
  type.table = detail::message_table<M>();
  type.size = sizeof(M);
  return type;
}

template <class M>
base::Result<wire::Json> written(const M& message) {
  const message::MessageType type = type_of<M>();
  return json_of(type, &message, [](actord_ref ref) { return "/user/" + std::to_string(ref); });
}

template <class M>
std::string fault_of(const std::string& json) {
  static const message::MessageType type = type_of<M>();
  const auto read = read_message(1, type, json, {});
  if (read) return {};
  return read.error().what + '\n' + hocon::format(read.error().findings);
}

}  // namespace

TEST_SUITE_BEGIN("app/message_json");

TEST_CASE("a message becomes JSON and the same message again") {
  const std::string json =
      R"({"flag":true,"number":18446744073709551615,"real":1.5,"text":"a\"b${HOME}",)"
      R"("pause":"250 ms","who":"/user/7","maybe":null,"inner":{"x":{"pin":"1","digits":[1,2]}}})";
  static const message::MessageType type = type_of<Everything>();
  const auto read = read_message(
      1, type, json, [](std::string_view path) -> actord_ref { return path == "/user/7" ? 7 : 0; });
  REQUIRE(read.ok());
  const auto& message = *static_cast<const Everything*>((*read)->content());
  CHECK(message.who.value == 7);
  CHECK(message.text == "a\"b${HOME}");  // no variable of the daemon
  const auto again = written(message);
  REQUIRE(again.ok());
  CHECK(again->dump() == json);
}

TEST_CASE("a real number that JSON does not have is a text") {
  Everything message;
  message.real = std::numeric_limits<double>::quiet_NaN();
  CHECK((*written(message))["real"] == "NaN");
  message.real = -std::numeric_limits<double>::infinity();
  CHECK((*written(message))["real"] == "-Infinity");
}

TEST_CASE("a message that does not fit into a reply is not cut") {
  CHECK(written(Names{std::vector<std::string>(1000, "short")}).ok());
  const auto many = written(Names{std::vector<std::string>(100'000, "short")});
  const auto large = written(Names{{std::string(std::size_t{1} << 20, 'x')}});
  REQUIRE_FALSE(many.ok());
  REQUIRE_FALSE(large.ok());
  CHECK(large.error().what == "test.Names/1 does not fit into a reply of 256 KiB");
  Everything message;
  for (int i = 0; i < 2000; ++i) message.inner[std::to_string(i)] = {};
  CHECK_FALSE(written(message).ok());
}

TEST_CASE("what is no message of the type is refused with the place") {
  CHECK(fault_of<Names>(R"({"names":["a"]})").empty());
  CHECK(fault_of<Names>("{}").empty());
  CHECK(fault_of<Names>("[]").find("is written as an object") != std::string::npos);
  CHECK(fault_of<Names>("{").find("is no JSON at line 1, column 2") != std::string::npos);
  CHECK(fault_of<Names>(R"(include "/etc/passwd")").find("is no JSON") != std::string::npos);
  const std::string unknown = fault_of<Names>(R"({"name":["a"]})");
  CHECK(unknown.find("did you mean \"names\"?") != std::string::npos);
  CHECK(unknown.find("message:1:13") != std::string::npos);
  CHECK(fault_of<Names>(R"({"names":"a"})").find("test.Names/1") != std::string::npos);
  CHECK(fault_of<Everything>(R"({"pause":"long"})").find("message:1:20") != std::string::npos);
  CHECK(fault_of<Everything>(R"({"who":"/user/none"})").find("who") != std::string::npos);
}

TEST_SUITE_END();

}  // namespace actord::app
