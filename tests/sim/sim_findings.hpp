// SPDX-License-Identifier: Apache-2.0
//
// What broke, by the number of the rule. The first one counts: what comes after it is a consequence
// more often than not.
#pragma once

#include <string>

namespace actord::sim {

class Findings {
 public:
  /// `invariant`: of the list in README.md beside this.
  void add(int invariant, const std::string& what) {
    if (!first_.empty()) return;
    invariant_ = invariant;
    first_ = std::to_string(invariant) + ": " + what;
  }
  bool empty() const noexcept { return first_.empty(); }
  const std::string& first() const noexcept { return first_; }
  int invariant() const noexcept { return invariant_; }

 private:
  std::string first_;
  int invariant_ = 0;
};

}  // namespace actord::sim
