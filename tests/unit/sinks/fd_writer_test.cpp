// SPDX-License-Identifier: Apache-2.0
//
// Descriptors that take nothing: a write to one can always be given up, and leaves it unchanged.
#include "sinks/fd_writer.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <thread>

#include "support/wait.hpp"

namespace actord::sinks {

TEST_SUITE_BEGIN("sinks/fd_writer");

namespace {

/// A pipe or a socket pair, with what can be read from it.
struct Ends {
  explicit Ends(bool is_socket = false) {
    REQUIRE((is_socket ? ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds)
                       : ::pipe2(fds, O_CLOEXEC)) == 0);
  }
  ~Ends() {
    close_reader();
    ::close(fds[1]);
  }
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;

  int writer() const { return fds[1]; }
  bool is_blocking() const { return (::fcntl(fds[1], F_GETFL) & O_NONBLOCK) == 0; }
  void close_reader() {
    if (fds[0] >= 0) ::close(fds[0]);
    fds[0] = -1;
  }
  /// Opens the pipe for reading again, after the first reader has gone.
  void reopen_reader() {
    const std::string path = "/proc/self/fd/" + std::to_string(fds[1]);
    fds[0] = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    REQUIRE(fds[0] >= 0);
    REQUIRE(::fcntl(fds[0], F_SETFL, 0) == 0);
  }
  std::string read(std::size_t size) {
    std::string text;
    char chunk[4096];
    while (text.size() < size) {
      const ssize_t n = ::read(fds[0], chunk, std::min(sizeof chunk, size - text.size()));
      if (n <= 0) break;
      text.append(chunk, static_cast<std::size_t>(n));
    }
    return text;
  }

  int fds[2] = {-1, -1};
};

/// More text than a pipe or a socket holds, with no two parts alike.
std::string plenty() {
  std::string text;
  for (int i = 0; text.size() < (1U << 20); ++i) text += std::to_string(i) + '\n';
  return text;
}

void check_is_given_up(Ends& ends, FdWriter& writer) {
  const std::string text = plenty();
  writer.set_timeout(0);
  const FdWriter::Written written = writer.write(text);
  CHECK(written.error == ETIMEDOUT);
  CHECK(written.bytes > 0);
  CHECK(written.bytes < text.size());
  CHECK(writer.write("more").bytes == 0);
  CHECK(ends.is_blocking());
  CHECK(ends.read(written.bytes) == text.substr(0, written.bytes));
  CHECK(writer.write("more").error == 0);  // as soon as there is room again
  CHECK(ends.read(4) == "more");
}

void check_arrives(Ends& ends, FdWriter& writer) {
  const support::TimeLimit limit("the last byte");
  const std::string text = plenty();
  std::string got;
  std::jthread reader([&] { got = ends.read(text.size()); });
  const FdWriter::Written written = writer.write(text);
  CHECK(written.error == 0);
  CHECK(written.bytes == text.size());
  reader.join();
  CHECK(got == text);
}

}  // namespace

TEST_CASE("what a full pipe does not take is given up, and its flags stay what others see") {
  Ends ends;
  FdWriter writer(ends.writer());
  check_is_given_up(ends, writer);
}

TEST_CASE("a full socket is given up likewise") {
  Ends ends(true);
  FdWriter writer(ends.writer());
  check_is_given_up(ends, writer);
}

TEST_CASE("a pipe that cannot be opened again is given up likewise") {
  Ends ends;
  ends.close_reader();
  FdWriter writer(ends.writer());
  ends.reopen_reader();
  check_is_given_up(ends, writer);
}

TEST_CASE("with patience everything arrives, however much the descriptor takes at once") {
  Ends pipe, pipe_in_parts, socket(true);
  pipe_in_parts.close_reader();
  FdWriter of_pipe(pipe.writer()), of_parts(pipe_in_parts.writer()), of_socket(socket.writer());
  pipe_in_parts.reopen_reader();
  check_arrives(pipe, of_pipe);
  check_arrives(pipe_in_parts, of_parts);
  check_arrives(socket, of_socket);
}

TEST_CASE("a wait for ever ends when patience becomes limited") {
  const support::TimeLimit limit("the end of the write");
  Ends ends;
  FdWriter writer(ends.writer());
  FdWriter::Written written;
  std::jthread thread([&] { written = writer.write(plenty()); });
  writer.set_timeout(1'000'000);
  thread.join();
  CHECK(written.error == ETIMEDOUT);
}

TEST_CASE("an error of the write is returned as it is") {
  ::signal(SIGPIPE, SIG_IGN);
  Ends ends;
  FdWriter writer(ends.writer());
  ends.close_reader();
  CHECK(writer.write("text").error == EPIPE);
  FdWriter late(ends.writer());
  CHECK(late.write("text").error == EPIPE);
  FdWriter closed(-1);
  CHECK(closed.write("text").error == EBADF);
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  FdWriter of_full(full);
  CHECK(of_full.write("text").error == ENOSPC);
  ::close(full);
}

TEST_SUITE_END();

}  // namespace actord::sinks
