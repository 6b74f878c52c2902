// SPDX-License-Identifier: Apache-2.0
//
// Counts the failures in lines of the log by what they have in common.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wire/control_message.hpp"

namespace actord::ctl {

/// Whether a line is about a failure, or is a sum of failures: the log writes frequent ones so.
bool is_of_failures(const wire::Json& line);

/// Failures that are counted together.
struct FailureGroup {
  std::uint64_t count = 0;
  std::set<std::string> actors, causes;
  std::map<std::string, std::uint64_t> directives;
  wire::Json last;  // the line of the last failure, or of a sum of failures
};
using FailureGroups = std::map<std::string, FailureGroup>;

/// Groups by "cause", "actor" or "plugin". Lines that are about no failure are left out.
FailureGroups failure_groups(const std::vector<wire::Json>& lines, std::string_view by);

/// The groups, the one with the most failures first.
std::vector<std::pair<std::string, FailureGroup>> sorted(const FailureGroups& groups);

/// "45 restart, 3 stop"
std::string verdicts_of(const FailureGroup& group);
/// The first three names, and how many more there are.
std::string listed(const std::set<std::string>& names);

wire::Json json_of(const FailureGroups& groups, std::string_view by);

}  // namespace actord::ctl
