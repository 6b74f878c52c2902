// SPDX-License-Identifier: Apache-2.0
//
// The profile `hierarchy`: a large tree in which half of all messages are failures. Each failure
// says how it must be handled: with which directive, how many levels up, how often each hook fails
// meanwhile, and how many children are stopped. It follows Pekko's SupervisorHierarchySpec; the
// numbers of findings are those of the invariants in supervision.md, section 7.
#pragma once

#include <actord/actord.hpp>

#include <functional>
#include <vector>

#include "base/random.hpp"
#include "sim/event_trace.hpp"
#include "sim/profile.hpp"
#include "sim/sim_findings.hpp"
#include "sim/sim_world.hpp"

namespace actord::sim {

extern const Profile hierarchy_profile;

/// How a failure must be handled.
struct Trouble {
  std::uint32_t directive = 0;    // a Directive
  std::uint32_t depth = 0;        // levels up to the supervisor that decides
  std::uint32_t pre_restart = 0;  // how often it throws
  std::uint32_t post_restart = 0;
  std::uint32_t constructor = 0;
  std::uint32_t stopped_children = 0;  // by pre_restart; more than there are: all
};
struct PingOfLife {};
ACTORD_MESSAGE(Trouble, "sim.Trouble/1", directive, depth, pre_restart, post_restart, constructor,
               stopped_children)
ACTORD_MESSAGE(PingOfLife, "sim.PingOfLife/1")

/// The state that all members share. Single-threaded.
struct Hierarchy {
  struct Member {
    actor::Ref ref = actor::nobody;
    std::uint32_t parent = 0, level = 0;
    std::uint32_t place = 0;              // in the plan; a child that is spawned again has the same
    std::uint32_t perpetrator = 0;        // the child that it has escalated for
    Trouble trouble;                      // its own failure, as far as it is unhandled
    std::vector<std::uint32_t> children;  // remembered across a restart
    bool is_failing = false, is_alive = false, has_answered = false;
    std::uint32_t instances = 0, post_stops = 0;
  };

  Hierarchy(std::uint64_t seed, const RunOptions& options);
  void saw(const char* what, std::uint32_t who);
  /// Spawns the top as a child of /user, and the whole plan below it. `step` advances the world.
  void plant(SimWorld& in, const std::function<bool()>& step);
  std::uint32_t number_of(actor::Ref ref) const;

  base::Random random;
  EventTrace trace;
  Findings findings;
  SimWorld* world = nullptr;
  std::vector<std::vector<std::uint32_t>> plan;  // by place: the places below; 0 is the top
  std::vector<Member> members{1};                // by number, from 1
  std::vector<std::uint32_t> by_cell;
};

class Manager : public Actor {
 public:
  Manager(Context& ctx, Hierarchy* hierarchy, std::uint32_t number);
  ~Manager() override;

  void pre_start(Context& ctx) override;
  void pre_restart(Context& ctx, const Failure& reason) override;
  void post_restart(Context& ctx, const Failure& reason) override;
  void post_stop(Context& ctx) override;
  Directive decide(Context& ctx, const Failure& failure) override;
  void log_failure(Context& ctx, const Failure& failure, Directive directive) override;

  void fail(Context& ctx, const Trouble& trouble);
  void ping(Context& ctx, const PingOfLife&);
  using Receive = Handlers<&Manager::fail, &Manager::ping>;

 private:
  Hierarchy::Member& me() { return hierarchy_.members[number_]; }
  void spawn_missing(Context& ctx);
  void must_be_sound(Context& ctx);
  void release(std::uint32_t number);

  Hierarchy& hierarchy_;
  const std::uint32_t number_;
  bool has_restarted_ = false;  // its pre_restart was called
};

const actord_plugin& hierarchy_plugin();
/// A guardian that always restarts the top member.
actor::NodeSpec restarting_guardian();

}  // namespace actord::sim
