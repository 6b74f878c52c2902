// SPDX-License-Identifier: Apache-2.0
//
// The state of a crawl: all pages seen, their results, and the attempts in progress. Without
// actors, clock and network, so that each rule of the crawl can be tested.
//
// A page is waiting, in progress, or over (done or given up). An attempt is identified by page and
// number. A call with an attempt that is not in progress changes nothing. So a result, a hand-back,
// a missed deadline and the end of a worker count only once for an attempt, in any order.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace crawler {

using PageId = std::uint64_t;           // from 1, in the order of discovery
using Time = std::chrono::nanoseconds;  // of a monotonic clock

/// One attempt to fetch a page.
struct Attempt {
  PageId page = 0;
  std::uint32_t number = 0;  // from 1
  friend auto operator<=>(const Attempt&, const Attempt&) = default;
};

/// What a failed attempt leads to: nothing, as it is not in progress; another attempt; or the end.
enum class Fate { stale, retry, given_up };

/// The pages of a crawl. Threads: one at a time.
class Frontier {
 public:
  struct Limits {
    std::uint32_t attempts_max = 5;
    std::uint64_t pages_max = 100'000;
  };
  struct GivenUp {
    std::string url;
    std::uint32_t attempts;  // attempts made
  };

  explicit Frontier(Limits limits) : limits_(limits) {}

  /// Adds a page. False if the page is known, or exceeds pages_max: then is_full() from now on.
  bool add(const std::string& url, PageId linked_from = 0);
  /// Takes the next waiting page, if any; its attempt is in progress until `deadline`.
  [[nodiscard]] std::optional<Attempt> next(Time deadline);
  /// The URL of a page.
  [[nodiscard]] const std::string& url(PageId page) const { return pages_[page - 1].url; }
  /// The page with the first link to this page; 0 for the start page.
  [[nodiscard]] PageId linked_from(PageId page) const { return pages_[page - 1].linked_from; }

  /// The attempt has a result. False if it is not in progress.
  bool succeed(Attempt attempt);
  /// The attempt failed: the page waits again, or is given up if it has no attempt left.
  Fate fail(Attempt attempt);
  /// The attempt ended without a fault of the page: the page waits again, and the attempt is not
  /// counted. The next attempt has the same number, so that no worker may still have this one.
  void take_back(Attempt attempt);
  /// The attempts in progress with a deadline before `now`. The caller calls fail() for them.
  [[nodiscard]] std::vector<Attempt> overdue(Time now) const;
  /// Gives up all pages that are not over, when there is no worker left.
  std::vector<GivenUp> abandon();

  /// Whether no page is waiting or in progress.
  [[nodiscard]] bool is_over() const { return waiting_.empty() && in_progress_.empty(); }
  [[nodiscard]] bool is_full() const { return is_full_; }
  [[nodiscard]] std::uint64_t seen() const { return pages_.size(); }
  [[nodiscard]] std::uint64_t in_progress() const { return in_progress_.size(); }
  [[nodiscard]] const std::vector<GivenUp>& given_up() const { return given_up_; }

 private:
  struct Page {
    std::string url;
    PageId linked_from = 0;
    std::uint32_t attempts = 0;  // attempts begun and not taken back
  };

  Limits limits_;
  bool is_full_ = false;
  std::deque<Page> pages_;                      // by PageId - 1
  std::unordered_set<std::string_view> known_;  // views of the URLs above: a deque never moves them
  std::deque<PageId> waiting_;
  std::map<Attempt, Time> in_progress_;  // with the deadline; at most one per worker
  std::vector<GivenUp> given_up_;
};

}  // namespace crawler
