// SPDX-License-Identifier: Apache-2.0
//
// Where the log goes: the journal only where JOURNAL_STREAM names its descriptor or an operator
// asks for it, and prefixes only on the journal's stream. The journal is a real socket.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <pty.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "log/event_schema.hpp"
#include "sinks/journal_stream.hpp"
#include "sinks/log_writer.hpp"
#include "support/journal_socket.hpp"
#include "support/wait.hpp"

namespace actord::sinks {

TEST_SUITE_BEGIN("sinks/log_output");

namespace {

using support::JournalSocket;

/// Two descriptors that belong together.
struct Pair {
  std::array<int, 2> ends{-1, -1};

  ~Pair() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
  /// What the other end has written so far.
  std::string read() const {
    std::string text(1 << 16, '\0');
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    const ssize_t n = ::read(ends[0], text.data(), text.size());
    text.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
    return text;
  }
};

struct Stream : Pair {
  Stream() { REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0); }
};
struct Pipe : Pair {
  Pipe() { REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0); }
};
struct Pty : Pair {
  Pty() { REQUIRE(::openpty(&ends[0], &ends[1], nullptr, nullptr, nullptr) == 0); }
};

/// What systemd would put into JOURNAL_STREAM if this descriptor were the stream.
std::string stream_name(int fd) {
  struct stat status = {};
  REQUIRE(::fstat(fd, &status) == 0);
  return std::to_string(status.st_dev) + ':' + std::to_string(status.st_ino);
}

/// The options for a log to this descriptor, in a service whose JOURNAL_STREAM names it.
LogWriterOptions options_for(int fd, const std::string& socket, Format format = Format::automatic) {
  LogWriterOptions options;
  options.format = format;
  options.boot_id = "b00t";
  options.fd = fd;
  options.journal_stream = stream_name(fd);
  options.journal_socket = socket;
  return options;
}

Output output_of(const LogWriterOptions& options) { return choose_output(options).output; }

std::string written_by(const LogWriterOptions& options, const Pair& pair) {
  log::Hub hub(base::monotonic_ns);
  LogWriter writer(hub, options);
  hub.shared().emit(log::Level::error, "config.rejected", "no such behaviour");
  writer.stop();
  return pair.read();
}

}  // namespace

TEST_CASE("JOURNAL_STREAM names a descriptor by device and inode, and only a socket matches") {
  const Stream stream;
  const Stream other;
  const Pipe pipe;
  const Pty terminal;
  std::FILE* const file = std::tmpfile();
  const std::string name = stream_name(stream.ends[1]);
  CHECK(is_journal_stream(stream.ends[1], name));
  CHECK_FALSE(is_journal_stream(stream.ends[1], ""));
  CHECK_FALSE(is_journal_stream(stream.ends[1], name + "0"));
  CHECK_FALSE(is_journal_stream(stream.ends[1], "nonsense"));
  CHECK_FALSE(is_journal_stream(other.ends[1], name));
  CHECK_FALSE(is_journal_stream(-1, name));
  for (const int fd : {pipe.ends[1], terminal.ends[1], ::fileno(file)})
    CHECK_FALSE(is_journal_stream(fd, stream_name(fd)));
  std::fclose(file);
}

TEST_CASE("the log of a service goes to the journal's socket, and other logs do not") {
  const JournalSocket journal;
  const Stream stream;
  const Pipe pipe;
  const Pty terminal;
  CHECK(output_of(options_for(stream.ends[1], journal.path())) == Output::journal);
  CHECK(output_of(options_for(pipe.ends[1], journal.path())) == Output::json);
  CHECK(output_of(options_for(terminal.ends[1], journal.path())) == Output::console);
  LogWriterOptions elsewhere = options_for(stream.ends[1], journal.path());
  elsewhere.journal_stream = "1:2";
  CHECK(output_of(elsewhere) == Output::json);
  CHECK(choose_output(elsewhere).journal_error == 0);
}

TEST_CASE("a format that is asked for is taken, also on the journal's stream") {
  const JournalSocket journal;
  const Stream stream;
  const Pipe pipe;
  CHECK(output_of(options_for(stream.ends[1], journal.path(), Format::json)) == Output::json);
  CHECK(output_of(options_for(stream.ends[1], journal.path(), Format::console)) == Output::console);
  CHECK(output_of(options_for(pipe.ends[1], journal.path(), Format::journald)) == Output::journal);
}

TEST_CASE("without the journal's socket its stream gets lines with priorities") {
  const support::ScratchFolder folder;
  const Stream stream;
  for (const Format format : {Format::automatic, Format::journald}) {
    const LogWriterOptions options = options_for(stream.ends[1], folder.at("none"), format);
    CHECK(choose_output(options).output == Output::priority_json);
    CHECK(choose_output(options).journal_error == ENOENT);
    const std::string line = written_by(options, stream);
    REQUIRE(line.starts_with("<3>"));
    CHECK(nlohmann::json::parse(line.substr(3))["event"] == "config.rejected");
  }
}

TEST_CASE("files, pipes and terminals never get a prefix") {
  const support::ScratchFolder folder;
  const Pipe pipe;
  const Pty terminal;
  for (const Format format : {Format::automatic, Format::journald}) {
    const LogWriterOptions to_pipe = options_for(pipe.ends[1], folder.at("none"), format);
    CHECK(written_by(to_pipe, pipe).starts_with("{\"ts\":"));
    CHECK(choose_output(to_pipe).journal_error == (format == Format::journald ? ENOENT : 0));
    const LogWriterOptions to_terminal = options_for(terminal.ends[1], folder.at("none"), format);
    CHECK(output_of(to_terminal) == Output::console);
    CHECK(written_by(to_terminal, terminal).find("<3>") == std::string::npos);
  }
}

TEST_CASE("records reach the journal in their order, also more than its queue holds") {
  const support::TimeLimit limit("the records and the stop of the writer");
  JournalSocket journal;
  const Stream stream;
  log::Hub hub(base::monotonic_ns, {.ring_bytes = 4 << 20});
  LogWriter writer(hub, options_for(stream.ends[1], journal.path()));
  CHECK(writer.output().output == Output::journal);
  writer.start();
  constexpr int emitted = 3000;
  for (int i = 0; i < emitted; ++i) hub.shared().emit(log::Level::info, "tick", "", {{"i", i}});
  int next = 0;
  bool is_ordered = true;
  while (next < emitted) {
    journal.wait();
    const auto entry = journal.receive();
    if (!entry) continue;
    is_ordered = is_ordered && (*entry)["ACTORD_I"] == std::to_string(next) &&
                 (*entry)["ACTORD_BOOT"] == "b00t";
    ++next;
  }
  CHECK(is_ordered);
  writer.stop();
  CHECK(writer.failures().lost_lines == 0);
  CHECK(stream.read().empty());
}

TEST_CASE("a journal that takes nothing does not hold up the stop, and the loss is reported") {
  JournalSocket journal;
  const Stream stream;
  const Stream errors;
  log::Hub hub(base::monotonic_ns, {.ring_bytes = 4 << 20});
  LogWriterOptions options = options_for(stream.ends[1], journal.path());
  options.error_fd = errors.ends[1];
  LogWriter writer(hub, options);
  writer.start();
  constexpr std::uint64_t emitted = 3000;  // more than the queue of the journal holds
  for (std::uint64_t i = 0; i < emitted; ++i) hub.shared().emit(log::Level::info, "tick", "");
  CHECK(writer.stop_within(5 * base::ns_per_s));  // it gives up long before
  const std::uint64_t lost = writer.failures().lost_lines;
  CHECK(lost > 0);
  CHECK(lost + journal.receive_all().size() == emitted);
  CHECK(errors.read() == "actord: log: the journal is not read any more; " + std::to_string(lost) +
                             " records are lost\n");
}

TEST_CASE("a journal that goes away is reported once, and so is its return") {
  JournalSocket journal;
  const Stream stream;
  log::Hub hub(base::monotonic_ns);
  LogWriterOptions options = options_for(stream.ends[1], journal.path());
  options.error_fd = stream.ends[1];
  LogWriter writer(hub, options);
  const auto log_a_record = [&] {
    hub.shared().emit(log::Level::info, "tick", "");
    writer.drain();
  };
  log_a_record();
  journal.close();
  for (int i = 0; i < 3; ++i) log_a_record();
  // On the journal's stream a report has the priority of an error.
  CHECK(stream.read() ==
        "<3>actord: log: cannot write to the journal: No such file or directory; records are lost "
        "until it works again\n");
  journal.open();
  log_a_record();
  CHECK(stream.read() == "<3>actord: log: the journal works again; 3 records were lost\n");
  CHECK(journal.receive_all().size() == 1);
}

TEST_CASE("with the format off the output gets nothing, and the other sinks get what they want") {
  JournalSocket journal;
  JournalSocket syslog;
  const support::ScratchFolder folder;
  const Pipe pipe;
  LogWriterOptions options = options_for(pipe.ends[1], journal.path(), Format::off);
  options.sinks = {
      {.type = SinkType::journald, .path = journal.path(), .level = log::Level::error},
      {.type = SinkType::syslog, .path = syslog.path(), .format = Format::console, .facility = 16},
      {.type = SinkType::file, .path = folder.at("a.log"), .level = log::Level::warning}};
  log::Hub hub(base::monotonic_ns);
  LogWriter writer(hub, options);
  CHECK(writer.output().output == Output::none);
  hub.shared().emit(log::Level::error, "a", "first");
  hub.shared().emit(log::Level::warning, "b", "second");
  hub.shared().emit(log::Level::info, "c", "third");
  writer.stop();
  CHECK(pipe.read().empty());
  const auto entries = journal.receive_all();
  REQUIRE(entries.size() == 1);
  CHECK(entries[0]["ACTORD_EVENT"] == "a");
  for (const char* const end : {": ERROR a first", ": WARN  b second", ": INFO  c third"})
    CHECK(syslog.receive_text().value().ends_with(end));
  std::ifstream file(folder.at("a.log"));
  std::vector<std::string> events;
  for (std::string line; std::getline(file, line);)
    events.push_back(nlohmann::json::parse(line)["event"]);
  CHECK(events == std::vector<std::string>{"a", "b"});
}

TEST_CASE("a secret is masked wherever the log goes") {
  JournalSocket journal;
  JournalSocket syslog;
  const support::ScratchFolder folder;
  const Pipe pipe;
  SecretMask mask;
  mask.add({"hunter2-hunter2"});
  LogWriterOptions options = options_for(pipe.ends[1], journal.path(), Format::json);
  options.mask = &mask;
  options.sinks = {{.type = SinkType::journald, .path = journal.path()},
                   {.type = SinkType::syslog, .path = syslog.path()},
                   {.type = SinkType::file, .path = folder.at("a.log")}};
  log::Hub hub(base::monotonic_ns);
  LogWriter writer(hub, options);
  hub.shared().emit(log::Level::error, "a", "it is hunter2-hunter2");
  writer.stop();
  std::ifstream file(folder.at("a.log"));
  std::string line;
  std::getline(file, line);
  const std::string entry = journal.receive().value()["ACTORD_MSG"];
  for (const std::string& text : {pipe.read(), line, entry, syslog.receive_text().value()}) {
    CHECK(text.find("it is (secret)") != std::string::npos);
    CHECK(text.find("hunter2") == std::string::npos);
  }
}

TEST_CASE("the output has a level of its own") {
  const support::ScratchFolder folder;
  const Pipe pipe;
  LogWriterOptions options = options_for(pipe.ends[1], folder.at("none"), Format::console);
  options.level = log::Level::error;
  log::Hub hub(base::monotonic_ns);
  LogWriter writer(hub, options);
  hub.shared().emit(log::Level::info, "c", "third");
  hub.shared().emit(log::Level::error, "a", "first");
  writer.stop();
  const std::string text = pipe.read();
  CHECK(text.ends_with("ERROR a first\n"));
  CHECK(text.find("third") == std::string::npos);
}

TEST_CASE("a socket that takes nothing holds up the output for a moment only, and is reported") {
  const support::TimeLimit limit("the stop of the writer");
  JournalSocket syslog;
  const Stream errors;
  const support::ScratchFolder folder;
  const Pipe pipe;
  LogWriterOptions options = options_for(pipe.ends[1], folder.at("none"), Format::off);
  options.error_fd = errors.ends[1];
  options.batch_bytes = 1024;
  options.sinks = {{.type = SinkType::syslog, .path = syslog.path()},
                   {.type = SinkType::file, .path = folder.at("a.log")}};
  log::Hub hub(base::monotonic_ns, {.ring_bytes = 4 << 20});
  LogWriter writer(hub, options);
  constexpr std::uint64_t emitted = 3000;  // more than the queue of the socket holds
  for (std::uint64_t i = 0; i < emitted; ++i) hub.shared().emit(log::Level::info, "tick", "");
  writer.drain();
  const std::string place = "actord: log: cannot write to syslog (" + syslog.path() + ")";
  CHECK(errors.read() == place + ": it takes nothing; records are lost until it works again\n");
  const std::uint64_t lost = writer.failures().lost_lines;
  std::uint64_t received = 0;
  while (syslog.receive_text()) ++received;
  CHECK(lost > 0);
  CHECK(lost + received == emitted);
  hub.shared().emit(log::Level::info, "tock", "");
  writer.stop();
  CHECK(errors.read() == "actord: log: syslog (" + syslog.path() + ") works again; " +
                             std::to_string(lost) + " records were lost\n");
  CHECK(syslog.receive_text().has_value());
  std::ifstream file(folder.at("a.log"));
  std::uint64_t lines = 0;
  for (std::string line; std::getline(file, line);) ++lines;
  CHECK(lines == emitted + 1);
}

TEST_CASE("an error that cannot be logged has its priority on the journal's stream") {
  const Stream stream;
  const Pipe pipe;
  const std::string text = "actord: no such file\n  it is configured at a.conf:1\n";
  CHECK(error_text_for(stream.ends[1], stream_name(stream.ends[1]), text) ==
        "<3>actord: no such file\n<3>  it is configured at a.conf:1\n");
  CHECK(error_text_for(stream.ends[1], "", text) == text);
  CHECK(error_text_for(pipe.ends[1], stream_name(pipe.ends[1]), text) == text);
}

TEST_SUITE_END();

}  // namespace actord::sinks
