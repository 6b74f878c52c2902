// SPDX-License-Identifier: Apache-2.0
#include "os/sealed_copy.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "os/process.hpp"
#include "support/scratch_folder.hpp"

TEST_SUITE_BEGIN("os/sealed_copy");

namespace {

namespace fs = std::filesystem;
namespace os = actord::os;
using os::SealedCopy;

void write(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

std::string text_of(const SealedCopy& copy) {
  const auto map = copy.map();
  REQUIRE(map.ok());
  return {reinterpret_cast<const char*>(map->bytes().data()), map->bytes().size()};
}

}  // namespace

TEST_CASE("a copy keeps its content when its file is overwritten, shortened and deleted") {
  const actord::support::ScratchFolder place;
  const std::string file = place.at("file"), text(3 << 18, 'a');
  write(file, text);
  const auto copy = SealedCopy::of(file, "actord:test", 1 << 20);
  REQUIRE(copy.ok());
  CHECK(copy->is_like(file).value());
  write(file, std::string(text.size(), 'b'));
  CHECK_FALSE(copy->is_like(file).value());
  fs::resize_file(file, 1);
  CHECK_FALSE(copy->is_like(file).value());
  fs::remove(file);
  CHECK_FALSE(copy->is_like(file).ok());
  CHECK(text_of(*copy) == text);
}

TEST_CASE("nothing can change a copy") {
  const actord::support::ScratchFolder place;
  const std::string file = place.at("file");
  write(file, "content");
  const auto copy = SealedCopy::of(file, "actord:test", 100);
  REQUIRE(copy.ok());
  CHECK(::pwrite(copy->descriptor(), "x", 1, 0) == -1);
  CHECK(::ftruncate(copy->descriptor(), 0) == -1);
  CHECK(text_of(*copy) == "content");
}

TEST_CASE("a copy is found below the number of its process, also if that may have no core dump") {
  const actord::support::ScratchFolder place;
  const std::string file = place.at("file");
  write(file, "content");
  const auto copy = SealedCopy::of(file, "actord:test", 100);
  REQUIRE(copy.ok());
  CHECK(copy->path() ==
        "/proc/" + std::to_string(os::process_id()) + "/fd/" + std::to_string(copy->descriptor()));
  CHECK(fs::read_symlink(copy->path()).string().starts_with("/memfd:actord:test"));
  os::permit_core_dumps(false);
  CHECK(text_of(*copy) == "content");
  os::permit_core_dumps(true);
}

TEST_CASE("only a regular file that is not too large is copied") {
  const actord::support::ScratchFolder place;
  const std::string file = place.at("file"), link = place.at("link");
  write(file, "content");
  fs::create_symlink(file, link);
  const auto number_of = [](const std::string& path, std::size_t size_max) {
    const auto copy = SealedCopy::of(path, "actord:test", size_max);
    return copy ? 0 : copy.error().number;
  };
  CHECK(number_of(file, 7) == 0);
  CHECK(number_of(file, 6) == EFBIG);
  CHECK(number_of(link, 7) == ELOOP);
  CHECK(number_of(place.path().string(), 7) == EISDIR);
  CHECK(number_of(place.at("absent"), 7) == ENOENT);
}
