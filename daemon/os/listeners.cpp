// SPDX-License-Identifier: Apache-2.0
#include "os/listeners.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

namespace actord::os {

namespace {

// The state of a listening socket in /proc/net/tcp (TCP_LISTEN).
constexpr std::string_view listening = "0A";

using Bytes = std::array<unsigned char, 16>;

struct Address {
  int family = AF_INET;
  Bytes bytes = {};

  bool is_any() const { return bytes == Bytes{}; }
  friend bool operator==(const Address&, const Address&) = default;
};

std::optional<Address> numeric(const std::string& text) {
  Address address;
  if (::inet_pton(AF_INET, text.c_str(), address.bytes.data()) == 1) return address;
  address.family = AF_INET6;
  if (::inet_pton(AF_INET6, text.c_str(), address.bytes.data()) == 1) return address;
  return std::nullopt;
}

/// The addresses that a listener would take; empty: all.
std::vector<Address> wanted_addresses(const std::string& text) {
  if (text == "localhost") return {*numeric("127.0.0.1"), *numeric("::1")};
  const auto address = numeric(text);
  return address && !address->is_any() ? std::vector{*address} : std::vector<Address>{};
}

std::string text_of(const Address& address) {
  std::array<char, INET6_ADDRSTRLEN> text = {};
  ::inet_ntop(address.family, address.bytes.data(), text.data(), text.size());
  return text.data();
}

/// Reads "0100007F:1F90": words of four bytes in the byte order of the machine, then the port.
bool read_local(const std::string& field, int family, Address& address, std::uint16_t& port) {
  const std::size_t words = family == AF_INET ? 1 : 4;
  if (field.size() != words * 8 + 5 || field[words * 8] != ':') return false;
  address.family = family;
  for (std::size_t i = 0; i < words; ++i) {
    const auto word =
        static_cast<std::uint32_t>(std::strtoul(field.substr(i * 8, 8).c_str(), nullptr, 16));
    std::memcpy(address.bytes.data() + i * 4, &word, sizeof word);
  }
  port = static_cast<std::uint16_t>(std::strtoul(field.substr(words * 8 + 1).c_str(), nullptr, 16));
  return true;
}

std::optional<Listener> find_in(std::istream& table, int family, std::uint16_t port,
                                const std::vector<Address>& wanted) {
  std::string line;
  std::getline(table, line);  // the names of the columns
  while (std::getline(table, line)) {
    std::istringstream fields(line);
    std::string number, local, remote, state, queues, timer, retries;
    unsigned long uid = 0;
    fields >> number >> local >> remote >> state >> queues >> timer >> retries >> uid;
    Address address;
    std::uint16_t taken = 0;
    if (!fields || state != listening || !read_local(local, family, address, taken)) continue;
    if (taken != port) continue;
    const bool is_same = wanted.empty() || address.is_any() ||
                         std::find(wanted.begin(), wanted.end(), address) != wanted.end();
    if (is_same) return Listener{text_of(address), static_cast<uid_t>(uid)};
  }
  return std::nullopt;
}

}  // namespace

base::Result<std::optional<Listener>, SystemError> listener_on(std::uint16_t port,
                                                               const std::string& address) {
  const std::vector<Address> wanted = wanted_addresses(address);
  std::ifstream tcp("/proc/self/net/tcp"), tcp6("/proc/self/net/tcp6");
  if (!tcp) return system_error("cannot read /proc/self/net/tcp", errno);
  if (auto found = find_in(tcp, AF_INET, port, wanted)) return found;
  // A system without IPv6 has no such table.
  if (tcp6) return find_in(tcp6, AF_INET6, port, wanted);
  return std::optional<Listener>{};
}

}  // namespace actord::os
