// SPDX-License-Identifier: Apache-2.0
#include "soak/soak_actors.hpp"

#include <algorithm>

namespace actord::soak {

using namespace std::chrono_literals;

namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr std::size_t hands_of_a_foreman = 4;
constexpr int jobs_per_pulse = 24, transients_per_pulse = 4, flood = 40;

enum What : std::uint32_t {
  easy,
  broken,
  reported,
  harmless,
  hopeless,
  too_much,
  busy,
  timed,
  kinds
};

// One job in 12 is not easy, and one in 500 of those is too much for the foreman.
Job any_job(Context& ctx) {
  const std::uint64_t chance = ctx.random();
  if (chance % 12 != 0) return {easy};
  if (chance / 12 % 500 == 0) return {too_much};
  if (chance / 12 % 50 == 0) return {hopeless};
  constexpr What often[] = {broken, broken, reported, harmless, busy, timed};
  return {often[chance / 6'000 % std::size(often)]};
}

}  // namespace

// ---- all ----------------------------------------------------------------------------------------

Counted::Counted(Tally* tally) : tally_(*tally) { tally_.instances.fetch_add(1, relaxed); }

Counted::~Counted() { tally_.instances.fetch_sub(1, relaxed); }

void Counted::post_restart(Context& ctx, const Failure& reason) {
  tally_.restarts.fetch_add(1, relaxed);
  Actor::post_restart(ctx, reason);
}

// ---- hands --------------------------------------------------------------------------------------

void Hand::work(Context& ctx, const Job& job) {
  count();
  switch (job.what) {
    case broken: throw Broken("broken");
    case reported: return ctx.fail<Broken>("broken");
    case harmless: tally_.resumes.fetch_add(1, relaxed); throw Harmless("harmless");
    case hopeless: throw Hopeless("hopeless");
    case too_much: tally_.escalations.fetch_add(1, relaxed); throw TooMuch("too much");
    case busy: ctx.become<Busy>(); return ctx.start_timer("wake", 1ms, Wake{});
    case timed:
      ctx.start_timer("beat", 500us, Wake{}, 500us);
      return ctx.start_timer("never", 1s, Wake{});
    default: break;  // done
  }
}

void Hand::set_aside(Context& ctx, const Job&) {
  count();
  ctx.stash();
}

void Hand::wake(Context& ctx, const Wake&) {
  count();
  tally_.beats.fetch_add(1, relaxed);
  ctx.unbecome();
  ctx.unstash_all();
  if (ctx.random() % 4 == 0) {
    ctx.cancel_timer("beat");
    ctx.cancel_timer("never");
  }
}

Answer Hand::answer(Context& ctx, const Question&) {
  count();
  if (ctx.random() % 16 == 0) throw Broken("no answer");
  return {};
}

void Transient::work(Context& ctx, const Job&) {
  count();
  tally_.ends.fetch_add(1, relaxed);
  ctx.stop_self();
}

// ---- foremen ------------------------------------------------------------------------------------

Strategy Foreman::supervision() {
  return one_for_one()
      .on<Broken>(Directive::restart)
      .on<Harmless>(Directive::resume)
      .on<Hopeless>(Directive::stop)
      .otherwise(Directive::escalate)
      .silent();
}

Strategy PatientForeman::supervision() {
  return Foreman::supervision().backoff({.min = 1ms, .max = 8ms, .capacity = 8});
}

Ref Foreman::hire(Context& ctx, std::string_view name) {
  tally_.spawns.fetch_add(1, relaxed);
  return ctx.spawn<Hand>(name, &tally_);
}

void Foreman::pre_start(Context& ctx) {
  for (std::size_t i = 0; i < hands_of_a_foreman; ++i) hands_.push_back(hire(ctx, ""));
  bounded_ = hire(ctx, "bounded");
  ctx.start_timer("pulse", 2ms, Pulse{}, 2ms);
}

void Foreman::child_terminated(Context& ctx, Ref child) {
  const auto hand = std::ranges::find(hands_, child);
  if (hand != hands_.end()) *hand = hire(ctx, "");
  else if (child == bounded_) bounded_ = hire(ctx, "bounded");
}

void Foreman::pulse(Context& ctx, const Pulse&) {
  count();
  for (int i = 0; i < jobs_per_pulse; ++i)
    ctx.tell(hands_[static_cast<std::size_t>(i) % hands_.size()], any_job(ctx));
  for (int i = 0; i < flood; ++i) ctx.tell(bounded_, Job{easy});
  for (int i = 0; i < transients_per_pulse; ++i) {
    tally_.spawns.fetch_add(1, relaxed);
    const Ref one = ctx.spawn<Transient>("", &tally_);
    if (i % 2 == 0) ctx.watch(one);
    if (i == 1) ctx.tell(ctx.parent(), WatchRequest{one.value});
    if (i == 3) ctx.stop(one);
    ctx.tell(one, Job{});
  }
  ctx.ask<&Foreman::answered>(hands_[ctx.random() % hands_.size()], Question{}, 20ms);
}

void Foreman::watch_request(Context& ctx, const WatchRequest& at) {
  count();
  ctx.watch(Ref{at.whom});
  if (ctx.random() % 4 == 0) ctx.unwatch(Ref{at.whom});
}

void Foreman::terminated(Context&, const Terminated&) {
  count();
  tally_.watched_ends.fetch_add(1, relaxed);
}

void Foreman::answered(Context&, const Reply<Answer>& reply) {
  count();
  (reply ? tally_.answers : tally_.no_answers).fetch_add(1, relaxed);
}

// ---- the boss -----------------------------------------------------------------------------------

Strategy Boss::supervision() { return one_for_one().otherwise(Directive::restart).silent(); }

void Boss::pre_start(Context& ctx) {
  for (std::uint32_t i = 0; i < foremen_; ++i) {
    const std::string name = "foreman-" + std::to_string(i);
    tally_.spawns.fetch_add(1, relaxed);
    if (i % 4 == 3) ctx.spawn<PatientForeman>(name, &tally_);
    else ctx.spawn<Foreman>(name, &tally_);
  }
}

// Has a random foreman watch the actor that is named in the message.
void Boss::watch_request(Context& ctx, const WatchRequest& at) {
  count();
  const std::vector<Ref> foremen = ctx.children();
  if (!foremen.empty()) ctx.tell(foremen[ctx.random() % foremen.size()], at);
}

}  // namespace actord::soak
