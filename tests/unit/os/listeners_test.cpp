// SPDX-License-Identifier: Apache-2.0
#include "os/listeners.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <sys/socket.h>

#include "os/descriptor.hpp"
#include "os/local_socket.hpp"

using namespace actord::os;

namespace {

/// A socket of this process that listens at 127.0.0.1 on a port of the kernel's choice.
struct Listening {
  Listening() : socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in name = {};
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::bind(socket.get(), reinterpret_cast<sockaddr*>(&name), sizeof name) == 0);
    REQUIRE(::listen(socket.get(), 1) == 0);
    socklen_t size = sizeof name;
    REQUIRE(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&name), &size) == 0);
    port = ntohs(name.sin_port);
  }

  Descriptor socket;
  std::uint16_t port = 0;
};

std::optional<Listener> found(std::uint16_t port, const std::string& address) {
  auto listener = listener_on(port, address);
  REQUIRE(listener.ok());
  return *listener;
}

}  // namespace

TEST_SUITE_BEGIN("os/listeners");

TEST_CASE("a listening socket takes its port at its address") {
  const Listening here;
  for (const char* const address : {"127.0.0.1", "localhost", "0.0.0.0", "", "www.example.com"}) {
    CAPTURE(address);
    const auto listener = found(here.port, address);
    REQUIRE(listener.has_value());
    CHECK(listener->address == "127.0.0.1");
    CHECK(listener->uid == own_user());
  }
}

TEST_CASE("another address, or a closed socket, leaves the port free") {
  std::uint16_t port = 0;
  {
    const Listening here;
    port = here.port;
    CHECK_FALSE(found(port, "127.0.0.2").has_value());
    CHECK_FALSE(found(port, "::1").has_value());
  }
  CHECK_FALSE(found(port, "127.0.0.1").has_value());
}

TEST_SUITE_END();
