// SPDX-License-Identifier: Apache-2.0
#include "sim/companion_actors.hpp"

#include <actord/backoff_supervisor.hpp>

#include <algorithm>

#include "sim/companion_ledger.hpp"

namespace actord::sim::companions {

namespace {

constexpr std::uint32_t fuel_max = 3;
constexpr milliseconds attempt_timeout{4};  // of a retry

Strategy strategy_of_plan(const StrategyPlan& plan) {
  const Budget limit{.max_restarts = plan.max_restarts,
                     .within = plan.max_restarts < 0 ? milliseconds{-1} : milliseconds{20}};
  Strategy strategy = plan.is_all_for_one ? all_for_one(limit) : one_for_one(limit);
  strategy = std::move(strategy).otherwise(plan.otherwise).silent();
  if (!plan.backs_off) return strategy;
  return std::move(strategy).backoff({.min = milliseconds{1}, .max = milliseconds{4}});
}

const StrategyPlan& strategy_plan_of(std::uint32_t member) {
  return witness->scenario.strategies[witness->scenario.members[member].strategy];
}

std::string child_name(std::uint32_t member) { return "m" + std::to_string(member); }

// ---- what the members are made of ---------------------------------------------------------------

std::uint64_t key_of(const Work& work) {
  if (witness->fails(Spot::key)) {
    witness->fates.taken(work.number);  // the router fails on it
    throw Broken("no key");
  }
  return work.detail;
}

RouterOptions with_logic(RouterOptions options, const Member& plan) {
  using Logic = RouterOptions::Logic;
  switch (plan.logic) {
    case Logic::round_robin: return std::move(options).round_robin();
    case Logic::random: return std::move(options).random();
    case Logic::smallest_mailbox: return std::move(options).smallest_mailbox();
    case Logic::balancing: return std::move(options).balancing(plan.credits);
    case Logic::broadcast: return std::move(options).broadcast();
    case Logic::scatter_gather_first:
      return std::move(options).scatter_gather_first(milliseconds{6});
    case Logic::tail_chopping:
      return std::move(options).tail_chopping(milliseconds{6}, milliseconds{2});
    case Logic::consistent_hashing:
      return std::move(options).consistent_hashing(2).hash_by<Work>(&key_of).hash_by<Question>(
          [](const Question& question) { return question.detail; });
  }
  return options;
}

RouterOptions pool_of(std::uint32_t member) {
  const Member& plan = witness->scenario.members[member];
  RouterOptions options = with_logic(pool(plan.size), plan);
  if (!plan.escalates)
    options = std::move(options).strategy(strategy_of_plan(strategy_plan_of(member)));
  if (!plan.resizes) return options;
  return std::move(options).resizer(
      {.lower = 1, .upper = 5, .interval = std::chrono::milliseconds{100}});
}

RouterOptions group_of(std::uint32_t member) {
  const Member& plan = witness->scenario.members[member];
  std::vector<std::string> paths;
  for (const std::uint32_t each : plan.group) paths.push_back(witness->scenario.path_of(each));
  return with_logic(group(std::move(paths)), plan);
}

BackoffOptions supervisor_of(std::uint32_t member) {
  return BackoffOptions::on_stop(milliseconds{1}, milliseconds{8})
      .auto_reset(milliseconds{4})
      .strategy(strategy_of_plan({.otherwise = strategy_plan_of(member).otherwise}));
}

Ref spawn_member(Context& ctx, std::uint32_t member) {
  const std::string name = child_name(member);
  switch (witness->scenario.members[member].role) {
    case Role::plain: return ctx.spawn<Companion>(name, member, Place::planned);
    case Role::pool:
      return ctx.spawn_router<Companion>(name, pool_of(member), member, Place::routee);
    case Role::group: return ctx.spawn_router(name, group_of(member));
    case Role::machine: return ctx.spawn<Machine>(name, member);
    case Role::ledger:
      return ctx.spawn<BackoffSupervisor<Ledger>>(name, supervisor_of(member),
                                                  std::string{"ledger"}, member);
  }
  return {};
}

std::size_t phase_of(std::string_view name) {
  const auto& phases = witness->world->system().shutdown_run().plan().phases();
  return static_cast<std::size_t>(std::ranges::find(phases, name, &system::ShutdownPhase::name) -
                                  phases.begin());
}
const std::string& phase_named(std::size_t index) {
  const auto& phases = witness->world->system().shutdown_run().plan().phases();
  return phases[index % phases.size()].name;
}

void add_task(Context& ctx, std::size_t phase, const std::string& name) {
  on_shutdown(ctx, phase_named(phase), name);
  witness->shutdown.added(ctx.self().value, phase, name);
}

}  // namespace

// ---- what all of them do ------------------------------------------------------------------------

void plant(Context& ctx, std::uint32_t member) {
  const Ref child = spawn_member(ctx, member);
  witness->children.spawned(ctx.self().value, child.value);
  witness->refs[member] = child;
}

Work work_for(std::size_t member, std::uint32_t detail, std::uint32_t fuel) {
  const auto& known = witness->scenario.tasks;
  const auto next = static_cast<std::uint32_t>(mixed(detail, 3, fuel));
  return {witness->fates.sent(witness->scenario.multiplies(member)), known[next % known.size()],
          next, std::min(fuel, fuel_max)};
}

Question question_for(std::size_t member, std::uint32_t detail) {
  return {witness->fates.sent(witness->scenario.multiplies(member)), ++witness->asks,
          static_cast<std::uint32_t>(mixed(detail, 5))};
}

void pass_on(Context& ctx, const Handling& handling, std::size_t to) {
  if (witness->is_calm || witness->fates.moves(handling.number()) >= moves_max) return;
  if (!witness->ref_of(to)) return;
  ctx.forward(witness->ref_of(to));
  witness->fates.moved(handling.number());
  if (witness->scenario.multiplies(to)) witness->fates.multiplied(handling.number());
}

void stash(Context& ctx, const Inhabitant& who, Handling& handling) {
  // What a routee has stashed and takes out again has no credit any more, but takes up room.
  if (who.plan().is_tight) return;
  if (witness->is_calm || witness->fates.moves(handling.number()) >= moves_max) return;
  ctx.stash();
  handling.keep();
}

void watch(Context& ctx, const Inhabitant& who, Ref whom) {
  if (!whom || who.plan().is_tight || whom == ctx.self()) return;
  try {
    ctx.watch(whom);
  } catch (const Error& error) {
    return witness->findings.add(51, std::string{"a watch is refused: "} + error.what());
  }
  witness->watched[ctx.self().value].insert(whom);
}

void unwatch(Context& ctx, Ref whom) {
  ctx.unwatch(whom);
  witness->watched[ctx.self().value].erase(whom);
}

void check_watched(Context& ctx, Ref whom) {
  if (witness->watched[ctx.self().value].erase(whom) == 0)
    witness->findings.add(51, "an actor is told of the end of one that it does not watch");
  witness->fail_at(Spot::tick);
}

void look_at_children(Context& ctx) {
  for (const Ref child : ctx.children())
    witness->children.seen(ctx.self().value, child.value, "children()");
  for (const Child& child : ctx.all_children())
    witness->children.seen(ctx.self().value, child.ref.value, "all_children()");
}

void add_shutdown_task(Context& ctx, std::uint32_t detail) {
  add_task(ctx, detail % 6, "t" + std::to_string(detail / 6 % 3));
}

void add_shutdown_stop(Context& ctx, std::uint32_t detail) {
  const std::size_t whom = witness->chosen(detail / 6), phase = detail % 6;
  if (whom == 0) return;
  stop_on_shutdown(ctx, phase_named(phase), "s" + std::to_string(detail / 6 % 3),
                   witness->ref_of(whom));
  witness->shutdown.added_stop(phase, witness->ref_of(whom).value);
}

void run_shutdown_task(Context& ctx, const ShutdownTask& task) {
  const std::size_t phase = phase_of(task.phase);
  witness->saw("task", phase);
  witness->shutdown.ran(ctx.self().value, phase, task.name);
  // The same task again changes nothing, and later ones are in time.
  add_task(ctx, phase, task.name);
  if (phase + 1 < 6 && task.name != "later") add_task(ctx, phase + 1, "later");
  witness->fail_at(Spot::task);
  if (witness->fails(Spot::handler_end)) return ctx.stop_self();
  if (witness->fails(Spot::handler)) return ctx.reply_failure<Broken>("not done");
  ctx.reply(ShutdownTaskDone{});
}

void audited(const Inhabitant& who, const Audit& audit) {
  witness->audited[who.self] = audit.round;
}

// ---- the plain actor ----------------------------------------------------------------------------

Companion::Companion(Context& ctx, std::uint32_t member_, Place place)
    : Inhabitant(ctx, member_, place != Place::extra),
      place_(place),
      breaker_("breaker", {.max_failures = 2,
                           .call_timeout = milliseconds{4},
                           .reset_timeout = milliseconds{8},
                           .max_reset_timeout = milliseconds{30}}) {
  const auto observe = [](Context&) { witness->fail_at(Spot::observer); };
  breaker_.on_open(observe);
  breaker_.on_half_open(observe);
  breaker_.on_close(observe);
  if (member != 0) witness->fail_at(Spot::constructor);
}

Strategy Companion::strategy_of(std::uint32_t member, Place /*place*/) {
  return strategy_of_plan(strategy_plan_of(member));
}

void Companion::pre_start(Context& ctx) {
  if (place_ != Place::planned) return witness->fail_at(Spot::pre_start);
  spawn_missing(ctx);
  if (member != 0) witness->fail_at(Spot::pre_start);
}

void Companion::spawn_missing(Context& ctx) {
  for (std::uint32_t i = member + 1; i < witness->scenario.members.size(); ++i)
    if (witness->scenario.members[i].parent == static_cast<std::int32_t>(member) &&
        !ctx.child(child_name(i)))
      plant(ctx, i);
}

void Companion::pre_restart(Context& ctx, const Failure& reason) {
  if (!plan().keeps_children || place_ != Place::planned) Actor::pre_restart(ctx, reason);
  witness->fail_at(Spot::pre_restart);
}

void Companion::post_restart(Context& ctx, const Failure& reason) {
  Actor::post_restart(ctx, reason);
  if (member != 0) witness->fail_at(Spot::post_restart);
}

void Companion::post_stop(Context& /*ctx*/) { witness->fail_at(Spot::post_stop); }

Directive Companion::decide(Context& ctx, const Failure& /*failure*/) {
  witness->saw("decides", member);
  witness->children.seen(self, ctx.sender().value, "decide()");
  witness->fail_at(Spot::decide);
  return Directive::undecided;
}

void Companion::child_terminated(Context& ctx, Ref child) {
  witness->saw("child ended", member);
  witness->children.ended(self, child.value);
  look_at_children(ctx);
  witness->fail_at(Spot::child_terminated);
  const auto found = std::ranges::find(witness->refs, child);
  if (!plan().respawns || found == witness->refs.end()) return;
  try {
    companions::plant(ctx, static_cast<std::uint32_t>(found - witness->refs.begin()));
  } catch (const Error&) {
    // It is stopping itself.
  }
}

void Companion::work(Context& ctx, const Work& order) {
  Handling handling(ctx, *this, order.number, name_of(order.task));
  witness->fail_at(Spot::handler);
  if (!perform(*this, ctx, order, handling)) perform_own(ctx, order);
  if (!witness->fails(Spot::handler_end)) return;
  if (order.detail % 2 == 0) ctx.fail<Broken>("reported");
  else throw Broken("at the end");
}

void Companion::perform_own(Context& ctx, const Work& order) {
  if (plan().is_tight) return;
  const std::size_t other = witness->chosen(mixed(order.detail, 7));
  const milliseconds time{1 + order.detail % 8};
  // How often a helper or a breaker asks is not known, so that these questions are not followed.
  const Question question{0, ++witness->asks, static_cast<std::uint32_t>(mixed(order.detail, 5))};
  const RetryOptions retries{
      .attempts = 1 + order.detail % 3, .delay = milliseconds{1}, .max_delay = milliseconds{3}};
  const auto is_worthwhile = [](const Failure&) {
    witness->fail_at(Spot::is_worthwhile);
    return true;
  };
  const auto blocking_work = [ask = question.ask] {
    witness->fail_at(Spot::work);
    return Answer{ask};
  };
  switch (order.task) {
    case Task::retry_ask:
      retry_ask<&Companion::retried>(ctx, witness->ref_of(other), question, attempt_timeout,
                                     retries, is_worthwhile);
      return asks.begun(question.ask);
    case Task::pipe:
      ctx.pipe<&Companion::piped>(blocking_work, time);
      return asks.begun(question.ask);
    case Task::retry_pipe:
      retry_pipe<&Companion::piped>(ctx, blocking_work, time, retries, is_worthwhile);
      return asks.begun(question.ask);
    case Task::breaker_ask:
      ask_through<&Companion::breaker_, &Companion::answered>(*this, ctx, witness->ref_of(other),
                                                              question, time);
      return asks.begun(question.ask);
    case Task::breaker_call: return call_breaker(ctx);
    case Task::ask_routees:
      ctx.ask<&Companion::routees_told>(witness->ref_of(other), GetRoutees{}, time);
      return asks.begun();
    case Task::subscribe:
      return ctx.tell(witness->ref_of(witness->another(Role::machine, member, order.detail)),
                      SubscribeTransitions{});
    case Task::spawn:
      if (place_ == Place::extra || ctx.children().size() > 6) return;
      return witness->children.spawned(self, ctx.spawn<Companion>({}, member, Place::extra).value);
    case Task::stop_child:
      if (const auto all = ctx.children(); !all.empty()) ctx.stop(all[order.detail % all.size()]);
      return;
    case Task::timer: return ctx.start_timer("tick", time, Tick{});
    case Task::stop_self:
      if (member != 0) ctx.stop_self();
      return;
    default: return;
  }
}

// The helper of a retry ends before the ask of its actor does, which is longer than all attempts.
void Companion::retried(Context& /*ctx*/, const Reply<Answer>& reply) {
  if (!reply && witness->scenario.is_prompt() && reply.failure().is<AskTimeout>() &&
      reply.failure().detail_as<std::chrono::nanoseconds>("timeout") > 2 * attempt_timeout)
    witness->findings.add(56, name() + " waits in vain for the helper of a retry");
  end_ask(*this, reply);
}

// The work takes no time.
void Companion::piped(Context& /*ctx*/, const Reply<Answer>& reply) {
  if (!reply && witness->scenario.is_prompt() && reply.failure().is<AskTimeout>())
    witness->findings.add(56, name() + " waits in vain for the helper of a pipe");
  end_ask(*this, reply);
}

void Companion::call_breaker(Context& ctx) try {
  breaker_.call(ctx, [] { witness->fail_at(Spot::reply); });
} catch (const CircuitBreakerOpen&) {
  // As most callers do.
}

void Companion::question(Context& ctx, const Question& question) {
  Handling handling(ctx, *this, question.number, "question");
  witness->fail_at(Spot::handler);
  const std::uint32_t way = witness->is_calm || plan().is_tight ? 0 : question.detail % 8;
  if (way < 3) ctx.reply(Answer{question.ask});
  else if (way == 3) ctx.reply_failure<Broken>("no");
  else if (way == 4) {
    put_off_.emplace_back(ctx.sender(), question.ask);
    ctx.start_timer("later", milliseconds{1}, Later{});
  } else if (way == 5) {
    pass_on(ctx, handling, witness->chosen(question.detail / 8));
  } else if (way == 6) {
    stash(ctx, *this, handling);
  }
  witness->fail_at(Spot::handler_end);
}

void Companion::later(Context& ctx, const Later&) {
  for (const auto& [who, ask] : std::exchange(put_off_, {})) ctx.tell(who, Answer{ask});
  witness->fail_at(Spot::tick);
}

// A breaker that is not closed is tried until it is.
void Companion::audit(Context& ctx, const Audit& audit) {
  look_at_children(ctx);
  companions::audited(*this, audit);
  if (breaker_.state(ctx) == CircuitBreaker::State::closed) return;
  const Question question{0, ++witness->asks, 0};
  ask_through<&Companion::breaker_, &Companion::answered>(*this, ctx, ctx.self(), question,
                                                          milliseconds{4});
  asks.begun(question.ask);
}

bool Companion::is_good_subscriber() const {
  return plan().capacity == 0 && plan().attempts == 0 && !plan().is_ordered;
}

void Companion::current_state(const CurrentState& now) {
  if (is_good_subscriber()) witness->transitions.is_in(now.machine.value, self, now.state);
}

void Companion::transition(const Transition& change) {
  if (is_good_subscriber())
    witness->transitions.goes(change.machine.value, self, change.from, change.to);
  witness->fail_at(Spot::tick);
}

void Companion::check_rest() {
  Inhabitant::check_rest();
  if (!put_off_.empty()) witness->findings.add(50, name() + " has put off an answer for ever");
}

// ---- the state machine --------------------------------------------------------------------------

Machine::Machine(Context& ctx, std::uint32_t member_)
    : StateMachine(Mood::idle), Inhabitant(ctx, member_) {
  witness->fail_at(Spot::constructor);
  state_timeout(Mood::shut, milliseconds{3});
}

void Machine::pre_start(Context& ctx) {
  StateMachine::pre_start(ctx);
  witness->fail_at(Spot::pre_start);
}

void Machine::on_transition(Context& /*ctx*/, Mood from, Mood /*to*/) {
  if (from != state()) witness->findings.add(55, name() + " leaves a state that it is not in");
  witness->fail_at(Spot::transition);
}

void Machine::check_data() const {
  if (data().of != state()) witness->findings.add(55, name() + " has the data of another state");
}

Machine::Next Machine::work(Context& ctx, const Work& order) {
  Handling handling(ctx, *this, order.number, name_of(order.task));
  check_data();
  witness->fail_at(Spot::handler);
  const bool is_done = perform(*this, ctx, order, handling);
  witness->fail_at(Spot::handler_end);
  if (is_done) return stay();
  const auto mood = static_cast<Mood>(order.detail % 3);
  if (order.task == Task::go) return to(mood);
  if (order.task == Task::go_for_a_while)
    return to(mood).for_max(milliseconds{1 + order.detail % 4});
  if (order.task == Task::end) return stop();
  return stay();
}

Machine::Next Machine::answer(Context& ctx, const Question& question) {
  Handling handling(ctx, *this, question.number, "question");
  check_data();
  witness->fail_at(Spot::handler);
  if (!witness->is_calm && question.detail % 4 == 3) return to(Mood::busy);
  return stay().replying(Answer{question.ask});
}

void Machine::audit(const Audit& audit) {
  check_data();
  for (const Ref subscriber : subscribers())
    if (!witness->world->is_alive(subscriber.value))
      witness->findings.add(55, name() + " has a subscriber that has ended");
  companions::audited(*this, audit);
}

}  // namespace actord::sim::companions
