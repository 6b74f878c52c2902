// SPDX-License-Identifier: Apache-2.0
#include "swarm.hpp"

#include <cinttypes>
#include <cstdio>
#include <set>

#include "swarm_actor.hpp"
#include "testkit/world.hpp"

namespace actord::swarm {

namespace {

using namespace std::chrono_literals;
using testkit::World;

constexpr int actors_max = 60;

class Play {
 public:
  Play(std::uint64_t seed, bool is_traced)
      : plan_(seed, is_traced),
        world_({.seed = seed * 0x9e3779b97f4a7c15u + 1,
                .workers = 1 + static_cast<unsigned>(plan_.random.below(4)),
                .slice_max = 1 + static_cast<std::uint32_t>(plan_.random.below(12)),
                .level = log::Level::error,
                .dead_letters_logged = 0}) {
    world_.use(*plugin_table<Behaviours<Node>, Messages<Act, Ping, Tick>>("swarm", "1"));
  }

  Outcome run() {
    world_.start(user_);
    for (std::uint64_t i = 0; i < 1 + plan_.random.below(4); ++i) {
      if (world_.system().is_terminating()) break;  // a foreign cause went up to the root
      plan_.refs.push_back(world_.spawn<Node>("top-" + std::to_string(i), &plan_, 0));
    }
    disturb();
    calm();
    if (plan_.violation.empty()) check_at_rest();
    if (!world_.shut_down()) plan_.fail("the system does not stop");
    if (plan_.violation.empty()) check_after_the_end();
    return {plan_.violation, plan_.events, plan_.hash};
  }

 private:
  void disturb() {
    const std::uint64_t rounds = 5 + plan_.random.below(60);
    for (std::uint64_t i = 0; i < rounds && plan_.violation.empty(); ++i) {
      const actor::Ref whom = plan_.refs[plan_.random.below(plan_.refs.size())];
      switch (plan_.random.below(24)) {
        case 0: world_.system().order(whom, actor::Order::terminate); break;
        case 1: world_.tell(whom, PoisonPill{}); break;
        case 2: world_.tell(whom, Kill{}); break;
        default: world_.tell(whom, plan_.next_act()); break;
      }
      for (std::uint64_t steps = plan_.random.below(20); steps > 0; --steps) world_.step();
      if (plan_.random.below(8) == 0)
        world_.advance(std::chrono::milliseconds(plan_.random.below(40)));
    }
  }

  // No more failures from here: whatever was set in motion must come to rest, and what lives must
  // answer.
  void calm() {
    plan_.is_calm = true;
    for (int i = 0; i < 2'000 && plan_.violation.empty(); ++i) {
      world_.run();
      if (!world_.simulator().advance_to_next_timer()) break;
    }
    world_.run();
  }

  void check_at_rest() {
    std::set<actor::Ref> living;
    for (const actor::Ref ref : plan_.refs) {
      if (world_.is_alive(ref)) living.insert(ref);
    }
    for (const actor::Ref ref : living) {
      const actor::Cell& cell = world_.system().cells.at(actor::index_of(ref));
      const std::string path = world_.path(ref);
      if (cell.suspensions != 0) plan_.fail(path + " is suspended for ever");
      if (cell.stage != actor::Stage::running) plan_.fail(path + " is not running");
      if (cell.is_failed()) plan_.fail(path + " has failed and nobody decided");
    }
    plan_.answered.clear();
    for (const actor::Ref ref : living) world_.tell(ref, Ping{});
    world_.run();
    for (const actor::Ref ref : living) {
      if (!plan_.answered.contains(ref))
        plan_.fail(world_.path(ref) + " lives and does not answer");
    }
  }

  void check_after_the_end() {
    if (plan_.instances != 0) plan_.fail("instances constructed and not destroyed");
    const actor::Fates fates = world_.system().fates();
    if (fates.sent != fates.ended()) {
      plan_.fail("messages: " + std::to_string(fates.sent) + " sent, " +
                 std::to_string(fates.ended()) + " accounted for");
    }
    if (const std::size_t lost = world_.system().blocks_in_use())
      plan_.fail(std::to_string(lost) + " envelopes leaked");
    if (world_.simulator().timers().size() != 0) plan_.fail("timers outlive the system");
  }

  const actor::NodeSpec user_;
  Plan plan_;
  World world_;
};

}  // namespace

Outcome play(std::uint64_t seed, bool is_traced) { return Play(seed, is_traced).run(); }

bool Plan::may_spawn() const { return refs.size() < actors_max; }

}  // namespace actord::swarm
