// SPDX-License-Identifier: Apache-2.0
#include "sinks/file_sink.hpp"

#include <doctest/doctest.h>
#include <spdlog/details/log_msg.h>
#include <sys/resource.h>

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

TEST_CASE("a file that cannot be renamed grows, and no renamed one is replaced") {
  const support::ScratchFolder folder;
  const fs::path path = folder.path() / "a.log", first = path.string() + ".1";
  FileSink sink({.path = path, .rotate_bytes = 8, .keep = 2});
  write(sink, "one\n");
  fs::create_directories(path.string() + ".2/full");  // a file cannot be renamed to that
  std::ofstream(first) << "older\n";
  write(sink, "two, longer\n");
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
