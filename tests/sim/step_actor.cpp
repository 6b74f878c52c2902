// SPDX-License-Identifier: Apache-2.0
#include "sim/step_actor.hpp"

#include <algorithm>
#include <array>

namespace actord::sim::steps {

using namespace std::chrono_literals;

// ---- the plan -----------------------------------------------------------------------------------

Deed Plan::next_deed(std::uint64_t from, actor::Ref to) {
  constexpr std::array<std::uint32_t, 8> churn{4, 5, 8, 9, 26, 26, 27, 27};
  const auto what = is_churning && random.below(4) != 0
                        ? churn[random.below(churn.size())]
                        : static_cast<std::uint32_t>(random.below(30));
  return {from, to, ++sent_[{from, to}], what, static_cast<std::uint32_t>(random.below(1u << 16))};
}

actor::Ref Plan::random_receiver() {
  if (!lately_.empty() && random.below(2) == 0) return lately_[random.below(lately_.size())];
  if (random.below(8) == 0) return refs[random.below(refs.size())];  // most likely dead
  const std::size_t n = std::min<std::size_t>(refs.size(), 8);
  return refs[refs.size() - 1 - random.below(n)];
}

// Stopping the children unwatches them. For a child that has stopped already this depends on
// whether its parent has handled that, which the plan cannot see: both outcomes are correct.
void Plan::unwatches_children(Context& ctx) {
  const std::vector<Ref> living = ctx.children();
  std::set<actor::Ref>& watched = watching[ctx.self().value];
  for (auto each = watched.begin(); each != watched.end();) {
    const bool is_child = parents[*each] == ctx.self().value;
    if (is_child && std::ranges::find(living, Ref{*each}) == living.end())
      perhaps_watching[ctx.self().value].insert(*each);
    each = is_child ? watched.erase(each) : std::next(each);
  }
}

void Plan::saw(const char* what, std::uint64_t who, std::uint64_t detail) {
  fibers.note(who * 31 + detail);
  fibers.note(static_cast<unsigned char>(what[0]) + 256u * static_cast<unsigned char>(what[1]));
  if (!is_traced) return;
  std::printf("%8llu fiber %-2zu %016llx %s %llu\n",
              static_cast<unsigned long long>(fibers.steps()), fibers.current_id(),
              static_cast<unsigned long long>(who), what, static_cast<unsigned long long>(detail));
}

void Plan::check(const Deed& deed, actor::Ref self, bool is_forwarded) {
  saw("check", deed.from, deed.number);
  if (is_forwarded) return;
  if (deed.to != self) fail(29, "a message reached another tenant of its cell");
  std::uint32_t& seen = seen_[{deed.from, self}];
  if (deed.number <= seen) fail(17, "order of one sender");
  seen = deed.number;
  const auto allowed = last_allowed_.find({deed.from, self});
  if (allowed != last_allowed_.end() && deed.number > allowed->second)
    fail(19, "a message was handled that was sent after the order to stop");
}

void Plan::note_running(actor::Ref whom) {
  if (std::ranges::find(lately_, whom) != lately_.end()) return;
  if (lately_.size() < 5) lately_.push_back(whom);
  else lately_[random.below(lately_.size())] = whom;
}

actor::Ref Plan::random_system_receiver() {
  if (!is_churning || random.below(2) == 0) return random_receiver();
  fibers.nap_after(1 + random.below(12));
  const std::size_t n = std::min<std::size_t>(refs.size(), 12);
  return refs[refs.size() - 1 - random.below(n)];
}

void Plan::stops(std::uint64_t from, actor::Ref whom) {
  last_allowed_.emplace(Pair{from, whom}, sent_[{from, whom}]);
  stopped_.asked(whom);
}

void Plan::check_end(actor::Ref who) {
  const actor::Cell& cell = cells->at(actor::index_of(who));
  if (cell.life.stage() != actor::Stage::terminating) return;  // it ends by its restart
  if (!stopped_.may_end(who, cell.stop_reason))
    fail(10, "an actor is stopped by an order that it was not given");
}

// ---- the actor ----------------------------------------------------------------------------------

/// A call under way, with a point at which other fibers can run.
class Stepper::Visit {
 public:
  Visit(Plan& plan, actor::Ref who) : plan_(plan), who_(who) {
    if (++plan_.inside[who_] != 1) plan_.fail(1, "two workers run one cell");
    base::sim_point();
  }
  ~Visit() { --plan_.inside[who_]; }
  Visit(const Visit&) = delete;

 private:
  Plan& plan_;
  const actor::Ref who_;
};

Stepper::Stepper(Context& ctx, Plan* plan, int depth) : plan_(*plan), depth_(depth) {
  plan_.saw("construct", ctx.self().value);
  const Visit visit(plan_, ctx.self().value);
  if (!plan_.is_calm && plan_.random.below(24) == 0)
    fail_as(static_cast<std::uint32_t>(plan_.random.below(16)));
  ++plan_.instances;
}

void Stepper::fail_as(std::uint32_t how) {
  switch (how % 16) {
    case 0: throw Stopping("step");
    case 1:
    case 2: throw Escalating("step");
    case 3:
    case 4:
    case 5:
    case 6:
    case 7: throw Resuming("step");
    default: throw Restarting("step");
  }
}

void Stepper::pre_start(Context& ctx) {
  const Visit visit(plan_, ctx.self().value);
  plan_.saw("pre_start", ctx.self().value);
  if (life_ != Life::constructed) plan_.fail(11, "pre_start on an instance that has begun");
  life_ = Life::running;
  if (plan_.random.below(3) == 0) spawn_child(ctx);
}

void Stepper::post_stop(Context& ctx) {
  const Visit visit(plan_, ctx.self().value);
  plan_.saw("post_stop", ctx.self().value);
  if (life_ == Life::ended) plan_.fail(12, "post_stop twice for one instance");
  life_ = Life::ended;
  plan_.check_end(ctx.self().value);
}

void Stepper::pre_restart(Context& ctx, const actord::Failure& reason) {
  plan_.saw("pre_restart", ctx.self().value);
  if (life_ == Life::ended) plan_.fail(12, "pre_restart of an instance that has ended");
  if (plan_.random.below(3) == 0) {  // the children survive
    const Visit visit(plan_, ctx.self().value);
    life_ = Life::ended;
    return;
  }
  plan_.unwatches_children(ctx);
  Actor::pre_restart(ctx, reason);
}

Directive Stepper::decide(Context& ctx, const actord::Failure& failure) {
  const Visit visit(plan_, ctx.self().value);
  plan_.saw("decide", ctx.self().value, ctx.sender().value);
  const actord::Failure root = failure.cause() ? *failure.cause() : failure;
  if (root.is<Restarting>()) return Directive::restart;
  if (root.is<Stopping>()) return Directive::stop;
  if (root.is<Resuming>() || root.is<Escalating>()) {
    plan_.resumed.insert(ctx.sender().value);
    if (root.is<Resuming>()) return Directive::resume;
    return depth_ > 0 ? Directive::escalate : Directive::restart;
  }
  return Directive::undecided;
}

void Stepper::must_run(Context& ctx, const char* what) {
  plan_.saw(what, ctx.self().value);
  plan_.note_running(ctx.self().value);
  if (life_ != Life::running)
    plan_.fail(11, std::string{what} + " in an instance that is not running");
  if (!has_failed_) return;
  if (plan_.resumed.erase(ctx.self().value) == 0)
    plan_.fail(5, std::string{what} + " between a failure and the verdict");
  has_failed_ = false;
}

void Stepper::spawn_child(Context& ctx) {
  if (plan_.is_calm || !plan_.may_spawn() || depth_ >= 3 || ctx.children().size() >= 3) return;
  Ref child;
  switch (plan_.random.below(3)) {
    case 0: child = ctx.spawn<Linked>("", &plan_, depth_ + 1); break;
    case 1: child = ctx.spawn<Patient>("", &plan_, depth_ + 1); break;
    default:
      child = plan_.random.below(3) == 0
                  ? ctx.spawn_on<Stepper>("", "blocking-io", &plan_, depth_ + 1)
                  : ctx.spawn<Stepper>("", &plan_, depth_ + 1);
  }
  plan_.refs.push_back(child.value);
  plan_.parents[child.value] = ctx.self().value;
}

void Stepper::send_deed(Context& ctx, actor::Ref to) {
  ctx.tell(Ref{to}, plan_.next_deed(ctx.self().value, to));
}

// Answers by reply(), by a message to the sender, by both, or passes the question on.
void Stepper::question(Context& ctx, const Question& question) {
  const Visit visit(plan_, ctx.self().value);
  must_run(ctx, "question");
  const std::uint64_t way = plan_.random.below(8);
  if (way < 5) ctx.reply(Answer{});
  if (way == 4 || way == 5) ctx.tell(ctx.sender(), Answer{});
  if (way == 6) ctx.tell(Ref{plan_.random_receiver()}, question, ctx.sender());
}

void Stepper::beat(Context& ctx, const Beat&) {
  const Visit visit(plan_, ctx.self().value);
  must_run(ctx, "beat");
  if (plan_.is_calm || plan_.random.below(4) == 0) ctx.cancel_timer("often");
}

void Stepper::answered(Context& ctx, const Reply<Answer>&) {
  const Visit visit(plan_, ctx.self().value);
  must_run(ctx, "answered");
}

void Stepper::gone(Context& ctx, const Reply<Terminated>&) {
  const Visit visit(plan_, ctx.self().value);
  must_run(ctx, "gone");
}

void Stepper::terminated(Context& ctx, const Terminated& notice) {
  const Visit visit(plan_, ctx.self().value);
  must_run(ctx, "terminated");
  if (plan_.watching[ctx.self().value].erase(notice.who.value) == 0 &&
      plan_.perhaps_watching[ctx.self().value].erase(notice.who.value) == 0)
    plan_.fail(22, "Terminated twice, or of somebody who is not watched");
}

// In the busy state the actor stashes its deeds, and now and then unstashes them.
void Stepper::set_aside(Context& ctx, const Deed& deed) {
  const Visit visit(plan_, ctx.self().value);
  must_run(ctx, "set_aside");
  if (!plan_.is_calm && deed.detail % 4 != 0) return ctx.stash();
  ctx.unbecome();
  ctx.unstash_all();
}

void Stepper::obey(Context& ctx, const Deed& deed) {
  const Visit visit(plan_, ctx.self().value);
  must_run(ctx, "deed");
  plan_.check(deed, ctx.self().value, deed.to != ctx.self().value && deed.what == 14);
  if (!plan_.is_calm) do_deed(ctx, deed);
}

void Stepper::do_deed(Context& ctx, const Deed& deed) {
  const actor::Ref self = ctx.self().value;
  const auto children = ctx.children();
  switch (deed.what) {
    case 0:
    case 1:
    case 2: has_failed_ = true; fail_as(deed.detail);
    case 3: has_failed_ = true; return ctx.fail<Restarting>("step");
    case 4:
    case 5:
    case 6: return spawn_child(ctx);
    case 7:
      if (plan_.random.below(2) == 0) {
        plan_.stops(self, self);
        return ctx.stop_self();
      }
      [[fallthrough]];
    case 8:
    case 25:
    case 26:
    case 27: return do_stopping_deed(ctx, deed, children);
    case 9:
    case 10: {
      const actor::Ref whom = plan_.random_system_receiver();
      if (whom == self) return;
      plan_.saw("watches", self, whom);
      plan_.watching[self].insert(whom);
      return ctx.watch(Ref{whom});
    }
    case 11: {
      const actor::Ref whom = plan_.random_receiver();
      plan_.watching[self].erase(whom);
      return ctx.unwatch(Ref{whom});
    }
    case 12:
      return ctx.start_timer("often", std::chrono::microseconds(deed.detail % 64), Beat{}, 1ms);
    case 13: return ctx.start_timer("once", std::chrono::microseconds(deed.detail % 256), Beat{});
    case 16: return ctx.become<Busy>();
    case 17: return ctx.cancel_timer("often");
    default: return do_sending_deed(ctx, deed, children);
  }
}

void Stepper::do_stopping_deed(Context& ctx, const Deed& deed, const std::vector<Ref>& children) {
  const actor::Ref self = ctx.self().value;
  if (deed.what == 26) {
    const actor::Ref whom = plan_.random_system_receiver();
    plan_.stops(self, whom);
    return ctx.stop(Ref{whom});
  }
  if (!children.empty()) {
    const Ref child = children[deed.detail % children.size()];
    plan_.stops(self, child.value);
    if (deed.what == 25)
      return ctx.graceful_stop<&Stepper::gone>(child,
                                               std::chrono::microseconds(deed.detail % 1024));
    ctx.stop(child);
    // arrives after the stop: must not be handled
    if (deed.what != 27) send_deed(ctx, child.value);
  }
  if (deed.what == 27) spawn_child(ctx);  // in the place of that child
}

void Stepper::do_sending_deed(Context& ctx, const Deed& deed, const std::vector<Ref>& children) {
  const actor::Ref self = ctx.self().value;
  switch (deed.what) {
    case 14: {
      const actor::Ref whom = plan_.random_receiver();
      if (deed.to == self && whom != self) ctx.forward(Ref{whom});
      return;
    }
    case 15:
      return ctx.ask<&Stepper::answered>(Ref{plan_.random_receiver()}, Question{},
                                         std::chrono::microseconds(1 + deed.detail % 1024));
    case 18:
    case 19:
    case 20: return send_deed(ctx, plan_.random_receiver());
    case 21: {  // enough to be collected in packets: some for one receiver, fewer for another
      const actor::Ref whom = plan_.random_receiver(), other = plan_.random_receiver();
      for (std::uint32_t i = 0; i < 2 + deed.detail % 6; ++i)
        send_deed(ctx, i % 3 == 1 ? other : whom);
      return;
    }
    case 22:
      for (const Ref child : children) send_deed(ctx, child.value);
      return;
    case 23: return ctx.tell(Ref{plan_.random_receiver()}, PoisonPill{});
    case 24:
      return ctx.pipe<&Stepper::answered>(
          [plan = &plan_] {
            base::sim_point();
            if (plan->random.below(4) == 0) throw Stopping("work");
            return Answer{};
          },
          std::chrono::microseconds(1 + deed.detail % 1024));
    default: break;  // only received
  }
}

}  // namespace actord::sim::steps
