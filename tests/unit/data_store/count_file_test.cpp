// SPDX-License-Identifier: Apache-2.0

#include "data_store/count_file.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>

using data_store::CountFile;
using data_store::StorageException;

namespace {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "count-file-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::filesystem::path file() const { return path_ / "inner" / "counts.sqlite"; }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_SUITE("data_store/count_file") {
  TEST_CASE("a key without a count has 0") {
    const Folder folder;
    CountFile file{folder.file(), {}};
    CHECK(file.load("counter") == 0);
  }

  TEST_CASE("counts are kept by key and survive the file's being closed") {
    const Folder folder;
    {
      CountFile file{folder.file(), {}};
      file.save("a", 7);
      file.save("b", -1);
      file.save("a", 8);
      CHECK(file.load("a") == 8);
    }
    CountFile file{folder.file(), {}};
    CHECK(file.load("a") == 8);
    CHECK(file.load("b") == -1);
  }

  TEST_CASE("a value in the range that is to fail is refused and changes nothing") {
    const Folder folder;
    CountFile file{folder.file(), {.fail_between = {11, 14}}};
    file.save("a", 10);
    for (const std::int64_t value : {11, 12, 13, 14}) {
      CHECK_THROWS_AS(file.save("a", value), StorageException);
      CHECK(file.load("a") == 10);
    }
    file.save("a", 15);
    CHECK(file.load("a") == 15);
  }

  TEST_CASE("an unavailable storage does not open and makes no file") {
    const Folder folder;
    CHECK_THROWS_AS((CountFile{folder.file(), {.fail_between = {}, .is_unavailable = true}}),
                    StorageException);
    CHECK_FALSE(std::filesystem::exists(folder.file()));
  }

  TEST_CASE("a file that is no database is refused") {
    const Folder folder;
    std::filesystem::create_directories(folder.file().parent_path());
    std::ofstream{folder.file()} << std::string(4096, 'x');
    CHECK_THROWS_AS((CountFile{folder.file(), {}}), StorageException);
  }

  TEST_CASE("a folder that cannot be made is an error") {
    const Folder folder;
    std::ofstream{folder.file().parent_path()} << "a file in its place";
    CHECK_THROWS_AS((CountFile{folder.file(), {}}), StorageException);
  }
}
