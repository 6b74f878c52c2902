// SPDX-License-Identifier: Apache-2.0
#include "sim/hierarchy.hpp"

#include <algorithm>

#include "sim/scan.hpp"
#include "sim/scenario.hpp"

namespace actord::sim {

namespace {

constexpr std::size_t members_max = 500, breadth_max = 6, levels_max = 8;
constexpr std::uint64_t steps_between_scans = 256;

struct Troubled : Error {
  using Error::Error;
};

}  // namespace

// ---- what the members share ---------------------------------------------------------------------

Hierarchy::Hierarchy(std::uint64_t seed, const RunOptions& options)
    : random(mixed(seed, 3)), trace(options) {
  const std::size_t size = 2 + random.below(random.below(4) == 0 ? members_max - 1 : 60);
  std::vector<std::size_t> levels{0};
  plan.emplace_back();
  while (plan.size() < size) {
    const std::size_t parent = random.below(plan.size());
    if (plan[parent].size() == breadth_max || levels[parent] == levels_max) continue;
    plan[parent].push_back(static_cast<std::uint32_t>(plan.size()));
    levels.push_back(levels[parent] + 1);
    plan.emplace_back();
  }
}

void Hierarchy::saw(const char* what, std::uint32_t who) {
  if (findings.empty()) trace.add(what, who);
}

void Hierarchy::plant(SimWorld& in, const std::function<bool()>& step) {
  world = &in;
  members.emplace_back();
  const auto request = in.request<Manager>("top", this, 1u);
  while (!request->is_answered && step()) {}
  members[1].ref = request->ref;
  by_cell.resize(actor::index_of(request->ref) + 1);
  by_cell.back() = 1;
}

std::uint32_t Hierarchy::number_of(actor::Ref ref) const {
  const std::uint32_t index = actor::index_of(ref);
  return index < by_cell.size() && members[by_cell[index]].ref == ref ? by_cell[index] : 0;
}

// ---- a member -----------------------------------------------------------------------------------

Manager::Manager(Context&, Hierarchy* hierarchy, std::uint32_t number)
    : hierarchy_(*hierarchy), number_(number) {
  hierarchy_.saw("constructor", number_);
  if (me().trouble.constructor > 0) {
    --me().trouble.constructor;
    throw Troubled("constructor");
  }
  if (++me().instances > 1)
    hierarchy_.findings.add(5, "two instances of member " + std::to_string(number_));
  me().is_alive = true;
}

Manager::~Manager() { --me().instances; }

void Manager::pre_start(Context& ctx) {
  hierarchy_.saw("pre_start", number_);
  spawn_missing(ctx);
}

// Spawns the planned children that are missing. They have names, which must be free again.
void Manager::spawn_missing(Context& ctx) {
  for (const std::uint32_t place : hierarchy_.plan[me().place]) {
    const auto is_there = [&](std::uint32_t child) {
      return hierarchy_.members[child].place == place;
    };
    if (std::ranges::any_of(me().children, is_there)) continue;
    const auto number = static_cast<std::uint32_t>(hierarchy_.members.size());
    const Ref child = ctx.spawn<Manager>("m" + std::to_string(place), &hierarchy_, number);
    Hierarchy::Member& member = hierarchy_.members.emplace_back();
    member.ref = child.value;
    member.parent = number_;
    member.level = me().level + 1;
    member.place = place;
    const std::uint32_t index = actor::index_of(child.value);
    if (hierarchy_.by_cell.size() <= index) hierarchy_.by_cell.resize(index + 1);
    hierarchy_.by_cell[index] = number;
    me().children.push_back(number);
  }
}

void Manager::pre_restart(Context& ctx, const Failure&) {
  hierarchy_.saw("pre_restart", number_);
  if (std::exchange(has_restarted_, true))
    hierarchy_.findings.add(2, "pre_restart twice for an instance of " + std::to_string(number_));
  Trouble& trouble = me().trouble;
  if (trouble.pre_restart > 0) {
    --trouble.pre_restart;
    me().children.clear();  // the system stops all of them, supervision.md 52
    throw Troubled("pre_restart");
  }
  for (; trouble.stopped_children > 0 && !me().children.empty(); --trouble.stopped_children) {
    ctx.stop(Ref{hierarchy_.members[me().children.front()].ref});
    me().children.erase(me().children.begin());
  }
}

void Manager::post_restart(Context& ctx, const Failure&) {
  hierarchy_.saw("post_restart", number_);
  std::vector<std::uint32_t> present;
  for (const Ref child : ctx.children()) present.push_back(hierarchy_.number_of(child.value));
  // A child that was stopped by a verdict may still be remembered.
  std::erase_if(me().children, [&](std::uint32_t child) {
    const Hierarchy::Member& member = hierarchy_.members[child];
    return !member.is_alive && std::ranges::find(present, child) == present.end();
  });
  if (present != me().children)
    hierarchy_.findings.add(3, "other children after the restart of " + std::to_string(number_));
  if (me().trouble.post_restart > 0) {
    --me().trouble.post_restart;
    throw Troubled("post_restart");
  }
  me().is_failing = false;
  me().trouble = {};
  spawn_missing(ctx);
}

void Manager::post_stop(Context& ctx) {
  hierarchy_.saw("post_stop", number_);
  if (++me().post_stops > 1)
    hierarchy_.findings.add(7, "two ends of member " + std::to_string(number_));
  if (!ctx.children().empty())
    hierarchy_.findings.add(7, "member " + std::to_string(number_) + " ends before its children");
  me().is_alive = false;
}

Directive Manager::decide(Context& ctx, const Failure& failure) {
  const std::uint32_t child = hierarchy_.number_of(ctx.sender().value);
  hierarchy_.saw("decide", child);
  // A failed post_restart is tried again by another restart and names no directive.
  if (failure.is<PostRestartFailure>()) return Directive::restart;
  Hierarchy::Member& member = hierarchy_.members[child];
  if (member.trouble.depth > 0) {
    me().trouble = member.trouble;
    --me().trouble.depth;
    me().perpetrator = child;
    me().is_failing = true;
    return Directive::escalate;
  }
  const auto directive = static_cast<Directive>(member.trouble.directive);
  if (directive == Directive::resume) release(child);
  if (directive == Directive::stop) {
    std::erase(me().children, child);
    member.is_alive = false;
  }
  return directive;
}

void Manager::log_failure(Context&, const Failure&, Directive) {}

// Clears the failure of a resumed member, and of the perpetrators that it had failed for.
void Manager::release(std::uint32_t number) {
  for (; number != 0; number = std::exchange(hierarchy_.members[number].perpetrator, 0)) {
    hierarchy_.members[number].is_failing = false;
    hierarchy_.members[number].trouble = {};
  }
}

void Manager::must_be_sound(Context& ctx) {
  if (me().is_failing)
    hierarchy_.findings.add(1, "member " + std::to_string(number_) + " works while it has failed");
  if (hierarchy_.world->cell(ctx.self().value).life.suspensions() != 0)
    hierarchy_.findings.add(1, "member " + std::to_string(number_) + " works while suspended");
}

void Manager::fail(Context& ctx, const Trouble& trouble) {
  hierarchy_.saw("trouble", number_);
  must_be_sound(ctx);
  me().trouble = trouble;
  me().trouble.depth = std::min(trouble.depth, me().level);
  if (trouble.directive == static_cast<std::uint32_t>(Directive::stop) && me().level < 3)
    me().trouble.directive = static_cast<std::uint32_t>(Directive::restart);
  me().is_failing = true;
  throw Troubled("trouble");
}

void Manager::ping(Context& ctx, const PingOfLife&) {
  hierarchy_.saw("ping", number_);
  must_be_sound(ctx);
  me().has_answered = true;
}

const actord_plugin& hierarchy_plugin() {
  return *plugin_table<Behaviours<Manager>, Messages<Trouble, PingOfLife>>("hierarchy", "1");
}

actor::NodeSpec restarting_guardian() {
  actor::NodeSpec spec;
  spec.options.strategy = actor::default_strategy();
  spec.options.strategy->otherwise = actor::Strategy::Otherwise::restart;
  spec.options.strategy->is_logging = false;
  return spec;
}

// ---- a run --------------------------------------------------------------------------------------

namespace {

class HierarchyRun {
 public:
  HierarchyRun(std::uint64_t seed, const RunOptions& options)
      : user_(restarting_guardian()),
        hierarchy_(seed, options),
        world_({.seed = mixed(seed, 4),
                .workers = 1 + static_cast<unsigned>(hierarchy_.random.below(4)),
                .slice_max = 1 + static_cast<std::uint32_t>(hierarchy_.random.below(8)),
                .pick = hierarchy_.random.below(2) == 0 ? sched::Simulator::Pick::priority
                                                        : sched::Simulator::Pick::worker,
                .priority_changes = 1 + static_cast<unsigned>(hierarchy_.random.below(3))},
               hierarchy_plugin()) {}

  Outcome run() {
    world_.start(user_);
    hierarchy_.plant(world_, [this] { return step(); });
    const std::uint64_t actions = 100 + hierarchy_.random.below(hierarchy_.plan.size() * 4);
    const std::uint64_t pause = 1 + hierarchy_.random.below(16);
    for (std::uint64_t i = 0; i < actions && hierarchy_.findings.empty(); ++i) {
      act();
      for (std::uint64_t steps = hierarchy_.random.below(pause); steps > 0 && step(); --steps) {}
    }
    while (step()) {}
    if (hierarchy_.findings.empty()) check_rest();
    world_.system().terminate();
    world_.run();
    if (hierarchy_.findings.empty()) check_end();
    return hierarchy_.trace.outcome(hierarchy_.findings.first());
  }

 private:
  bool step() {
    if (!hierarchy_.findings.empty() || !world_.step()) return false;
    if (++steps_ % steps_between_scans == 0) scan_running(world_, hierarchy_.findings);
    return true;
  }

  void act() {
    base::Random& random = hierarchy_.random;
    const actor::Ref whom = hierarchy_.members[1 + random.below(hierarchy_.members.size() - 1)].ref;
    if (random.below(2) == 0) return world_.tell(whom, PingOfLife{});
    Directive directive = random.below(2) == 0 ? Directive::restart : Directive::resume;
    if (random.below(8) == 0) directive = Directive::stop;
    const auto up_to = [&](std::uint64_t most) {
      return static_cast<std::uint32_t>(random.below(3) == 0 ? random.below(most + 1) : 0);
    };
    world_.tell(whom, Trouble{static_cast<std::uint32_t>(directive), up_to(2), up_to(2), up_to(2),
                              up_to(2), random.below(4) == 0 ? 100u : up_to(3)});
  }

  void check_rest() {
    scan_settled(world_, hierarchy_.findings);
    for (std::size_t i = 1; i < hierarchy_.members.size(); ++i) {
      Hierarchy::Member& member = hierarchy_.members[i];
      member.has_answered = false;
      if (world_.is_alive(member.ref)) world_.tell(member.ref, PingOfLife{});
    }
    while (step()) {}
    for (std::size_t i = 1; i < hierarchy_.members.size(); ++i) {
      const Hierarchy::Member& member = hierarchy_.members[i];
      if (world_.is_alive(member.ref) && !member.has_answered)
        hierarchy_.findings.add(6, "member " + std::to_string(i) + " lives and does not answer");
    }
  }

  void check_end() {
    if (!world_.has_stopped()) hierarchy_.findings.add(7, "the tree does not end");
    for (std::size_t i = 1; i < hierarchy_.members.size(); ++i) {
      if (hierarchy_.members[i].instances != 0)
        hierarchy_.findings.add(7, "member " + std::to_string(i) + " is undead");
    }
    scan_stopped(world_, hierarchy_.findings);
  }

  const actor::NodeSpec user_;
  Hierarchy hierarchy_;
  SimWorld world_;
  std::uint64_t steps_ = 0;
};

Outcome play(std::uint64_t seed, const RunOptions& options) {
  return HierarchyRun(seed, options).run();
}

}  // namespace

const Profile hierarchy_profile{
    .name = "hierarchy",
    .about = "up to 500 actors; failures that say who decides what, and which hooks fail",
    .play = play,
};

}  // namespace actord::sim
