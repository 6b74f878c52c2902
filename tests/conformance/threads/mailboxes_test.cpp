// SPDX-License-Identifier: Apache-2.0
//
// Mailboxes that are full or sorted while many workers send to them: items 180y and 180z. Every
// message is handled in its sender's order, or is a dead letter.
#include <vector>

#include "crew.hpp"

namespace actord::conformance {

namespace {

using actor::ActorOptions;
using actor::Overflow;

constexpr std::int64_t senders = 16, sinks = 4, each = 2'000;

struct Tally {
  std::atomic<std::int64_t> received{0};
  std::atomic<int> wrong{0};
};

/// Its state is plain memory, as that of an actor.
class Sink : public Actor {
 public:
  explicit Sink(Tally* tally) : tally_(*tally), last_(senders, -1) {}

  void take(const Count& count) {
    std::int64_t& last = last_[static_cast<std::size_t>(count.sender)];
    if (count.n <= last) ++tally_.wrong;
    last = count.n;
    ++tally_.received;
  }
  using Receive = Handlers<&Sink::take>;

 private:
  Tally& tally_;
  std::vector<std::int64_t> last_;  // by sender
};

/// Sends some messages to each sink per turn, then starts its next turn itself.
class Source : public Actor {
 public:
  Source(std::int64_t number, std::int64_t per_turn, const std::vector<actor::Ref>* to)
      : number_(number), per_turn_(per_turn), sinks_(*to) {}

  void write(Context& ctx, const Go& go) {
    for (std::int64_t i = 0; i < per_turn_; ++i) {
      for (const actor::Ref sink : sinks_) ctx.tell(Ref{sink}, Count{number_, go.n + i});
    }
    if (go.n + per_turn_ < each) ctx.tell(ctx.self(), Go{go.n + per_turn_});
  }
  using Receive = Handlers<&Source::write>;

 private:
  const std::int64_t number_, per_turn_;
  const std::vector<actor::Ref>& sinks_;
};

// Lets all sources send all of their messages. Returns how many the sinks have handled.
std::int64_t flood(const ActorOptions& options, std::int64_t per_turn) {
  constexpr std::int64_t total = senders * sinks * each;
  Tally tally;
  std::vector<actor::Ref> all_sinks;
  Crew crew({{"/user/sink-*", options}});
  for (std::int64_t i = 0; i < sinks; ++i)
    all_sinks.push_back(crew.spawn<Sink>("sink-" + std::to_string(i), &tally));
  for (std::int64_t i = 0; i < senders; ++i)
    crew.tell(crew.spawn<Source>("source-" + std::to_string(i), i, per_turn, &all_sinks), Go{0});
  // Before the end: what waits for /system/log then becomes undelivered, too.
  const auto ended = [&] {
    return tally.received + static_cast<std::int64_t>(crew.system().totals().undelivered);
  };
  support::wait_until([&] { return ended() >= total; }, "the end of every message");
  CHECK(ended() == total);
  for (const actor::Ref sink : all_sinks) {
    if (options.mailbox_capacity == 0) break;
    const actor::Cell& cell = crew.system().cells.at(actor::index_of(sink));
    CHECK(cell.capacity_left.load() == options.mailbox_capacity);
  }
  crew.end();
  CHECK(tally.wrong == 0);
  return tally.received;
}

}  // namespace

TEST_CASE("180y whatever a full mailbox does, each message is handled in order or a dead letter") {
  for (const Overflow overflow : {Overflow::drop_new, Overflow::drop_old, Overflow::wait}) {
    CAPTURE(static_cast<int>(overflow));
    for (const std::int64_t per_turn : {1, 40}) {
      CAPTURE(per_turn);
      CHECK(flood({.mailbox_capacity = 8, .overflow = overflow}, per_turn) > 0);
    }
  }
}

TEST_CASE(
    "180y wait: where a handler sends one message, all arrive, and no thread waits for room") {
  const ActorOptions options = {.mailbox_capacity = senders, .overflow = Overflow::wait};
  CHECK(flood(options, 1) == senders * sinks * each);
}

TEST_CASE("180z a sorted mailbox loses nothing, and keeps the order of each sender") {
  for (const std::int64_t per_turn : {1, 40}) {
    CAPTURE(per_turn);
    CHECK(flood({.priority = {"crew.Go/1", "*"}}, per_turn) == senders * sinks * each);
    CHECK(flood({.mailbox_capacity = 8,
                 .overflow = Overflow::drop_old,
                 .priority = {"*", "crew.Go/1"},
                 .control = actor::TypeNames{}},
                per_turn) > 0);
  }
}

}  // namespace actord::conformance
