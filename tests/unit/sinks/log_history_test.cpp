// SPDX-License-Identifier: Apache-2.0
//
// The log's history in memory, and its files: what is kept, for how long, and what a full or
// damaged file does.
#include "sinks/log_history.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sinks/history_file.hpp"
#include "support/scratch_folder.hpp"
#include "support/wait.hpp"

namespace actord::sinks {

TEST_SUITE_BEGIN("sinks/log_history");

namespace {

using namespace std::chrono_literals;
using Part = LogHistory::Part;

constexpr std::size_t everything = SIZE_MAX;

LogHistory history_of(std::size_t bytes = 1 << 20) {
  return {JsonEnvelope{"demo", "boot", 1}, bytes};
}

void add(LogHistory& history, std::string_view msg, log::Class kind = log::Class::lifecycle,
         log::Level level = log::Level::info) {
  log::Record record;
  record.level = level;
  record.kind = kind;
  record.event = kind == log::Class::lifecycle ? "daemon.ready" : "chatter";
  record.msg = msg;
  history.add(record, 1'700'000'000'000'000'000);
}

/// The messages of the lines, "a b c".
std::string messages(const std::vector<LogHistory::Line>& lines) {
  std::string text;
  for (const LogHistory::Line& line : lines) {
    text +=
        (text.empty() ? "" : " ") + nlohmann::json::parse(line.text).at("msg").get<std::string>();
  }
  return text;
}

std::string messages(const LogHistory& history, Part part = Part::all) {
  return messages(history.lines_after(0, part, everything));
}

std::string content(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A history whose events are in files, until it ends.
struct Kept {
  explicit Kept(const std::string& folder, std::size_t bytes = 1 << 20)
      : history(history_of(bytes)),
        file(history, {.directory = folder,
                       .bytes_max = bytes,
                       .on_error = [this](const std::string& what) { error = what; },
                       .retry_after = 1ms}) {}
  ~Kept() { CHECK(file.stop_within(1min)); }

  std::string error;
  LogHistory history;
  HistoryFile file;
};

}  // namespace

TEST_CASE("lines are read in order, from any line on") {
  LogHistory history = history_of();
  CHECK(history.lines_after(0, Part::all, everything).empty());
  add(history, "a");
  add(history, "b", log::Class::best_effort);
  add(history, "c");
  CHECK(messages(history) == "a b c");
  CHECK(messages(history, Part::events) == "a c");
  const auto lines = history.lines_after(0, Part::all, 1);
  CHECK(messages(lines) == "a");
  CHECK(messages(history.lines_after(lines.back().number, Part::all, everything)) == "b c");
  CHECK(history.lines_after(history.last_number(), Part::all, everything).empty());
}

TEST_CASE("events are what actord says at info or above") {
  LogHistory history = history_of();
  add(history, "a", log::Class::failure, log::Level::error);
  add(history, "b", log::Class::lifecycle, log::Level::debug);
  add(history, "c", log::Class::authors, log::Level::error);
  CHECK(messages(history, Part::events) == "a");
  CHECK(messages(history) == "a b c");
}

TEST_CASE("chatter pushes out older chatter, and no event") {
  LogHistory history = history_of(16 << 10);
  add(history, "first");
  for (int i = 0; i < 1000; ++i) add(history, std::string(100, 'x'), log::Class::best_effort);
  CHECK(messages(history, Part::events) == "first");
  const auto lines = history.lines_after(0, Part::all, everything);
  CHECK(lines.size() > 3);
  CHECK(lines.size() < 20);
  for (int i = 0; i < 1000; ++i) add(history, std::to_string(i));
  const std::string left = messages(history, Part::events);
  CHECK(left.find("first") == left.npos);
  CHECK(left.ends_with(" 998 999"));
}

TEST_CASE("a wait ends with an event, and not with chatter") {
  LogHistory history = history_of();
  add(history, "chatter", log::Class::best_effort);
  CHECK_FALSE(history.wait_for_event(0, 1ms));
  add(history, "event");
  CHECK(history.wait_for_event(0, 1h));
  CHECK_FALSE(history.wait_for_event(history.last_number(), 1ms));
  history.interrupt();
  CHECK_FALSE(history.wait_for_event(history.last_number(), 1h));
}

TEST_CASE("events outlive the process, and chatter does not") {
  support::ScratchFolder folder;
  const std::string at = folder.at("history");
  {
    Kept kept(at);
    add(kept.history, "a");
    add(kept.history, "b", log::Class::best_effort);
    add(kept.history, "c");
  }
  Kept kept(at);
  CHECK(messages(kept.history) == "a c");
  add(kept.history, "d");
  CHECK(messages(kept.history) == "a c d");
  struct stat facts;
  REQUIRE(::stat((at + "/events.jsonl").c_str(), &facts) == 0);
  CHECK((facts.st_mode & 07) == 0);
}

TEST_CASE("the files stay within their size, and keep the latest events") {
  support::ScratchFolder folder;
  constexpr std::size_t bytes = HistoryFile::bytes_least;
  for (int run = 0; run < 3; ++run) {
    Kept kept(folder.at(""), bytes);
    for (int i = 0; i < 2000; ++i) add(kept.history, std::to_string(run * 2000 + i));
  }
  CHECK(content(folder.at("events.jsonl")).size() <= bytes / 2);
  CHECK(content(folder.at("events.1.jsonl")).size() <= bytes / 2);
  CHECK(messages(Kept(folder.at(""), bytes).history).ends_with(" 5998 5999"));
}

TEST_CASE("a torn line is left out, and the next one is whole") {
  support::ScratchFolder folder;
  const std::string file = folder.at("events.jsonl");
  {
    Kept kept(folder.at(""));
    add(kept.history, "a");
    add(kept.history, "b");
  }
  const std::string whole = content(file);
  for (const std::string& damaged :
       {whole.substr(0, whole.size() - 10), whole + "{\"ts\":\"20", whole + std::string(9, '\0'),
        "garbage\n" + whole + "\n\n{}\n"}) {
    std::ofstream(file) << damaged;
    const bool has_both = damaged.find(whole) != damaged.npos;
    {
      Kept kept(folder.at(""));
      CHECK(messages(kept.history) == (has_both ? "a b" : "a"));
      add(kept.history, "c");
    }
    CHECK(messages(Kept(folder.at("")).history) == (has_both ? "a b c" : "a c"));
  }
}

TEST_CASE("a file that cannot be written is told once, and events are written later") {
  support::ScratchFolder folder;
  const std::string at = folder.at("history");
  { std::ofstream(at) << "no folder"; }
  {
    Kept kept(at);
    add(kept.history, "a");
    CHECK(kept.file.stop_within(1min));
    CHECK(kept.error.find(at) != std::string::npos);
  }
  REQUIRE(::unlink(at.c_str()) == 0);
  {
    Kept kept(at);
    add(kept.history, "b");
  }
  CHECK(messages(Kept(at).history) == "b");
}

TEST_CASE("a file that was removed is made anew, and one that was cut goes on") {
  support::ScratchFolder folder;
  const std::string file = folder.at("events.jsonl");
  Kept kept(folder.at(""));
  const auto write = [&](std::string_view msg) {
    add(kept.history, msg);
    support::wait_until([&] { return content(file).find(msg) != std::string::npos; },
                        "the event in the file");
  };
  write("first");
  REQUIRE(::unlink(file.c_str()) == 0);
  write("second");
  REQUIRE(::truncate(file.c_str(), 0) == 0);
  write("third");
  CHECK(content(file).starts_with("{"));
  CHECK(content(file).find("second") == std::string::npos);
}

TEST_CASE("a link in place of the file is not followed") {
  support::ScratchFolder folder;
  const std::string target = folder.at("target");
  { std::ofstream(target) << "precious\n"; }
  REQUIRE(::symlink(target.c_str(), folder.at("events.jsonl").c_str()) == 0);
  {
    Kept kept(folder.at(""));
    add(kept.history, "a");
  }
  CHECK(content(target) == "precious\n");
}

TEST_SUITE_END();

}  // namespace actord::sinks
