// SPDX-License-Identifier: Apache-2.0
//
// Remembers what was decided on the failures that a reader has seen last, so that a line that only
// confirms the decision can be left out.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "log/log_record.hpp"

namespace actord::sinks {

class FailureOutcomes {
 public:
  /// Older failures are forgotten, and the lines about them are shown.
  static constexpr std::size_t remembered = 1024;

  /// Notes the decision of an `actor.failed`.
  void note(const log::Record& failure);
  /// Whether the record tells of a noted failure only that the decision was carried out.
  bool is_confirmation(const log::Record& record) const;

 private:
  struct Decision {
    std::string directive;
    bool is_denied;   // the restart limit turned a restart into a stop
    bool is_delayed;  // the restart comes after a delay
  };

  std::unordered_map<std::string, Decision> decisions_;  // by the failure's id
  std::deque<std::string> ids_;                          // oldest first
};

}  // namespace actord::sinks
