// SPDX-License-Identifier: Apache-2.0
//
// Routers whose routees come and go while many workers send to them, and routers that end and begin
// in the same cells and lists: items 180u and 180w. Every message is handled in its sender's order,
// or is a dead letter.
#include <actord/router.hpp>

#include <algorithm>
#include <vector>

#include "crew.hpp"

namespace actord::conformance {

namespace {

constexpr std::int64_t routed_senders = 12, routers = 3, messages_each = 4'000;

struct RoutedTally {
  std::atomic<std::int64_t> received{0};
  std::atomic<int> wrong{0};
};

/// Its state is plain memory, as that of an actor.
class Routed : public Actor {
 public:
  explicit Routed(RoutedTally* tally) : tally_(*tally), last_(routed_senders, -1) {}

  void take(const Count& count) {
    std::int64_t& last = last_[static_cast<std::size_t>(count.sender)];
    if (count.n <= last) ++tally_.wrong;
    last = count.n;
    ++tally_.received;
  }
  using Receive = Handlers<&Routed::take>;

 private:
  RoutedTally& tally_;
  std::vector<std::int64_t> last_;  // by sender
};

/// Has a router, and changes the number of its routees in each turn.
class Changer : public Actor {
 public:
  Changer(RoutedTally* tally, bool is_smallest, std::atomic<actor::Ref>* told)
      : tally_(tally), is_smallest_(is_smallest), told_(*told) {}

  void pre_start(Context& ctx) override {
    auto options = is_smallest_ ? pool(4).smallest_mailbox() : pool(4).round_robin();
    router_ = ctx.spawn_router<Routed>("router", std::move(options), tally_);
    ctx.ask<&Changer::begin>(router_, GetRoutees{}, std::chrono::minutes{1});
  }
  // Before the router has routees, it sends on what it gets, and later messages may overtake that.
  void begin(Context&, const Reply<Routees>&) { told_ = router_.value; }
  void change(Context& ctx, const Go& go) {
    ctx.tell(router_, AdjustPoolSize{go.n % 2 == 0 ? 2 : -2});
    if (go.n > 0) ctx.tell(ctx.self(), Go{go.n - 1});
  }
  using Receive = Handlers<&Changer::change>;

 private:
  RoutedTally* const tally_;
  const bool is_smallest_;
  std::atomic<actor::Ref>& told_;
  Ref router_;
};

/// Lets short-lived routers begin and end, so that their lists get other owners.
class Founder : public Actor {
 public:
  explicit Founder(RoutedTally* tally) : tally_(tally) {}
  void found(Context& ctx, const Go& go) {
    const Ref router = ctx.spawn_router<Routed>({}, pool(2).random(), tally_);
    ctx.stop(router);
    if (go.n > 0) ctx.tell(ctx.self(), Go{go.n - 1});
  }
  using Receive = Handlers<&Founder::found>;

 private:
  RoutedTally* const tally_;
};

/// Sends some messages to each router per turn, then starts its next turn itself.
class RoutedSource : public Actor {
 public:
  RoutedSource(std::int64_t number, std::int64_t per_turn, const std::vector<Ref>* to)
      : number_(number), per_turn_(per_turn), routers_(*to) {}

  void write(Context& ctx, const Go& go) {
    for (std::int64_t i = 0; i < per_turn_; ++i) {
      for (const Ref router : routers_) ctx.tell(router, Count{number_, go.n + i});
    }
    if (go.n + per_turn_ < messages_each) ctx.tell(ctx.self(), Go{go.n + per_turn_});
  }
  using Receive = Handlers<&RoutedSource::write>;

 private:
  const std::int64_t number_, per_turn_;
  const std::vector<Ref>& routers_;
};

/// Notes which message of the sender it has got, under its own number: its path ends with that.
class Noting : public Actor {
 public:
  Noting(Context& ctx, std::vector<std::atomic<int>>* got) : got_(*got) {
    const std::string path = ctx.path(ctx.self());
    number_ = std::stoi(path.substr(path.rfind('/') + 1));
  }
  // A message of one word: such are collected without an envelope.
  void take(const Go& go) { got_[static_cast<std::size_t>(go.n)] = number_; }
  using Receive = Handlers<&Noting::take>;

 private:
  std::vector<std::atomic<int>>& got_;
  int number_ = 0;
};

/// Sends one message to each of many actors, so that collecting messages is not worth it for a
/// while, and then messages to a router of five.
class OneByOne : public Actor {
 public:
  explicit OneByOne(std::vector<std::atomic<int>>* got) : got_(got) {}

  void pre_start(Context& ctx) override {
    router_ = ctx.spawn_router<Noting>("router", pool(5).round_robin(), got_);
    ctx.ask<&OneByOne::begin>(router_, GetRoutees{}, std::chrono::minutes{1});
  }
  void begin(Context& ctx, const Reply<Routees>&) {
    for (int i = 0; i < 500; ++i) sinks_.push_back(ctx.spawn<OneByOneSink>({}));
    ctx.tell(ctx.self(), Go{});
  }
  // The next turn most likely runs on the same worker, which does not collect for a while then.
  void send(Context& ctx, const Go& go) {
    const std::int64_t end = std::min(go.n + 20, std::ssize(*got_));
    for (std::int64_t n = go.n; n < end; ++n) ctx.tell(router_, Go{n});
    if (go.n == 0) {
      for (const Ref sink : sinks_) ctx.tell(sink, Go{});
    }
    if (end < std::ssize(*got_)) ctx.tell(ctx.self(), Go{end});
  }
  using Receive = Handlers<&OneByOne::send>;

 private:
  class OneByOneSink : public Actor {
   public:
    void take(const Go&) {}
    using Receive = Handlers<&OneByOneSink::take>;
  };
  std::vector<std::atomic<int>>* const got_;
  std::vector<Ref> sinks_;
  Ref router_;
};

void flood_routers(bool is_smallest, std::int64_t per_turn) {
  constexpr std::int64_t total = routed_senders * routers * messages_each;
  RoutedTally tally;
  std::vector<Ref> all;
  Crew crew;
  std::array<std::atomic<actor::Ref>, routers> told{};
  std::vector<actor::Ref> changers;
  for (std::size_t i = 0; i < routers; ++i) {
    changers.push_back(
        crew.spawn<Changer>("changer-" + std::to_string(i), &tally, is_smallest, &told[i]));
    support::wait_until([&] { return told[i] != actor::nobody; }, "a router");
    all.push_back(Ref{told[i]});
  }
  for (const actor::Ref changer : changers) crew.tell(changer, Go{200});
  crew.tell(crew.spawn<Founder>("founder", &tally), Go{500});
  for (std::int64_t i = 0; i < routed_senders; ++i)
    crew.tell(crew.spawn<RoutedSource>("source-" + std::to_string(i), i, per_turn, &all), Go{0});
  const auto ended = [&] {
    return tally.received + static_cast<std::int64_t>(crew.system().totals().undelivered);
  };
  support::wait_until([&] { return ended() >= total; }, "the end of every message");
  crew.end();
  CHECK(tally.wrong == 0);
  CHECK(tally.received <= total);
  CHECK(tally.received > total / 2);
}

}  // namespace

TEST_CASE("180w routees come and go while twelve actors send: nothing is lost, and order stays") {
  for (const bool is_smallest : {false, true}) {
    CAPTURE(is_smallest);
    for (const std::int64_t per_turn : {1, 40}) {
      CAPTURE(per_turn);
      flood_routers(is_smallest, per_turn);
    }
  }
}

TEST_CASE("180u round robin: the order stays when the messages of a handler are not collected") {
  std::vector<std::atomic<int>> got(200);
  Crew crew;
  crew.spawn<OneByOne>("sender", &got);
  support::wait_until(
      [&] { return std::ranges::all_of(got, [](const auto& n) { return n != 0; }); },
      "all messages");
  crew.end();
  for (std::size_t n = 1; n < got.size(); ++n) CHECK(got[n] == got[n - 1] % 5 + 1);
}

}  // namespace actord::conformance
