// SPDX-License-Identifier: Apache-2.0
#include "os/local_socket.hpp"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "support/scratch_folder.hpp"

using namespace actord;

namespace {

bool is_there(const std::string& path) {
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0;
}

}  // namespace

TEST_SUITE_BEGIN("os/local_socket");

TEST_CASE("a socket is for owner and group alone, and its peer is known") {
  const support::ScratchFolder folder;
  const auto listening = os::listen_at(folder.at("a.sock"));
  REQUIRE(listening.ok());
  struct stat status = {};
  REQUIRE(::stat(folder.at("a.sock").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0660);
  const auto client = os::connect_to(folder.at("a.sock"));
  REQUIRE(client.ok());
  const os::Descriptor accepted(::accept(listening->get(), nullptr, nullptr));
  const auto peer = os::peer_of(accepted.get());
  REQUIRE(peer.ok());
  CHECK(peer->uid == ::geteuid());
  CHECK(peer->pid == ::getpid());
  CHECK(peer->is_in_group(::getegid()));
  CHECK_FALSE(peer->is_in_group(4'000'000));
}

TEST_CASE("a living socket is not taken from its owner") {
  const support::ScratchFolder folder;
  const auto first = os::listen_at(folder.at("a.sock"));
  REQUIRE(first.ok());
  const auto second = os::listen_at(folder.at("a.sock"));
  REQUIRE_FALSE(second.ok());
  CHECK(second.error().number == EADDRINUSE);
  CHECK(os::connect_to(folder.at("a.sock")).ok());
}

TEST_CASE("the socket of a daemon that died is replaced") {
  const support::ScratchFolder folder;
  { REQUIRE(os::listen_at(folder.at("a.sock")).ok()); }  // closed, but not removed
  REQUIRE(is_there(folder.at("a.sock")));
  CHECK(os::connect_to(folder.at("a.sock")).error().number == ECONNREFUSED);
  const auto second = os::listen_at(folder.at("a.sock"));
  REQUIRE(second.ok());
  CHECK(os::connect_to(folder.at("a.sock")).ok());
}

TEST_CASE("what is no socket is left alone") {
  const support::ScratchFolder folder;
  std::ofstream(folder.at("a.sock")) << "precious";
  const auto listening = os::listen_at(folder.at("a.sock"));
  REQUIRE_FALSE(listening.ok());
  CHECK(listening.error().number == EEXIST);
  CHECK(listening.error().what.find("that is no socket") != std::string::npos);
  CHECK(is_there(folder.at("a.sock")));
  CHECK_FALSE(is_there(folder.at("a.sock.lock")));
}

TEST_CASE("a socket is removed by its owner, and not by one whose place was taken") {
  const support::ScratchFolder folder;
  const auto first = os::listen_at(folder.at("a.sock"));
  REQUIRE(first.ok());
  ::unlink(folder.at("a.sock").c_str());
  const auto second = os::listen_at(folder.at("a.sock"));
  REQUIRE(second.ok());
  os::remove_socket(folder.at("a.sock"), first->get());
  CHECK(is_there(folder.at("a.sock")));
  os::remove_socket(folder.at("a.sock"), second->get());
  CHECK_FALSE(is_there(folder.at("a.sock")));
}

TEST_CASE("a path that does not fit into a socket's name is an error that says so") {
  const std::string path = "/srv/" + std::string(120, 'x');
  const auto listening = os::listen_at(path);
  REQUIRE_FALSE(listening.ok());
  CHECK(listening.error().what.find("125 bytes, and 107 are allowed") != std::string::npos);
  CHECK_FALSE(os::connect_to(path).ok());
}
