// SPDX-License-Identifier: Apache-2.0
//
// The broken rules, by number. Only the first one is kept, because later ones are often its
// consequences.
#pragma once

#include <string>

namespace actord::sim {

class Findings {
 public:
  /// `invariant`: a rule's number in README.md beside this file.
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
