// SPDX-License-Identifier: Apache-2.0
//
// The sink thread: everything reaches the descriptor, nothing is written after the stop, and bad
// descriptors do no harm.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <spdlog/sinks/ostream_sink.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "sinks/log_writer.hpp"
#include "support/wait.hpp"

namespace actord::sinks {

TEST_SUITE_BEGIN("sinks/log_writer");

namespace {

using nlohmann::json;

/// A file without a name.
class TemporaryFile {
 public:
  TemporaryFile() : file_(std::tmpfile()) { REQUIRE(file_ != nullptr); }
  ~TemporaryFile() { std::fclose(file_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int fd() const { return ::fileno(file_); }
  std::vector<std::string> lines() const {
    std::string text;
    char chunk[4096];
    off_t at = 0;
    for (ssize_t n = 0; (n = ::pread(fd(), chunk, sizeof chunk, at)) > 0; at += n) {
      text.append(chunk, static_cast<std::size_t>(n));
    }
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

 private:
  std::FILE* file_;
};

LogWriterOptions options_for(int fd, Format format = Format::json) {
  LogWriterOptions options;
  options.format = format;
  options.system_name = "demo";
  options.boot_id = "b00t";
  options.fd = fd;
  return options;
}

}  // namespace

TEST_CASE("whatever was emitted before the stop is written, in order, and nothing after it") {
  const support::TimeLimit limit("the stop of the writer");
  TemporaryFile file;
  log::Hub hub(base::monotonic_ns, {.backlog_bytes = 256 << 20});
  LogWriter writer(hub, options_for(file.fd()));
  hub.shared().emit(log::Level::info, "daemon.starting", "before the sink's thread");
  writer.start();
  constexpr int threads = 2;
  constexpr int each = 3000;
  std::vector<std::jthread> emitters;
  for (int t = 0; t < threads; ++t) {
    emitters.emplace_back([&hub, t] {
      log::Emitter& emitter = hub.attach("worker");
      for (int i = 0; i < each; ++i)
        emitter.emit(log::Level::info, "tick", "", {{"t", t}, {"i", i}});
      hub.detach(emitter);
    });
  }
  emitters.clear();
  hub.shared().emit(log::Level::info, "daemon.stopped", "the last line");
  writer.stop();
  hub.shared().emit(log::Level::info, "too.late", "");
  writer.stop();
  const std::vector<std::string> lines = file.lines();
  REQUIRE(lines.size() == threads * each + 2);
  CHECK(json::parse(lines.front())["event"] == "daemon.starting");
  CHECK(json::parse(lines.back())["event"] == "daemon.stopped");
  std::vector<int> next(threads, 0);
  std::string last_ts;
  std::uint64_t seq = 0;
  bool is_ordered = true;
  for (const std::string& text : lines) {
    const json line = json::parse(text);
    is_ordered = is_ordered && line["ts"] >= last_ts && line["seq"] == ++seq;
    last_ts = line["ts"];
    if (line["event"] != "tick") continue;
    int& expected = next[line["t"].get<std::size_t>()];
    is_ordered = is_ordered && line["i"] == expected;
    ++expected;
  }
  CHECK(is_ordered);
  CHECK(writer.failures().failed_writes == 0);
}

TEST_CASE("a writer that was never started writes everything when it is stopped") {
  TemporaryFile file;
  log::Hub hub(base::monotonic_ns);
  {
    LogWriter writer(hub, options_for(file.fd()));
    hub.shared().emit(log::Level::error, "config.rejected", "no such behaviour");
  }
  REQUIRE(file.lines().size() == 1);
}

TEST_CASE("with simulated time a test drains when it likes and the lines carry that time") {
  TemporaryFile file;
  std::int64_t now = 1'000;
  log::Hub hub([&] { return now; });
  LogWriterOptions options = options_for(file.fd());
  options.wall_clock = [&] { return 1'714'559'521'000'000'000 + now; };
  LogWriter writer(hub, options);
  hub.shared().emit(log::Level::info, "one", "");
  now += 5'000'000;
  hub.shared().emit(log::Level::info, "two", "");
  CHECK(writer.drain() == 2);
  CHECK(writer.drain() == 0);
  const std::vector<std::string> lines = file.lines();
  REQUIRE(lines.size() == 2);
  CHECK(json::parse(lines[0])["ts"] == "2024-05-01T10:32:01.000001Z");
  CHECK(json::parse(lines[1])["ts"] == "2024-05-01T10:32:01.005001Z");
}

TEST_CASE(
    "what is not a terminal gets JSON unless another format is asked for, and never colours") {
  TemporaryFile automatic;
  TemporaryFile console;
  log::Hub hub(base::monotonic_ns);
  hub.shared().emit(log::Level::info, "one", "a sentence");
  LogWriter(hub, options_for(automatic.fd(), Format::automatic)).stop();
  hub.shared().emit(log::Level::info, "one", "a sentence");
  LogWriter(hub, options_for(console.fd(), Format::console)).stop();
  REQUIRE(automatic.lines().size() == 1);
  CHECK(json::accept(automatic.lines()[0]));
  REQUIRE(console.lines().size() == 1);
  CHECK(console.lines()[0].substr(12) == " INFO  one a sentence");
  CHECK(format_named("auto") == Format::automatic);
  CHECK(format_named("journald") == Format::journald);
  CHECK(format_named("off") == Format::off);
  CHECK(format_named("xml") == std::nullopt);
}

TEST_CASE("a full disk is counted and neither ends the daemon nor holds it up") {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  REQUIRE(full >= 0);
  log::Hub hub(base::monotonic_ns);
  LogWriter writer(hub, options_for(full));
  writer.start();
  for (int i = 0; i < 100; ++i) hub.shared().emit(log::Level::info, "tick", "");
  writer.stop();
  CHECK(writer.failures().failed_writes > 0);
  CHECK(writer.failures().lost_lines == 100);
  ::close(full);
}

TEST_CASE("a reader that went away is counted and neither ends the daemon nor holds it up") {
  ::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  log::Hub hub(base::monotonic_ns);
  LogWriter writer(hub, options_for(ends[1]));
  ::close(ends[0]);
  hub.shared().emit(log::Level::info, "tick", "");
  writer.drain();
  hub.shared().emit(log::Level::info, "tick", "");
  writer.stop();
  CHECK(writer.failures().failed_writes == 2);
  CHECK(writer.failures().lost_lines == 2);
  ::close(ends[1]);
}

TEST_CASE("a reader that takes nothing does not hold up the stop, and lost lines are reported") {
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  TemporaryFile reports;
  log::Hub hub(base::monotonic_ns, {.ring_bytes = 4 << 20});
  LogWriterOptions options = options_for(ends[1]);
  options.error_fd = reports.fd();
  LogWriter writer(hub, options);
  writer.start();
  constexpr std::uint64_t emitted = 2000;  // more than the pipe holds
  for (std::uint64_t i = 0; i < emitted; ++i)
    hub.shared().emit(log::Level::info, "tick", "some sentence", {{"i", i}});
  bool is_written = false;
  writer.begin_stop([&] { is_written = true; });
  CHECK(writer.stop_within(5 * base::ns_per_s));  // it gives up long before
  CHECK(is_written);
  const std::uint64_t lost = writer.failures().lost_lines;
  CHECK(lost > 0);
  CHECK(lost < emitted);
  REQUIRE(reports.lines().size() == 1);
  CHECK(reports.lines()[0] == "actord: log: descriptor " + std::to_string(ends[1]) +
                                  " is not read any more; " + std::to_string(lost) +
                                  " lines are lost");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("a stop that is short of time counts what it leaves out, and writes the last lines") {
  TemporaryFile file;
  log::Hub hub(base::monotonic_ns);
  LogWriter writer(hub, options_for(file.fd()));
  const auto emit = [&](std::string_view event, int times) {
    for (int i = 0; i < times; ++i) hub.shared().emit(log::Level::info, event, "");
  };
  emit("actor.started", 30);
  emit("actor.stopped", 20);
  emit("daemon.stopping", 1);
  emit("actor.stopped", 10);
  hub.shared().emit(log::Level::info, "daemon.fake", "", {}, log::Class::best_effort);
  hub.shared().emit(log::Level::error, "actor.failed", "", {}, log::Class::failure);
  emit("daemon.stopped", 1);
  CHECK(writer.stop_within(0));
  std::vector<std::string> told;
  std::uint64_t seq = 0;
  for (const std::string& line : file.lines()) {
    const json record = json::parse(line);
    CHECK(record["seq"].get<std::uint64_t>() > seq);
    seq = record["seq"];
    told.push_back(record["event"]);
    if (record.contains("of"))
      told.back() += " " + record["of"].get<std::string>() + " " + record["count"].dump();
  }
  CHECK(told == std::vector<std::string>{"log.suppressed actor.started 30",
                                         "log.suppressed actor.stopped 20", "daemon.stopping",
                                         "log.suppressed actor.failed 1",
                                         "log.suppressed actor.stopped 10",
                                         "log.suppressed daemon.fake 1", "daemon.stopped"});
}

TEST_CASE("a failure of the writing is reported once, and so is its end") {
  ::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  TemporaryFile reports;
  log::Hub hub(base::monotonic_ns);
  LogWriterOptions options = options_for(ends[1]);
  options.error_fd = reports.fd();
  LogWriter writer(hub, options);
  const auto log_a_line = [&] {
    hub.shared().emit(log::Level::info, "tick", "");
    writer.drain();
  };
  const std::string name = "descriptor " + std::to_string(ends[1]);
  log_a_line();
  ::close(ends[0]);
  for (int i = 0; i < 3; ++i) log_a_line();
  REQUIRE(reports.lines().size() == 1);
  CHECK(reports.lines()[0] == "actord: log: cannot write to " + name +
                                  ": Broken pipe; lines are lost until it works again");
  ends[0] = ::open(("/proc/self/fd/" + std::to_string(ends[1])).c_str(),
                   O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  log_a_line();
  log_a_line();
  REQUIRE(reports.lines().size() == 2);
  CHECK(reports.lines()[1] == "actord: log: " + name + " works again; 3 lines were lost");
  ::close(ends[0]);
  log_a_line();
  writer.stop();
  REQUIRE(reports.lines().size() == 4);
  CHECK(reports.lines()[3] ==
        "actord: log: " + name + " did not work again (Broken pipe); 1 line is lost");
  ::close(ends[1]);
}

TEST_CASE("a non-blocking descriptor that takes only a part gets the rest when it can") {
  const support::TimeLimit limit("the last line, and the stop of the writer");
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
  log::Hub hub(base::monotonic_ns, {.ring_bytes = 4 << 20});
  LogWriter writer(hub, options_for(ends[1]));
  writer.start();
  constexpr int emitted = 2000;  // more than the pipe holds
  for (int i = 0; i < emitted; ++i)
    hub.shared().emit(log::Level::info, "tick", "some sentence", {{"i", i}});
  std::string text;
  std::jthread stopper([&] { writer.stop(); });
  int lines = 0;
  char chunk[4096];
  while (lines < emitted) {
    const ssize_t n = ::read(ends[0], chunk, sizeof chunk);
    if (n <= 0) {
      std::this_thread::yield();
      continue;
    }
    text.append(chunk, static_cast<std::size_t>(n));
    lines = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  }
  stopper.join();
  std::istringstream stream(text);
  int next = 0;
  bool is_ordered = true;
  for (std::string line; std::getline(stream, line);)
    is_ordered = is_ordered && json::parse(line)["i"] == next++;
  CHECK(is_ordered);
  CHECK(next == emitted);
  CHECK(writer.failures().failed_writes == 0);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("any sink of spdlog can take the lines, unchanged") {
  std::ostringstream stream;
  log::Hub hub(base::monotonic_ns);
  LogWriterOptions options = options_for(-1);
  options.sink = std::make_shared<spdlog::sinks::ostream_sink_st>(stream);
  LogWriter writer(hub, options);
  hub.shared().emit(log::Level::info, "one", "");
  hub.shared().emit(log::Level::info, "two", "");
  writer.stop();
  std::istringstream lines(stream.str());
  int n = 0;
  for (std::string line; std::getline(lines, line); ++n) CHECK(json::accept(line));
  CHECK(n == 2);
}

TEST_SUITE_END();

}  // namespace actord::sinks
