// SPDX-License-Identifier: Apache-2.0
//
// The reasons for which attempts fail and pages are given up, and their texts for the log.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace crawler {

/// Why an attempt failed, or why a page was given up without one.
enum class Reason {
  chaos,            // a failure on purpose
  timeout,          // the server did not answer in time
  connection_lost,  // the connection could not be made, or broke
  failure,          // the fetcher failed in another way
  deadline,         // the fetcher did not say how the attempt ended
  no_fetcher,       // all fetchers have been stopped
  index_lost,       // the indexer has been stopped
};

struct ReasonText {
  std::string_view name;   // in fields of events
  std::string_view words;  // in sentences, after a number of pages
};

/// By the number of the reason.
inline constexpr std::array reason_texts{
    ReasonText{"chaos", "failed on purpose"},
    ReasonText{"timeout", "timed out"},
    ReasonText{"connection_lost", "lost the connection"},
    ReasonText{"failure", "failed otherwise"},
    ReasonText{"deadline", "missed the deadline"},
    ReasonText{"no_fetcher", "had no fetcher left"},
    ReasonText{"index_lost", "had no indexer left"},
};

constexpr const ReasonText& text_of(Reason reason) {
  return reason_texts.at(static_cast<std::size_t>(reason));
}

}  // namespace crawler
