// SPDX-License-Identifier: Apache-2.0
#include "wire/control_message.hpp"

#include <doctest/doctest.h>

using namespace actord::wire;

TEST_SUITE_BEGIN("wire/control_message");

namespace {

/// An object with `n` members.
std::string object_of(std::size_t n) {
  std::string text = "{";
  for (std::size_t i = 0; i < n; ++i)
    text.append(i == 0 ? "\"k" : ",\"k").append(std::to_string(i)).append("\":1");
  return text + '}';
}

}  // namespace

TEST_CASE("a request comes back as it was written") {
  const auto request =
      read_request(text_of(Request{7, "config.reload", {{"dry_run", true}, {"name", "é"}}}));
  REQUIRE(request.ok());
  CHECK(request->id == 7);
  CHECK(request->verb == "config.reload");
  CHECK(request->arguments.dump() == R"({"dry_run":true,"name":"é"})");
}

TEST_CASE("progress and replies are told apart") {
  const auto progress = read_answer(text_of(Progress{1, {{"phase", "accepted"}}}));
  REQUIRE(progress.ok());
  CHECK(std::get<Progress>(*progress).what["phase"] == "accepted");
  const auto reply = read_answer(text_of(Reply{2, 75, "busy", {{"n", 1}}}));
  REQUIRE(reply.ok());
  CHECK(std::get<Reply>(*reply).status == 75);
  CHECK(std::get<Reply>(*reply).error == "busy");
  CHECK(std::get<Reply>(*reply).result["n"] == 1);
}

TEST_CASE("what is no request is refused with a reason") {
  struct Row {
    const char* text;
    const char* why;
  };
  for (const Row& row : {
           Row{"", "not JSON"},
           Row{"{", "not JSON"},
           Row{"[]", "not a JSON object"},
           Row{"{}", "version"},
           Row{R"({"v":2,"id":1,"verb":"x"})", "version 2"},
           Row{R"({"v":"1","id":1,"verb":"x"})", "version"},
           Row{R"({"v":1,"id":-1,"verb":"x"})", "id"},
           Row{R"({"v":1,"verb":"x"})", "id"},
           Row{R"({"v":1,"id":1})", "verb"},
           Row{R"({"v":1,"id":1,"verb":3})", "verb"},
           Row{R"({"v":1,"id":1,"verb":"x","args":[]})", "args"},
           Row{"{\"v\":1,\"id\":1,\"verb\":\"\xff\"}", "not JSON"},
       }) {
    CAPTURE(row.text);
    const auto request = read_request(row.text);
    REQUIRE_FALSE(request.ok());
    CHECK(request.error().what.find(row.why) != std::string::npos);
  }
}

TEST_CASE("unknown members are passed over") {
  CHECK(read_request(R"({"v":1,"id":1,"verb":"x","since":"the next version"})").ok());
}

TEST_CASE("a text that nests too deep is refused before it is parsed") {
  const std::string deep(100'000, '[');
  const auto request = read_request(R"({"v":1,"id":1,"verb":"x","args":)" + deep);
  REQUIRE_FALSE(request.ok());
  CHECK(request.error().what.find("deeper") != std::string::npos);
  CHECK_FALSE(read_answer(deep).ok());
  // Brackets inside strings are plain characters.
  CHECK(read_request(R"({"v":1,"id":1,"verb":"\"[[)" + std::string(1000, '[') + "\"}").ok());
}

TEST_CASE("a request with more than 256 members is refused before it is parsed, an answer is not") {
  const auto with_arguments = [](std::size_t n) {
    return R"({"v":1,"id":1,"verb":"x","args":)" + object_of(n) + '}';
  };
  CHECK(read_request(with_arguments(252)).ok());
  const auto request = read_request(with_arguments(253));
  REQUIRE_FALSE(request.ok());
  CHECK(request.error().what == "more than 256 members");
  CHECK_FALSE(read_request(with_arguments(131'064)).ok());
  // Colons inside strings are plain characters.
  CHECK(read_request(R"({"v":1,"id":1,"verb":")" + std::string(1000, ':') + "\"}").ok());
  std::string values = R"({"v":1,"id":1,"status":0,"result":[{"a":1})";
  for (int i = 0; i < 1000; ++i) values += R"(,{"a":1})";
  CHECK(read_answer(values + "]}").ok());
}

TEST_CASE("an answer with an object of more than 1024 members is refused before it is parsed") {
  const auto with_result = [](std::size_t n) {
    return R"({"v":1,"id":1,"status":0,"result":[{"a":{}},)" + object_of(n) + "]}";
  };
  CHECK(read_answer(with_result(1024)).ok());
  const auto answer = read_answer(with_result(1025));
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().what == "an object with more than 1024 members");
}

TEST_CASE("a name that is no valid UTF-8 can be sent all the same") {
  CHECK(read_answer(text_of(Reply{1, 78, "cannot read \xff.conf", {}})).ok());
}
