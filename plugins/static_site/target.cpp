// SPDX-License-Identifier: Apache-2.0
//
// The path is split before it is decoded, so that an encoded '/' does not split a name.
#include "target.hpp"

#include <algorithm>
#include <utility>

namespace static_site {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (text.size() - i < 3) return std::nullopt;
    const int high = hex_digit(text[i + 1]);
    const int low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

bool is_harmless(std::string_view name) {
  return name != ".." && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

void append_encoded(std::string& out, char c) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  out += {'%', digits[byte >> 4], digits[byte & 15]};
}

// The path and query of a target in absolute form; other texts as they are.
std::string_view without_authority(std::string_view text) {
  constexpr std::string_view scheme = "http://";
  if (!text.starts_with(scheme)) return text;
  text.remove_prefix(scheme.size());
  const std::size_t end = text.find_first_of("/?#");
  if (end == std::string_view::npos) return "/";
  return text.substr(end);
}

}  // namespace

std::optional<Target> parse_target(std::string_view text) {
  text = without_authority(text);
  text = text.substr(0, text.find('#'));
  Target target;
  const std::size_t question = text.find('?');
  if (question != std::string_view::npos) {
    target.query = text.substr(question);
    text = text.substr(0, question);
  }
  if (!text.starts_with('/')) return std::nullopt;

  std::string last;
  while (!text.empty()) {
    text.remove_prefix(1);  // the '/'
    const std::size_t end = std::min(text.find('/'), text.size());
    std::optional<std::string> name = decode(text.substr(0, end));
    if (!name || !is_harmless(*name)) return std::nullopt;
    text.remove_prefix(end);
    last = *name;
    if (!name->empty() && *name != ".") target.names.push_back(std::move(*name));
  }
  target.ends_in_slash = last.empty() || last == ".";
  return target;
}

std::string relative_path(const Target& target) {
  std::string path;
  for (const std::string& name : target.names) {
    if (!path.empty()) path += '/';
    path += name;
  }
  return path;
}

std::string folder_location(const Target& target) {
  std::string location = "/";
  for (const std::string& name : target.names) {
    for (const char c : name) {
      if (is_unreserved(c)) {
        location += c;
      } else {
        append_encoded(location, c);
      }
    }
    location += '/';
  }
  return location + target.query;
}

std::string ascii_only(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x80) {
      out += c;
    } else {
      append_encoded(out, c);
    }
  }
  return out;
}

}  // namespace static_site
