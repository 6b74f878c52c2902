// SPDX-License-Identifier: Apache-2.0
//
// The actor of the swarm: does what it is told, fails where it is told to, and watches its own life
// for calls that must not happen.
#pragma once

#include <actord/actord.hpp>

#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "actor/ref.hpp"
#include "base/random.hpp"

namespace actord::swarm {

struct Act {
  std::uint32_t what = 0;
  std::uint32_t detail = 0;
};
struct Ping {};
struct Tick {};
ACTORD_MESSAGE(Act, "swarm.Act/1", what, detail)
ACTORD_MESSAGE(Ping, "swarm.Ping/1")
ACTORD_MESSAGE(Tick, "swarm.Tick/1")

struct Restarting : Error {
  using Error::Error;
};
struct Resuming : Error {
  using Error::Error;
};
struct Stopping : Error {
  using Error::Error;
};
struct Escalating : Error {
  using Error::Error;
};

/// What a seed decides, and what the actors saw. Shared by all of them; one thread.
struct Plan {
  Plan(std::uint64_t seed_, bool is_traced_) : random(seed_), is_traced(is_traced_) {}

  bool may_spawn() const;
  Act next_act() {
    return {static_cast<std::uint32_t>(random.below(20)),
            static_cast<std::uint32_t>(random.below(16))};
  }
  bool strikes(unsigned percent) { return !is_calm && random.below(100) < percent; }
  void fail(const std::string& what) {
    if (violation.empty()) violation = what;
  }
  void saw(std::string_view what, std::uint64_t who) {
    ++events;
    for (const char c : what) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    hash = (hash ^ who) * 0x100000001b3u;
    if (is_traced)
      std::printf("%6llu %016llx %.*s\n", static_cast<unsigned long long>(events),
                  static_cast<unsigned long long>(who), static_cast<int>(what.size()), what.data());
  }

  base::Random random;
  bool is_traced;
  bool is_calm = false;
  std::vector<actor::Ref> refs;
  std::set<actor::Ref> answered;
  std::map<std::uint64_t, std::set<std::uint64_t>> watching;  // outlives incarnations
  std::string violation;
  std::int64_t instances = 0;
  std::uint64_t events = 0;
  std::uint64_t acts = 0;
  std::uint64_t hash = 0xcbf29ce484222325u;
};

class Node : public Actor {
 public:
  Node(Context& ctx, Plan* plan, int depth);
  ~Node() override { --plan_.instances; }

  Directive decide(Context& ctx, const Failure& failure) override;
  void pre_start(Context& ctx) override;
  void pre_restart(Context& ctx, const Failure& reason) override;
  void post_restart(Context& ctx, const Failure& reason) override;
  void post_stop(Context& ctx) override;
  void child_terminated(Context& ctx, Ref child) override;

  void act(Context& ctx, const Act& order);
  void ping(Context& ctx, const Ping&);
  void tick(Context& ctx, const Tick&);
  void terminated(Context& ctx, const Terminated& notice);
  void set_aside(Context& ctx, const Act&);
  void answered(Context& ctx, const Reply<Tick>& reply);

  using Busy = Handlers<&Node::set_aside, &Node::ping, &Node::tick, &Node::terminated>;
  using Receive = Handlers<&Node::act, &Node::ping, &Node::tick, &Node::terminated>;
  using States = actord::States<Busy>;

 private:
  enum class Life { constructed, running, restarting, stopped };

  void must_run(Context& ctx, const char* what);
  void maybe_throw(unsigned percent, const char* where);
  [[noreturn]] void throw_something(std::uint64_t which, const char* where);
  void spawn_child(Context& ctx);

  Plan& plan_;
  const int depth_;
  Life life_ = Life::constructed;
};

}  // namespace actord::swarm
