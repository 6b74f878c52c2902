// SPDX-License-Identifier: Apache-2.0
#include "options/command_line.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <regex>
#include <sstream>

using namespace actord::options;

namespace {

actord::base::Result<Options, UsageError> parse(std::vector<const char*> words) {
  words.insert(words.begin(), "actord");
  return read_command_line(static_cast<int>(words.size()), words.data());
}

Options right(std::vector<const char*> words) {
  auto options = parse(std::move(words));
  const std::string error = options ? std::string{} : options.error().text;
  INFO(error);
  REQUIRE(options.ok());
  return *options;
}

std::string wrong(std::vector<const char*> words) {
  const auto options = parse(std::move(words));
  REQUIRE_FALSE(options.ok());
  return options.error().text;
}

bool has(const std::string& text, std::string_view part) {
  CAPTURE(text);
  CAPTURE(part);
  const bool found = text.find(part) != std::string::npos;
  CHECK(found);
  return found;
}

}  // namespace

TEST_SUITE_BEGIN("options/command_line");

TEST_CASE("the help describes every option") {
  for (const KnownOption& option : known_options()) {
    const std::string names =
        option.letter != '\0' ? std::string("  -") + option.letter + ", --" : "      --";
    has(help_text(), names + std::string{option.name} + ' ');
    for (const std::string_view word : option.words) has(help_text(), word);
  }
}

TEST_CASE("the configuration file is an option or simply the word") {
  const std::vector<std::string> one = {"a.conf"};
  CHECK(right({"--config", "a.conf"}).config_files == one);
  CHECK(right({"--config=a.conf"}).config_files == one);
  CHECK(right({"-c", "a.conf"}).config_files == one);
  CHECK(right({"a.conf", "--check"}).config_files == one);
  CHECK(right({"--", "--odd.conf"}).config_files == std::vector<std::string>{"--odd.conf"});
}

TEST_CASE("there may be several files, in the order of the command line") {
  const std::vector<std::string> two = {"b.conf", "a.yaml"};
  CHECK(right({"-c", "b.conf", "--check", "--config", "a.yaml"}).config_files == two);
  CHECK(right({"b.conf", "a.yaml"}).config_files == two);
  CHECK(right({"b.conf", "-c", "a.yaml"}).config_files == two);
}

TEST_CASE("drop-ins count unless they are not wanted") {
  CHECK(right({"a.conf"}).drop_ins);
  CHECK_FALSE(right({"a.conf", "--no-drop-ins"}).drop_ins);
  CHECK_FALSE(right({"a.conf"}).allow_unknown);
  CHECK(right({"a.conf", "--allow-unknown"}).allow_unknown);
}

TEST_CASE("without more it is to run") { CHECK(right({"a.conf"}).task == Options::Task::run); }

TEST_CASE("--check may look for another user, and a run may not") {
  CHECK(right({"--check", "a.conf"}).user.empty());
  CHECK(right({"--check", "--user", "www", "a.conf"}).user == "www");
  has(wrong({"--user", "www", "a.conf"}), "--user has no meaning without --check");
}

TEST_CASE("the loss of a journal's end is accepted by a start, not by a check") {
  CHECK_FALSE(right({"a.conf"}).accepts_journal_loss);
  CHECK(right({"--accept-journal-loss", "a.conf"}).accepts_journal_loss);
  has(wrong({"--check", "--accept-journal-loss", "a.conf"}),
      "--accept-journal-loss has no meaning with --check");
}

TEST_CASE("--check only looks, and only it may be strict") {
  CHECK(right({"--check", "a.conf"}).task == Options::Task::check);
  CHECK_FALSE(right({"--check", "a.conf"}).strict);
  CHECK(right({"--strict", "--check", "a.conf"}).strict);
  has(wrong({"--strict", "a.conf"}), "--strict has no meaning without --check");
}

TEST_CASE("the plugins are listed instead of what the same words begin without that option") {
  const auto task = [](std::vector<const char*> words) { return right(std::move(words)).task; };
  CHECK(task({"--list-plugins", "a.conf", "--accept-journal-loss"}) == Options::Task::list_plugins);
  CHECK(task({"a.conf", "--check", "--strict", "--list-plugins"}) == Options::Task::list_plugins);
  has(wrong({"--list-plugins"}), "no configuration file");
}

TEST_CASE("help and version need no configuration") {
  CHECK(right({"--help"}).task == Options::Task::show_help);
  CHECK(right({"-h"}).task == Options::Task::show_help);
  CHECK(right({"--version"}).task == Options::Task::show_version);
  CHECK(right({"-V"}).task == Options::Task::show_version);
}

TEST_CASE("values and plugin folders may be given again and again, in order") {
  const Options options =
      right({"a.conf", "--set", "a.b=1", "--plugin-path", "x", "--set=c = [1, 2]", "-p", "y"});
  REQUIRE(options.overrides.size() == 2);
  CHECK(options.overrides[0].assignment == "a.b=1");
  CHECK(options.overrides[0].origin == "--set #1");
  CHECK(options.overrides[1].assignment == "c = [1, 2]");
  CHECK(options.overrides[1].origin == "--set #2");
  CHECK(right({"a.conf", "--set", "a.b=1"}).overrides[0].origin == "--set");
  CHECK(options.plugin_path == std::vector<std::string>{"x", "y"});
}

TEST_CASE(
    "format and level of the log go over the configuration, and are known before it is read") {
  const Options options =
      right({"a.conf", "--log-level", "debug", "--set", "a=1", "--log-format", "json"});
  CHECK(options.log_level == "debug");
  CHECK(options.log_format == "json");
  REQUIRE(options.overrides.size() == 3);
  CHECK(options.overrides[1].assignment == "actord.log.format=json");
  CHECK(options.overrides[1].origin == "--log-format");
  CHECK(options.overrides[2].assignment == "actord.log.level=debug");
}

TEST_CASE("a terminal shows each line in full when asked to, over the configuration") {
  CHECK(right({"a.conf"}).overrides.empty());
  for (const char* option : {"-v", "--verbose"}) {
    const Options options = right({"a.conf", option});
    REQUIRE(options.overrides.size() == 1);
    CHECK(options.overrides[0].assignment == "actord.log.verbose=on");
    CHECK(options.overrides[0].origin == "--verbose");
  }
}

// ---- mistakes

TEST_CASE("a mistake fits on a screen, names what was meant, and points at the help") {
  const std::string text = wrong({"--cofig", "a.conf"});
  CHECK(text ==
        "actord: unknown option --cofig\n"
        "  did you mean \"--config\"?\n"
        "  actord --help lists all options\n");
  has(wrong({"--chek", "a.conf"}), "did you mean \"--check\"?");
  has(wrong({"--plugin-pth=x", "a.conf"}), "did you mean \"--plugin-path\"?");
  CHECK(wrong({"--frobnicate", "a.conf"}) ==
        "actord: unknown option --frobnicate\n"
        "  actord --help lists all options\n");
  has(wrong({"-x", "a.conf"}), "unknown option -x");
}

TEST_CASE("options are not abbreviated") {
  has(wrong({"--conf", "a.conf"}), "did you mean \"--config\"?");
}

TEST_CASE("there is at least one configuration file") {
  has(wrong({}), "no configuration file");
  has(wrong({"--check"}), "no configuration file");
  has(wrong({"a.conf", "-c", ""}), "no configuration file");
}

TEST_CASE("what can be said only once says so") {
  has(wrong({"a.conf", "--log-level", "info", "--log-level", "debug"}),
      "--log-level is given more than once");
}

TEST_CASE("options that need a value, and those that take none, say so") {
  has(wrong({"--config"}), "--config needs a value");
  has(wrong({"a.conf", "--set"}), "--set needs a value");
  has(wrong({"a.conf", "--check=yes"}), "--check takes no value");
}

TEST_CASE("--set wants a key and a value") {
  has(wrong({"a.conf", "--set", "actord.log.level"}),
      "--set needs KEY=VALUE, not \"actord.log.level\"");
  has(wrong({"a.conf", "--set", "=1"}), "--set needs KEY=VALUE");
}

TEST_CASE("words for the log are checked") {
  has(wrong({"a.conf", "--log-format", "xml"}), "--log-format cannot be \"xml\"");
  has(wrong({"a.conf", "--log-format", "xml"}),
      "expected one of: auto, json, console, journald, off");
  has(wrong({"a.conf", "--log-level", "loud"}), "expected one of: error, warning, info, debug");
}

// ---- output

TEST_CASE("the help names every option and every exit status, in lines that a terminal holds") {
  const std::string text = help_text();
  for (const char* option : {"--config", "--no-drop-ins", "--allow-unknown", "--set",
                             "--plugin-path", "--check", "--list-plugins", "--strict", "--user",
                             "--log-format", "--log-level", "--version", "--help"}) {
    has(text, option);
  }
  for (const char* status : {"   0  ", "  64  ", "  65  ", "  66  ", "  69  ", "  70  ", "  71  ",
                             "  75  ", "  77  ", "  78  "}) {
    has(text, status);
  }
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 96);
}

TEST_CASE("the manual page names every option and every exit status") {
  std::ifstream file(ACTORD_CONFIG "/actord.8");
  std::string page{std::istreambuf_iterator<char>(file), {}};
  std::erase(page, '\\');
  has(page, ".SH EXIT STATUS");
  for (const KnownOption& option : known_options()) has(page, "--" + std::string{option.name});
  const std::string help = help_text();
  const std::regex status(R"(\n +(\d+)  )");
  for (std::sregex_iterator at(help.begin(), help.end(), status), end; at != end; ++at)
    has(page, "\n.B " + (*at)[1].str() + '\n');
}

TEST_CASE("the version names the plugin interface") { has(version_text(), "plugin interface 1."); }

TEST_SUITE_END();
