// SPDX-License-Identifier: Apache-2.0
//
// The actors of the profile `companions` but for the persistent one: they do what they are told,
// fail where the scenario says, and report to the witness what they see.
#pragma once

#include <actord/actord.hpp>

#include <actord/circuit_breaker.hpp>
#include <actord/coordinated_shutdown.hpp>
#include <actord/retry.hpp>
#include <actord/router.hpp>
#include <actord/state_machine.hpp>

#include "sim/companion_witness.hpp"

namespace actord::sim::companions {

// ---- messages -----------------------------------------------------------------------------------

struct Work {
  std::uint32_t number = 0;  // of Fates; 0: not followed
  Task task = Task::rest;
  std::uint32_t detail = 0;
  std::uint32_t fuel = 0;  // how long the chain of works that it causes may be
};
struct Question {
  std::uint32_t number = 0;
  std::uint32_t ask = 0;
  std::uint32_t detail = 0;
};
struct Answer {
  std::uint32_t ask = 0;
};
struct Tick {};
struct Later {};  // it is time to answer what was put off
struct Unstash {};
struct Audit {
  std::uint32_t round = 0;
};
ACTORD_MESSAGE(Work, "companions.Work/1", number, task, detail, fuel)
ACTORD_MESSAGE(Question, "companions.Question/1", number, ask, detail)
ACTORD_MESSAGE(Answer, "companions.Answer/1", ask)
ACTORD_MESSAGE(Tick, "companions.Tick/1")
ACTORD_MESSAGE(Later, "companions.Later/1")
ACTORD_MESSAGE(Unstash, "companions.Unstash/1")
ACTORD_MESSAGE(Audit, "companions.Audit/1", round)

using std::chrono::milliseconds;

inline constexpr std::uint32_t moves_max = 6;  // of one message

// ---- what all of them do ------------------------------------------------------------------------

/// A message for that member, and whether it may come in several copies.
Work work_for(std::size_t member, std::uint32_t detail, std::uint32_t fuel);
Question question_for(std::size_t member, std::uint32_t detail);

/// Sends the current message on, a few times at most.
void pass_on(Context& ctx, const Handling& handling, std::size_t to);
void stash(Context& ctx, const Inhabitant& who, Handling& handling);
void watch(Context& ctx, const Inhabitant& who, Ref whom);
void unwatch(Context& ctx, Ref whom);
void check_watched(Context& ctx, Ref whom);
void look_at_children(Context& ctx);
void add_shutdown_task(Context& ctx, std::uint32_t detail);
void add_shutdown_stop(Context& ctx, std::uint32_t detail);
/// What an actor does with the order of the shutdown.
void run_shutdown_task(Context& ctx, const ShutdownTask& task);
void audited(const Inhabitant& who, const Audit& audit);

/// Does what actors of any role do. False: the task is none of these.
template <class Self>
bool perform(Self& self, Context& ctx, const Work& order, Handling& handling) {
  const std::size_t other = witness->chosen(mixed(order.detail, 7));
  switch (order.task) {
    case Task::rest: return true;
    case Task::tell:
      if (order.fuel != 0)
        ctx.tell(witness->ref_of(other), work_for(other, order.detail, order.fuel - 1));
      return true;
    case Task::forward: return pass_on(ctx, handling, other), true;
    case Task::stash: return stash(ctx, self, handling), true;
    case Task::unstash: return ctx.unstash_all(), true;
    case Task::ask: {
      if (self.plan().is_tight) return true;  // the answer takes up room
      const Question question = question_for(other, order.detail);
      ctx.ask<&Self::answered>(witness->ref_of(other), question,
                               milliseconds{1 + order.detail % 20});
      return self.asks.begun(question.ask), true;
    }
    case Task::look: return look_at_children(ctx), true;
    case Task::watch: return watch(ctx, self, witness->ref_of(other)), true;
    case Task::unwatch: return unwatch(ctx, witness->ref_of(other)), true;
    case Task::shutdown_task:
      // One that comes again after a failure is run again.
      if (self.attempts == 0 && !self.plan().is_tight) add_shutdown_task(ctx, order.detail);
      return true;
    case Task::stop_on_shutdown: return add_shutdown_stop(ctx, order.detail), true;
    default: return false;
  }
}

/// An answer, or the end of an ask without one.
template <class M>
void end_ask(Inhabitant& self, const Reply<M>& reply) {
  witness->saw(reply ? "answer" : "no answer", self.member);
  if constexpr (std::is_same_v<M, Answer>) {
    if (reply) self.asks.answered(reply->ask);
    else self.asks.ended();
  } else {
    self.asks.ended();
  }
  witness->fail_at(Spot::reply);
}

// ---- the plain actor ----------------------------------------------------------------------------

/// Where it stands in the tree.
enum class Place : std::uint8_t { planned, routee, extra };

class Companion : public Actor, public Inhabitant {
 public:
  Companion(Context& ctx, std::uint32_t member_, Place place);

  static Strategy strategy_of(std::uint32_t member, Place place);

  void pre_start(Context& ctx) override;
  void pre_restart(Context& ctx, const Failure& reason) override;
  void post_restart(Context& ctx, const Failure& reason) override;
  void post_stop(Context& ctx) override;
  Directive decide(Context& ctx, const Failure& failure) override;
  void child_terminated(Context& ctx, Ref child) override;

  void work(Context& ctx, const Work& order);
  void question(Context& ctx, const Question& question);
  void tick(const Tick&) { witness->fail_at(Spot::tick); }
  void later(Context& ctx, const Later&);
  void unstash(Context& ctx, const Unstash&) { ctx.unstash_all(); }
  void audit(Context& ctx, const Audit& audit);
  void terminated(Context& ctx, const Terminated& notice) { check_watched(ctx, notice.who); }
  void stray(const Answer&) { witness->findings.add(50, name() + " gets an answer as a message"); }
  void current_state(const CurrentState& now);
  void transition(const Transition& change);
  void shutdown_task(Context& ctx, const ShutdownTask& task) { run_shutdown_task(ctx, task); }
  void answered(Context&, const Reply<Answer>& reply) { end_ask(*this, reply); }
  void retried(Context&, const Reply<Answer>& reply);
  void piped(Context&, const Reply<Answer>& reply);
  void routees_told(Context&, const Reply<Routees>& reply) { end_ask(*this, reply); }

  using Receive =
      Handlers<&Companion::work, &Companion::question, &Companion::tick, &Companion::later,
               &Companion::unstash, &Companion::audit, &Companion::terminated, &Companion::stray,
               &Companion::current_state, &Companion::transition, &Companion::shutdown_task>;

  void check_rest() override;

 private:
  void spawn_missing(Context& ctx);
  void perform_own(Context& ctx, const Work& order);
  void call_breaker(Context& ctx);
  // Whether it gets all that a machine tells it, in its order.
  bool is_good_subscriber() const;

  const Place place_;
  CircuitBreaker breaker_;
  std::vector<std::pair<Ref, std::uint32_t>> put_off_;  // who waits for the answer to which ask
};

/// Spawns a member as a child of the actor of the call.
void plant(Context& ctx, std::uint32_t member);

// ---- the state machine --------------------------------------------------------------------------

enum class Mood : std::uint8_t { idle, busy, shut };
ACTORD_ENUM(Mood, idle, busy, shut)

/// Its data says which state it belongs to.
struct MoodData {
  Mood of = Mood::idle;
};

class Machine : public StateMachine<Machine, Mood, MoodData>, public Inhabitant {
 public:
  Machine(Context& ctx, std::uint32_t member_);

  void pre_start(Context& ctx) override;
  void on_transition(Context& ctx, Mood from, Mood to) override;
  void on_termination(Context&, const StopReason&) override { witness->fail_at(Spot::termination); }

  Next work(Context& ctx, const Work& order);
  Next answer(Context& ctx, const Question& question);
  Next calm_down(const StateTimeout&) { return to(Mood::idle); }
  void unstash(Context& ctx, const Unstash&) { ctx.unstash_all(); }
  void audit(const Audit& audit);
  void terminated(Context& ctx, const Terminated& notice) { check_watched(ctx, notice.who); }
  void stray(const Answer&) { witness->findings.add(50, name() + " gets an answer as a message"); }
  void shutdown_task(Context& ctx, const ShutdownTask& task) { run_shutdown_task(ctx, task); }
  void answered(Context&, const Reply<Answer>& reply) { end_ask(*this, reply); }

  using Receive = When<Mood::idle, &Machine::work, &Machine::answer>;
  using States = actord::States<When<Mood::busy, &Machine::work, &Machine::calm_down>,
                                When<Mood::shut, &Machine::work>>;
  using WhenUnhandled =
      Handlers<&Machine::answer, &Machine::calm_down, &Machine::unstash, &Machine::audit,
               &Machine::terminated, &Machine::stray, &Machine::shutdown_task>;

 private:
  Next to(Mood mood) { return go_to(mood).using_data({mood}); }
  void check_data() const;
};

}  // namespace actord::sim::companions
