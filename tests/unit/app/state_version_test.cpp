// SPDX-License-Identifier: Apache-2.0
//
// The format of a state directory: which one is accepted, and what is written.
#include "app/state_version.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/scratch_folder.hpp"

namespace actord::app {

TEST_SUITE_BEGIN("app/state_version");

namespace {

using config::ExitCode;

const StateVersion first{1, 1, "0.1.0"}, third{3, 2, "2.0.0"};

struct Folder : support::ScratchFolder {
  std::string version_file() const { return at(state_version_file); }

  std::string content() const {
    std::ifstream file(version_file());
    return {std::istreambuf_iterator<char>(file), {}};
  }

  base::Result<void, config::BootError> claim(const StateVersion& own) const {
    return claim_state_directory(path().string(), own);
  }
};

std::string error_of(std::string_view text) {
  const auto read = read_state_version(text);
  return read ? "" : read.error();
}

}  // namespace

TEST_CASE("what is written can be read again") {
  const auto read = read_state_version(text_of(third));
  REQUIRE(read);
  CHECK(read->format == 3);
  CHECK(read->readable_from == 2);
  CHECK(read->actord == "2.0.0");
  CHECK(read_state_version(text_of(own_state_version())));
}

TEST_CASE("spaces, comments and keys of later versions do not matter") {
  const auto read = read_state_version(
      "\n# format = 7\r\n  readable-from=2\r\nmigrated = yes\n\tformat =  3 \nactord = 2.0.0+next");
  REQUIRE(read);
  CHECK(read->format == 3);
  CHECK(read->readable_from == 2);
  CHECK(read->actord == "2.0.0+next");
}

TEST_CASE("a damaged text says what it lacks") {
  CHECK(error_of("") == "it has no line \"format = NUMBER\"");
  CHECK(error_of(std::string(100, '\0')) == "it has no line \"format = NUMBER\"");
  for (const char* number : {"", "0", "-1", "1x", "1.5", "4294967296", "99999999999999999999"}) {
    CAPTURE(number);
    CHECK(error_of("format = " + std::string{number}) == "it has no line \"format = NUMBER\"");
  }
  CHECK(error_of("format = 3\n") == "it has no line \"readable-from = NUMBER\"");
  CHECK(error_of("format = 3\nreadable-from = 4\n") == "readable-from is greater than format");
  CHECK(error_of("format = 3\nreadable-from") == "it has no line \"readable-from = NUMBER\"");
  for (const std::string& version :
       {std::string{}, std::string{"1; rm -rf /"}, std::string{"\x1b[2J"}, std::string(65, '1')}) {
    CAPTURE(version);
    CHECK(error_of("format = 3\nreadable-from = 2\nactord = " + version) ==
          "it has no line \"actord = VERSION\"");
  }
}

TEST_CASE("a directory without the file gets one, which only this user may read") {
  const Folder folder;
  REQUIRE(folder.claim(third));
  CHECK(folder.content() == text_of(third));
  struct stat status = {};
  REQUIRE(::stat(folder.version_file().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("an older format is raised, and a later one that may be used stays") {
  const Folder folder;
  REQUIRE(folder.claim(first));
  REQUIRE(folder.claim(third));
  CHECK(folder.content() == text_of(third));
  REQUIRE(folder.claim({2, 1, "1.0.0"}));  // one step back
  CHECK(folder.content() == text_of(third));
  REQUIRE(folder.claim({3, 2, "2.0.1"}));
  CHECK(folder.content() == text_of(third));
}

TEST_CASE("a later format that may not be used is refused, and nothing is changed") {
  const Folder folder;
  REQUIRE(folder.claim(third));
  const auto claimed = folder.claim(first);
  REQUIRE(!claimed);
  const std::string directory = folder.path().string();
  CHECK(claimed.error().code == ExitCode::config_wrong);
  CHECK(claimed.error().reason == "actord 2.0.0 has brought the state directory " + directory +
                                      " to format 3, and this actord, 0.1.0, can read format 1 "
                                      "only");
  CHECK(claimed.error().findings.at(0).help ==
        "install actord 2.0.0 or a later version again, or move the directory away to begin with "
        "an empty one: mv " +
            directory + ' ' + directory + ".2.0.0");
  CHECK(folder.content() == text_of(third));
}

TEST_CASE("an entry that is not such a file is refused, and stays") {
  const Folder folder;
  std::string what;
  SUBCASE("garbage") {
    folder.write(state_version_file,
                 "\x7f"
                 "ELF");
    what = folder.version_file() + " is damaged: it has no line \"format = NUMBER\"";
  }
  SUBCASE("an empty file") {
    folder.write(state_version_file, "");
    what = folder.version_file() + " is damaged: it has no line \"format = NUMBER\"";
  }
  SUBCASE("a huge file") {
    folder.write(state_version_file, text_of(first) + std::string(4096, '#'));
    what = "cannot read " + folder.version_file() + ": File too large";
  }
  SUBCASE("a folder") {
    std::filesystem::create_directory(folder.version_file());
    what = "cannot read " + folder.version_file() + ": Is a directory";
  }
  SUBCASE("a pipe") {
    REQUIRE(::mkfifo(folder.version_file().c_str(), 0600) == 0);
    what = "cannot read " + folder.version_file() + ": it is not a regular file";
  }
  SUBCASE("a symbolic link to itself") {
    std::filesystem::create_symlink(folder.version_file(), folder.version_file());
    what = "cannot read " + folder.version_file() + ": Too many levels of symbolic links";
  }
  const auto claimed = folder.claim(first);
  REQUIRE(!claimed);
  CHECK(claimed.error().code == ExitCode::config_wrong);
  CHECK(claimed.error().reason == "the state directory: " + what);
  CHECK(claimed.error().findings.at(0).help.ends_with(": rm -r " + folder.version_file()));
  CHECK(std::filesystem::exists(std::filesystem::symlink_status(folder.version_file())));
}

TEST_CASE("a format that cannot be written is an error, and the old one stays") {
  const Folder folder;
  REQUIRE(folder.claim(first));
  std::filesystem::create_directory(folder.version_file() + ".new");
  const auto claimed = folder.claim(third);
  REQUIRE(!claimed);
  CHECK(claimed.error().code == ExitCode::operating_system);
  CHECK(claimed.error().reason ==
        "the state directory: cannot write " + folder.version_file() + ": Is a directory");
  CHECK(folder.content() == text_of(first));
}

TEST_SUITE_END();

}  // namespace actord::app
