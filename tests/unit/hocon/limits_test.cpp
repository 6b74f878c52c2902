// SPDX-License-Identifier: Apache-2.0
//
// Hostile input ends in a message, and large honest input is accepted.
#include "hocon/limits.hpp"

#include <pthread.h>
#include <sys/resource.h>

#include <utility>

#include "resolved.hpp"
#include "support/scratch_folder.hpp"

namespace actord::hocon::test {

namespace {

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string resolved_within(const Limits& limits, std::string_view text) {
  Source source(limits);
  source.add_text("t", std::string(text));
  return resolved(source);
}

// Keys from last to first, so that each waits for the next: `#` becomes the number of the key, `@`
// the one before. The value of a0 is 1.
std::string chain_of(std::string_view line, std::uint32_t length) {
  std::string text;
  for (std::uint32_t i = length; i > 0; --i) {
    for (const char c : line) {
      if (c == '#') text += std::to_string(i);
      else if (c == '@') text += std::to_string(i - 1);
      else text += c;
    }
    text += '\n';
  }
  return text + "a0 = 1";
}

// Resolves the text on a thread with a stack of that many megabytes.
std::string resolved_on_stack(unsigned megabytes, std::string text) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{megabytes} << 20U);
  pthread_t thread;
  const auto body = [](void* text_and_result) -> void* {
    auto& both = *static_cast<std::string*>(text_and_result);
    both = resolved(both);
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, body, &text) == 0);
  pthread_attr_destroy(&attributes);
  pthread_join(thread, nullptr);
  return text;
}

constexpr int many = 100'000;

#ifdef __SANITIZE_ADDRESS__  // its frames are larger
constexpr unsigned usual_stack_mb = 16;
#else
constexpr unsigned usual_stack_mb = 8;
#endif

}  // namespace

TEST_SUITE_BEGIN("hocon/limits");

TEST_CASE("nesting of any kind is limited") {
  CHECK(resolved("a = " + repeated("[", many)).ends_with("nested deeper than 256 levels"));
  CHECK(resolved("a = " + repeated("[", many) + repeated("]", many))
            .ends_with("nested deeper than 256 levels"));
  CHECK(resolved(repeated("{a:", many)).ends_with("nested deeper than 256 levels"));
  CHECK(resolved("a = " + repeated("{a:", many)).ends_with("nested deeper than 256 levels"));
  CHECK(resolved(repeated("a.", many) + "a = 1").ends_with("nested deeper than 256 levels"));
  CHECK(
      resolved("b = ${" + repeated("a.", many) + "a}").ends_with("nested deeper than 256 levels"));
  CHECK(resolved("a = " + repeated("${", many)) ==
        "1:7: a substitution cannot contain another one");
  CHECK(resolved("a = " + repeated("[", 256) + repeated("]", 256)).starts_with("{\"a\":[[[["));
}

TEST_CASE("nesting that only substitutions build is limited too") {
  std::string text = "a0 { x = 1 }\n";
  for (int i = 1; i < 1000; ++i)
    text += "a" + std::to_string(i) + " { x = ${a" + std::to_string(i - 1) + "} }\n";
  CHECK(resolved(text).ends_with("the resolved configuration nests deeper than 256 levels"));
}

TEST_CASE("what multiplies ends before it fills the memory") {
  std::string list = "a0 = [x,x,x,x,x,x,x,x,x,x]\n";
  std::string text = "a0 = xxxxxxxx\n";
  std::string object = "a0 { l = 1, r = 2 }\n";
  for (int i = 1; i < 40; ++i) {
    const std::string last = "${a" + std::to_string(i - 1) + "}";
    const std::string name = "a" + std::to_string(i);
    list += name + " = " + repeated(last + " ", 10) + "\n";
    text += name + " = " + last + last + "\n";
    object += name + " { l = " + last + ", r = " + last + " }\n";
  }
  Limits limits;
  limits.nodes = 100'000;
  limits.text_bytes = 10 << 20;
  CHECK(resolved_within(limits, list).find("more than 100000") != std::string::npos);
  CHECK(resolved_within(limits, text).ends_with("the joined strings take more than 10 MiB"));
  CHECK(resolved_within(limits, object).find("more than 100000") != std::string::npos);
}

TEST_CASE("files with very many values end before they fill the memory") {
  Limits limits;
  limits.nodes = 1000;
  const std::string refused = "the files have more than 1000 values altogether";
  CHECK(resolved_within(limits, "a = [" + repeated("1,", 990) + "1]").starts_with("{"));
  for (const std::string& text :
       {"a = [" + repeated("1,", 1000) + "1]", "a = " + repeated("1 ", 1001),
        repeated("a = 1\n", 1001), repeated("a { b = 1 }\n", 501), repeated("a.b.c = 1\n", 334),
        repeated("a = ${?a.b.c}\n", 334), repeated("a += 1\n", 1001),
        "a = " + repeated("[", 200) + repeated("1,", 900) + repeated("]", 200)}) {
    CAPTURE(text.substr(0, 20));
    CHECK(resolved_within(limits, text).ends_with(refused));
  }
  Source json(limits);
  json.add_text("t.json", "{\"a\": [" + repeated("1,", 1000) + "1]}");
  CHECK(resolved(json).ends_with(refused));
  Source two(limits);
  for (const char* name : {"t", "u"}) two.add_text(name, "a = [" + repeated("1,", 600) + "1]");
  CHECK(resolved(two).ends_with(refused));
}

TEST_CASE("a key is joined from very many pieces, and a finding in a very long line found") {
  const std::string name = repeated("ab ", 50'000) + "ab";
  CHECK(resolved(repeated("\"ab\" ", 50'000) + "\"ab\" = 1") == "{\"" + name + "\":1}");
  std::string line = "a { b = 1";
  for (int i = 0; i < many; ++i) line += ", k" + std::to_string(i) + " = 1";
  CHECK(resolved(line + ", z = }") ==
        "1:" + std::to_string(line.size() + 3) + ": a key without a value");
}

TEST_CASE("long chains of substitutions are followed, endless ones refused") {
  std::string forward = "a0 = 1\n";
  for (int i = 1; i < 5000; ++i)
    forward += "a" + std::to_string(i) + " = ${a" + std::to_string(i - 1) + "}\n";
  CHECK(resolved(forward).ends_with("\"a4999\":1}"));
  Limits limits;
  limits.reference_depth = 100;
  CHECK(resolved_within(limits, chain_of("a# = ${a@}", 5000))
            .ends_with("more than 100 substitutions wait for each other"));
}

TEST_CASE("a chain as long as the limit is followed on the usual stack, a longer one refused") {
  // a0 is a literal, which waits for nothing, but the copying of the first key counts.
  const std::uint32_t longest = Limits().reference_depth - 1;
  for (const char* line : {"a# = ${a@}", "a# = ${?a@}y"}) {
    CAPTURE(std::string(line));
    CHECK(resolved_on_stack(usual_stack_mb, chain_of(line, longest)).ends_with("\"a0\":1}"));
    CHECK(resolved_on_stack(usual_stack_mb, chain_of(line, longest + 1)) ==
          "2500:6: more than 2500 substitutions wait for each other");
  }
}

TEST_CASE("evaluations that would overflow the stack are refused") {
  const std::string lists =
      "a# = " + repeated("[x] [", 120) + "${a@}" + repeated("]", 120);  // deep in each value
  for (const unsigned megabytes : {1U, 2U, 8U}) {
    CAPTURE(megabytes);
    CHECK(resolved_on_stack(megabytes, chain_of(lists, 2000)).ends_with("wait for each other"));
  }
}

TEST_CASE("a concatenation that is evaluated again for each key of a cycle keeps no memory") {
  constexpr int keys = 14'000;
  std::string text = "p = 0\np = ${q}\nq = ", rest;
  for (int i = 0; i < keys; ++i) {
    text += "${c" + std::to_string(i) + "}";
    rest += "\nc" + std::to_string(i) + " = ${p}";
  }
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  static_cast<void>(resolved(rest + "\n" + text));
  getrusage(RUSAGE_SELF, &after);
  CHECK(after.ru_maxrss - before.ru_maxrss < 400'000);  // kB; kept, it would be twice as much
}

TEST_CASE("thousands of appends and self references cost what they say") {
  // These substitutions wait for each other, and as many may do so as the stack carries.
  const auto on_stack = [](std::string text) { return resolved_on_stack(8, std::move(text)); };
  CHECK(on_stack(repeated("a += 1\n", 20'000)).size() == 2 * 20'000 + 7);
  CHECK(on_stack("a = x\n" + repeated("a = ${a}y\n", 2000)) ==
        "{\"a\":\"x" + std::string(2000, 'y') + "\"}");
  CHECK(on_stack("a {}\n" + repeated("a = ${a} { k = 1 }\n", 2000)) == R"({"a":{"k":1}})");
  CHECK(on_stack("a = \"\"\n" + repeated("a = ${a}${a}\n", 1000)) == R"({"a":""})");
  CHECK(on_stack("a { k = 1 }\n" + repeated("a = ${a} { x = 1 } ${a}\n", 60)) ==
        R"({"a":{"k":1,"x":1}})");
}

TEST_CASE("at most fifty findings are reported") {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "a" + std::to_string(i) + " = ${nope}\n";
  Source source;
  source.add_text("t", text);
  const auto tree = source.resolve();
  REQUIRE_FALSE(tree);
  CHECK(tree.error().size() == 50);
}

TEST_CASE("files are limited in number, depth and size") {
  const support::ScratchFolder folder;
  folder.write("x.conf", "x = 1");
  const auto with = [&](const Limits& limits, const std::string& text) {
    Source source(limits);
    REQUIRE(source.add_file(folder.write("main.conf", text)));
    return resolved(source);
  };
  Limits limits;
  limits.files = 3;
  CHECK(with(limits, repeated("include \"x.conf\"\n", 4)) == "4:9: more than 3 included files");
  limits = {};
  limits.source_bytes = 1 << 20;
  folder.write("big.conf", "#" + std::string(2 << 20, 'x'));
  CHECK(with(limits, "include \"big.conf\"")
            .ends_with("the configuration is larger than 1 MiB altogether"));
  limits = {};
  limits.include_depth = 2;
  folder.write("1.conf", "include \"2.conf\"");
  folder.write("2.conf", "include \"3.conf\"");
  folder.write("3.conf", "x = 1");
  CHECK(with(limits, "include \"1.conf\"") == "1:9: includes nested deeper than 2");
}

TEST_CASE("every prefix of a file is parsed or refused, never worse") {
  const std::string text =
      "include \"/none.conf\"\na { b = [1, \"x\\u00e9\", ${?c.d}], \"k.l\".m += { n : 5 s } } # "
      "end\n"
      "t = \"\"\"é\n\"\"\" ${a.b} // z\nu = 1e+3";
  for (std::size_t length = 0; length <= text.size(); ++length)
    CHECK_FALSE(resolved(text.substr(0, length)).empty());
}

TEST_SUITE_END();

}  // namespace actord::hocon::test
