// SPDX-License-Identifier: Apache-2.0
#include "sinks/failure_layout.hpp"

#include <algorithm>
#include <string_view>

#include "sinks/columns.hpp"

namespace actord::sinks {
namespace {

using enum FailurePart;

/// "crawler::Timeout" → "Timeout"
std::string_view without_namespace(std::string_view type) noexcept {
  const std::size_t end = type.substr(0, type.find('<')).rfind("::");
  return end == type.npos ? type : type.substr(end + 2);
}

std::string_view last_component(std::string_view path) noexcept {
  return path.substr(path.rfind('/') + 1);
}

/// "/etc/actord/crawler.conf:28" → "crawler.conf:28". An origin that is no line of a file stays.
std::string_view short_origin(std::string_view origin) noexcept {
  const std::size_t colon = origin.rfind(':');
  if (colon == origin.npos || colon + 1 == origin.size()) return origin;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::string_view line = origin.substr(colon + 1);
  return std::ranges::all_of(line, is_digit) ? last_component(origin) : origin;
}

/// Puts the separators between the parts.
FailureTexts joined(const FailureTexts& bare) {
  FailureTexts line = bare;
  bool is_first = true;
  bool has_rule = false;
  for (std::size_t i = 0; i < failure_parts; ++i) {
    const auto part = static_cast<FailurePart>(i);
    std::string& text = line.texts[i];
    if (text.empty()) continue;
    if (part == message && !bare[type].empty()) {
      text.insert(0, ": ");
    } else if (part == rule) {
      has_rule = true;
      text.insert(0, is_first ? "(rule " : " (rule ");
      if (bare[origin].empty()) text += ')';
    } else if (part == origin && has_rule) {
      text.insert(0, ", ");
      text += ')';
    } else if (!is_first) {
      text.insert(0, 1, ' ');
    }
    is_first = false;
  }
  return line;
}

/// Shortens the texts step by step until their line fits.
class Fitting {
 public:
  Fitting(FailureTexts& texts, unsigned width) : texts_(texts), width_(width) {}

  void run() {
    // What another part says, too, or what is written out in full only where there is room.
    if (is_rule_the_type()) drop(rule);
    replace(time, [](std::string_view text) { return text.substr(0, text.find('.')); });
    cut(message, 48);
    shorten_place(32);
    replace(rule, without_namespace);
    replace(type, without_namespace);
    replace(place, last_component);
    cut(message, 24);
    // What happened and what was decided come before when.
    drop(time);
    cut(message, 16);
    replace(level, [](std::string_view text) { return text.substr(0, 1); });
    cut(message, 12);
    drop(rule);
    cut(message, 4);
    drop(message);
    drop(origin);
    shorten_place(8);
    cut(type, 8);
    drop(level);
    drop(place);
    cut(type, 1);
    drop(type);
    drop(verdict);
    cut(id, 0);
  }

 private:
  /// Columns that the line is too long by.
  unsigned excess() const {
    unsigned sum = 0;
    for (const std::string& text : joined(texts_).texts) sum += columns_of(text);
    return sum > width_ ? sum - width_ : 0;
  }

  bool is_rule_the_type() const {
    return without_namespace(texts_[rule]) == without_namespace(texts_[type]);
  }

  void drop(FailurePart part) {
    if (excess() != 0) texts_[part].clear();
  }

  template <class Shorter>
  void replace(FailurePart part, Shorter shorter) {
    if (excess() != 0) texts_[part] = std::string(shorter(std::string_view(texts_[part])));
  }

  /// The columns that the part may keep, but at least `columns_min`.
  unsigned room(FailurePart part, unsigned columns_min) const {
    const unsigned has = columns_of(texts_[part]);
    const unsigned too_many = excess();
    return std::max(has > too_many ? has - too_many : 0, std::min(columns_min, has));
  }
  void cut(FailurePart part, unsigned columns_min) {
    texts_[part] = cut_end(texts_[part], room(part, columns_min));
  }
  void shorten_place(unsigned columns_min) {
    texts_[place] = cut_middle(texts_[place], room(place, columns_min));
  }

  FailureTexts& texts_;
  const unsigned width_;
};

}  // namespace

FailureTexts lay_out_failure(FailureTexts texts, unsigned width) {
  std::string& where = texts[origin];
  where = std::string(short_origin(where));
  Fitting(texts, width).run();
  return joined(texts);
}

}  // namespace actord::sinks
