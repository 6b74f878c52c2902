// SPDX-License-Identifier: Apache-2.0
#include "os/access.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cerrno>

#include "os/as_user.hpp"
#include "os/local_socket.hpp"
#include "support/scratch_folder.hpp"

using namespace actord::os;
using actord::support::ScratchFolder;

namespace {

std::string error_of(const actord::base::Result<void, SystemError>& judged) {
  return judged ? std::string{} : judged.error().what;
}

}  // namespace

TEST_SUITE_BEGIN("os/access");

TEST_CASE("a folder must be there and be one") {
  const ScratchFolder place;
  CHECK(check_folder(place.path().string(), {.reads = true, .writes = true}).ok());
  const std::string absent = place.at("absent");
  CHECK(error_of(check_folder(absent, {.reads = true})) == "there is no folder " + absent);
  CHECK(error_of(check_folder(absent + "/below", {.reads = true})) ==
        "there is no folder " + absent);
  const std::string file = place.write("file", "x");
  CHECK(error_of(check_folder(file, {.reads = true})) == file + " is no folder");
  CHECK(error_of(check_folder(file + "/below", {.reads = true})) == file + " is no folder");
  CHECK(check_folder(file, {}).error().number == ENOTDIR);
}

TEST_CASE("a file that is read must be there; one that is only written may be missing") {
  const ScratchFolder place;
  const std::string file = place.write("file", "x"), absent = place.at("absent");
  CHECK(check_file(file, {.reads = true, .writes = true}).ok());
  CHECK(error_of(check_file(absent, {.reads = true})) == "there is no file " + absent);
  CHECK(error_of(check_file(absent, {.reads = true, .writes = true})) ==
        "there is no file " + absent);
  CHECK(check_file(absent, {.writes = true}).ok());
  CHECK(error_of(check_file(absent + "/log", {.writes = true})) == "there is no folder " + absent);
  CHECK(error_of(check_file(place.path().string(), {.writes = true})) ==
        place.path().string() + " is a folder");
}

TEST_CASE("a folder that the actor creates may be missing, with its parents") {
  const ScratchFolder place;
  const std::string folder = place.at("state/crawler");
  CHECK(check_file_in_made_folder(folder, "index", {.writes = true}).ok());
  CHECK(error_of(check_file_in_made_folder(folder, "index", {.reads = true})) ==
        "there is no folder " + place.at("state"));
  const std::string file = place.write("file", "x");
  CHECK_FALSE(check_file_in_made_folder(file + "/crawler", "index", {.writes = true}).ok());
}

TEST_CASE("another user's permissions are judged by that user's ids") {
  if (own_user() != 0) return;  // only root may take them
  const auto nobody = find_user("nobody");
  REQUIRE(nobody.ok());
  const ScratchFolder place;
  REQUIRE(::chmod(place.path().c_str(), 0755) == 0);
  const std::string file = place.write("closed/file", "x");
  REQUIRE(::chmod(place.at("closed").c_str(), 0700) == 0);
  std::string folder_error, file_error, write_error;
  uid_t judged_as = 0;
  REQUIRE(as_user(*nobody, [&] {
            judged_as = own_user();
            folder_error = error_of(check_folder(place.at("closed"), {.reads = true}));
            file_error = error_of(check_file(file, {.reads = true}));
            write_error = error_of(check_file(place.at("new"), {.writes = true}));
          }).ok());
  CHECK(judged_as == nobody->uid);
  CHECK(own_user() == 0);  // this thread has kept its ids
  CHECK(folder_error == "user nobody may not read the folder " + place.at("closed"));
  CHECK(file_error == "user nobody may not enter the folder " + place.at("closed"));
  CHECK(write_error == "user nobody may not create files in the folder " + place.path().string());
  CHECK(check_file(file, {.reads = true}).ok());
}

TEST_CASE("a user who does not exist is an error") {
  const auto found = find_user("no-such-user-here");
  REQUIRE_FALSE(found.ok());
  CHECK(found.error().what == "there is no user no-such-user-here");
}

TEST_SUITE_END();
