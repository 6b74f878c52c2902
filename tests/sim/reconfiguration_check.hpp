// SPDX-License-Identifier: Apache-2.0
//
// 40 to 43: the required result of reconfiguring a running tree. The checker receives events as
// they happen; swarm_config.hpp compares the cells with the last configuration.
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
    std::uint32_t ended = 0;  // how often its end was reported
    bool is_freed = false;    // no value of it is kept any more
  };

  ConfigCheck(Model& model, Findings& findings) : model_(model), findings_(findings) {
    members_.emplace_back();
  }

  /// Another configuration is about to apply. `is_there`: by actor, whether its cell exists.
  Config& begin(ConfigPlan plan, const std::vector<bool>& is_there);
  std::uint32_t next() const { return static_cast<std::uint32_t>(configs_.size()) + 1; }
  /// Null before the first configuration.
  const Config* last() const { return configs_.empty() ? nullptr : &configs_.back(); }
  const std::deque<Config>& all() const { return configs_; }
  void ended(Config& config);

  // ---- an actor ----
  /// `node`: the node that it was spawned from; null if code spawned it.
  void born(const NodePlan* node);
  bool is_configured(Id who) const { return members_[who].first != nullptr; }
  /// 41: it is built from `node`, which must not be older than the one before.
  void built(Id who, const NodePlan& node);
  /// The node that its instance was built from; null if there was no instance yet.
  const NodePlan* built_from(Id who) const { return members_[who].built; }
  /// 43: what it was built from is kept as long as the actor.
  void check_kept(Id who);
  /// It is restarted for its own node, which is `now` by this time, or for its parent's.
  void restarts(Id who, const NodePlan& now, bool is_for_parent);
  /// It is restarted for another reason.
  void restarts_otherwise(Id who) { members_[who].own_config = 0; }

  // ---- at rest ----
  /// 40: `parent` has no actor for `node`. Reports that unless the actor ended by itself, or an
  /// actor spawned by code had taken its name.
  void check_absent(Id parent, const NodePlan& node);
  /// 42: each reconfiguration has ended.
  void check_ended();

 private:
  struct Member {
    const NodePlan* first = nullptr;  // null: spawned by code
    const NodePlan* built = nullptr;
    std::uint32_t own_config = 0;  // of its last restart for its own node; 0: another restart
    bool has_a_successor = false;  // a later actor in its place is another one
  };
  Config& at(std::uint32_t number) { return configs_[number - 1]; }
  void take_over(Id who, const Config& config, bool is_there);

  Model& model_;
  Findings& findings_;
  std::deque<Config> configs_;
  std::vector<Member> members_;  // by actor
};

}  // namespace actord::sim
