// SPDX-License-Identifier: Apache-2.0
#include "settings/shown.hpp"

#include <algorithm>

#include "hocon/render.hpp"
#include "hocon/secrets.hpp"

namespace actord::settings {

namespace {

// Whether the text needs no quotes in HOCON: words of letters, digits, - and _.
bool is_plain(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_taken = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == ' ';
  };
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.front() == '-')
    return false;
  if (text == "true" || text == "false" || text == "null") return false;
  const bool is_no_number = is_letter(text.front()) || text.find(' ') != text.npos;
  return is_no_number && std::all_of(text.begin(), text.end(), is_taken) &&
         std::any_of(text.begin(), text.end(), is_letter);
}

}  // namespace

std::string shown(const hocon::Value& value) {
  if (value.is_secret()) return std::string{hocon::secret_word};
  if (value.is_string() && is_plain(value.text())) return std::string{value.text()};
  return hocon::render_json(value, false);
}

}  // namespace actord::settings
