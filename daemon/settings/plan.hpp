// SPDX-License-Identifier: Apache-2.0
//
// What a reload would do: two configurations compared, actor by actor and key by key. Pure: nothing
// is done here, and no actor is asked.
//
// Not here: the same as text and as JSON (plan_text, plan_json), and how a running system gets
// there (actor/reconfigure).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "settings/settings.hpp"

namespace actord::settings {

struct Step {
  enum class Action : std::uint8_t {
    create,        // a new actor
    stop,          // an actor that stands there no more
    restart,       // of an actor whose config is another
    replace,       // of an actor by another one of its name
    re_strategy,   // holds from the next failure on
    live,          // holds from now on, or for actors that are created from now on
    needs_restart  // of actord
  };

  Action action = Action::live;
  std::string subject;   // "/user/crawler"; of what is no actor's the key, "actord.log.level"
  std::string key = {};  // below the subject: "config.workers"; empty: all of it
  std::string from = {}, to = {};  // as may be shown; empty: there was none, or is none any more
  std::string origin = {};         // of the new value, "file:line"
  std::string note = {};           // what its author may not expect; empty: nothing
};
std::string_view name_of(Step::Action action) noexcept;

struct Plan {
  std::vector<Step> steps;  // what is no actor's, then actors in the order of the newer file

  bool is_empty() const noexcept { return steps.empty(); }
};

/// What changes when `wanted` takes the place of `running`.
Plan plan_between(const Settings& running, const Settings& wanted);

/// The keys that need a restart of actord: what holds since `started`, and what was wanted since.
std::vector<Step> pending_between(const Settings& started, const Settings& wanted);

/// The step in one line: "re-strategy /user/crawler supervisor-strategy.decider.default: restart →
/// stop (crawler.conf:14)".
std::string text_of(const Step& step);
/// A line for each step; "unchanged" if there is none.
std::string text_of(const Plan& plan);

}  // namespace actord::settings
