// SPDX-License-Identifier: Apache-2.0
//
// Reads supervisor-strategy: a word, a class name of Akka, Pekko or Akka.NET, or an object.
//
// Not here: the decisions of a strategy (actor/supervision.hpp).
#pragma once

#include <optional>

#include "actor/strategy.hpp"
#include "settings/findings.hpp"

namespace actord::settings {

/// Whether the supervisor has a behaviour whose code `decider.default = code` can call.
enum class HasCode : bool { no, yes };

/// The strategy named `default` or `stopping`, or by a class name of Akka, Pekko or Akka.NET;
/// nullopt: there is none.
std::optional<actor::Strategy> strategy_named(std::string_view name);

/// The class names that strategy_named() accepts.
const std::vector<std::string_view>& strategy_class_names();

/// Sets the origin of every part of a strategy that was chosen by name: where the name was written.
void set_origin(actor::Strategy& strategy, const std::string& origin);

/// Reads unlimited, never or a number. A negative number means unlimited and adds a warning.
void read_max_restarts(Findings& findings, const hocon::Value& value,
                       actor::RestartLimit& restart_limit);

/// Reads a word or an object; nullopt if it is invalid, after adding a finding. Every part has its
/// origin.
std::optional<actor::Strategy> read_strategy(Findings& findings, const hocon::Value& value,
                                             HasCode has_code);

}  // namespace actord::settings
