// SPDX-License-Identifier: Apache-2.0
#include "sim/swarm_actor.hpp"

#include "actor/child_list.hpp"

#include <algorithm>
#include <utility>

namespace actord::sim {

using namespace std::chrono_literals;
using Timer = IncarnationCheck::Timer;
using State = IncarnationCheck::State;

// ---- messages and causes ------------------------------------------------------------------------

Parcel::Parcel(Witness& by, std::uint32_t number_)
    : witness(reinterpret_cast<std::uint64_t>(&by)), number(number_) {
  ++by.payloads;
}

Parcel::Parcel(const Parcel& other) {
  if (other.witness == 0) return;
  Witness& by = *reinterpret_cast<Witness*>(other.witness);
  if (by.strikes(Spot::copy, by.copy_target)) throw Soft("a copy that fails");
  if (other.number != 0 && by.copy_target != 0) number = by.mail.sent(0, by.copy_target, true);
  witness = other.witness;
  ++by.payloads;
}

Parcel::Parcel(Parcel&& other) noexcept
    : witness(std::exchange(other.witness, 0)), number(std::exchange(other.number, 0)) {}

Parcel& Parcel::operator=(Parcel&& other) noexcept {
  std::swap(witness, other.witness);
  std::swap(number, other.number);
  return *this;
}

Parcel::~Parcel() {
  if (witness == 0) return;
  Witness& by = *reinterpret_cast<Witness*>(witness);
  --by.payloads;
  if (number != 0) by.mail.destroyed(number);
}

namespace {

Cause plain_cause(const Failure& failure) {
  if (failure.is_foreign()) return Cause::foreign;
  if (failure.is<Hard>()) return Cause::hard;
  if (failure.is<Soft>()) return Cause::soft;
  if (failure.is<Flaw>()) return Cause::flaw;
  if (failure.is<Killed>()) return Cause::killed;
  if (failure.is<DeathPact>()) return Cause::death_pact;
  return Cause::odd;
}

}  // namespace

ObservedFailure observed(const Failure& failure) {
  using Wrapped = ObservedFailure::Wrapped;
  const Wrapped wrapped = failure.is<PostRestartFailure>()      ? Wrapped::post_restart
                          : failure.is<InitializationFailure>() ? Wrapped::initialization
                                                                : Wrapped::no;
  return {plain_cause(wrapped == Wrapped::no ? failure : failure.root_cause()), wrapped};
}

// ---- life ---------------------------------------------------------------------------------------

SwarmActor::SwarmActor(Context& ctx, Witness* witness, Id id)
    : witness_(*witness), id_(id), own_(witness->findings, id, ++witness->constructions[id]) {
  witness_.saw("construct", id_, own_.incarnation());
  witness_.model.construct(id_, ctx.now().count());
  const std::optional<PlannedFailure> planned = mishap(ctx, Spot::constructor);
  if (planned && planned->throws) fail_as_planned(ctx, *planned);
  witness_.model.constructed(id_);
  witness_.instances[id_] = this;
  if (planned) fail_as_planned(ctx, *planned);
}

SwarmActor::SwarmActor(Context& ctx, Witness* witness, const NodePlan* node)
    : SwarmActor(ctx, witness, witness->begins_from(ctx.self().value, *node)) {}

SwarmActor::~SwarmActor() {
  witness_.saw("destroy", id_, own_.incarnation());
  witness_.configs.check_kept(id_);
  witness_.model.destroyed(id_);
  witness_.instances[id_] = nullptr;
}

void SwarmActor::pre_start(Context& ctx) {
  witness_.saw("pre_start", id_);
  witness_.model.pre_start(id_);
  start(ctx);
  fail_if_planned(ctx, Spot::pre_start);
  if (!ctx.has_failed()) witness_.model.started(id_);
}

// Spawns the planned children that do not exist yet.
void SwarmActor::start(Context& ctx) {
  if (!witness_.is_planned(id_)) return;
  std::vector<std::uint32_t> present;
  for (const Ref child : ctx.children())
    present.push_back(witness_.plan_number(witness_.id_of(child.value)));
  for (const std::uint32_t plan : witness_.planned_children(witness_.plan_number(id_))) {
    if (std::ranges::find(present, plan) == present.end())
      spawn(ctx, plan, witness_.scenario.actors[plan].is_named ? plan + 1 : 0, true);
  }
}

void SwarmActor::pre_restart(Context& ctx, const Failure& reason) {
  witness_.saw("pre_restart", id_);
  static_cast<void>(witness_.children_of(id_));  // numbers the newest, which may not have begun
  if (reason.is<ConfigChanged>()) {
    const std::string own = "the configuration of " + ctx.path(ctx.self()) + " has";
    const NodePlan* const node = witness_.node_of(id_);
    const bool is_for_parent = node == nullptr || !reason.what().starts_with(own);
    if (node != nullptr) witness_.configs.restarts(id_, *node, is_for_parent);
  } else {
    witness_.configs.restarts_otherwise(id_);
  }
  witness_.model.pre_restart(id_);
  is_restarting_ = true;
  const std::optional<PlannedFailure> planned = mishap(ctx, Spot::pre_restart);
  const bool stops_children = planned || !witness_.plan_of(id_).keeps_children;
  witness_.model.pre_restarted(id_, stops_children);
  if (stops_children) {
    for (const Id child : witness_.children_of(id_)) witness_.watches.unwatched(id_, child);
  } else if (const auto children = ctx.children(); !children.empty() && witness_.chance(id_) & 1) {
    stop(ctx, witness_.id_of(children.front().value));
  }
  witness_.mail.unstashed(id_);
  if (planned) raise(ctx, *planned);
  else if (stops_children) Actor::pre_restart(ctx, reason);
}

void SwarmActor::post_restart(Context& ctx, const Failure&) {
  witness_.saw("post_restart", id_);
  witness_.model.post_restart(id_);
  start(ctx);
  fail_if_planned(ctx, Spot::post_restart);
  if (!ctx.has_failed()) witness_.model.restarted(id_);
}

void SwarmActor::post_stop(Context& ctx) {
  witness_.saw(is_restarting_ ? "post_stop of pre_restart" : "post_stop", id_);
  if (!is_restarting_) {
    witness_.model.post_stop(id_);
    if (actor::first_child_of(witness_.world->cell(ctx.self().value)) != actor::Cell::none)
      witness_.findings.add(13, "actor " + std::to_string(id_) + " stops before its children");
  }
  const std::optional<PlannedFailure> planned = mishap(ctx, Spot::post_stop);
  if (!is_restarting_) witness_.model.post_stopped(id_);
  if (planned) raise(ctx, *planned);
}

// ---- supervision --------------------------------------------------------------------------------

Directive SwarmActor::decide(Context& ctx, const Failure& failure) {
  const Id child = witness_.id_of(ctx.sender().value);
  const std::int64_t now = ctx.now().count();
  witness_.saw("decide", id_, child);
  witness_.model.judges_by(id_, witness_.strategy_of(id_));
  witness_.model.deciding(id_, child, observed(failure));
  if (const std::optional<PlannedFailure> planned = mishap(ctx, Spot::decide)) {
    witness_.model.decide_failed(id_, child, planned->cause);
    raise(ctx, *planned);
    return Directive::undecided;
  }
  Judgement code = Judgement::undecided;
  const std::uint16_t strategy = witness_.model.at(id_).strategy;
  if (strategy != Model::no_strategy && witness_.scenario.strategies[strategy].decides_in_code) {
    const std::uint64_t drawn = witness_.chance(id_);
    if (drawn % 3 == 0) code = static_cast<Judgement>(1 + drawn / 3 % 4);
  }
  witness_.model.decided(id_, child, observed(failure), code, witness_.children_of(id_), now);
  return static_cast<Directive>(code);
}

void SwarmActor::log_failure(Context& ctx, const Failure&, Directive verdict) {
  const Id child = witness_.id_of(ctx.sender().value);
  witness_.saw("verdict", id_, static_cast<std::uint64_t>(verdict));
  witness_.model.verdict_reported(id_, child, static_cast<Judgement>(verdict));
  if (const std::optional<PlannedFailure> planned = mishap(ctx, Spot::log_failure))
    raise(ctx, *planned);
}

void SwarmActor::child_terminated(Context& ctx, Ref child) {
  const Id who = witness_.id_of(child.value);
  witness_.saw("child_terminated", id_, who);
  witness_.model.child_terminated(id_, who);
  if (const std::uint64_t name = witness_.model.at(who).name;
      name != 0 && !witness_.is_calm && (witness_.chance(id_) & 3) == 0) {
    spawn(ctx, witness_.plan_number(who), name, false);  // supervision.md 127
  }
  if (const std::optional<PlannedFailure> planned = mishap(ctx, Spot::child_terminated)) {
    witness_.model.failed(id_, planned->cause, false);  // supervision.md 62
    raise(ctx, *planned);
  }
}

// ---- mishaps ------------------------------------------------------------------------------------

std::optional<SwarmActor::PlannedFailure> SwarmActor::mishap(Context& ctx, Spot spot) {
  const std::optional<Mishap> kind = witness_.strikes(spot, id_);
  if (!kind) return {};
  switch (*kind) {
    case Mishap::hard: return PlannedFailure{Cause::hard, true};
    case Mishap::soft: return PlannedFailure{Cause::soft, true};
    case Mishap::odd: return PlannedFailure{Cause::odd, true};
    case Mishap::foreign: return PlannedFailure{Cause::foreign, true};
    case Mishap::report: return PlannedFailure{Cause::soft, false};
    case Mishap::stop_self: stop(ctx, id_); return {};
    case Mishap::kill_self:
      witness_.model.may_fail(id_);
      ctx.tell(ctx.self(), Kill{});
      return {};
    case Mishap::stop_up:
      if (const Id parent = witness_.model.at(id_).parent; parent != 0) stop(ctx, parent);
      return {};
  }
  return {};
}

void SwarmActor::raise(Context& ctx, const PlannedFailure& planned) {
  if (!planned.throws) return ctx.fail<Soft>("reported");
  switch (planned.cause) {
    case Cause::hard: throw Hard("hard");
    case Cause::soft: throw Soft("soft");
    case Cause::odd: throw Odd("odd");
    default: throw 42;
  }
}

void SwarmActor::fail_as_planned(Context& ctx, const PlannedFailure& planned) {
  witness_.model.failed(id_, planned.cause);
  raise(ctx, planned);
}

void SwarmActor::fail_if_planned(Context& ctx, Spot spot) {
  if (const std::optional<PlannedFailure> planned = mishap(ctx, spot))
    fail_as_planned(ctx, *planned);
}

// ---- messages -----------------------------------------------------------------------------------

void SwarmActor::begin(Context& ctx, std::string_view what, std::uint64_t detail) {
  witness_.saw(what, id_, detail);
  witness_.model.message(id_);
  witness_.configs.check_kept(id_);
  own_.active(ctx.now().count());
  if (witness_.world->cell(ctx.self().value).life.suspensions() != 0)
    witness_.findings.add(5, "actor " + std::to_string(id_) + " handles a message in suspension");
}

void SwarmActor::begin_other(Context& ctx, std::string_view what, std::uint64_t detail) {
  witness_.mail.other_begun(id_);
  begin(ctx, what, detail);
}

void SwarmActor::act(Context& ctx, const Act& order) {
  witness_.mail.begun(order.parcel.number, id_);
  begin(ctx, name_of(static_cast<Deed>(order.deed)), order.parcel.number);
  own_.handled(own_.state() != State::busy, "what the busy set aside");
  perform(ctx, order);
  if (!ctx.has_failed()) fail_if_planned(ctx, Spot::receive);
}

// While busy the actor stashes its acts, and now and then unstashes them.
void SwarmActor::set_aside(Context& ctx, const Act& order) {
  witness_.mail.begun(order.parcel.number, id_);
  begin(ctx, "set aside", order.parcel.number);
  own_.handled(own_.state() == State::busy, "what only the busy set aside");
  if (!witness_.is_calm && order.detail % 4 != 0) {
    ctx.stash();
    witness_.mail.stashed(order.parcel.number, id_);
    return fail_if_planned(ctx, Spot::receive);
  }
  own_.unbecame();
  ctx.unbecome();
  ctx.unstash_all();
  witness_.mail.unstashed(id_);
}

void SwarmActor::ping(Context& ctx, const Ping&) {
  begin_other(ctx, "ping");
  witness_.has_answered[id_] = true;
}

void SwarmActor::tick(Context& ctx, const Tick& tick) {
  begin_other(ctx, "tick", tick.incarnation);
  own_.ticked(tick.incarnation, static_cast<Timer>(tick.timer), tick.number);
  if (witness_.is_calm) {
    own_.timer_cancelled(Timer::often);
    ctx.cancel_timer("often");
  }
  fail_if_planned(ctx, Spot::tick);
}

void SwarmActor::question(Context& ctx, const Question& question) {
  begin_other(ctx, "question", question.number);
  const Answer answer{question.asker, question.incarnation, question.number};
  const std::uint64_t drawn = witness_.chance(id_);
  const Ref other{witness_.ref_of(witness_.chosen_actor(drawn >> 8))};
  switch (drawn % 16) {
    default: ctx.reply(answer); break;
    case 0: ctx.tell(ctx.sender(), answer); break;
    case 1:  // one answer too many
      ctx.reply(answer);
      ctx.tell(ctx.sender(), answer);
      break;
    case 2: ctx.reply_failure<Soft>("no answer"); break;
    case 3: break;
    case 4: ctx.forward(other); break;
    case 5: ctx.tell(other, question, ctx.sender()); break;
    case 6:
    case 7:
    case 8:
      witness_.unanswered.push_back(
          {ctx.sender().value, question.asker, question.incarnation, question.number});
      break;
  }
  if (ctx.asker() && ctx.asker().value != witness_.ref_of(question.asker))
    witness_.findings.add(30, "the asker of a question is not who asked it");
  fail_if_planned(ctx, Spot::receive);
}

// Answers a question that this actor or another one has put off. Many an answer comes too late.
void SwarmActor::answer_unanswered(Context& ctx) {
  if (witness_.unanswered.empty()) return;
  const std::uint64_t drawn = witness_.chance(id_);
  const std::size_t at = drawn % witness_.unanswered.size();
  const Unanswered put_off = witness_.unanswered[at];
  const bool is_kept = (drawn >> 32) % 4 == 0;  // and may be answered again
  if (!is_kept)
    witness_.unanswered.erase(witness_.unanswered.begin() + static_cast<std::ptrdiff_t>(at));
  if ((drawn >> 40) % 8 == 0)
    static_cast<void>(ctx.reply_failure<Soft>(Ref{put_off.to}, "no answer at last"));
  else ctx.tell(Ref{put_off.to}, Answer{put_off.asker, put_off.incarnation, put_off.number});
}

void SwarmActor::answered(Context& ctx, const Reply<Answer>& reply) {
  witness_.mail.other_begun(id_);
  witness_.saw("answered", id_, reply ? reply->number : 0);
  witness_.model.message(id_);
  if (reply) own_.answered(reply->asker, reply->incarnation, reply->number);
  else own_.completed();
  fail_if_planned(ctx, Spot::reply);
}

void SwarmActor::ended(Context& ctx, const Reply<Terminated>& reply) {
  witness_.mail.other_begun(id_);
  const Id who = reply ? witness_.id_of(reply->who.value) : 0;
  witness_.saw("ended", id_, who);
  witness_.model.message(id_);
  own_.completed();
  if (who != 0 && !witness_.model.is_finished(who))
    witness_.findings.add(22, "actor " + std::to_string(id_) + " hears of an end that is not");
  fail_if_planned(ctx, Spot::reply);
}

void SwarmActor::news(Context& ctx, const News& news) {
  begin_other(ctx, "news", news.detail);
  fail_if_planned(ctx, Spot::receive);
}

void SwarmActor::terminated(Context& ctx, const Terminated& notice) {
  const Id who = witness_.id_of(notice.who.value);
  begin_other(ctx, "terminated", who);
  own_.handled(own_.state() != State::deaf, "what the deaf do not hear");
  witness_.watches.terminated(id_, who);
  fail_if_planned(ctx, Spot::receive);
}

void SwarmActor::noticed(Context& ctx, const Notice& notice) {
  begin_other(ctx, "noticed", notice.who);
  witness_.watches.terminated(id_, notice.who);
  fail_if_planned(ctx, Spot::receive);
}

void SwarmActor::silence(Context& ctx, const ReceiveTimeout&) {
  witness_.mail.other_begun(id_);
  witness_.saw("silence", id_);
  witness_.model.message(id_);
  own_.silent(ctx.now().count());
  if (!witness_.is_calm) return fail_if_planned(ctx, Spot::tick);
  ctx.receive_timeout(0ns);
  own_.awaits_silence(0, ctx.now().count());
}

// ---- deeds --------------------------------------------------------------------------------------

void SwarmActor::spawn(Context& ctx, std::uint32_t plan, std::uint64_t name, bool is_planned) {
  if (!witness_.may_spawn()) return;
  const Id id = witness_.next();
  const std::string text = name == 0 ? std::string{} : "n" + std::to_string(name);
  Ref child;
  try {
    child = witness_.scenario.actors[plan].is_blocking
                ? ctx.spawn_on<SwarmActor>(text, "blocking-io", &witness_, id)
                : ctx.spawn<SwarmActor>(text, &witness_, id);
  } catch (const Error&) {
    witness_.saw("spawn refused", id_, name);
    // Numbers a configured child that may have the name.
    static_cast<void>(witness_.children_of(id_));
    return witness_.model.refused(id_, name);
  }
  witness_.saw("spawn", id_, id);
  witness_.born(id_, plan, name, child.value, is_planned);
}

void SwarmActor::stop(Context& ctx, Id whom) {
  witness_.model.stop(whom, id_);
  ctx.stop(Ref{witness_.ref_of(whom)});
}

void SwarmActor::watch(Context& ctx, Id whom, bool with_notice) {
  if (whom == id_) return ctx.watch(ctx.self());
  try {
    if (with_notice) ctx.watch_with(Ref{witness_.ref_of(whom)}, Notice{whom});
    else ctx.watch(Ref{witness_.ref_of(whom)});
  } catch (const Error&) {
    return witness_.watches.refused(id_, whom);
  }
  witness_.watches.watched(id_, whom);
}

void SwarmActor::send(Context& ctx, Id to, std::uint32_t fuel) {
  const std::uint64_t drawn = witness_.chance(id_);
  const auto& operations = witness_.scenario.operations;
  const Deed deed = operations.empty() ? Deed::rest : operations[drawn % operations.size()].deed;
  const bool is_one = static_cast<std::size_t>(deed) < deeds_of_actors;
  const std::uint32_t number = witness_.mail.sent(id_, to);
  ctx.tell(Ref{witness_.ref_of(to)},
           Act{Parcel{witness_, number}, static_cast<std::uint32_t>(is_one ? deed : Deed::rest),
               static_cast<std::uint32_t>(drawn >> 32), fuel});
}

Tick SwarmActor::tick_of(Timer timer) {
  return {Parcel{witness_, 0}, own_.incarnation(), static_cast<std::uint32_t>(timer),
          own_.timer_started(timer)};
}

void SwarmActor::perform(Context& ctx, const Act& order) {
  if (!witness_.may_act()) return;
  const auto deed = static_cast<Deed>(order.deed);
  const Id other = witness_.chosen_actor(mixed(order.detail, 7));
  switch (deed) {
    case Deed::tell:
      if (order.fuel != 0) send(ctx, other, order.fuel - 1);
      return;
    case Deed::broadcast:
      if (order.fuel == 0) return;
      for (const Ref child : ctx.children()) send(ctx, witness_.id_of(child.value), order.fuel - 1);
      return;
    case Deed::flood: {
      if (order.fuel == 0) return;
      const Id third = witness_.chosen_actor(mixed(order.detail, 11));
      for (std::uint32_t i = 0; i < 17 + order.detail % 64; ++i)
        send(ctx, i % 5 == 3 ? third : other, 0);
      return;
    }
    case Deed::forward:
      if ((witness_.chance(id_) & 3) == 0) return;
      witness_.copy_target = other;
      ctx.forward(Ref{witness_.ref_of(other)});
      witness_.copy_target = 0;
      return;
    case Deed::spawn: {
      const auto plan = static_cast<std::uint32_t>(order.detail % witness_.scenario.actors.size());
      return spawn(ctx, plan, 0, false);
    }
    case Deed::spawn_same_name: {
      const auto plan = static_cast<std::uint32_t>(order.detail % witness_.scenario.actors.size());
      return spawn(ctx, plan, 1 + order.detail % 3, false);
    }
    case Deed::stop_child:
      if (const auto children = ctx.children(); !children.empty())
        stop(ctx, witness_.id_of(children[order.detail % children.size()].value));
      return;
    case Deed::stop_self: return stop(ctx, id_);
    case Deed::stop_other: return stop(ctx, other);
    case Deed::fail:
      return fail_as_planned(
          ctx, {static_cast<Cause>(std::array{0, 1, 3, 4, 0}[order.detail % 5]), true});
    case Deed::report: return fail_as_planned(ctx, {Cause::soft, false});
    default: return deal_with(ctx, deed, order, other);
  }
}

void SwarmActor::deal_with(Context& ctx, Deed deed, const Act& order, Id other) {
  const std::chrono::milliseconds time{1 + order.detail % 16};
  const Ref whom{witness_.ref_of(other)};
  switch (deed) {
    case Deed::ask:
      return ctx.ask<&SwarmActor::answered>(whom, Question{id_, own_.incarnation(), own_.asked()},
                                            time);
    case Deed::ask_many:
      static_cast<void>(ctx.select("*").ask<&SwarmActor::answered>(
          Question{id_, own_.incarnation(), own_.asked()}, time));
      return;
    case Deed::answer: return answer_unanswered(ctx);
    case Deed::stop_gracefully:
      if (other == id_) return;
      own_.asked();
      witness_.model.stop(other, id_);
      return ctx.graceful_stop<&SwarmActor::ended>(whom, time);
    case Deed::poison_other: witness_.model.may_stop(other); return ctx.tell(whom, PoisonPill{});
    case Deed::kill_other: witness_.model.may_fail(other); return ctx.tell(whom, Kill{});
    case Deed::watch: return watch(ctx, other, false);
    case Deed::watch_with: return watch(ctx, other, true);
    case Deed::unwatch: witness_.watches.unwatched(id_, other); return ctx.unwatch(whom);
    case Deed::become_busy:
      if (order.detail & 1) own_.became(State::busy);
      else own_.became_on_top(State::busy);
      return order.detail & 1 ? ctx.become<Busy>() : ctx.become_on_top<Busy>();
    case Deed::become_deaf:
      witness_.watches.deaf(id_);
      witness_.model.may_fail(id_);
      own_.became(State::deaf);
      return ctx.become<Deaf>();
    case Deed::unbecome: own_.unbecame(); return ctx.unbecome();
    case Deed::unstash: ctx.unstash_all(); return witness_.mail.unstashed(id_);
    case Deed::timer_once: return ctx.start_timer("once", time, tick_of(Timer::once));
    case Deed::timer_often: return ctx.start_timer("often", time, tick_of(Timer::often), time);
    case Deed::timer_cancel:
      own_.timer_cancelled(order.detail & 1 ? Timer::often : Timer::once);
      return ctx.cancel_timer(order.detail & 1 ? "often" : "once");
    case Deed::receive_timeout:
      own_.awaits_silence(std::chrono::nanoseconds{time}.count(), ctx.now().count());
      return ctx.receive_timeout(time);
    case Deed::receive_timeout_off:
      own_.awaits_silence(0, ctx.now().count());
      return ctx.receive_timeout(0ns);
    case Deed::publish: return ctx.publish(News{order.detail});
    case Deed::subscribe: return ctx.subscribe<News>();
    case Deed::unsubscribe: return ctx.unsubscribe<News>();
    default: return;
  }
}

const actord_plugin& swarm_plugin() {
  return *plugin_table<Behaviours<SwarmActor>,
                       Messages<Act, Ping, Tick, Question, Answer, News, Notice>>("sim", "1");
}

}  // namespace actord::sim
