// SPDX-License-Identifier: Apache-2.0
//
// What a crawl has come to, and how the log says it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "reason.hpp"

namespace crawler {

/// The counts of a crawl. The URLs seen are pages, redirects, dead, not_html, too_large and those
/// that were given up.
struct Outcome {
  std::uint64_t pages = 0;       // rows of the index
  std::uint64_t redirects = 0;   // URLs that lead to another one
  std::uint64_t dead = 0;        // URLs with HTTP status 400 or more
  std::uint64_t not_html = 0;    // URLs of images and other files without links
  std::uint64_t too_large = 0;   // URLs of HTML above max-page-size
  std::uint64_t bad_texts = 0;   // pages of the index with U+FFFD for unreadable bytes
  std::uint64_t dead_links = 0;  // links to dead URLs
  std::uint64_t failures = 0;    // of fetchers
  std::uint64_t restarts = 0;    // of fetchers
  std::array<std::uint64_t, reason_texts.size()> given_up{};  // by the number of the reason
  std::string start_problem;      // why the start page is no page; empty if it is one
  bool is_index_complete = true;  // the indexer has answered at the end
  double seconds = 0;

  [[nodiscard]] std::uint64_t all_given_up() const;
  /// Whether the index has all pages that the crawl found, and it found the first one.
  [[nodiscard]] bool is_complete() const;
};

/// The text of the event: "the crawl has ended", and what is wrong. It is one of four constants.
[[nodiscard]] const char* headline(const Outcome& outcome);

/// The pages in one line: "757 in the index, 2 given up (2 timed out), 1.3 s".
[[nodiscard]] std::string sentence_on_pages(const Outcome& outcome);

}  // namespace crawler
