// SPDX-License-Identifier: Apache-2.0
#include "settings/resources.hpp"

#include <algorithm>
#include <charconv>
#include <span>

#include "message/message_type.hpp"
#include "sdk/config_value.hpp"

namespace actord::settings {

using hocon::Value;
using message::view;

namespace {

void collect(const Value& value, std::string_view path, std::vector<Value>& found) {
  if (!value || value.is_null()) return;
  if (path.empty()) return found.push_back(value);
  const std::size_t end = std::min(path.find('.'), path.size());
  const std::string_view name = path.substr(0, end);
  const std::string_view rest = path.substr(std::min(end + 1, path.size()));
  if (name != "*") return collect(sdk::member_of(value, name), rest, found);
  for (std::size_t i = 0; i < value.size(); ++i) collect(value.at(i).value, rest, found);
}

/// The member beside `port` that has the address, such as config.host for config.port.
Value address_of(const Value& port, std::string_view address_key) {
  if (address_key.empty()) return {};
  const std::size_t dot = address_key.rfind('.');
  const Value found = sdk::member_of(
      port.parent(), dot == address_key.npos ? address_key : address_key.substr(dot + 1));
  return found && found.is_string() ? found : Value{};
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether the text can be a scheme (RFC 3986 §3.1).
bool is_scheme(std::string_view text) {
  return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, [](char c) {
    return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
  });
}

std::string lower(std::string_view text) {
  std::string out{text};
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string schemes_of(const actord_config_key& key) {
  std::string text;
  for (const actord_str& each : std::span{key.schemes, key.n_schemes})
    text.append(text.empty() ? "" : " or ").append(view(each)).append("://");
  return text;
}

/// `authority` is what stands between "//" and the path, such as "www.example.com:8080".
std::string authority_error(std::string_view authority) {
  authority.remove_prefix(authority.rfind('@') + 1);  // npos + 1 is 0
  const std::size_t bracket = authority.rfind(']');
  const std::size_t colon = authority.find(':', bracket == authority.npos ? 0 : bracket);
  const std::string_view host = authority.substr(0, colon);
  if (host.empty()) return "there is no host after //";
  const bool has_blank = std::ranges::any_of(
      authority, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\\'; });
  if (has_blank || (host.front() == '[') != (bracket != authority.npos))
    return "this is not the name or address of a host";
  if (colon == authority.npos || colon + 1 == authority.size()) return {};
  const std::string_view digits = authority.substr(colon + 1);
  unsigned port = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  const bool is_port = failed == std::errc{} && end == digits.data() + digits.size() && port != 0 &&
                       port <= UINT16_MAX;
  return is_port ? "" : "the port after the host is not a number from 1 to 65535";
}

}  // namespace

std::vector<Value> values_at(const Value& value, std::string_view path) {
  std::vector<Value> found;
  collect(value, path, found);
  return found;
}

bool is_file_name(std::string_view text) {
  return !text.empty() && text != "." && text != ".." && text.find('/') == text.npos &&
         text.find('\0') == text.npos;
}

std::vector<Resource> resources_in(const Value& config, const actord_behaviour& behaviour) {
  std::vector<Resource> found;
  for (const actord_config_key* const key : schema::ConfigRules(behaviour).all()) {
    if (schema::resource_of(*key) == 0) continue;
    for (const Value& value : values_at(config, view(key->path)))
      found.push_back({key, value, address_of(value, view(key->address_key))});
  }
  return found;
}

std::string url_error(std::string_view text, const actord_config_key& key) {
  const std::string schemes = schemes_of(key);
  const std::size_t colon = text.find("://");
  if (colon == text.npos || !is_scheme(text.substr(0, colon)))
    return "this is not an absolute URL, which begins with " +
           (schemes.empty() ? std::string{"a scheme and ://"} : schemes);
  const std::string scheme = lower(text.substr(0, colon));
  const std::span known{key.schemes, key.n_schemes};
  const bool is_known =
      std::ranges::any_of(known, [&](const actord_str& each) { return view(each) == scheme; });
  if (!known.empty() && !is_known) return "expected a URL that begins with " + schemes;
  const std::string_view behind = text.substr(colon + 3);
  return authority_error(behind.substr(0, behind.find_first_of("/?#")));
}

}  // namespace actord::settings
