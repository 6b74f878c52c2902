// SPDX-License-Identifier: Apache-2.0
#include "ctl/command.hpp"
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>

#include "base/utf8.hpp"
#include "ctl/verbs.hpp"
#include "unit/ctl/ctl_support.hpp"

using namespace actord::ctl;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  REQUIRE_FALSE(text.empty());
  return text;
}

const Verb* verb_named(const std::string& group, const std::string& name) {
  const auto found = std::ranges::find_if(
      verbs(), [&](const Verb& verb) { return verb.group == group && verb.name == name; });
  return found != verbs().end() ? &*found : nullptr;
}

/// Whether the verb has that option; of no verb: whether any has.
bool is_option(const Verb* wanted, const std::string& option) {
  if (option == "--help") return true;
  return std::ranges::any_of(verbs(), [&](const Verb& verb) {
    return (wanted == nullptr || &verb == wanted) &&
           std::ranges::any_of(verb.options, [&](const Option& each) {
             return option == "--" + std::string{each.name};
           });
  });
}

std::vector<std::string> options_in(const std::string& text) {
  const std::regex option(R"(--[a-z][a-z-]*)");
  return {std::sregex_token_iterator(text.begin(), text.end(), option), {}};
}

}  // namespace

TEST_SUITE_BEGIN("ctl/command");

TEST_CASE("help describes every verb, and each verb's help its options") {
  const Ran top = run({"--help"});
  CHECK(top.exit == 0);
  CHECK(run({"help"}).out == top.out);
  CHECK(run({"help", "help"}).out == top.out);
  for (const Verb& verb : verbs()) {
    CAPTURE(verb.full_name());
    CHECK(has(top.out, "  " + verb.full_name() + ' '));
    std::vector<std::string> words;
    if (!verb.group.empty()) words.emplace_back(verb.group);
    words.emplace_back(verb.name);
    words.emplace_back("--help");
    const Ran help = run(words);
    CHECK(help.exit == 0);
    CHECK(has(help.out, "Usage: actorctl " + verb.full_name()));
    for (const Option& option : verb.options) CHECK(has(help.out, "--" + std::string{option.name}));
  }
}

TEST_CASE("a group's help describes its verbs alone") {
  const Ran help = run({"config", "--help"});
  CHECK(help.exit == 0);
  CHECK(has(help.out, "config explain"));
  CHECK_FALSE(has(help.out, "completion"));
  CHECK(run({"help", "config"}).out == help.out);
  CHECK(run({"help", "config", "check"}).out == run({"config", "check", "--help"}).out);
}

TEST_CASE("options may stand before the verb, too") {
  const Ran behind = run({"config", "unit", "bytes", "1k", "-o", "json"});
  CHECK(run({"-o", "json", "config", "unit", "bytes", "1k"}).out == behind.out);
  CHECK(run({"--output=json", "config", "unit", "bytes", "1k"}).out == behind.out);
  const Ran elsewhere = run({"--socket", "/nowhere/actord.sock", "config", "reload"});
  CHECK(elsewhere.exit == 69);
  CHECK(has(elsewhere.err, "/nowhere/actord.sock"));
  CHECK(run({"--socket", "/nowhere/actord.sock", "config", "unit", "bytes", "1k"}).exit == 64);
  CHECK(run({"--sokket", "x", "config", "reload"}).exit == 64);
  CHECK(run({"--socket"}).exit == 64);
}

TEST_CASE("the manual page describes every verb and every option") {
  std::ifstream file(ACTORD_CONFIG "/actorctl.1");
  std::string page{std::istreambuf_iterator<char>(file), {}};
  std::erase(page, '\\');
  REQUIRE(has(page, ".SH NAME"));
  for (const Verb& verb : verbs()) {
    CAPTURE(verb.full_name());
    CHECK(has(page, verb.full_name()));
    for (const Option& option : verb.options) {
      CAPTURE(option.name);
      CHECK(has(page, "--" + std::string{option.name}));
    }
  }
}

TEST_CASE("the manual page names no option that there is not, and the exit statuses of the help") {
  std::string page = text_of(ACTORD_CONFIG "/actorctl.1");
  std::erase(page, '\\');
  for (const std::string& option : options_in(page)) {
    CAPTURE(option);
    CHECK((option == "--help" || option == "--version" || is_option(nullptr, option)));
  }
  const std::string help = run({"--help"}).out;
  const std::regex status(R"(\n +(\d+)  )");
  for (std::sregex_iterator at(help.begin(), help.end(), status), end; at != end; ++at)
    CHECK(has(page, "\n.B " + (*at)[1].str() + '\n'));
}

TEST_CASE("the documents name only verbs and options that there are") {
  const std::string root = ACTORD_CONFIG "/../";
  for (const std::string& file :
       {root + "README.md", root + "systemd/README.md", root + "systemd/actord.service",
        root + "core/include/actord/README.md", root + "config/actord.conf.5"}) {
    std::string text = text_of(file);
    std::erase(text, '\\');
    // A command is in backquotes, set in bold, or the value of a setting of the unit.
    const std::regex call(R"((?:`|\.BR? "?|/bin/)actorctl ([a-z]+)(?: ([a-z]+))?([^`\n]*))");
    std::size_t calls = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end; ++at) {
      const std::string all = (*at)[0];
      ++calls;
      CAPTURE(file);
      CAPTURE(all);
      const bool is_grouped =
          std::ranges::find(verb_groups(), (*at)[1].str(), &VerbGroup::name) != verb_groups().end();
      const Verb* const verb =
          is_grouped ? verb_named((*at)[1].str(), (*at)[2]) : verb_named("", (*at)[1]);
      CHECK((verb != nullptr || (*at)[1] == "help"));
      for (const std::string& option : options_in(all)) CHECK(is_option(verb, option));
    }
    CHECK(calls != 0);
  }
}

TEST_CASE("every verb has answers in JSON, but one that prints a script, and one without an end") {
  for (const Verb& verb : verbs()) {
    CAPTURE(verb.full_name());
    CHECK(is_option(&verb, "--output") == (verb.name != "completion" && verb.name != "dev"));
  }
}

TEST_CASE("the examples name only verbs that there are") {
  for (const auto& file : std::filesystem::directory_iterator(ACTORD_CONFIG "/examples")) {
    std::ifstream text(file.path());
    for (std::string line; std::getline(text, line);) {
      constexpr std::string_view begin = "#   actorctl ";
      if (!line.starts_with(begin)) continue;
      CAPTURE(line);
      std::istringstream rest(line.substr(begin.size()) + " --help");
      CHECK(run({std::istream_iterator<std::string>(rest), {}}).exit == 0);
    }
  }
}

TEST_CASE("no line is wider than a terminal") {
  for (const Verb& verb : verbs()) {
    std::vector<std::string> words = {"help"};
    if (!verb.group.empty()) words.emplace_back(verb.group);
    words.emplace_back(verb.name);
    std::istringstream lines(run(words).out);
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(line);
      CHECK(line.size() <= 100);
    }
  }
}

TEST_CASE("a command line that is not understood ends with 64 and says what was meant") {
  struct Row {
    std::vector<std::string> words;
    const char* help;
  };
  for (const Row& row : {
           Row{{"confg"}, "did you mean \"config\"?"},
           Row{{"check"}, "did you mean \"config check\"?"},
           Row{{"config", "chek"}, "did you mean \"check\"?"},
           Row{{"config", "check", "--strickt"}, "did you mean \"--strict\"?"},
           Row{{"config", "check", "--format", "gc"}, "did you mean \"gcc\"?"},
           Row{{"config", "unit", "durations", "5s"}, "did you mean \"duration\"?"},
           Row{{"config", "unit", "duration"}, "TEXT is missing"},
           Row{{"config", "render", "a", "b"}, "unexpected argument \"b\""},
           Row{{"config", "explain"}, "KEY is missing"},
           Row{{"config", "reload", "--wait=yes"}, "--wait takes no value"},
           Row{{"config", "show", "--config"}, "--config needs a value"},
           Row{{"config", "show", "--set", "nonsense"}, "--set needs KEY=VALUE"},
           Row{{"config", "diff", "one.conf"}, "name two files"},
           Row{{"config", "show", "--running", "-c", "x"},
               "--running and --config cannot be combined"},
           Row{{"config", "show", "--running", "--set", "a=b"},
               "--running and --set cannot be combined"},
           Row{{"config", "show", "--running", "x.conf"},
               "--running and x.conf cannot be combined"},
           Row{{"config", "show", "x.conf", "-c", "y.conf"}, "not both"},
           Row{{"config", "unit", "size", "1k"}, "expected one of: duration, bytes, period"},
           Row{{"config", "reload", "--timeout", "soon"}, "--timeout cannot be"},
           Row{{"config", "reload", "--no-wait", "--wait"}, "cannot be combined"},
           Row{{"config", "reload", "--no-wait", "--dry-run"}, "cannot be combined"},
           Row{{"config", "explain", "actord.name", "--running", "-c", "x"},
               "--running and --config cannot be combined"},
           Row{{"config"}, "config check"},
           Row{{}, "config check"},
           Row{{"--verbose"}, "unknown option --verbose"},
       }) {
    const Ran ran = run(row.words);
    CAPTURE(ran.err);
    CHECK(ran.exit == 64);
    CHECK(ran.out.empty());
    CHECK(has(ran.err, row.help));
  }
}

TEST_CASE("no answer has bytes that a terminal would obey, or that are no UTF-8") {
  const ConfigFolder folder;
  const std::string file = folder.write("a\x1b]0;t\a.conf",
                                        "\"x-\\u001b]0;t\\u0007ü\u009b\" = {\n"
                                        "y = \"\\u001b\\u007f\u009b\" }\n\"noo\\u0007\" = 1");
  const std::string key = "x-\x1b]0;t\aü\u009b";
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"fo\x1b[1mo"},
                                             {"config", "unit", "bytes", "\x1b\xC3"},
                                             {"config", "check", file},
                                             {"config", "check", file, "--format", "gcc"},
                                             {"config", "check", file, "-o", "json"},
                                             {"config", "render", file},
                                             {"config", "files", file},
                                             {"config", "explain", '"' + key + '"', file}}) {
    const Ran ran = run(words);
    const std::string all = ran.out + ran.err;
    CAPTURE(all);
    CHECK_FALSE(all.empty());
    for (const char* obeyed : {"\x1b", "\a", "\x7F", "\u009b"}) CHECK_FALSE(has(all, obeyed));
    CHECK(actord::base::utf8::find_invalid(all) == std::string::npos);
  }
}

TEST_CASE("JSON keeps what it cannot show") {
  const ConfigFolder folder;
  const Ran ran = run({"config", "render", folder.write("a.conf", "x = \"\\u007f\u009b\"")});
  CHECK(has(ran.out, R"("\u007f\u009b")"));
}

TEST_CASE("the version is printed") { CHECK(has(run({"--version"}).out, "actorctl ")); }

TEST_CASE("a configuration that is not there ends with 66") {
  const Ran ran = run({"config", "check", "/nowhere/actord.conf"});
  CHECK(ran.exit == 66);
  CHECK(has(ran.err, "/nowhere/actord.conf"));
  CHECK(run({"config", "render", "/nowhere/actord.conf"}).exit == 66);
}

TEST_CASE("without a daemon its verbs end with 69 and say where they looked") {
  const Ran ran = run({"config", "reload", "--wait", "--socket", "/nowhere/actord.sock"});
  CHECK(ran.exit == 69);
  CHECK(has(ran.err, "no daemon answers at /nowhere/actord.sock"));
  CHECK(has(ran.err, "is actord running?"));
}
