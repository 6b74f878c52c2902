// SPDX-License-Identifier: Apache-2.0

#include "frontier.hpp"

namespace crawler {

bool Frontier::add(const std::string& url, PageId linked_from) {
  if (const auto known = known_.find(url); known != known_.end()) {
    Page& page = pages_[known->second - 1];
    if (!page.is_alive) page.linked_from.push_back(linked_from);
    return false;
  }
  if (pages_.size() >= limits_.pages_max) {
    is_full_ = true;
    return false;
  }
  pages_.emplace_back();
  pages_.back().url = url;
  pages_.back().linked_from = {linked_from};
  known_.emplace(pages_.back().url, pages_.size());
  waiting_.push_back(pages_.size());
  return true;
}

std::optional<Attempt> Frontier::next(Time deadline) {
  if (waiting_.empty()) return std::nullopt;
  const PageId page = waiting_.front();
  waiting_.pop_front();
  const Attempt attempt{page, ++pages_[page - 1].attempts};
  in_progress_.emplace(attempt, Progress{deadline});
  return attempt;
}

bool Frontier::succeed(Attempt attempt) {
  if (in_progress_.erase(attempt) == 0) return false;
  Page& page = pages_[attempt.page - 1];
  page.is_alive = true;
  page.linked_from = {page.linked_from.front()};
  return true;
}

bool Frontier::find_dead(Attempt attempt, std::int32_t status) {
  if (in_progress_.erase(attempt) == 0) return false;
  pages_[attempt.page - 1].dead_status = status;
  return true;
}

std::vector<Frontier::DeadLink> Frontier::dead_links() const {
  std::vector<DeadLink> found;
  for (const Page& page : pages_) {
    if (page.dead_status == 0) continue;
    for (const PageId from : page.linked_from)
      found.push_back({from == 0 ? std::string{} : url(from), page.url, page.dead_status});
  }
  return found;
}

void Frontier::explain(Attempt attempt, Reason reason) {
  if (const auto found = in_progress_.find(attempt); found != in_progress_.end())
    found->second.reason = reason;
}

Fate Frontier::fail(Attempt attempt, Reason reason) {
  const auto found = in_progress_.find(attempt);
  if (found == in_progress_.end()) return Fate::stale;
  reason = found->second.reason.value_or(reason);
  in_progress_.erase(found);
  if (attempt.number < limits_.attempts_max) {
    waiting_.push_back(attempt.page);
    return Fate::retry;
  }
  given_up_.push_back({url(attempt.page), attempt.number, reason});
  return Fate::given_up;
}

void Frontier::take_back(Attempt attempt) {
  if (in_progress_.erase(attempt) == 0) return;
  --pages_[attempt.page - 1].attempts;
  waiting_.push_back(attempt.page);
}

std::vector<Attempt> Frontier::overdue(Time now) const {
  std::vector<Attempt> found;
  for (const auto& [attempt, progress] : in_progress_) {
    if (progress.deadline <= now) found.push_back(attempt);
  }
  return found;
}

std::vector<Frontier::GivenUp> Frontier::abandon(Reason reason) {
  std::vector<GivenUp> lost;
  for (const auto& [attempt, progress] : in_progress_)
    lost.push_back({url(attempt.page), attempt.number, reason});
  for (const PageId page : waiting_) lost.push_back({url(page), pages_[page - 1].attempts, reason});
  in_progress_.clear();
  waiting_.clear();
  given_up_.insert(given_up_.end(), lost.begin(), lost.end());
  return lost;
}

}  // namespace crawler
