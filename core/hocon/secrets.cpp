// SPDX-License-Identifier: Apache-2.0
#include "hocon/secrets.hpp"

#include <algorithm>

namespace actord::hocon {

namespace {

bool matches(const std::vector<std::string>& pattern, SecretPlaces::Path path, std::size_t count) {
  return std::equal(pattern.begin(), pattern.begin() + static_cast<std::ptrdiff_t>(count),
                    path.begin(), [](const std::string& wanted, std::string_view name) {
                      return wanted == "*" || wanted == name;
                    });
}

}  // namespace

void SecretPlaces::add(std::string_view pattern) {
  std::vector<std::string>& names = patterns_.emplace_back();
  while (true) {
    const std::size_t dot = std::min(pattern.find('.'), pattern.size());
    names.emplace_back(pattern.substr(0, dot));
    if (dot == pattern.size()) return;
    pattern.remove_prefix(dot + 1);
  }
}

bool SecretPlaces::is_secret(Path path) const {
  return std::any_of(patterns_.begin(), patterns_.end(), [&](const auto& pattern) {
    return pattern.size() <= path.size() && matches(pattern, path, pattern.size());
  });
}

bool SecretPlaces::are_members_secret(Path path) const {
  return std::any_of(patterns_.begin(), patterns_.end(), [&](const auto& pattern) {
    const bool all_members = pattern.size() == path.size() + 1 && pattern.back() == "*";
    return (all_members || pattern.size() <= path.size()) &&
           matches(pattern, path, std::min(pattern.size(), path.size()));
  });
}

bool SecretPlaces::may_contain_secret(Path path) const {
  return std::any_of(patterns_.begin(), patterns_.end(), [&](const auto& pattern) {
    return matches(pattern, path, std::min(pattern.size(), path.size()));
  });
}

}  // namespace actord::hocon
