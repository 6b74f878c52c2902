// SPDX-License-Identifier: Apache-2.0

#include "data_store/count_file.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "support/scratch_folder.hpp"

using actord::support::ScratchFolder;
using data_store::CountFile;
using data_store::StorageException;

namespace {

std::filesystem::path file_in(const ScratchFolder& folder) {
  return folder.path() / "inner" / "counts.sqlite";
}

}  // namespace

TEST_SUITE("data_store/count_file") {
  TEST_CASE("a key without a count has 0") {
    const ScratchFolder folder;
    CountFile file{file_in(folder), {}};
    CHECK(file.load("counter") == 0);
  }

  TEST_CASE("counts are kept by key and survive the file's being closed") {
    const ScratchFolder folder;
    {
      CountFile file{file_in(folder), {}};
      file.save("a", 7);
      file.save("b", -1);
      file.save("a", 8);
      CHECK(file.load("a") == 8);
    }
    CountFile file{file_in(folder), {}};
    CHECK(file.load("a") == 8);
    CHECK(file.load("b") == -1);
  }

  TEST_CASE("a value in the range that is to fail is refused and changes nothing") {
    const ScratchFolder folder;
    CountFile file{file_in(folder), {.fail_between = {11, 14}}};
    file.save("a", 10);
    for (const std::int64_t value : {11, 12, 13, 14}) {
      CHECK_THROWS_AS(file.save("a", value), StorageException);
      CHECK(file.load("a") == 10);
    }
    file.save("a", 15);
    CHECK(file.load("a") == 15);
  }

  TEST_CASE("an unavailable storage does not open and makes no file") {
    const ScratchFolder folder;
    CHECK_THROWS_AS((CountFile{file_in(folder), {.fail_between = {}, .is_unavailable = true}}),
                    StorageException);
    CHECK_FALSE(std::filesystem::exists(file_in(folder)));
  }

  TEST_CASE("a file that is no database is refused") {
    const ScratchFolder folder;
    std::filesystem::create_directories(file_in(folder).parent_path());
    std::ofstream{file_in(folder)} << std::string(4096, 'x');
    CHECK_THROWS_AS((CountFile{file_in(folder), {}}), StorageException);
  }

  TEST_CASE("a folder that cannot be made is an error") {
    const ScratchFolder folder;
    std::ofstream{file_in(folder).parent_path()} << "a file in its place";
    CHECK_THROWS_AS((CountFile{file_in(folder), {}}), StorageException);
  }
}
