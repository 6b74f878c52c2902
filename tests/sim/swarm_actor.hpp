// SPDX-License-Identifier: Apache-2.0
//
// The actor of the swarm: does the deed in each Act, fails where the scenario says, and reports
// everything that it sees to the witness.
#pragma once

#include <actord/actord.hpp>

#include <optional>

#include "sim/witness.hpp"

namespace actord::sim {

// ---- messages -----------------------------------------------------------------------------------

/// A payload that is tracked from construction to destruction; copying it may throw.
struct Parcel {
  std::uint64_t witness = 0;  // a Witness* as a number, because messages are data
  std::uint32_t number = 0;   // of MailCheck; 0: only counted

  Parcel() = default;
  Parcel(Witness& by, std::uint32_t number_);
  Parcel(const Parcel& other);
  Parcel(Parcel&& other) noexcept;
  Parcel& operator=(const Parcel&) = delete;
  Parcel& operator=(Parcel&& other) noexcept;
  ~Parcel();
};
ACTORD_FIELDS(Parcel, witness, number)

struct Act {
  Parcel parcel;
  std::uint32_t deed = 0;
  std::uint32_t detail = 0;
  std::uint32_t fuel = 0;  // how long the chain of acts that it causes may be
};
struct Ping {};
struct Tick {
  Parcel parcel;
  std::uint32_t incarnation = 0;
  std::uint32_t timer = 0;   // an IncarnationCheck::Timer
  std::uint32_t number = 0;  // of that timer in the check
};
struct Question {  // the asker, its incarnation, and the number of the ask there
  std::uint32_t asker = 0;
  std::uint32_t incarnation = 0;
  std::uint32_t number = 0;
};
struct Answer {  // to the question with these numbers
  std::uint32_t asker = 0;
  std::uint32_t incarnation = 0;
  std::uint32_t number = 0;
};
struct News {
  std::uint32_t detail = 0;
};
/// Sent instead of Terminated.
struct Notice {
  std::uint32_t who = 0;
};
ACTORD_MESSAGE(Act, "sim.Act/1", parcel, deed, detail, fuel)
ACTORD_MESSAGE(Ping, "sim.Ping/1")
ACTORD_MESSAGE(Tick, "sim.Tick/1", parcel, incarnation, timer, number)
ACTORD_MESSAGE(Question, "sim.Question/1", asker, incarnation, number)
ACTORD_MESSAGE(Answer, "sim.Answer/1", asker, incarnation, number)
ACTORD_MESSAGE(News, "sim.News/1", detail)
ACTORD_MESSAGE(Notice, "sim.Notice/1", who)

// ---- causes -------------------------------------------------------------------------------------

struct Flaw : Error {
  using Error::Error;
};
struct Hard : Flaw {
  using Flaw::Flaw;
};
struct Soft : Flaw {
  using Flaw::Flaw;
};
struct Odd : Error {
  using Error::Error;
};

/// The failure as the model describes it.
ObservedFailure observed(const Failure& failure);

// ---- the actor ----------------------------------------------------------------------------------

class SwarmActor : public Actor {
 public:
  SwarmActor(Context& ctx, Witness* witness, Id id);
  SwarmActor(Context& ctx, Witness* witness, const NodePlan* node);  // for a configured actor
  ~SwarmActor() override;

  void pre_start(Context& ctx) override;
  void pre_restart(Context& ctx, const Failure& reason) override;
  void post_restart(Context& ctx, const Failure& reason) override;
  void post_stop(Context& ctx) override;
  Directive decide(Context& ctx, const Failure& failure) override;
  void log_failure(Context& ctx, const Failure& failure, Directive verdict) override;
  void child_terminated(Context& ctx, Ref child) override;

  void act(Context& ctx, const Act& order);
  void set_aside(Context& ctx, const Act& order);
  void ping(Context& ctx, const Ping&);
  void tick(Context& ctx, const Tick& tick);
  void question(Context& ctx, const Question& question);
  void answer_unanswered(Context& ctx);
  void answered(Context& ctx, const Reply<Answer>& reply);
  void ended(Context& ctx, const Reply<Terminated>& reply);
  void news(Context& ctx, const News& news);
  void terminated(Context& ctx, const Terminated& notice);
  void noticed(Context& ctx, const Notice& notice);
  void silence(Context& ctx, const ReceiveTimeout&);

  using Receive = Handlers<&SwarmActor::act, &SwarmActor::ping, &SwarmActor::tick,
                           &SwarmActor::question, &SwarmActor::news, &SwarmActor::terminated,
                           &SwarmActor::noticed, &SwarmActor::silence>;
  struct Busy : Handlers<&SwarmActor::set_aside, &SwarmActor::ping, &SwarmActor::tick,
                         &SwarmActor::question, &SwarmActor::news, &SwarmActor::terminated,
                         &SwarmActor::noticed, &SwarmActor::silence> {};
  struct Deaf
      : Handlers<&SwarmActor::act, &SwarmActor::ping, &SwarmActor::tick, &SwarmActor::question,
                 &SwarmActor::news, &SwarmActor::noticed, &SwarmActor::silence> {};
  using States = actord::States<Busy, Deaf>;

  const IncarnationCheck& incarnation() const noexcept { return own_; }

 private:
  /// The failure at a spot, and whether it is thrown.
  struct PlannedFailure {
    Cause cause;
    bool throws;
  };
  std::optional<PlannedFailure> mishap(Context& ctx, Spot spot);
  void raise(Context& ctx, const PlannedFailure& planned);
  void fail_as_planned(Context& ctx, const PlannedFailure& planned);
  void fail_if_planned(Context& ctx, Spot spot);

  void begin(Context& ctx, std::string_view what, std::uint64_t detail);
  void begin_other(Context& ctx, std::string_view what, std::uint64_t detail = 0);
  void start(Context& ctx);
  Tick tick_of(IncarnationCheck::Timer timer);
  void perform(Context& ctx, const Act& order);
  void deal_with(Context& ctx, Deed deed, const Act& order, Id other);
  void send(Context& ctx, Id to, std::uint32_t fuel);
  void spawn(Context& ctx, std::uint32_t plan, std::uint64_t name, bool is_planned);
  void stop(Context& ctx, Id whom);
  void watch(Context& ctx, Id whom, bool with_notice);

  Witness& witness_;
  const Id id_;
  IncarnationCheck own_;
  bool is_restarting_ = false;
};

const actord_plugin& swarm_plugin();

}  // namespace actord::sim
