// SPDX-License-Identifier: Apache-2.0
#include "sinks/file_sink.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <spdlog/details/log_msg.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/scratch_folder.hpp"

namespace actord::sinks {

namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

void write(FileSink& sink, std::string_view text) {
  sink.log({spdlog::string_view_t(), spdlog::level::info,
            spdlog::string_view_t(text.data(), text.size())});
}

/// No file of this process grows beyond `bytes`, as on a full disk.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : former_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit small{bytes, limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, former_);
  }
  SmallDisk(const SmallDisk&) = delete;

 private:
  void (*const former_)(int);
  rlimit limit_{};
};

/// What the sink reports.
class Reports {
 public:
  Reports() { REQUIRE(::pipe2(ends_, O_CLOEXEC | O_NONBLOCK) == 0); }
  ~Reports() { ::close(ends_[0]), ::close(ends_[1]); }
  Reports(const Reports&) = delete;

  int fd() const noexcept { return ends_[1]; }
  /// The reports since the last call.
  std::string take() const {
    char text[4096];
    const ssize_t n = ::read(ends_[0], text, sizeof text);
    return {text, static_cast<std::size_t>(std::max<ssize_t>(n, 0))};
  }

 private:
  int ends_[2] = {-1, -1};
};

/// The folder belongs to a user for whom its mode counts, and while this lives the test runs as
/// that user: root may write everywhere.
class OrdinaryUser {
 public:
  explicit OrdinaryUser(const fs::path& folder) : former_(::geteuid()) {
    constexpr uid_t nobody = 65534;
    if (former_ != 0) return;
    REQUIRE(::chown(folder.c_str(), nobody, static_cast<gid_t>(-1)) == 0);
    REQUIRE(::seteuid(nobody) == 0);
  }
  ~OrdinaryUser() { [[maybe_unused]] const int done = ::seteuid(former_); }
  OrdinaryUser(const OrdinaryUser&) = delete;

 private:
  const uid_t former_;
};

constexpr fs::perms read_only = fs::perms::owner_read | fs::perms::owner_exec;

}  // namespace

TEST_CASE("a file that would grow too large is renamed, and no more are kept than asked for") {
  const support::ScratchFolder folder;
  const fs::path path = folder.path() / "a.log";
  FileSink sink({.path = path, .rotate_bytes = 20, .keep = 2});
  for (int i = 0; i < 9; ++i) write(sink, "line " + std::to_string(i) + " ..\n");
  CHECK(text_of(path) == "line 8 ..\n");
  CHECK(text_of(path.string() + ".1") == "line 6 ..\nline 7 ..\n");
  CHECK(text_of(path.string() + ".2") == "line 4 ..\nline 5 ..\n");
  CHECK_FALSE(fs::exists(path.string() + ".3"));
  CHECK(sink.lost_lines() == 0);
}

TEST_CASE("with none to be kept the file begins anew, and a batch is never divided") {
  const support::ScratchFolder folder;
  const fs::path path = folder.path() / "a.log";
  FileSink sink({.path = path, .rotate_bytes = 10, .keep = 0});
  write(sink, "one\ntwo\nthree\nfour\n");
  CHECK(text_of(path) == "one\ntwo\nthree\nfour\n");
  write(sink, "five\n");
  CHECK(text_of(path) == "five\n");
}

TEST_CASE("a file that another program has renamed is left to it, at once or when told") {
  const support::ScratchFolder folder;
  const fs::path path = folder.path() / "a.log", moved = path.string() + "-1";
  FileSink sink({.path = path});
  write(sink, "one\n");
  fs::rename(path, moved);
  write(sink, "two\n");
  CHECK(text_of(moved) == "one\n");
  CHECK(text_of(path) == "two\n");
  fs::remove(path);
  write(sink, "three\n");
  CHECK(text_of(path) == "three\n");
  sink.reopen();
  write(sink, "four\n");
  CHECK(text_of(path) == "three\nfour\n");
  fs::resize_file(path, 0);  // copytruncate of logrotate
  write(sink, "five\n");
  CHECK(text_of(path) == "five\n");
}

TEST_CASE("on a full disk no half of a line stays, what is lost is counted, and it recovers") {
  const support::ScratchFolder folder;
  const fs::path path = folder.path() / "a.log";
  FileSink sink({.path = path});
  {
    const SmallDisk full(12);
    write(sink, "one\ntwo\nthree\nfour\n");
    CHECK(text_of(path) == "one\ntwo\n");
    CHECK(sink.lost_lines() == 2);
    write(sink, "five and more\n");
    CHECK(text_of(path) == "one\ntwo\n");
    CHECK(sink.lost_lines() == 3);
  }
  write(sink, "six\n");
  CHECK(text_of(path) == "one\ntwo\nsix\n");
  CHECK(sink.lost_lines() == 3);
  CHECK(sink.failed_writes() == 2);
}

TEST_CASE("a folder that is not there yet costs lines, not the sink") {
  const support::ScratchFolder folder;
  const fs::path path = folder.path() / "logs/a.log";
  FileSink sink({.path = path});
  write(sink, "one\ntwo\n");
  CHECK(sink.lost_lines() == 2);
  fs::create_directory(path.parent_path());
  write(sink, "three\n");
  CHECK(text_of(path) == "three\n");
}

TEST_CASE("in a folder that is read-only by now a file grows, and loses and halves nothing") {
  const support::ScratchFolder folder;
  const fs::path path = folder.path() / "a.log", first = path.string() + ".1";
  const OrdinaryUser user(folder.path());
  const Reports reports;
  FileSink sink({.path = path, .rotate_bytes = 8, .keep = 2, .error_fd = reports.fd()});
  write(sink, "one\n");
  fs::permissions(folder.path(), read_only);
  write(sink, "two, longer\nthree\n");
  CHECK(reports.take() ==
        "actord: log: " + path.string() + " cannot be rotated and grows: Permission denied\n");
  CHECK(text_of(path) == "one\ntwo, longer\nthree\n");
  fs::permissions(folder.path(), fs::perms::owner_all);
  write(sink, "four\n");
  CHECK(text_of(path) == "four\n");
  CHECK(text_of(first) == "one\ntwo, longer\nthree\n");
  CHECK(sink.lost_lines() == 0);
}

TEST_CASE("in a folder that is read-only from the start lines are lost, told and counted") {
  const support::ScratchFolder folder;
  const fs::path path = folder.path() / "a.log";
  const OrdinaryUser user(folder.path());
  const Reports reports;
  fs::permissions(folder.path(), read_only);
  FileSink sink({.path = path, .error_fd = reports.fd()});
  write(sink, "one\ntwo\n");
  write(sink, "three\n");
  CHECK(reports.take() == "actord: log: cannot write to " + path.string() +
                              ": Permission denied; lines are lost until it works again\n");
  CHECK(sink.lost_lines() == 3);
  fs::permissions(folder.path(), fs::perms::owner_all);
  write(sink, "four\n");
  CHECK(reports.take() == "actord: log: " + path.string() + " works again; 3 lines were lost\n");
  CHECK(text_of(path) == "four\n");
}

TEST_CASE("a FIFO that takes nothing costs lines, and it is told") {
  const support::ScratchFolder folder;
  const std::string path = folder.at("fifo");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const Reports reports;
  FileSink sink({.path = path, .error_fd = reports.fd()});
  while (sink.lost_lines() == 0) write(sink, std::string(1023, 'x') + '\n');
  CHECK(reports.take() == "actord: log: cannot write to " + path +
                              ": it takes nothing; lines are lost until it works again\n");
  ::close(reader);
}

TEST_CASE("a file that cannot be renamed grows, and no renamed one is replaced") {
  const support::ScratchFolder folder;
  const fs::path path = folder.path() / "a.log", first = path.string() + ".1";
  const Reports reports;
  FileSink sink({.path = path, .rotate_bytes = 8, .keep = 2, .error_fd = reports.fd()});
  write(sink, "one\n");
  fs::create_directories(path.string() + ".2/full");  // a file cannot be renamed to that
  std::ofstream(first) << "older\n";
  write(sink, "two, longer\n");
  CHECK(reports.take() ==
        "actord: log: " + path.string() + " cannot be rotated and grows: Is a directory\n");
  CHECK(text_of(path) == "one\ntwo, longer\n");
  CHECK(text_of(first) == "older\n");
  fs::remove_all(path.string() + ".2");
  write(sink, "three\n");
  CHECK(text_of(path) == "three\n");
  CHECK(text_of(first) == "one\ntwo, longer\n");
  CHECK(text_of(path.string() + ".2") == "older\n");
  CHECK(sink.lost_lines() == 0);
}

}  // namespace actord::sinks
