// SPDX-License-Identifier: Apache-2.0
#include "settings/http_address.hpp"

#include <arpa/inet.h>

#include <charconv>

#include "hocon/units.hpp"

namespace actord::settings {

namespace {

constexpr std::string_view expected = "off or ADDRESS:PORT";

/// The address in the form of numbers; empty if it is none.
std::string numbers_of(std::string host) {
  if (host == "localhost") return "127.0.0.1";
  const bool is_bracketed = host.starts_with('[') && host.ends_with(']');
  if (is_bracketed) host = host.substr(1, host.size() - 2);
  in6_addr address;
  if (::inet_pton(is_bracketed ? AF_INET6 : AF_INET, host.c_str(), &address) != 1) return {};
  return host;
}

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

void read_address(Findings& findings, const hocon::Value& value, HttpSettings& settings) {
  const std::string text{value.text()};
  const std::size_t colon = text.rfind(':');
  const std::string address = numbers_of(text.substr(0, colon));
  unsigned port = 0;
  if (colon != text.npos) {
    const auto [end, error] =
        std::from_chars(text.data() + colon + 1, text.data() + text.size(), port);
    if (error != std::errc{} || end != text.data() + text.size()) port = 0;
  }
  if (address.empty() || port == 0 || port > 65535)
    return findings.add(value.mismatch(expected, "such as 127.0.0.1:4464"));
  if (!is_loopback(address))
    return findings.add(
        value.reject("other machines would reach " + text + ", and no password protects it",
                     "write 127.0.0.1 or [::1], and let a proxy on this machine pass requests on"));
  settings.address = address;
  settings.port = static_cast<std::uint16_t>(port);
  settings.source = value.origin_text();
}

}  // namespace

HttpSettings read_http(ObjectReader http) {
  HttpSettings settings;
  const hocon::Value listen = http.take("listen");
  const auto truth = listen ? hocon::parse_bool(listen.text()) : std::nullopt;
  if (listen && !(truth && !*truth)) read_address(http.findings(), listen, settings);
  if (const hocon::Value hosts = http.take("hosts")) {
    const auto names = http.findings().take(hosts.as_list());
    for (const hocon::Value& each : names ? *names : std::vector<hocon::Value>{})
      settings.hosts.emplace_back(each.text());
  }
  http.finish();
  return settings;
}

}  // namespace actord::settings
