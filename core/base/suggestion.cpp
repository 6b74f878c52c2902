// SPDX-License-Identifier: Apache-2.0
#include "base/suggestion.hpp"

#include <algorithm>

namespace actord::base {

unsigned edit_distance(std::string_view a, std::string_view b, unsigned limit) {
  const std::size_t longer = std::max(a.size(), b.size());
  if (longer - std::min(a.size(), b.size()) > limit) return limit + 1;
  std::vector<unsigned> before(b.size() + 1);
  std::vector<unsigned> last(b.size() + 1);
  std::vector<unsigned> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<unsigned>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<unsigned>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const unsigned replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return std::min(last[b.size()], limit + 1);
}

std::string_view nearest_of(std::string_view word,
                            const std::vector<std::string_view>& candidates) {
  const unsigned limit = word.size() < 5 ? 1 : 2;
  std::string_view nearest;
  unsigned least = limit + 1;
  for (const std::string_view candidate : candidates) {
    const unsigned distance = edit_distance(word, candidate, limit);
    const bool has_something_in_common = distance < std::max(word.size(), candidate.size());
    if (distance < least && has_something_in_common) least = distance, nearest = candidate;
  }
  return nearest;
}

std::string did_you_mean(std::string_view name) {
  return name.empty() ? std::string{} : "did you mean \"" + std::string{name} + "\"?";
}

std::string joined(std::span<const std::string_view> words, std::string_view separator) {
  std::string all;
  for (const std::string_view word : words)
    all.append(all.empty() ? std::string_view{} : separator).append(word);
  return all;
}

}  // namespace actord::base
