// SPDX-License-Identifier: Apache-2.0
//
// 40 to 43: what a reconfiguration of a running tree has to come to. Fed as things happen; whether
// the cells are what the last configuration says is looked at by swarm_config.hpp.
#pragma once

#include <deque>
#include <memory>

#include "sim/config_plan.hpp"
#include "sim/model.hpp"

namespace actord::sim {

class ConfigCheck {
 public:
  struct Config {
    std::uint32_t number = 0;
    ConfigPlan plan;
    std::uint32_t ended = 0;  // how often somebody said that all have taken it over
    bool is_freed = false;    // nobody keeps a value of it any more
  };

  ConfigCheck(Model& model, Findings& findings) : model_(model), findings_(findings) {
    members_.emplace_back();
  }

  /// Another configuration is about to hold. `is_there`: by actor, whether its cell is.
  Config& begin(ConfigPlan plan, const std::vector<bool>& is_there);
  std::uint32_t next() const { return static_cast<std::uint32_t>(configs_.size()) + 1; }
  /// Null before the first.
  const Config* last() const { return configs_.empty() ? nullptr : &configs_.back(); }
  const std::deque<Config>& all() const { return configs_; }
  void ended(Config& config);

  // ---- an actor ----
  /// `node`: that it was spawned from; null for one that code has made.
  void born(const NodePlan* node);
  bool is_configured(Id who) const { return members_[who].first != nullptr; }
  /// 41: built from `node`, and not from an older one than before.
  void built(Id who, const NodePlan& node);
  /// What its instance was built from; null if there was none yet.
  const NodePlan* built_from(Id who) const { return members_[who].built; }
  /// 43: what it was built from is there as long as it is.
  void check_kept(Id who);
  /// Restarted for its own node, which is this one by now, or for its parent's.
  void restarts(Id who, const NodePlan& now, bool is_for_parent);
  /// Restarted for anything else.
  void restarts_otherwise(Id who) { members_[who].own_config = 0; }

  // ---- at rest ----
  /// 40: no actor stands there, under `parent`. Says so unless it ended by itself, or code had
  /// taken its name.
  void check_absent(Id parent, const NodePlan& node);
  /// 42
  void check_ended();

 private:
  struct Member {
    const NodePlan* first = nullptr;  // null: made by code
    const NodePlan* built = nullptr;
    std::uint32_t own_config = 0;  // of the node that its last restart was for; 0: not for its own
    bool has_a_successor =
        false;  // is gone from a configuration: what stands there then is another
  };
  Config& at(std::uint32_t number) { return configs_[number - 1]; }
  void take_over(Id who, const Config& config, bool is_there);

  Model& model_;
  Findings& findings_;
  std::deque<Config> configs_;
  std::vector<Member> members_;  // by actor
};

}  // namespace actord::sim
