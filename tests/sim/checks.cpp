// SPDX-License-Identifier: Apache-2.0
#include "sim/checks.hpp"

#include <algorithm>

namespace actord::sim {

namespace {

std::string actor(Id who) { return "actor " + std::to_string(who); }

}  // namespace

// ---- mail ---------------------------------------------------------------------------------------

void MailCheck::born(Id who, std::uint32_t capacity) {
  if (boxes_.size() <= who) boxes_.resize(who + 1);
  boxes_[who].capacity = capacity;
}

std::uint32_t MailCheck::sent(Id from, Id to, bool is_copy) {
  const auto number = static_cast<std::uint32_t>(letters_.size());
  letters_.push_back({from, to, Fate::waiting, is_copy, false, false});
  ++boxes_[to].waiting;
  return number;
}

void MailCheck::begun(std::uint32_t number, Id by) {
  Letter& letter = letters_[number];
  Box& box = boxes_[by];
  const std::string name = "message " + std::to_string(number);
  if (letter.is_gone) findings_.add(20, name + " is handled after its end");
  if (letter.to != by) findings_.add(29, name + " reached " + actor(by) + ", which is another");
  if (!box.front.empty()) {
    if (box.front.front() != number) {
      findings_.add(33, name + " overtakes " + std::to_string(box.front.front()) +
                            " unstashed by " + actor(by));
    }
    box.front.pop_front();
  } else if (letter.fate != Fate::waiting) {
    findings_.add(16, name + " is handled a second time");
  }
  letter.fate = Fate::handled;
  if (letter.was_begun) return;
  letter.was_begun = true;
  --box.waiting;
  if (letter.is_copy) return;
  std::uint32_t& last = last_[std::uint64_t{letter.from} << 32 | by];
  if (last > number) {
    findings_.add(17, name + " of " + actor(letter.from) + " reaches " + actor(by) + " after " +
                          std::to_string(last));
  }
  last = number;
}

void MailCheck::other_begun(Id by) {
  if (boxes_[by].front.empty()) return;
  findings_.add(33, "something overtakes message " + std::to_string(boxes_[by].front.front()) +
                        " unstashed by " + actor(by));
}

void MailCheck::stashed(std::uint32_t number, Id by) {
  letters_[number].fate = Fate::stashed;
  boxes_[by].stash.push_back(number);
}

void MailCheck::unstashed(Id by) {
  Box& box = boxes_[by];
  box.front.insert(box.front.begin(), box.stash.begin(), box.stash.end());
  box.stash.clear();
}

bool MailCheck::may_lose(const Box& box, Id who) const {
  const Model::Life& life = model_.at(who);
  return box.capacity != 0 || life.is_stop_due || life.may_stop || life.is_delayed() ||
         model_.is_finished(who);
}

void MailCheck::destroyed(std::uint32_t number) {
  Letter& letter = letters_[number];
  if (letter.is_gone) return findings_.add(20, "message " + std::to_string(number) + " ends twice");
  letter.is_gone = true;
  Box& box = boxes_[letter.to];
  if (letter.fate == Fate::handled) return;
  if (letter.fate == Fate::waiting) --box.waiting;
  if (may_lose(box, letter.to)) return;
  findings_.add(20, "message " + std::to_string(number) + " to " + actor(letter.to) +
                        " is lost, and nothing happened to the receiver");
}

void MailCheck::check_bounds(Id who) {
  const Box& box = boxes_[who];
  if (box.capacity == 0 || box.waiting <= box.capacity) return;
  findings_.add(34, actor(who) + " has " + std::to_string(box.waiting) + " messages waiting, of " +
                        std::to_string(box.capacity));
}

void MailCheck::check_end() {
  for (std::size_t i = 1; i < letters_.size(); ++i) {
    if (!letters_[i].is_gone)
      findings_.add(20, "message " + std::to_string(i) + " outlives the system");
  }
}

// ---- watching -----------------------------------------------------------------------------------

void WatchCheck::watched(Id by, Id who) {
  auto& watches = watching_[by].watches;
  const auto found = std::ranges::find(watches, who, &Watch::who);
  if (found == watches.end()) watches.push_back({who, 1, 0});
  // The first watch's notice may be in the mailbox already; then this watch is a new one with its
  // own notice.
  else if (model_.is_finished(who)) ++found->most;
}

void WatchCheck::refused(Id by, Id who) {
  const auto& watches = watching_[by].watches;
  if (std::ranges::find(watches, who, &Watch::who) == watches.end())
    findings_.add(22, actor(by) + " may not watch " + actor(who) + ", which it does not watch");
}

void WatchCheck::unwatched(Id by, Id who) {
  std::erase_if(watching_[by].watches, [&](const Watch& watch) { return watch.who == who; });
}

void WatchCheck::terminated(Id by, Id who) {
  auto& watches = watching_[by].watches;
  if (!model_.is_finished(who))
    findings_.add(22, actor(by) + " hears of the end of " + actor(who) + " before it is over");
  const auto found = std::ranges::find(watches, who, &Watch::who);
  if (found == watches.end() || found->heard == found->most)
    return findings_.add(22, actor(by) + " hears of " + actor(who) + ", unwatched or once more");
  if (++found->heard == found->most) watches.erase(found);
}

void WatchCheck::check_settled(Id by) {
  if (watching_[by].is_deaf) return;
  for (const Watch& watch : watching_[by].watches) {
    if (watch.heard == 0 && model_.is_finished(watch.who))
      findings_.add(22, actor(by) + " was not told of the end of " + actor(watch.who));
  }
}

// ---- one incarnation ----------------------------------------------------------------------------

void IncarnationCheck::ticked(std::uint32_t of_incarnation, Timer timer, std::uint32_t number) {
  if (of_incarnation != incarnation_) {
    return findings_.add(30, "a timer of incarnation " + std::to_string(of_incarnation) + " of " +
                                 actor(who_) + " reaches incarnation " +
                                 std::to_string(incarnation_));
  }
  std::uint32_t& latest = timer_of(timer);
  if (number == latest) {
    if (timer == Timer::once) latest = 0;
    return;
  }
  findings_.add(30, "timer " + std::to_string(number) + " of " + actor(who_) +
                        " ticks, and was replaced, cancelled or over");
}

void IncarnationCheck::unbecame() {
  state_ = below_.empty() ? State::initial : below_.back();
  if (!below_.empty()) below_.pop_back();
}

void IncarnationCheck::handled(bool is_in_state, std::string_view what) {
  if (is_in_state) return;
  findings_.add(30, actor(who_) + " handles " + std::string{what} +
                        " in a state that incarnation " + std::to_string(incarnation_) +
                        " is not in");
}

void IncarnationCheck::answered(Id asker, std::uint32_t of_incarnation, std::uint32_t number) {
  if (asker != who_ || of_incarnation != incarnation_) {
    findings_.add(30, "an answer for incarnation " + std::to_string(of_incarnation) + " of " +
                          actor(asker) + " reaches incarnation " + std::to_string(incarnation_) +
                          " of " + actor(who_));
  }
  if (number == 0 || number > asks_ || !answered_.insert(number).second)
    findings_.add(31, actor(who_) + " is answered what it did not ask, or was answered before");
  completed();
}

void IncarnationCheck::completed() {
  if (open_asks_ == 0) return findings_.add(31, actor(who_) + " is answered more than it asked");
  --open_asks_;
}

void IncarnationCheck::silent(std::int64_t now_ns) {
  if (silence_ns_ == 0)
    findings_.add(30, actor(who_) + " has a receive timeout that it did not ask for");
  if (now_ns - active_ns_ < silence_ns_) {
    findings_.add(32, actor(who_) + " has a receive timeout after " +
                          std::to_string(now_ns - active_ns_) + " ns of " +
                          std::to_string(silence_ns_));
  }
  active_ns_ = now_ns;
}

}  // namespace actord::sim
