// SPDX-License-Identifier: Apache-2.0
//
// Sleeping barber: customers wait for a barber on a few chairs, or come back later.
#pragma once

#include <deque>

#include <actord/state_machine.hpp>

#include "program.hpp"

namespace savina {

struct BarberConfig {
  std::uint32_t customers = 5'000;
  std::uint32_t chairs = 100;
  std::chrono::nanoseconds returns_after = std::chrono::milliseconds{1};
  std::chrono::nanoseconds deadline = usual_deadline;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(BarberConfig, customers, chairs, returns_after, deadline)

/// A customer to the waiting room. Answered with RoomFull, or with Shorn by the barber.
struct Enter {};
ACTORD_MESSAGE(Enter, "savina.Enter/1")
struct RoomFull {};
ACTORD_MESSAGE(RoomFull, "savina.RoomFull/1")
/// The message of a customer's timer.
struct ComeBack {};
ACTORD_MESSAGE(ComeBack, "savina.ComeBack/1")
/// The waiting room to the barber: cut this customer's hair. It wakes the barber.
struct Cut {
  actord::Ref customer;
};
ACTORD_MESSAGE(Cut, "savina.Cut/1", customer)
struct Shorn {};
ACTORD_MESSAGE(Shorn, "savina.Shorn/1")
/// The barber to the waiting room. Answered with a Cut or with RoomEmpty.
struct CallNext {};
ACTORD_MESSAGE(CallNext, "savina.CallNext/1")
/// To the barber, who goes to sleep.
struct RoomEmpty {};
ACTORD_MESSAGE(RoomEmpty, "savina.RoomEmpty/1")
/// A customer to the master.
struct WentHome {
  std::uint32_t customer = 0;
  std::uint32_t visits = 0;
};
ACTORD_MESSAGE(WentHome, "savina.WentHome/1", customer, visits)
/// The master to the barber. Answered with HairCuts when the barber sleeps.
struct GetHairCuts {};
ACTORD_MESSAGE(GetHairCuts, "savina.GetHairCuts/1")
struct HairCuts {
  std::uint64_t cuts = 0;
  std::uint64_t naps = 0;
};
ACTORD_MESSAGE(HairCuts, "savina.HairCuts/1", cuts, naps)

enum class BarberState { asleep, awake };
ACTORD_ENUM(BarberState, asleep, awake)

class Barber : public actord::StateMachine<Barber, BarberState, HairCuts> {
 public:
  Barber() : StateMachine(BarberState::asleep) {}

  Next cut(actord::Context& ctx, const Cut& m);
  Next sleep(actord::Context& ctx, const RoomEmpty&);
  HairCuts hair_cuts(const GetHairCuts&) { return data(); }
  void wait(actord::Context& ctx, const GetHairCuts&) { ctx.stash(); }

  using Receive = When<BarberState::asleep, &Barber::cut, &Barber::hair_cuts>;
  using States =
      actord::States<When<BarberState::awake, &Barber::cut, &Barber::sleep, &Barber::wait>>;
};

class WaitingRoom : public actord::Actor {
 public:
  WaitingRoom(std::uint32_t chairs, actord::Ref barber) : chairs_(chairs), barber_(barber) {}

  void enter(actord::Context& ctx, const Enter&);
  void call_next(actord::Context& ctx, const CallNext&);
  using Receive = actord::Handlers<&WaitingRoom::enter, &WaitingRoom::call_next>;

 private:
  const std::uint32_t chairs_;
  const actord::Ref barber_;
  bool is_barber_asleep_ = true;
  std::deque<actord::Ref> waiting_;
};

class Customer : public actord::Actor {
 public:
  Customer(std::uint32_t index, actord::Ref room, std::chrono::nanoseconds returns_after)
      : index_(index), room_(room), returns_after_(returns_after) {}

  void come_back(actord::Context& ctx, const ComeBack&) { enter(ctx); }
  void turned_away(actord::Context& ctx, const RoomFull&);
  void shorn(actord::Context& ctx, const Shorn&);
  using Receive = actord::Handlers<&Customer::come_back, &Customer::turned_away, &Customer::shorn>;

 private:
  void pre_start(actord::Context& ctx) override { enter(ctx); }
  void enter(actord::Context& ctx);

  const std::uint32_t index_;
  const actord::Ref room_;
  const std::chrono::nanoseconds returns_after_;
  std::uint32_t visits_ = 0;
};

class BarberShop : public Escalating {
 public:
  using Config = BarberConfig;
  static constexpr std::string_view program = "SleepingBarber";
  static constexpr std::string_view doc =
      "Sends customers through a small waiting room: a state machine, and many timers.";
  /// The hair cuts.
  static std::int64_t expected(const Config& config);

  explicit BarberShop(const Config& config) : config_(config), is_home_(config.customers) {}

  void went_home(actord::Context& ctx, const WentHome& m);
  void counted(actord::Context& ctx, const HairCuts& m);
  using Receive = actord::Handlers<&BarberShop::went_home, &BarberShop::counted>;

 private:
  void pre_start(actord::Context& ctx) override;

  const Config config_;
  actord::Ref barber_;
  std::vector<bool> is_home_;
  std::uint32_t home_ = 0;
  std::uint64_t visits_ = 0;
};

using SleepingBarber = Program<BarberShop>;

}  // namespace savina
