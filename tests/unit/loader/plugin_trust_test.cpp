// SPDX-License-Identifier: Apache-2.0
//
// Paths as they may lie on a disk, and a real file that is opened to others.
#include "loader/plugin_trust.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "os/local_socket.hpp"
#include "support/scratch_folder.hpp"

TEST_SUITE_BEGIN("loader/plugin_trust");

namespace {

using actord::loader::developer_trust;
using actord::loader::Trust;
using actord::loader::why_not_trusted;
using actord::os::PathComponent;
using actord::os::WalkedPath;
using Kind = PathComponent::Kind;

constexpr uid_t stranger = 4'000'123, developer = 4'000'456;

const Trust strict;
const Trust lenient{Trust::Rule::developer, {0, developer}};

// A path of root with sound modes.
WalkedPath plain_path() {
  return {{{"/", Kind::folder, 0, 0755},
           {"/opt", Kind::folder, 0, 0755},
           {"/opt/d", Kind::folder, 0, 0755},
           {"/opt/d/p.so", Kind::file, 0, 0644}},
          "/opt/d/p.so"};
}

WalkedPath path_in_sticky(uid_t owner) {
  return {{{"/", Kind::folder, 0, 0755},
           {"/shared", Kind::folder, 0, 01777},
           {"/shared/d", Kind::folder, owner, 0700},
           {"/shared/d/p.so", Kind::file, owner, 0644}},
          "/shared/d/p.so"};
}

// "WHAT | HELP"; empty: it is trusted.
std::string refusal_of(const WalkedPath& walked, const Trust& trust) {
  const auto refusal = why_not_trusted(walked, trust);
  if (!refusal) return {};
  CHECK(refusal->file == walked.file);
  return refusal->what + " | " + refusal->help;
}

}  // namespace

TEST_CASE("what only root can change is trusted by both rules") {
  CHECK(refusal_of(plain_path(), strict) == "");
  CHECK(refusal_of(plain_path(), lenient) == "");
}

TEST_CASE("every component that others can change is named with the commands that mend it") {
  WalkedPath walked = plain_path();
  walked.components[2].mode = 0777;
  walked.components[3].mode = 0666;
  walked.components[3].owner = stranger;
  CHECK(refusal_of(walked, strict) ==
        "others than root can change what is loaded: the folder /opt/d belongs to root and has "
        "mode 0777; the file /opt/d/p.so belongs to uid 4000123 and has mode 0666"
        " | chown root: /opt/d/p.so && chmod go-w /opt/d /opt/d/p.so");
}

TEST_CASE("each component counts, and each of the two bits") {
  for (std::size_t i = 0; i < plain_path().components.size(); ++i) {
    for (const mode_t bit : {mode_t{S_IWGRP}, mode_t{S_IWOTH}}) {
      for (const Trust& trust : {strict, lenient}) {
        WalkedPath walked = plain_path();
        walked.components[i].mode |= bit;
        CHECK(refusal_of(walked, trust) != "");
      }
    }
    WalkedPath walked = plain_path();
    walked.components[i].owner = stranger;
    CHECK(refusal_of(walked, strict) != "");
    CHECK(refusal_of(walked, lenient) != "");
    walked.components[i].owner = developer;
    CHECK(refusal_of(walked, strict) != "");
    CHECK(refusal_of(walked, lenient) == "");
  }
}

TEST_CASE("of a symbolic link the owner counts, and not the mode, which is always 0777") {
  WalkedPath walked = plain_path();
  walked.components.insert(walked.components.begin() + 2, {"/opt/link", Kind::link, 0, 0777});
  CHECK(refusal_of(walked, strict) == "");
  walked.components[2].owner = stranger;
  CHECK(refusal_of(walked, strict) ==
        "others than root can change what is loaded: the symbolic link /opt/link belongs to uid "
        "4000123 | chown -h root: /opt/link");
}

TEST_CASE("a developer's folder may lie in a sticky one, but not the plugin itself or a link") {
  CHECK(refusal_of(path_in_sticky(developer), lenient) == "");
  CHECK(refusal_of(path_in_sticky(stranger), lenient) != "");
  CHECK(
      refusal_of(path_in_sticky(0), strict) ==
      "others than root can change what is loaded: the folder /shared belongs to root and has mode "
      "01777 | install -m 0644 /shared/d/p.so /usr/lib/actord/plugins/, or into another folder "
      "that "
      "only root can change");

  WalkedPath file = path_in_sticky(developer);
  file.components.erase(file.components.begin() + 2);
  file.components.back().path = file.file = "/shared/p.so";
  CHECK(refusal_of(file, lenient) != "");
  WalkedPath link = path_in_sticky(developer);
  link.components.insert(link.components.begin() + 2,
                         {"/shared/link", Kind::link, developer, 0777});
  CHECK(refusal_of(link, lenient) != "");
  WalkedPath not_sticky = path_in_sticky(developer);
  not_sticky.components[1].mode = 0777;
  CHECK(refusal_of(not_sticky, lenient) != "");
}

TEST_CASE("a command names a path with blanks and quotes as one word of a shell") {
  WalkedPath walked = plain_path();
  walked.components.back().path = walked.file = "/opt/d/it's one.so";
  walked.components.back().mode = 0666;
  CHECK(refusal_of(walked, strict).ends_with(R"(| chmod go-w '/opt/d/it'\''s one.so')"));
}

TEST_CASE("a developer's own file passes until others may write it") {
  const actord::support::ScratchFolder place;
  const std::string file = place.write("plugins/p.so", "x");
  const Trust trust = developer_trust();
  const auto judged = [&] { return refusal_of(*actord::os::walk(file), trust); };
  REQUIRE(::chmod(place.at("plugins").c_str(), 0755) == 0);
  REQUIRE(::chmod(file.c_str(), 0644) == 0);
  CHECK(judged() == "");
  REQUIRE(::chmod(file.c_str(), 0646) == 0);
  CHECK(judged().find("has mode 0646 | chmod go-w " + file) != std::string::npos);
}

TEST_CASE("files of the system pass the strict rule") {
  CHECK(refusal_of(*actord::os::walk("/bin/sh"), strict) == "");
}

TEST_CASE("the user who has called sudo is accepted by root") {
  const bool is_root = actord::os::own_user() == 0;
  REQUIRE(::setenv("SUDO_UID", "4000456", 1) == 0);
  CHECK((refusal_of(path_in_sticky(developer), developer_trust()) == "") == is_root);
  REQUIRE(::setenv("SUDO_UID", "4000456x", 1) == 0);
  CHECK(refusal_of(path_in_sticky(developer), developer_trust()) != "");
  ::unsetenv("SUDO_UID");
}
