// SPDX-License-Identifier: Apache-2.0

#include "frontier.hpp"

namespace crawler {

bool Frontier::add(const std::string& url, PageId linked_from) {
  if (known_.contains(url)) return false;
  if (pages_.size() >= limits_.pages_max) {
    is_full_ = true;
    return false;
  }
  pages_.push_back({url, linked_from});
  known_.insert(pages_.back().url);
  waiting_.push_back(pages_.size());
  return true;
}

std::optional<Attempt> Frontier::next(Time deadline) {
  if (waiting_.empty()) return std::nullopt;
  const PageId page = waiting_.front();
  waiting_.pop_front();
  const Attempt attempt{page, ++pages_[page - 1].attempts};
  in_progress_.emplace(attempt, deadline);
  return attempt;
}

bool Frontier::succeed(Attempt attempt) { return in_progress_.erase(attempt) != 0; }

Fate Frontier::fail(Attempt attempt) {
  if (in_progress_.erase(attempt) == 0) return Fate::stale;
  if (attempt.number < limits_.attempts_max) {
    waiting_.push_back(attempt.page);
    return Fate::retry;
  }
  given_up_.push_back({url(attempt.page), attempt.number});
  return Fate::given_up;
}

void Frontier::take_back(Attempt attempt) {
  if (in_progress_.erase(attempt) == 0) return;
  --pages_[attempt.page - 1].attempts;
  waiting_.push_back(attempt.page);
}

std::vector<Attempt> Frontier::overdue(Time now) const {
  std::vector<Attempt> found;
  for (const auto& [attempt, deadline] : in_progress_) {
    if (deadline <= now) found.push_back(attempt);
  }
  return found;
}

std::vector<Frontier::GivenUp> Frontier::abandon() {
  std::vector<GivenUp> lost;
  for (const auto& [attempt, deadline] : in_progress_)
    lost.push_back({url(attempt.page), attempt.number});
  for (const PageId page : waiting_) lost.push_back({url(page), pages_[page - 1].attempts});
  in_progress_.clear();
  waiting_.clear();
  given_up_.insert(given_up_.end(), lost.begin(), lost.end());
  return lost;
}

}  // namespace crawler
