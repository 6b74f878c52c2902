// SPDX-License-Identifier: Apache-2.0
//
// What the master knows of a crawl: every page seen, what became of it, and which attempt is under
// way. Pure bookkeeping: no actor, no clock, no network, so that each rule of the crawl is a test.
//
// A page is waiting, in progress, or over (done or given up). An attempt in progress is known by
// (page, attempt); whoever speaks of another one comes too late and changes nothing. That is what
// makes results, hand-backs, missed deadlines and dead workers count once between them, in whatever
// order they arrive.
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
using Time = std::chrono::nanoseconds;  // monotonic

/// One try at one page.
struct Attempt {
  PageId page = 0;
  std::uint32_t number = 0;  // from 1
  friend auto operator<=>(const Attempt&, const Attempt&) = default;
};

enum class Fate { stale, retry, given_up };

class Frontier {
 public:
  struct Limits {
    std::uint32_t attempts_max = 5;
    std::uint64_t pages_max = 100'000;
  };
  struct GivenUp {
    std::string url;
    std::uint32_t attempts;  // spent
  };

  explicit Frontier(Limits limits) : limits_(limits) {}

  /// False when the page is known already, or one too many: then is_full() from now on.
  bool add(const std::string& url, PageId linked_from = 0);
  /// Takes the next waiting page; its attempt is in progress until `deadline`.
  [[nodiscard]] std::optional<Attempt> next(Time deadline);
  [[nodiscard]] const std::string& url(PageId page) const { return pages_[page - 1].url; }
  /// The page whose link was the first to name this one; 0 for the start.
  [[nodiscard]] PageId linked_from(PageId page) const { return pages_[page - 1].linked_from; }

  /// The attempt brought an answer. False when it is not the one in progress.
  bool succeed(Attempt attempt);
  /// The attempt failed: the page waits again, or is given up when its attempts are spent.
  Fate fail(Attempt attempt);
  /// The attempt came to nothing by no fault of the page: it waits again, and this one is not
  /// counted. Its number is given anew, so nobody may be left who could still answer it.
  void take_back(Attempt attempt);
  /// Attempts whose deadline has passed at `now`, still in progress: the caller fails them.
  [[nodiscard]] std::vector<Attempt> overdue(Time now) const;
  /// Gives up whatever is not over, because nobody is left to fetch it.
  std::vector<GivenUp> abandon();

  [[nodiscard]] bool is_over() const { return waiting_.empty() && in_progress_.empty(); }
  [[nodiscard]] bool is_full() const { return is_full_; }
  [[nodiscard]] std::uint64_t seen() const { return pages_.size(); }
  [[nodiscard]] std::uint64_t in_progress() const { return in_progress_.size(); }
  [[nodiscard]] const std::vector<GivenUp>& given_up() const { return given_up_; }

 private:
  struct Page {
    std::string url;
    PageId linked_from = 0;
    std::uint32_t attempts = 0;  // begun, and not taken back
  };

  Limits limits_;
  bool is_full_ = false;
  std::deque<Page> pages_;                      // by PageId - 1
  std::unordered_set<std::string_view> known_;  // of the URLs above, which a deque never moves
  std::deque<PageId> waiting_;
  std::map<Attempt, Time> in_progress_;  // with the deadline; a handful, one per worker
  std::vector<GivenUp> given_up_;
};

}  // namespace crawler
