// SPDX-License-Identifier: Apache-2.0
//
// supervisor-strategy: the words, the names known from Akka, Pekko and Akka.NET, and the block.
//
// Not here: what a strategy decides (actor/supervision.hpp).
#pragma once

#include <optional>

#include "actor/strategy.hpp"
#include "settings/findings.hpp"

namespace actord::settings {

/// Whether the supervisor has code that `decider.default = code` can ask.
enum class HasCode : bool { no, yes };

/// `default` and `stopping`, also under the class names that users of Akka, Pekko and Akka.NET
/// know.
std::optional<actor::Strategy> strategy_named(std::string_view name);

/// Those class names.
const std::vector<std::string_view>& strategy_class_names();

/// Gives every part of a strategy that was chosen by name the place of the name.
void say_where_it_was_chosen(actor::Strategy& strategy, const std::string& place);

/// unlimited, never or a number; one below 0 is taken as unlimited, with a warning.
void read_max_restarts(Findings& findings, const hocon::Value& value, actor::Budget& budget);

/// A word or a block; nothing if it is wrong, which the findings tell. Every part has its origin.
std::optional<actor::Strategy> read_strategy(Findings& findings, const hocon::Value& value,
                                             HasCode has_code);

}  // namespace actord::settings
