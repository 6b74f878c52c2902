// SPDX-License-Identifier: Apache-2.0
#include "swarm_actor.hpp"

namespace actord::swarm {

using namespace std::chrono_literals;

namespace {
constexpr std::uint64_t acts_max = 400;  // of a seed: the talk must come to an end
}

Node::Node(Context& ctx, Plan* plan, int depth) : plan_(*plan), depth_(depth) {
  plan_.saw("construct", ctx.self().value);
  maybe_throw(4, "constructor");
  ++plan_.instances;
}

void Node::throw_something(std::uint64_t which, const char* where) {
  switch (which % 5) {
    case 0: throw Restarting(where);
    case 1: throw Resuming(where);
    case 2: throw Stopping(where);
    case 3: throw Escalating(where);
    default: throw 42;
  }
}

void Node::maybe_throw(unsigned percent, const char* where) {
  if (plan_.strikes(percent)) throw_something(plan_.random.next(), where);
}

void Node::must_run(Context& ctx, const char* what) {
  plan_.saw(what, ctx.self().value);
  if (life_ != Life::running) plan_.fail(std::string{what} + " in an instance that is not running");
}

// Judges by name, so that a failure of a creation too is treated as its cause asks.
Directive Node::decide(Context& ctx, const Failure& failure) {
  plan_.saw("decide", ctx.self().value);
  maybe_throw(2, "decide");
  const Failure root = failure.cause() ? *failure.cause() : failure;
  if (root.is<Restarting>()) return Directive::restart;
  if (root.is<Resuming>()) return Directive::resume;
  if (root.is<Stopping>()) return Directive::stop;
  if (root.is<Escalating>()) return depth_ > 0 ? Directive::escalate : Directive::stop;
  return Directive::undecided;
}

void Node::pre_start(Context& ctx) {
  plan_.saw("pre_start", ctx.self().value);
  if (life_ != Life::constructed) plan_.fail("pre_start on an instance that has begun");
  maybe_throw(4, "pre_start");
  life_ = Life::running;
  if (plan_.strikes(40)) spawn_child(ctx);
}

void Node::pre_restart(Context& ctx, const Failure& reason) {
  plan_.saw("pre_restart", ctx.self().value);
  if (life_ == Life::restarting || life_ == Life::stopped)
    plan_.fail("pre_restart twice for one instance");
  life_ = Life::restarting;
  maybe_throw(5, "pre_restart");
  if (plan_.random.below(2) == 0) {
    for (const Ref child : ctx.children()) plan_.watching[ctx.self().value].erase(child.value);
    Actor::pre_restart(ctx, reason);
  } else if (const auto children = ctx.children();
             !children.empty() && plan_.random.below(2) == 0) {
    ctx.stop(children[plan_.random.below(children.size())]);
  }
}

void Node::post_restart(Context& ctx, const Failure& reason) {
  plan_.saw("post_restart", ctx.self().value);
  maybe_throw(8, "post_restart");
  Actor::post_restart(ctx, reason);
}

void Node::post_stop(Context& ctx) {
  plan_.saw("post_stop", ctx.self().value);
  if (life_ == Life::stopped) plan_.fail("post_stop twice for one instance");
  life_ = Life::stopped;
  maybe_throw(5, "post_stop");
}

void Node::child_terminated(Context& ctx, Ref child) {
  plan_.saw("child_terminated", child.value);
  static_cast<void>(ctx);
  maybe_throw(1, "child_terminated");
}

void Node::spawn_child(Context& ctx) {
  if (!plan_.may_spawn() || depth_ >= 5) return;
  plan_.refs.push_back(ctx.spawn<Node>("", &plan_, depth_ + 1).value);
}

void Node::ping(Context& ctx, const Ping&) {
  must_run(ctx, "ping");
  plan_.answered.insert(ctx.self().value);
}

void Node::tick(Context& ctx, const Tick&) {
  must_run(ctx, "tick");
  maybe_throw(10, "tick");
}

void Node::terminated(Context& ctx, const Terminated& notice) {
  must_run(ctx, "terminated");
  if (plan_.watching[ctx.self().value].erase(notice.who.value) == 0)
    plan_.fail("Terminated of somebody who is not watched");
}

// In the busy state everything to do is set aside, and now and then taken up again.
void Node::set_aside(Context& ctx, const Act& order) {
  must_run(ctx, "set_aside");
  if (!plan_.is_calm && order.detail % 4 != 0) return ctx.stash();
  ctx.unbecome();
  ctx.unstash_all();
}

void Node::answered(Context& ctx, const Reply<Tick>&) {
  must_run(ctx, "answered");
  maybe_throw(10, "answered");
}

void Node::act(Context& ctx, const Act& order) {
  must_run(ctx, "act");
  if (plan_.is_calm || ++plan_.acts > acts_max) return;
  const auto children = ctx.children();
  const auto somebody = [&] { return Ref{plan_.refs[order.detail * 7 % plan_.refs.size()]}; };
  switch (order.what) {
    case 0:
    case 1:
    case 2:
    case 3: throw_something(order.detail, "act");
    case 4: return ctx.fail<Restarting>("act");
    case 5:
    case 6:
    case 7: return spawn_child(ctx);
    case 8: return ctx.stop_self();
    case 9: return children.empty() ? void() : ctx.stop(children[order.detail % children.size()]);
    case 10: {
      const Ref whom = somebody();
      if (whom == ctx.self()) return;
      plan_.watching[ctx.self().value].insert(whom.value);
      return ctx.watch(whom);
    }
    case 11: {
      const Ref whom = somebody();
      plan_.watching[ctx.self().value].erase(whom.value);
      return ctx.unwatch(whom);
    }
    case 12: return ctx.start_timer("once", std::chrono::milliseconds(order.detail), Tick{});
    case 13:
      return ctx.start_timer("often", 3ms, Tick{}, 5ms), ctx.start_timer("end", 50ms, Act{14, 0});
    case 14: return ctx.cancel_timer("often");
    case 15: return ctx.become<Busy>();
    case 16: return ctx.forward(somebody());
    case 17:
      return ctx.ask<&Node::answered>(somebody(), Ping{},
                                      std::chrono::milliseconds(1 + order.detail));
    case 18: return ctx.tell(somebody(), plan_.next_act());
    default:
      for (const Ref child : children) ctx.tell(child, plan_.next_act());
  }
}

}  // namespace actord::swarm
