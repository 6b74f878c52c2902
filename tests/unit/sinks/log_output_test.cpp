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
  LogWriter writer(hub, std::move(options));
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
  LogWriter writer(hub, std::move(options));
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
