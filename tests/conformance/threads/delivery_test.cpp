// SPDX-License-Identifier: Apache-2.0
//
// One message at a time, and a dispatcher that no failure stalls: items 180b and 180g.
#include <vector>

#include "crew.hpp"

namespace actord::conformance {

namespace {

constexpr std::int64_t senders = 32, receivers = 8, each = 500;

struct Audit {
  support::Latch full{receivers};
  std::atomic<int> wrong{0};
};

/// Its state is plain memory: each message must see what the one before has written, on whichever
/// worker. It uses no CHECK, because CHECK's counters would add an ordering of their own.
class Ledger : public Actor {
 public:
  explicit Ledger(Audit* audit) : audit_(*audit), next_(senders, 0) {}

  void enter(const Count& count) {
    std::int64_t& next = next_[static_cast<std::size_t>(count.sender)];
    if (is_inside_ || next != count.n) ++audit_.wrong;
    is_inside_ = true;
    ++next;
    if (++entries_ == senders * each) audit_.full.count_down();
    is_inside_ = false;
  }
  using Receive = Handlers<&Ledger::enter>;

 private:
  Audit& audit_;
  std::vector<std::int64_t> next_;  // by sender
  std::int64_t entries_ = 0;
  bool is_inside_ = false;
};

/// Sends a message to each ledger per turn, then starts its next turn itself.
class Clerk : public Actor {
 public:
  Clerk(std::int64_t number, const std::vector<actor::Ref>* ledgers)
      : number_(number), ledgers_(*ledgers) {}

  void write(Context& ctx, const Go& go) {
    for (const actor::Ref ledger : ledgers_) ctx.tell(Ref{ledger}, Count{number_, go.n});
    if (go.n + 1 < each) ctx.tell(ctx.self(), Go{go.n + 1});
  }
  using Receive = Handlers<&Clerk::write>;

 private:
  const std::int64_t number_;
  const std::vector<actor::Ref>& ledgers_;
};

/// Counts the messages that arrive, in the order of each sender.
class Basin : public Actor {
 public:
  Basin(std::int64_t wanted, Audit* audit) : left_(wanted), audit_(*audit), next_(senders, 0) {}

  void take(const Count& count) {
    std::int64_t& next = next_[static_cast<std::size_t>(count.sender)];
    if (next++ != count.n) ++audit_.wrong;
    if (--left_ == 0) audit_.full.count_down(receivers);
  }
  using Receive = Handlers<&Basin::take>;

 private:
  std::int64_t left_;
  Audit& audit_;
  std::vector<std::int64_t> next_;
};

/// Sends all of its messages in one handler.
class Flood : public Actor {
 public:
  Flood(std::int64_t number, actor::Ref basin) : number_(number), basin_{basin} {}

  void burst(Context& ctx, const Go& go) {
    for (std::int64_t n = 0; n < go.n; ++n) ctx.tell(basin_, Count{number_, n});
  }
  using Receive = Handlers<&Flood::burst>;

 private:
  std::int64_t number_;
  Ref basin_;
};

/// Signals that its last number has arrived, on a latch that the sender waits for.
class Terminus : public Actor {
 public:
  Terminus(std::int64_t last, support::Latch* come) : last_(last), come_(*come) {}

  void take(const Go& go) {
    if (go.n == last_) come_.count_down();
  }
  using Receive = Handlers<&Terminus::take>;

 private:
  const std::int64_t last_;
  support::Latch& come_;
};

/// Its handler returns only after the messages that it sent to the terminus have been handled.
class Waiter : public Actor {
 public:
  Waiter(actor::Ref terminus, support::Latch* come, support::Latch* done)
      : terminus_{terminus}, come_(*come), done_(*done) {}

  void wait(Context& ctx, const Go& go) {
    for (std::int64_t n = 0; n <= go.n; ++n) ctx.tell(terminus_, Go{n});
    come_.wait("the last message");
    done_.count_down();
  }
  using Receive = Handlers<&Waiter::wait>;

 private:
  const Ref terminus_;
  support::Latch& come_;
  support::Latch& done_;
};

struct Mishap : Error {
  using Error::Error;
};

/// Fails at every second message, each time in another way.
class Clumsy : public Actor {
 public:
  Clumsy(std::atomic<int>* handled, support::Latch* done) : handled_(*handled), done_(*done) {}

  void stumble(Context& ctx, const Go& go) {
    switch (go.n) {
      case 1: throw Mishap("dropped it");
      case 3: throw std::runtime_error("slipped");
      case 5: throw 42;
      case 7: throw "a text";
      case 9: return ctx.fail<Mishap>("without a throw");
      case 11: throw std::make_unique<int>(1);
      default: break;
    }
    ++handled_;
    if (go.n == 12) done_.count_down();
  }
  using Receive = Handlers<&Clumsy::stumble>;

 private:
  std::atomic<int>& handled_;
  support::Latch& done_;
};

/// Restarts or resumes its children in turn, whatever the failure.
class Patient : public Actor {
 public:
  Patient(std::atomic<int>* handled, support::Latch* done) : handled_(*handled), done_(*done) {}
  static Strategy supervision() {
    return one_for_one().on<Mishap>(Directive::resume).otherwise(Directive::restart).silent();
  }
  void begin(Context& ctx, const Go& go) {
    for (std::int64_t i = 0; i < go.n; ++i) {
      const Ref child = ctx.spawn<Clumsy>("", &handled_, &done_);
      for (std::int64_t n = 0; n <= 12; ++n) ctx.tell(child, Go{n});
    }
  }
  using Receive = Handlers<&Patient::begin>;

 private:
  std::atomic<int>& handled_;
  support::Latch& done_;
};

}  // namespace

TEST_CASE("180b on real workers: one message at a time, and each sees what the one before left") {
  Audit audit;
  std::vector<actor::Ref> ledgers;
  Crew crew;
  for (std::int64_t i = 0; i < receivers; ++i)
    ledgers.push_back(crew.spawn<Ledger>("ledger-" + std::to_string(i), &audit));
  for (std::int64_t i = 0; i < senders; ++i)
    crew.tell(crew.spawn<Clerk>("clerk-" + std::to_string(i), i, &ledgers), Go{});
  audit.full.wait("all messages of all ledgers");
  CHECK(audit.wrong == 0);
}

TEST_CASE(
    "180g on real workers: whatever handlers throw, the dispatcher goes on and so do others") {
  constexpr int patients = 4, children = 25;
  std::atomic<int> handled{0};
  support::Latch done(patients * children);
  Audit audit;
  std::vector<actor::Ref> ledgers;
  Crew crew;
  for (std::int64_t i = 0; i < receivers; ++i)
    ledgers.push_back(crew.spawn<Ledger>("ledger-" + std::to_string(i), &audit));
  for (int i = 0; i < patients; ++i)
    crew.tell(crew.spawn<Patient>("patient-" + std::to_string(i), &handled, &done), Go{children});
  for (std::int64_t i = 0; i < senders; ++i)
    crew.tell(crew.spawn<Clerk>("clerk-" + std::to_string(i), i, &ledgers), Go{});
  done.wait("the last message of every clumsy actor");
  audit.full.wait("all messages of all ledgers");
  CHECK(audit.wrong == 0);
  CHECK(handled == patients * children * 7);
  CHECK_FALSE(crew.system().is_terminating());
}

TEST_CASE("a flooded actor loses nothing, and is like any other once its mailbox is empty") {
  constexpr std::int64_t floods = 8, drops = 20'000;
  Audit audit;
  Crew crew;
  const actor::Ref basin = crew.spawn<Basin>("basin", floods * drops, &audit);
  for (std::int64_t i = 0; i < floods; ++i)
    crew.tell(crew.spawn<Flood>("flood-" + std::to_string(i), i, basin), Go{drops});
  audit.full.wait("the last message of the flood");
  CHECK(audit.wrong == 0);
  // The last message is handled; the basin then finds in its own time that there are no more.
  const actor::Cell& cell = crew.system().cells.at(actor::index_of(basin));
  support::wait_until([&] { return cell.sender_flags.load() == 0; },
                      "the basin to be overloaded no more");
}

TEST_CASE("on real workers what is sent arrives though the handler that sent it goes on") {
  for (const std::int64_t last : {0, 15, 16, 30, 1000}) {
    CAPTURE(last);
    support::Latch come(1), done(1);
    Crew crew;
    const actor::Ref terminus = crew.spawn<Terminus>("terminus", last, &come);
    crew.tell(crew.spawn<Waiter>("waiter", terminus, &come, &done), Go{last});
    done.wait("the end of the handler");
  }
}

}  // namespace actord::conformance
