// SPDX-License-Identifier: Apache-2.0
//
// The steps of a reload: compares two configurations, actor by actor and key by key. The
// comparison is pure: it changes nothing and asks no actor.
//
// Not here: a plan as text and as JSON (plan_text, plan_json), and carrying it out
// (actor/reconfigure).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "settings/settings.hpp"

namespace actord::settings {

struct Step {
  enum class Action : std::uint8_t {
    create,        // starts a new actor
    stop,          // stops an actor that was removed
    restart,       // restarts an actor whose config has changed
    replace,       // replaces an actor by another one of the same name
    re_strategy,   // changes a strategy, from the next failure on
    live,          // takes effect at once, or for actors that are created later
    needs_restart  // takes effect after a restart of actord
  };

  Action action = Action::live;
  // "/user/crawler", the pattern of a deployment rule, or a key of no actor: "actord.log.level"
  std::string subject;
  std::string key = {};            // below the subject: "config.workers"; empty: the whole subject
  std::string from = {}, to = {};  // as they may be shown; empty: there is no such value
  std::string origin = {};         // of the new value, "file:line"
  std::string note = {};           // an unexpected effect; empty: none
};
std::string_view name_of(Step::Action action) noexcept;

struct Plan {
  // keys that belong to no actor, deployment rules, then actors in the order of the newer file
  std::vector<Step> steps;

  bool is_empty() const noexcept { return steps.empty(); }
};

/// The steps from `running` to `wanted`.
Plan plan_between(const Settings& running, const Settings& wanted);

/// The keys that need a restart of actord: those that differ between `started`, the configuration
/// of the start, and `wanted`.
std::vector<Step> pending_between(const Settings& started, const Settings& wanted);

/// A step in one line: "re-strategy /user/crawler supervisor-strategy.decider.default: restart →
/// stop (crawler.conf:14)".
std::string text_of(const Step& step);
/// One line for each step; "unchanged" if there is none.
std::string text_of(const Plan& plan);

}  // namespace actord::settings
