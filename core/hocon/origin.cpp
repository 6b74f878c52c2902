// SPDX-License-Identifier: Apache-2.0
#include "hocon/origin.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/utf8.hpp"

namespace actord::hocon {

namespace {

// A finding looks up its line. With many findings in a large file, counting lines from the
// beginning each time would be quadratic.
constexpr std::uint32_t lines_apart = 64;

std::vector<std::size_t> steps_of(std::string_view text) {
  std::vector<std::size_t> steps = {0};
  std::uint32_t lines = 0;
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) {
    if (++lines % lines_apart == 0) steps.push_back(at + 1);
  }
  return steps;
}

}  // namespace

std::uint32_t SourceFiles::add(std::string name, std::string text) {
  std::vector<std::size_t> steps = steps_of(text);
  files_.push_back({std::move(name), std::move(text), std::move(steps)});
  return static_cast<std::uint32_t>(files_.size());
}

std::string SourceFiles::text_of(const Origin& origin) const {
  if (!origin.known()) return {};
  std::string text = (*this)[origin.file].name;
  if (origin.line != 0) text.append(":").append(std::to_string(origin.line));
  return text;
}

void SourceFiles::add_key(const SourceSpan& key) {
  std::vector<KeyPlace>& keys = files_[key.at.file - 1].keys;
  const KeyPlace place{key.at.line, key.at.column, key.length};
  const auto position = [](const KeyPlace& each) { return std::pair(each.line, each.column); };
  if (keys.empty() || position(keys.back()) < position(place)) keys.push_back(place);
}

std::span<const KeyPlace> SourceFiles::keys_in_line(const Origin& origin) const {
  const std::vector<KeyPlace>& keys = (*this)[origin.file].keys;
  return {std::ranges::lower_bound(keys, origin.line, {}, &KeyPlace::line),
          std::ranges::upper_bound(keys, origin.line, {}, &KeyPlace::line)};
}

std::string_view SourceFiles::line(const Origin& origin) const {
  if (!origin.known() || origin.line == 0) return {};
  const SourceFile& file = (*this)[origin.file];
  const std::uint32_t step = (origin.line - 1) / lines_apart;
  if (step >= file.steps.size()) return {};
  std::string_view rest = std::string_view(file.text).substr(file.steps[step]);
  for (std::uint32_t line = step * lines_apart + 1; line < origin.line; ++line) {
    const std::size_t newline = rest.find('\n');
    if (newline == std::string_view::npos) return {};
    rest.remove_prefix(newline + 1);
  }
  const std::size_t end = rest.substr(0, line_max + 1).find('\n');
  if (end == rest.npos && rest.size() > line_max) return {};
  rest = rest.substr(0, end);
  if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  return rest;
}

std::string_view SourceFiles::text(const SourceSpan& span) const {
  const std::string_view whole = line(span.at);
  const std::size_t begin = base::utf8::offset_of(whole, span.at.column - 1);
  const std::size_t end = base::utf8::offset_of(whole.substr(begin), span.length);
  return whole.substr(begin, end);
}

}  // namespace actord::hocon
