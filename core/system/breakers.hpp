// SPDX-License-Identifier: Apache-2.0
//
// The circuit breakers that actors share, by name (supervision.md 182). A breaker is made when the
// configuration or an actor names it, and stays until the system ends.
//
// Not here: the rules of a breaker (actord/breaker_rules.hpp).
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <actord/breaker_rules.hpp>

#include "actor/ref.hpp"
#include "base/result.hpp"
#include "base/sync.hpp"

namespace actord::actor {
class ThreadState;
}  // namespace actord::actor

namespace actord::system {

using Admission = actord::detail::Admission;
using BreakerSettings = actord::detail::BreakerSettings;
using BreakerState = actord::detail::BreakerState;

/// "closed", "open", "half-open".
std::string_view name_of(BreakerState state) noexcept;

/// The settings of all breakers.
struct BreakersByName {
  BreakerSettings standard = {};  // of breakers that are not named here
  std::map<std::string, BreakerSettings, std::less<>> named = {};
};

/// What a breaker is now, and has done so far.
struct BreakerReport {
  std::string name;
  BreakerState state = BreakerState::closed;
  std::uint32_t failures = 0;              // in a row; those that opened it, if it is not closed
  std::chrono::nanoseconds remaining{};    // how long it lets no call through at least
  std::uint64_t refused = 0, failed = 0;   // calls
  std::array<std::uint64_t, 3> entered{};  // by BreakerState: how often it has come to be that
};

/// Any thread. What an actor does is done on the thread that runs it, in its name.
class Breakers {
 public:
  static constexpr std::size_t breakers_max = 1000, name_max = 100;
  /// What is_name() wants.
  static constexpr std::string_view name_rule =
      "the name of a circuit breaker has letters, digits, -, _ and ., at most 100 of them";
  static bool is_name(std::string_view name) noexcept;

  Breakers();
  ~Breakers();
  Breakers(const Breakers&) = delete;
  Breakers& operator=(const Breakers&) = delete;

  /// Makes the breakers that are named, and gives all of them their settings.
  void configure(const BreakersByName& settings);
  /// The number of the breaker of that name, which is never 0.
  base::Result<std::uint64_t> find_or_add(std::string_view name);

  struct Admitted {
    Admission admission = Admission::call;
    std::chrono::nanoseconds call_timeout = BreakerSettings{}.call_timeout;
  };
  struct Look {
    BreakerState state = BreakerState::closed;
    std::uint32_t failures = 0;
    std::chrono::nanoseconds remaining{};
  };
  /// What becomes of a call that begins now. A number of no breaker stands for one that lets every
  /// call through.
  Admitted admit(std::uint64_t breaker, actor::ThreadState& thread, actor::Ref caller);
  /// The end of a call that was let through as that.
  void settle(std::uint64_t breaker, Admission admission, bool has_failed,
              actor::ThreadState& thread, actor::Ref caller);
  /// What the breaker is now, after what time alone has changed.
  Look look(std::uint64_t breaker, actor::ThreadState& thread, actor::Ref caller);

  /// All breakers, by name. Changes nothing: an open breaker whose time is over stays open until an
  /// actor uses it.
  std::vector<BreakerReport> reports(std::chrono::nanoseconds now) const;

 private:
  class Breaker;

  Breaker* find(std::uint64_t breaker) const noexcept;
  base::Result<std::uint64_t> add(std::string_view name);

  // By number, from 1 on. A breaker that is here stays here.
  std::array<base::Atomic<Breaker*>, breakers_max> slots_{};
  mutable base::SharedMutex mutex_;
  BreakersByName settings_;
  std::vector<std::unique_ptr<Breaker>> all_;                  // in the order of their numbers
  std::map<std::string, std::uint64_t, std::less<>> by_name_;  // their numbers
};

}  // namespace actord::system
