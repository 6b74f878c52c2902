// SPDX-License-Identifier: Apache-2.0
//
// The asks that an isolated actor has taken and not answered yet, so that they need not wait for
// their timeouts when its process ends (supervision.md 181i).
#pragma once

#include <actord/plugin.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace actord::link {

/// The refs to which they are answered, the oldest first.
class OpenAsks {
 public:
  /// An actor that has taken more lets others answer them, or never answers: the oldest are not
  /// kept.
  static constexpr std::size_t capacity = 1024;

  void add(actord_ref answer_ref) {
    if (refs_.size() == capacity) refs_.erase(refs_.begin());
    refs_.push_back(answer_ref);
  }
  void forget(actord_ref answer_ref) {
    if (refs_.empty()) return;
    const auto found = std::ranges::find(refs_, answer_ref);
    if (found != refs_.end()) refs_.erase(found);
  }
  /// None is open any more.
  std::vector<actord_ref> take_all() { return std::exchange(refs_, {}); }

 private:
  std::vector<actord_ref> refs_;
};

}  // namespace actord::link
