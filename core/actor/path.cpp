// SPDX-License-Identifier: Apache-2.0
#include "actor/path.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/utf8.hpp"

namespace actord::actor {

namespace {

bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string why_name_is_invalid(std::string_view name) {
  if (name.empty()) return "an actor's name must not be empty";
  if (name.front() == '$')
    return "an actor's name must not start with '$', which marks generated names";
  if (name.size() > name_size_max)
    return "an actor's name must not have more than " + std::to_string(name_size_max) +
           " bytes; this one has " + std::to_string(name.size());
  // Such an actor could not be found by its path.
  if (name == "." || name == ".." || name.find_first_not_of('*') == name.npos)
    return "an actor's name must not be \"" + std::string{name} +
           "\", which means something else in a path";
  constexpr std::string_view marks = "-_.*$+:@&=,!~';";
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128)
      continue;
    if (marks.find(c) != marks.npos) continue;
    if (c == '%' && i + 2 < name.size() && is_hex(name[i + 1]) && is_hex(name[i + 2])) {
      i += 2;
      continue;
    }
    return "invalid character '" +
           std::string{name.substr(i, std::max(base::utf8::decode(name.substr(i)).bytes, 1U))} +
           "' at position " + std::to_string(i) + " of the actor's name \"" + std::string{name} +
           "\": letters, digits and -_.*$+:@&=,!~'; are allowed";
  }
  return {};
}

std::string numbered_name(std::uint64_t number) {
  char name[16];
  return {name, write_numbered_name(number, name)};
}

std::size_t write_numbered_name(std::uint64_t number, char (&out)[16]) noexcept {
  constexpr std::string_view digits =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+~";
  std::size_t n = 0;
  out[n++] = '$';
  do out[n++] = digits[number & 63];
  while ((number >>= 6) != 0);
  return n;
}

std::string absolute_path(std::string_view base, std::string_view path) {
  std::vector<std::string_view> segments;
  const auto follow = [&](std::string_view rest) {
    while (!rest.empty()) {
      const std::string_view segment = take_segment(rest);
      if (segment.empty() || segment == ".") continue;
      if (segment != "..") segments.push_back(segment);
      else if (!segments.empty()) segments.pop_back();
    }
  };
  if (path.empty() || path.front() != '/') follow(base);
  follow(path);
  if (segments.empty()) return "/";
  std::string absolute;
  for (const std::string_view segment : segments) absolute.append("/").append(segment);
  return absolute;
}

std::string_view take_segment(std::string_view& path) {
  if (!path.empty() && path.front() == '/') path.remove_prefix(1);
  const std::size_t end = path.find('/');
  const std::string_view segment = path.substr(0, end);
  path.remove_prefix(segment.size());
  return segment;
}

// A star first takes nothing. Where the rest does not fit, the last star takes one character more.
bool segment_matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, after_star = pattern.npos, taken_to = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      taken_to = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p, ++n;
    } else if (after_star != pattern.npos) {
      p = after_star;
      n = ++taken_to;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

bool path_matches(std::string_view pattern, std::string_view path) {
  while (!pattern.empty() && !path.empty()) {
    const std::string_view wanted = take_segment(pattern);
    if (wanted == "**" && pattern.empty()) return true;
    if (!segment_matches(wanted, take_segment(path))) return false;
  }
  return pattern.empty() && path.empty();
}

// meet[j]: whether the rests of a from i and of b from j meet, filled from the last i on.
bool segments_meet(std::string_view a, std::string_view b) {
  std::vector<char> meet(b.size() + 1), later(b.size() + 1);
  for (std::size_t i = a.size() + 1; i-- > 0;) {
    later.swap(meet);
    for (std::size_t j = b.size() + 1; j-- > 0;) {
      const bool a_over = i == a.size(), b_over = j == b.size();
      if (a_over && b_over) meet[j] = 1;
      else if (!a_over && a[i] == '*') meet[j] = later[j] != 0 || (!b_over && meet[j + 1] != 0);
      else if (!b_over && b[j] == '*') meet[j] = meet[j + 1] != 0 || (!a_over && later[j] != 0);
      else
        meet[j] =
            !a_over && !b_over && (a[i] == '?' || b[j] == '?' || a[i] == b[j]) && later[j + 1] != 0;
    }
  }
  return meet[0] != 0;
}

}  // namespace actord::actor
