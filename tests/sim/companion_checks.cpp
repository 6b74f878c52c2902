// SPDX-License-Identifier: Apache-2.0
#include "sim/companion_checks.hpp"

namespace actord::sim::companions {

std::uint32_t Fates::sent(bool multiplies) {
  fates_.push_back({.multiplies = multiplies});
  return static_cast<std::uint32_t>(fates_.size() - 1);
}

void Fates::check(const char* when) {
  for (std::size_t i = 1; i < fates_.size(); ++i) {
    const Fate& fate = fates_[i];
    if (fate.seen == fate.expected || (fate.multiplies && fate.seen > 0)) continue;
    findings_.add(49, "message " + std::to_string(i) + " was handled, dead-lettered or parked " +
                          std::to_string(fate.seen) + " times, and not " +
                          std::to_string(fate.expected) + " times, " + when);
  }
}

void Asks::answered(std::uint32_t ask) {
  if (open_.erase(ask) == 0)
    findings_.add(50, "an answer comes to ask " + std::to_string(ask) +
                          ", which is none of this incarnation, or has its answer");
  ended();
}

void Asks::ended() {
  if (++ended_ > begun_) findings_.add(50, "more asks end than have begun");
}

void Asks::check_rest(const std::string& who) {
  if (ended_ != begun_)
    findings_.add(50, who + " waits for " + std::to_string(begun_ - ended_) + " answers for ever");
}

void Children::seen(actor::Ref parent, actor::Ref child, const char* where) {
  if (!of_[parent].contains(child))
    findings_.add(51, std::string{"an actor that nobody has spawned there is seen in "} + where);
}

void Children::ended(actor::Ref parent, actor::Ref child) {
  if (of_[parent].erase(child) == 0)
    findings_.add(51, "an actor is told of the end of a child that it has not spawned");
}

void DeliveryNumbers::made(const std::string& from, std::uint64_t number, std::uint32_t mark) {
  const auto [at, is_new] = marks_.try_emplace({from, number}, mark);
  if (at->second != mark)
    findings_.add(53, "delivery " + std::to_string(number) + " of " + from + " is parcel " +
                          std::to_string(mark) + ", and was parcel " + std::to_string(at->second));
}

void ShutdownTasks::added(actor::Ref who, std::size_t phase, const std::string& name) {
  Task& task = tasks_[{who, phase, name}];
  task.is_due |= static_cast<std::int64_t>(phase) > phase_;
}

void ShutdownTasks::ran(actor::Ref who, std::size_t phase, const std::string& name) {
  const auto found = tasks_.find({who, phase, name});
  if (found == tasks_.end())
    findings_.add(54, "task " + name + " is run, and its actor has not added it");
  else if (++found->second.runs > 1) findings_.add(54, "task " + name + " is run twice");
}

void Transitions::goes(actor::Ref machine, actor::Ref subscriber, const std::string& from,
                       const std::string& to) {
  const auto found = last_.find({machine, subscriber});
  if (found == last_.end())
    return findings_.add(55, "a subscriber is told of a transition before the state");
  if (found->second != from)
    findings_.add(55, "a machine goes from " + from + ", and was in " + found->second);
  found->second = to;
}

void Snapshots::written(const std::string& id, std::uint64_t sequence) {
  const auto found = last_.find(id);
  // A write that fails with others is tried again alone.
  const bool is_again = found != last_.end() && sequence == found->second;
  if (is_again) return;
  const bool is_due = found == last_.end() || sequence >= found->second + every_;
  std::uint64_t& free = free_[id];
  if (!is_due && free == 0)
    findings_.add(57, "a snapshot of " + id + " is taken at event " + std::to_string(sequence) +
                          ", and the last one at " + std::to_string(found->second));
  if (!is_due && free != 0) --free;
  last_[id] = sequence;
}

}  // namespace actord::sim::companions
