// SPDX-License-Identifier: Apache-2.0
//
// The actors of the soak. A boss restarts foremen. A foreman gives jobs to hands, which fail in
// every way, and spawns, watches, asks and floods them.
//
// Not here: the length of the soak, and the checks at its end (soak_main.cpp).
#pragma once

#include <actord/actord.hpp>

#include <atomic>
#include <string>

namespace actord::soak {

/// Counts of what has happened so far. Any thread.
struct Tally {
  using Count = std::atomic<std::uint64_t>;
  Count messages{0}, restarts{0}, resumes{0}, escalations{0}, spawns{0}, ends{0};
  Count watched_ends{0}, answers{0}, no_answers{0}, beats{0};
  std::atomic<std::int64_t> instances{0};
};

struct Pulse {};
struct Wake {};
struct Job {
  std::uint32_t what = 0;
};
struct WatchRequest {  // the receiver watches `whom`, or has a foreman watch it
  std::uint64_t whom = 0;
};
struct Question {};
struct Answer {};
ACTORD_MESSAGE(Pulse, "soak.Pulse/1")
ACTORD_MESSAGE(Wake, "soak.Wake/1")
ACTORD_MESSAGE(Job, "soak.Job/1", what)
ACTORD_MESSAGE(WatchRequest, "soak.WatchRequest/1", whom)
ACTORD_MESSAGE(Question, "soak.Question/1")
ACTORD_MESSAGE(Answer, "soak.Answer/1")

struct Broken : Error {
  using Error::Error;
};
struct Harmless : Error {
  using Error::Error;
};
struct Hopeless : Error {
  using Error::Error;
};
struct TooMuch : Error {
  using Error::Error;
};

/// Counts its instances, its restarts and what it handles.
class Counted : public Actor {
 public:
  explicit Counted(Tally* tally);
  ~Counted() override;
  void post_restart(Context& ctx, const Failure& reason) override;

 protected:
  void count() { tally_.messages.fetch_add(1, std::memory_order_relaxed); }
  Tally& tally_;
};

class Hand : public Counted {
 public:
  using Counted::Counted;

  void work(Context& ctx, const Job& job);
  void set_aside(Context& ctx, const Job&);
  void wake(Context& ctx, const Wake&);
  Answer answer(Context& ctx, const Question&);

  using Busy = Handlers<&Hand::set_aside, &Hand::wake, &Hand::answer>;
  using Receive = Handlers<&Hand::work, &Hand::wake, &Hand::answer>;
  using States = actord::States<Busy>;
};

/// Does one job and stops.
class Transient : public Counted {
 public:
  using Counted::Counted;
  void work(Context& ctx, const Job&);
  using Receive = Handlers<&Transient::work>;
};

class Foreman : public Counted {
 public:
  static Strategy supervision();
  using Counted::Counted;

  void pre_start(Context& ctx) override;
  void child_terminated(Context& ctx, Ref child) override;
  void pulse(Context& ctx, const Pulse&);
  void watch_request(Context& ctx, const WatchRequest& at);
  void terminated(Context& ctx, const Terminated&);
  void answered(Context& ctx, const Reply<Answer>& reply);

  using Receive = Handlers<&Foreman::pulse, &Foreman::watch_request, &Foreman::terminated>;

 protected:
  Ref hire(Context& ctx, std::string_view name);

  std::vector<Ref> hands_;
  Ref bounded_;
};

/// A foreman whose strategy restarts a hand after a delay.
class PatientForeman : public Foreman {
 public:
  static Strategy supervision();
  using Foreman::Foreman;
};

class Boss : public Counted {
 public:
  static Strategy supervision();
  Boss(Tally* tally, std::uint32_t foremen) : Counted(tally), foremen_(foremen) {}

  void pre_start(Context& ctx) override;
  void watch_request(Context& ctx, const WatchRequest& at);
  using Receive = Handlers<&Boss::watch_request>;

 private:
  const std::uint32_t foremen_;
};

}  // namespace actord::soak
