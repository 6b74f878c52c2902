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
#include <unordered_map>
#include <vector>

#include "reason.hpp"

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
  /// A link to a page that does not exist. Both are URLs; `source` is empty for the start page.
  struct DeadLink {
    std::string source;
    std::string target;
    std::int32_t status = 0;  // HTTP status of the target
  };
  struct GivenUp {
    std::string url;
    std::uint32_t attempts;  // attempts made
    Reason reason;           // why the last attempt failed, or why there was no further one
  };

  explicit Frontier(Limits limits) : limits_(limits) {}

  /// Adds a page and the link to it. False if the page is known, or exceeds pages_max: then
  /// is_full() from now on. A page is linked from another one once at most.
  bool add(const std::string& url, PageId linked_from = 0);
  /// Takes the next waiting page, if any; its attempt is in progress until `deadline`.
  [[nodiscard]] std::optional<Attempt> next(Time deadline);
  /// The URL of a page.
  [[nodiscard]] const std::string& url(PageId page) const { return pages_[page - 1].url; }
  /// The page with the first link to this page; 0 for the start page.
  [[nodiscard]] PageId linked_from(PageId page) const {
    return pages_[page - 1].linked_from.front();
  }

  /// The attempt has a result: the page exists. False if it is not in progress.
  bool succeed(Attempt attempt);
  /// The attempt has a result: the page does not exist, and the links to it are dead. False if the
  /// attempt is not in progress.
  bool find_dead(Attempt attempt, std::int32_t status);
  /// Says why an attempt in progress fails, before fail() ends it.
  void explain(Attempt attempt, Reason reason);
  /// The attempt failed: the page waits again, or is given up if it has no attempt left. `reason`
  /// counts if explain() has given none.
  Fate fail(Attempt attempt, Reason reason);
  /// The attempt ended without a fault of the page: the page waits again, and the attempt is not
  /// counted. The next attempt has the same number, so that no worker may still have this one.
  void take_back(Attempt attempt);
  /// The attempts in progress with a deadline before `now`. The caller calls fail() for them.
  [[nodiscard]] std::vector<Attempt> overdue(Time now) const;
  /// Gives up all pages that are not over, when there is no worker left.
  std::vector<GivenUp> abandon(Reason reason);

  /// Whether no page is waiting or in progress.
  [[nodiscard]] bool is_over() const { return waiting_.empty() && in_progress_.empty(); }
  [[nodiscard]] bool is_full() const { return is_full_; }
  [[nodiscard]] std::uint64_t seen() const { return pages_.size(); }
  [[nodiscard]] std::uint64_t in_progress() const { return in_progress_.size(); }
  [[nodiscard]] const std::vector<GivenUp>& given_up() const { return given_up_; }
  /// The dead links found so far, ordered by their targets' discovery.
  [[nodiscard]] std::vector<DeadLink> dead_links() const;

 private:
  struct Page {
    std::string url;
    // The pages with a link to this one, of which a page that exists keeps the first; 0 for the
    // start page.
    std::vector<PageId> linked_from;
    std::uint32_t attempts = 0;    // attempts begun and not taken back
    std::int32_t dead_status = 0;  // HTTP status if the page does not exist
    bool is_alive = false;         // the page exists
  };

  Limits limits_;
  bool is_full_ = false;
  std::deque<Page> pages_;  // by PageId - 1
  // by views of the URLs above: a deque never moves them
  std::unordered_map<std::string_view, PageId> known_;
  std::deque<PageId> waiting_;
  struct Progress {
    Time deadline;
    std::optional<Reason> reason = std::nullopt;  // of its failure, if explain() was called
  };
  std::map<Attempt, Progress> in_progress_;  // at most one per worker
  std::vector<GivenUp> given_up_;
};

}  // namespace crawler
