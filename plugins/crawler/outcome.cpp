// SPDX-License-Identifier: Apache-2.0

#include "outcome.hpp"

#include <cstdio>
#include <numeric>

namespace crawler {
namespace {

std::string in_seconds(double seconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f s", seconds);
  return text.data();
}

// " (10 failed on purpose, 2 timed out)", or nothing if no page was given up.
std::string reasons(const Outcome& outcome) {
  std::string text;
  for (std::size_t i = 0; i < outcome.given_up.size(); ++i) {
    if (outcome.given_up.at(i) == 0) continue;
    text += text.empty() ? " (" : ", ";
    text += std::to_string(outcome.given_up.at(i)) + ' ' + std::string{reason_texts.at(i).words};
  }
  return text.empty() ? text : text + ')';
}

}  // namespace

std::uint64_t Outcome::all_given_up() const {
  return std::accumulate(given_up.begin(), given_up.end(), std::uint64_t{0});
}

bool Outcome::is_complete() const {
  return start_problem.empty() && is_index_complete && too_large == 0 && all_given_up() == 0;
}

const char* headline(const Outcome& outcome) {
  if (!outcome.start_problem.empty()) return "the crawl has ended, because the start page failed";
  if (!outcome.is_index_complete) return "the crawl has ended, because the indexer failed";
  if (!outcome.is_complete()) return "the crawl has ended, but pages are missing";
  return "the crawl has ended";
}

std::string sentence_on_pages(const Outcome& outcome) {
  std::string text = std::to_string(outcome.pages) + " in the index, ";
  if (!outcome.start_problem.empty())
    text += "the start page failed: " + outcome.start_problem + ", ";
  text += std::to_string(outcome.all_given_up()) + " given up" + reasons(outcome) + ", ";
  if (outcome.too_large > 0) text += std::to_string(outcome.too_large) + " too large, ";
  if (outcome.bad_texts > 0)
    text += std::to_string(outcome.bad_texts) + " with unreadable characters, ";
  return text + in_seconds(outcome.seconds);
}

}  // namespace crawler
