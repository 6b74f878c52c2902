// SPDX-License-Identifier: Apache-2.0

#include "static_site/document_root.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "support/scratch_folder.hpp"

using actord::support::ScratchFolder;
using static_site::DocumentRoot;
using static_site::Lookup;
using static_site::parse_target;
using State = static_site::Lookup::State;

namespace {

Lookup find(const DocumentRoot& root, const char* target) {
  return root.find(parse_target(target).value());
}

std::string content(const Lookup& found) {
  std::string text(found.document.size_bytes, '\0');
  const ssize_t size = ::read(found.document.file.get(), text.data(), text.size());
  return size == static_cast<ssize_t>(text.size()) ? text : "unreadable";
}

}  // namespace

TEST_SUITE("static_site/document_root") {
  TEST_CASE("files and the index pages of folders are found") {
    const ScratchFolder folder;
    folder.write("index.html", "home");
    folder.write("a/index.html", "page of a");
    folder.write("a/b.txt", "b");
    const DocumentRoot root{folder.path()};

    const Lookup home = find(root, "/");
    REQUIRE(home.state == State::found);
    CHECK(content(home) == "home");
    CHECK(home.document.name == "index.html");
    CHECK(content(find(root, "/a/")) == "page of a");
    const Lookup b = find(root, "/a/b.txt");
    CHECK(content(b) == "b");
    CHECK(b.document.name == "b.txt");
    CHECK(find(root, "/a").state == State::folder_without_slash);
  }

  TEST_CASE("what is not there, or is neither file nor folder, is absent") {
    const ScratchFolder folder;
    folder.write("a.txt", "a");
    folder.write("odd/index.html/x", "");
    std::filesystem::create_directory(folder.path() / "empty");
    REQUIRE(::mkfifo((folder.path() / "fifo").c_str(), 0600) == 0);
    std::filesystem::create_symlink("loop", folder.path() / "loop");
    const DocumentRoot root{folder.path()};

    const std::string long_name = "/" + std::string(300, 'x');
    for (const char* target : {"/", "/none", "/none/", "/a.txt/", "/a.txt/b", "/empty/", "/odd/",
                               "/fifo", "/loop", long_name.c_str()}) {
      CAPTURE(target);
      CHECK(find(root, target).state == State::absent);
    }
  }

  TEST_CASE("links are followed inside the root and absent outside") {
    const ScratchFolder outside;
    outside.write("secret.txt", "secret");
    outside.write("index.html", "secret");
    const ScratchFolder folder;
    folder.write("a/b.txt", "b");
    const auto link = [&](const std::filesystem::path& to, const char* name) {
      std::filesystem::create_symlink(to, folder.path() / name);
    };
    link("a/b.txt", "inside");
    link(folder.path() / "a", "absolute");
    link(outside.path(), "out");
    link(outside.path() / "secret.txt", "leak");
    link("../../../../../../../../etc", "up");
    const DocumentRoot root{folder.path()};

    CHECK(content(find(root, "/inside")) == "b");
    CHECK(content(find(root, "/absolute/b.txt")) == "b");
    for (const char* target : {"/out", "/out/", "/out/secret.txt", "/leak", "/up/passwd"}) {
      CAPTURE(target);
      CHECK(find(root, target).state == State::absent);
    }
  }

  TEST_CASE("a folder whose name only begins like the root's is outside") {
    const ScratchFolder folder;
    folder.write("site/a", "a");
    folder.write("site2/b", "b");
    std::filesystem::create_symlink("../site2/b", folder.path() / "site/b");
    const DocumentRoot root{folder.path() / "site"};
    CHECK(find(root, "/a").state == State::found);
    CHECK(find(root, "/b").state == State::absent);
  }

  TEST_CASE("a root that is a link serves what it points to") {
    const ScratchFolder folder;
    folder.write("site/a", "a");
    std::filesystem::create_symlink("site", folder.path() / "current");
    const DocumentRoot root{folder.path() / "current"};
    CHECK(content(find(root, "/a")) == "a");
    CHECK(root.path() == std::filesystem::canonical(folder.path() / "site"));
  }

  TEST_CASE("a root that is missing or no folder is refused with the reason and its name") {
    const ScratchFolder folder;
    folder.write("file", "");
    struct Row {
      std::string path;
      std::errc reason;
    };
    for (const Row& row : {Row{folder.path() / "none", std::errc::no_such_file_or_directory},
                           Row{folder.path() / "file", std::errc::not_a_directory}}) {
      CAPTURE(row.path);
      try {
        const DocumentRoot root{row.path};
        FAIL("was accepted");
      } catch (const std::system_error& error) {
        CHECK(error.code() == row.reason);
        CHECK(std::string{error.what()}.find(row.path) != std::string::npos);
      }
    }
  }
}
