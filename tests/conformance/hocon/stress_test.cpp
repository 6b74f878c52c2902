// SPDX-License-Identifier: Apache-2.0
//
// Input that could bring a reader down: depth, width, chains, bombs. Each case runs in a process of
// its own with at most a gigabyte and a minute, and must end by itself, with the value or a
// message.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "hocon/source.hpp"
#include "hocon_reading.hpp"

namespace actord::hocon::conformance {

namespace {

constexpr int resolved = 0, refused_status = 78, wrong = 1;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool memory_can_be_limited = false;  // the sanitizers' shadow alone needs more
#else
constexpr bool memory_can_be_limited = true;
#endif

void limit(decltype(RLIMIT_AS) what, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(what, &both);
}

/// The exit status of a process that resolves the text; `check` decides whether the value is right.
/// Above 1000: the signal that ended the process.
int outcome(std::string text, const std::function<bool(const Tree&)>& check = {}) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    if (memory_can_be_limited) limit(RLIMIT_AS, rlim_t{1} << 30U);
    limit(RLIMIT_CPU, 60);
    limit(RLIMIT_CORE, 0);
    Source source;
    source.add_text("t", std::move(text));
    const auto tree = source.resolve();
    if (!tree) _exit(tree.error().empty() || format(tree.error()).empty() ? wrong : refused_status);
    _exit(check && !check(*tree) ? wrong : resolved);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// One line for each number; `#` becomes the number and `@` the one before.
std::string lines(std::string_view line, int from, int to) {
  std::string all;
  for (int i = from; i < to; ++i) {
    for (const char c : line) {
      if (c == '#') all += std::to_string(i);
      else if (c == '@') all += std::to_string(i - 1);
      else all += c;
    }
    all += '\n';
  }
  return all;
}

constexpr int many = 100'000;

}  // namespace

TEST_SUITE_BEGIN("hocon/stress");

TEST_CASE("HOCON stress: 100 000 brackets or braces, closed or not, are refused") {
  CHECK(outcome("a = " + repeated("[", many)) == refused_status);
  CHECK(outcome("a = " + repeated("[", many) + repeated("]", many)) == refused_status);
  CHECK(outcome("a = " + repeated("{a:", many)) == refused_status);
  CHECK(outcome("a = " + repeated("{a:", many) + "1" + repeated("}", many)) == refused_status);
}

TEST_CASE("HOCON stress: a path of 100 000 elements is refused, as a key and in a substitution") {
  CHECK(outcome(repeated("a.", many) + "a = 1") == refused_status);
  CHECK(outcome("b = ${" + repeated("a.", many) + "a}") == refused_status);
  CHECK(outcome("a = " + repeated("${", many)) == refused_status);
}

TEST_CASE("HOCON stress: 200 000 elements, 200 000 keys") {
  CHECK(outcome("a = [" + repeated("1,", 200'000) + "]",
                [](const Tree& tree) { return tree.find("a").size() == 200'000; }) == resolved);
  CHECK(outcome(lines("k# = #", 0, 200'000), [](const Tree& tree) {
          return tree.root().size() == 200'000 && tree.find("k199999").text() == "199999";
        }) == resolved);
}

TEST_CASE("HOCON stress: one key 100 000 times, one object merged 20 000 times") {
  CHECK(outcome(lines("k = #", 0, many),
                [](const Tree& tree) { return tree.find("k").text() == "99999"; }) == resolved);
  CHECK(outcome(lines("o { k# = 1 }", 0, 20'000),
                [](const Tree& tree) { return tree.find("o").size() == 20'000; }) == resolved);
}

TEST_CASE("HOCON stress: 20 000 merges of one object by way of substitutions") {
  CHECK(outcome("p { x = 1 }\n" + lines("o = ${p}\no { k# = 1 }", 0, 20'000),
                [](const Tree& tree) { return tree.find("o").size() == 20'001; }) == resolved);
}

TEST_CASE("HOCON stress: += 2 000 times") {
  CHECK(outcome(lines("a += #", 0, 2'000), [](const Tree& tree) {
          return tree.find("a").size() == 2'000 && tree.find("a").at(1'999).value.text() == "1999";
        }) == resolved);
}

TEST_CASE("HOCON stress: a chain of 2 000 substitutions, forward and backward") {
  const auto ends = [](const Tree& tree) { return tree.find("a1999").text() == "1"; };
  CHECK(outcome("a0 = 1\n" + lines("a# = ${a@}", 1, 2'000), ends) == resolved);
  std::string backward;
  for (int i = 1'999; i > 0; --i) backward += lines("a# = ${a@}", i, i + 1);
  CHECK(outcome(backward + "a0 = 1", ends) == resolved);
}

TEST_CASE("HOCON stress: a chain of 2 000 objects, each extending the one before") {
  CHECK(outcome("a0 { x = 1 }\n" + lines("a# = ${a@} { y# = ${a@.x} }", 1, 200),
                [](const Tree& tree) { return tree.find("a199").size() == 200; }) == resolved);
}

TEST_CASE("HOCON stress: 2 000 self-references in a text, in a list, in an object") {
  CHECK(outcome("a = x\n" + repeated("a = ${a}y\n", 2'000), [](const Tree& tree) {
          return tree.find("a").text().size() == 2'001;
        }) == resolved);
  CHECK(outcome("a = [x]\n" + repeated("a = ${a} [y]\n", 2'000),
                [](const Tree& tree) { return tree.find("a").size() == 2'001; }) == resolved);
  CHECK(outcome("a { x = 1 }\n" + lines("a = ${a} { k# = 1 }", 0, 2'000),
                [](const Tree& tree) { return tree.find("a").size() == 2'001; }) == resolved);
}

TEST_CASE("HOCON stress: a value of 100 000 pieces") {
  CHECK(outcome("a = " + repeated("x ", many), [](const Tree& tree) {
          return tree.find("a").text().size() == 199'999;
        }) == resolved);
  CHECK(outcome("x = y\na = " + repeated("${x} ", many), [](const Tree& tree) {
          return tree.find("a").text().size() == 199'999;
        }) == resolved);
}

TEST_CASE("HOCON stress: a string, a comment and a blank of 10 MB") {
  const std::string large(10'000'000, 'x');
  CHECK(outcome("a = \"" + large + "\"", [](const Tree& tree) {
          return tree.find("a").text().size() == 10'000'000;
        }) == resolved);
  CHECK(outcome("#" + large + "\na = 1",
                [](const Tree& tree) { return tree.root().size() == 1; }) == resolved);
  CHECK(outcome("a = 1" + std::string(10'000'000, ' ')) == resolved);
}

TEST_CASE("HOCON stress: a file of 10 MB of services") {
  CHECK(
      outcome(
          lines("service.s# { host = \"10.0.#\", port = #, timeout = 5 s, on = true }", 0, 135'000),
          [](const Tree& tree) { return tree.find("service").size() == 135'000; }) == resolved);
}

TEST_CASE("HOCON stress: a list of 10^9 elements is refused before it fills the memory") {
  CHECK(outcome("a0 = [x,x,x,x,x,x,x,x,x,x]\n" +
                lines("a# = ${a@}${a@}${a@}${a@}${a@}${a@}${a@}${a@}${a@}${a@}", 1, 9)) ==
        refused_status);
}

TEST_CASE("HOCON stress: a text of 2^33 bytes is refused before it fills the memory") {
  CHECK(outcome("a0 = xxxxxxxx\n" + lines("a# = ${a@}${a@}", 1, 31)) == refused_status);
}

TEST_CASE("HOCON stress: objects that double 30 times are refused before they fill the memory") {
  CHECK(outcome("a0 { x = 1 }\n" + lines("a# { l = ${a@}, r = ${a@} }", 1, 31)) == refused_status);
}

TEST_SUITE_END();

}  // namespace actord::hocon::conformance
