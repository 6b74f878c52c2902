// SPDX-License-Identifier: Apache-2.0
//
// A client that sends exactly what it is told, and reads everything until the server closes.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/wait.hpp"

namespace static_site_test {

class LoopbackClient {
 public:
  explicit LoopbackClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      throw std::runtime_error("cannot connect");
    }
  }
  LoopbackClient(const LoopbackClient&) = delete;
  LoopbackClient& operator=(const LoopbackClient&) = delete;
  ~LoopbackClient() { ::close(socket_); }

  void say(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t size = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (size <= 0) return;  // the test reads the server's reaction later
      text.remove_prefix(static_cast<std::size_t>(size));
    }
  }

  /// Everything up to the end of the connection; "<reset>" stands for an end by reset.
  std::string hear() const {
    const actord::support::TimeLimit limit("the end of the connection");
    std::string heard;
    std::array<char, 65'536> piece{};
    for (;;) {
      const ssize_t size = ::recv(socket_, piece.data(), piece.size(), 0);
      if (size == 0) return heard;
      if (size < 0) return heard + (errno == ECONNRESET ? "<reset>" : "<error>");
      heard.append(piece.data(), static_cast<std::size_t>(size));
    }
  }

  /// Everything up to and including `mark`; less if the connection ends before.
  std::string hear_until(std::string_view mark) const {
    const actord::support::TimeLimit limit("the text up to a mark");
    std::string heard;
    char c = 0;
    while (!heard.ends_with(mark) && ::recv(socket_, &c, 1, 0) == 1) heard += c;
    return heard;
  }

 private:
  int socket_;
};

}  // namespace static_site_test
