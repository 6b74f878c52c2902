// SPDX-License-Identifier: Apache-2.0

#include "url.hpp"

#include <algorithm>
#include <charconv>

namespace crawler {
namespace {

constexpr std::size_t url_bytes_max = 8192;  // longer ones come from link loops

bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_unreserved(char c) {
  return is_alpha(c) || is_digit(c) || std::string_view{"-._~"}.find(c) != std::string_view::npos;
}
bool is_in_path(char c) {
  return is_unreserved(c) || std::string_view{"!$&'()*+,;=:@/"}.find(c) != std::string_view::npos;
}
bool is_in_query(char c) { return is_in_path(c) || c == '?'; }

std::string lower(std::string_view text) {
  std::string out{text};
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void append_encoded(std::string& out, char c) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  out += '%';
  out += digits[byte >> 4];
  out += digits[byte & 15];
}

// Writes each octet in one way: unreserved characters as they are, all others encoded in upper
// case.
std::string normalise_encoding(std::string_view text, bool (*may_stand_bare)(char)) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_value(text[i + 2]) : -1;
    if (low >= 0) {
      const char octet = static_cast<char>(high * 16 + low);
      if (is_unreserved(octet)) out += octet;
      else append_encoded(out, octet);
      i += 2;
    } else if (may_stand_bare(text[i])) {
      out += text[i];
    } else {
      append_encoded(out, text[i]);
    }
  }
  return out;
}

// RFC 3986 §5.2.4 for a path that starts with '/', in one pass over its segments.
std::string remove_dot_segments(std::string_view path) {
  std::string out;
  std::size_t at = 0;
  while (at < path.size()) {
    const std::size_t end = std::min(path.find('/', at + 1), path.size());
    const std::string_view segment = path.substr(at, end - at);
    const bool is_last = end == path.size();
    if (segment == "/..") {
      out.erase(std::min(out.rfind('/'), out.size()));
      if (is_last) out += '/';
    } else if (segment == "/.") {
      if (is_last) out += '/';
    } else {
      out += segment;
    }
    at = end;
  }
  return out.empty() ? "/" : out;
}

// Drops blanks at the ends, and tabs and line breaks anywhere, as browsers do in an attribute.
std::string tidy(std::string_view text) {
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  std::string out{text};
  std::erase_if(out, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  return out;
}

// The scheme: "mailto" for "mailto:x", none for "a/b:c".
std::optional<std::string_view> scheme_of(std::string_view text) {
  if (text.empty() || !is_alpha(text.front())) return std::nullopt;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == ':') return text.substr(0, i);
    if (!is_alpha(text[i]) && !is_digit(text[i]) && text[i] != '+' && text[i] != '-' &&
        text[i] != '.')
      break;
  }
  return std::nullopt;
}

bool set_authority(Url& url, std::string_view authority) {
  const std::size_t bracket = authority.find(']');
  const bool is_ipv6 = authority.starts_with('[') && bracket != std::string_view::npos;
  const std::size_t colon = authority.find(':', is_ipv6 ? bracket : 0);
  const std::string_view host = authority.substr(0, std::min(colon, authority.size()));
  const std::string_view inner = is_ipv6 ? host.substr(1, host.size() - 2) : host;
  if (inner.empty() || (is_ipv6 && host.back() != ']')) return false;
  for (const char c : inner) {
    const bool is_good = is_ipv6 ? hex_value(c) >= 0 || c == ':' || c == '.'
                                 : is_alpha(c) || is_digit(c) || c == '-' || c == '.' || c == '_';
    if (!is_good) return false;
  }
  url.host = lower(host);
  url.port = url.scheme == "https" ? 443 : 80;
  if (colon == std::string_view::npos || colon + 1 == authority.size()) return true;
  const char* const end = authority.data() + authority.size();
  const auto [stopped, error] = std::from_chars(authority.data() + colon + 1, end, url.port);
  return error == std::errc{} && stopped == end && url.port != 0;
}

void set_path_and_query(Url& url, std::string_view text) {
  const std::size_t mark = text.find('?');
  const std::string_view path = text.substr(0, std::min(mark, text.size()));
  // Encoding comes first, because "%2e%2e" is a dot segment as well.
  url.path = remove_dot_segments(normalise_encoding(path, is_in_path));
  url.query.reset();
  if (mark != std::string_view::npos)
    url.query = normalise_encoding(text.substr(mark + 1), is_in_query);
}

// `rest` is what follows "//": authority, path and query.
std::optional<Url> from_authority(std::string_view scheme, std::string_view rest) {
  Url url;
  url.scheme = scheme;
  const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
  if (!set_authority(url, rest.substr(0, end))) return std::nullopt;
  set_path_and_query(url, rest.substr(end));
  return url;
}

std::optional<Url> parse(const Url* base, std::string_view raw) {
  if (raw.size() > url_bytes_max) return std::nullopt;
  const std::string tidied = tidy(raw);
  std::string_view text = tidied;
  text = text.substr(0, text.find('#'));

  if (const auto named = scheme_of(text)) {
    const std::string scheme = lower(*named);
    const std::string_view rest = text.substr(named->size() + 1);
    if ((scheme != "http" && scheme != "https") || !rest.starts_with("//")) return std::nullopt;
    return from_authority(scheme, rest.substr(2));
  }
  if (base == nullptr) return std::nullopt;
  if (text.starts_with("//")) return from_authority(base->scheme, text.substr(2));

  Url url = *base;
  if (text.empty()) return url;
  if (text.starts_with('/')) {
    set_path_and_query(url, text);
  } else if (text.starts_with('?')) {
    url.query = normalise_encoding(text.substr(1), is_in_query);
  } else {
    const std::string directory = base->path.substr(0, base->path.rfind('/') + 1);
    set_path_and_query(url, directory + std::string{text});
  }
  return url.path.size() <= url_bytes_max ? std::optional{url} : std::nullopt;
}

}  // namespace

std::string Url::location() const { return query ? path + '?' + *query : path; }

std::string Url::text() const {
  const bool is_default = port == (scheme == "https" ? 443 : 80);
  return scheme + "://" + host + (is_default ? "" : ':' + std::to_string(port)) + location();
}

std::optional<Url> parse_url(std::string_view text) { return parse(nullptr, text); }

std::optional<Url> resolve_url(const Url& base, std::string_view reference) {
  return parse(&base, reference);
}

Scope::Scope(const Url& start)
    : start_(start), directory_(start.path.substr(0, start.path.rfind('/') + 1)) {}

bool Scope::contains(const Url& url) const {
  return url.scheme == start_.scheme && url.host == start_.host && url.port == start_.port &&
         url.path.starts_with(directory_);
}

}  // namespace crawler
