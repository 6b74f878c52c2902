// SPDX-License-Identifier: Apache-2.0
//
// The rules of the profile `companions`, each as a small book that is told what happens and finds
// what must not. The numbers are those of README.md beside this file.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "actor/ref.hpp"
#include "sim/sim_findings.hpp"

namespace actord::sim::companions {

/// 49: each message is handled, dead-lettered or parked, once, unless it was sent on.
class Fates {
 public:
  explicit Fates(Findings& findings) : findings_(findings) {}

  /// The number of a message. One that multiplies has at least one fate.
  std::uint32_t sent(bool multiplies);
  /// One more of that message may come, or a stashed one once more.
  void moved(std::uint32_t number) { ++at(number).expected; }
  void multiplied(std::uint32_t number) { at(number).multiplies = true; }
  void taken(std::uint32_t number) { ++at(number).seen; }
  void died(std::uint32_t number) { ++at(number).seen; }
  /// How often it was sent on.
  std::uint32_t moves(std::uint32_t number) { return at(number).expected - 1; }
  /// Nothing is under way any more.
  void check(const char* when);

 private:
  struct Fate {
    std::uint32_t expected = 1, seen = 0;
    bool multiplies = false;
  };
  Fate& at(std::uint32_t number) { return fates_[number]; }

  Findings& findings_;
  std::vector<Fate> fates_{{}};  // the first is for messages that are not followed
};

/// 50: an ask of a living incarnation ends once.
class Asks {
 public:
  explicit Asks(Findings& findings) : findings_(findings) {}

  void begun(std::uint32_t ask) { open_.insert(ask), ++begun_; }
  /// One that has no number.
  void begun() { ++begun_; }
  void answered(std::uint32_t ask);
  void ended();  // without a number: a failure does not name its question
  void check_rest(const std::string& who);

 private:
  Findings& findings_;
  std::set<std::uint32_t> open_;
  std::uint32_t begun_ = 0, ended_ = 0;
};

/// 51: an actor sees the children that it has created, and no others.
class Children {
 public:
  explicit Children(Findings& findings) : findings_(findings) {}

  void spawned(actor::Ref parent, actor::Ref child) { of_[parent].insert(child); }
  void seen(actor::Ref parent, actor::Ref child, const char* where);
  void ended(actor::Ref parent, actor::Ref child);

 private:
  Findings& findings_;
  std::map<actor::Ref, std::set<actor::Ref>> of_;
};

/// 53: no two deliveries of a sender have the same number.
class DeliveryNumbers {
 public:
  explicit DeliveryNumbers(Findings& findings) : findings_(findings) {}
  void made(const std::string& from, std::uint64_t number, std::uint32_t mark);

 private:
  Findings& findings_;
  std::map<std::pair<std::string, std::uint64_t>, std::uint32_t> marks_;
};

/// 54: a task of the shutdown that was added in time is run once.
class ShutdownTasks {
 public:
  explicit ShutdownTasks(Findings& findings) : findings_(findings) {}

  void added(actor::Ref who, std::size_t phase, const std::string& name);
  /// The actor was told of it, or its message was lost with a reason.
  void ran(actor::Ref who, std::size_t phase, const std::string& name);
  void phase_begins(std::size_t phase) { phase_ = static_cast<std::int64_t>(phase); }
  void are_over() { phase_ = INT64_MAX; }
  /// In that phase the actor is to stop.
  void added_stop(std::size_t phase, actor::Ref who) {
    if (static_cast<std::int64_t>(phase) > phase_) stops_.push_back(who);
  }
  /// All phases are over.
  template <class IsAlive>
  void check_over(IsAlive is_alive) {
    for (const auto& [key, task] : tasks_)
      if (task.is_due && task.runs == 0 && is_alive(std::get<0>(key)))
        findings_.add(54, "task " + std::get<2>(key) + " of phase " +
                              std::to_string(std::get<1>(key)) + " was not run");
    for (const actor::Ref who : stops_)
      if (is_alive(who)) findings_.add(54, "an actor lives that was to stop in a phase");
  }

 private:
  struct Task {
    bool is_due = false;
    int runs = 0;
  };
  Findings& findings_;
  std::map<std::tuple<actor::Ref, std::size_t, std::string>, Task> tasks_;
  std::vector<actor::Ref> stops_;
  std::int64_t phase_ = -1;  // the last that has begun
};

/// 55: a subscriber of a state machine is told of each transition, in their order.
class Transitions {
 public:
  explicit Transitions(Findings& findings) : findings_(findings) {}

  void is_in(actor::Ref machine, actor::Ref subscriber, const std::string& state) {
    last_[{machine, subscriber}] = state;
  }
  void goes(actor::Ref machine, actor::Ref subscriber, const std::string& from,
            const std::string& to);

 private:
  Findings& findings_;
  std::map<std::pair<actor::Ref, actor::Ref>, std::string> last_;
};

/// 57: a snapshot is due when so many events have come since the last one that was asked for.
class Snapshots {
 public:
  Snapshots(Findings& findings, std::uint64_t every) : findings_(findings), every_(every) {}

  /// An incarnation begins, or has asked for a snapshot itself: the next one may come at once.
  void may_come(const std::string& id) { ++free_[id]; }
  void written(const std::string& id, std::uint64_t sequence);

 private:
  Findings& findings_;
  const std::uint64_t every_;
  std::map<std::string, std::uint64_t> free_;  // how many may come at once
  std::map<std::string, std::uint64_t> last_;
};

}  // namespace actord::sim::companions
