// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <actord/actord.hpp>
#include <actord/at_least_once.hpp>
#include <actord/persistent.hpp>
#include <actord/persistent_state_machine.hpp>

#include <set>
#include <string>

namespace votes {

using namespace std::chrono_literals;

struct Vote {
  int n = 1;
};
ACTORD_MESSAGE(Vote, "votes.Vote/1", n)

struct Voted {
  int n = 0;
};  // the event
ACTORD_MESSAGE(Voted, "votes.Voted/1", n)
struct Count {
  int n = 0;
};  // the state, and the answer
ACTORD_MESSAGE(Count, "votes.Count/1", n)

class Counter : public actord::Persistent<Counter, Count> {
 public:
  void vote(actord::Context& ctx, const Vote& vote) {
    if (vote.n > 100) throw actord::Error("too many votes");
    persist(ctx, Voted{vote.n}, [this](actord::Context& c) { c.reply(state()); });
  }
  void apply(Count& count, const Voted& event) { count.n += event.n; }

  using Events = actord::Events<Voted>;
  using Receive = actord::Handlers<&Counter::vote>;
};

struct Open {
  bool is_open = false;
};
ACTORD_MESSAGE(Open, "votes.Open/1", is_open)
struct IsOpen {
  bool is_open = false;
};
ACTORD_MESSAGE(IsOpen, "votes.IsOpen/1", is_open)

class Door : public actord::DurableState<Door, IsOpen> {
 public:
  void open(actord::Context& ctx, const Open& wanted) {
    store(ctx, IsOpen{wanted.is_open}, [](actord::Context& c, const IsOpen& now) { c.reply(now); });
  }
  using Receive = actord::Handlers<&Door::open>;
};

struct Answer {
  bool is_yes = false;
};
ACTORD_MESSAGE(Answer, "votes.Answer/1", is_yes)
struct Answered {
  bool is_yes = false;
};
ACTORD_MESSAGE(Answered, "votes.Answered/1", is_yes)
struct Thanks {};
ACTORD_MESSAGE(Thanks, "votes.Thanks/1")
struct GetResult {};
ACTORD_MESSAGE(GetResult, "votes.GetResult/1")
struct Result {
  int yes = 0, no = 0;
};
ACTORD_MESSAGE(Result, "votes.Result/1", yes, no)

enum class PollState { open, closed };
ACTORD_ENUM(PollState, open, closed)
struct Tally {
  int yes = 0, no = 0;
};
ACTORD_FIELDS(Tally, yes, no)

class Poll : public actord::PersistentStateMachine<Poll, PollState, Tally> {
 public:
  Poll() : PersistentStateMachine(PollState::open) { state_timeout(PollState::open, 24h); }

  Next answer(const Answer& answer) {
    return stay().persisting(Answered{answer.is_yes}).replying(Thanks{});
  }
  Next close(const actord::StateTimeout&) { return go_to<PollState::closed>(); }
  Result result(const GetResult&) { return {data().yes, data().no}; }
  void apply(Tally& tally, const Answered& event) { ++(event.is_yes ? tally.yes : tally.no); }

  static constexpr std::string_view stored_as = "votes.Poll/1";
  using Events = actord::Events<Answered>;
  using Receive = When<PollState::open, &Poll::answer, &Poll::close>;
  using States = actord::States<When<PollState::closed>>;
  using WhenUnhandled = actord::Handlers<&Poll::result>;
};

struct Publish {
  std::string text;
};
ACTORD_MESSAGE(Publish, "votes.Publish/1", text)
struct Published {
  std::string text;
};
ACTORD_MESSAGE(Published, "votes.Published/1", text)
struct Page {
  actord::DeliveryId delivery;
  std::string text;
};
ACTORD_MESSAGE(Page, "votes.Page/1", delivery, text)

struct Nothing {};

class Post : public actord::AtLeastOnce<Post, Nothing> {
 public:
  void publish(actord::Context& ctx, const Publish& wanted) {
    persist(ctx, Published{wanted.text});
  }
  void apply(Nothing&, const Published& event) {
    deliver("/user/archive", [event](const actord::DeliveryId& id) {
      return Page{id, event.text};
    });
  }
  using Events = actord::Events<Published>;
  using Receive = Delivering<&Post::publish>;
};

struct Kept {
  actord::DeliveryId delivery;
  std::string text;
};
ACTORD_MESSAGE(Kept, "votes.Kept/1", delivery, text)
struct Shelf {
  actord::DeliveryLog deliveries;
  std::vector<std::string> pages;
};
ACTORD_MESSAGE(Shelf, "votes.Shelf/1", deliveries, pages)

class Archive : public actord::Persistent<Archive, Shelf> {
 public:
  void keep(actord::Context& ctx, const Page& page) {
    if (state().deliveries.has(page.delivery)) return actord::confirm_delivery(ctx, page.delivery);
    persist(ctx, Kept{page.delivery, page.text}, [](actord::Context& c, const Kept& event) {
      actord::confirm_delivery(c, event.delivery);
    });
  }
  void apply(Shelf& shelf, const Kept& event) {
    shelf.deliveries.add(event.delivery);
    shelf.pages.push_back(event.text);
  }
  using Events = actord::Events<Kept>;
  using Receive = actord::Handlers<&Archive::keep>;
};

}  // namespace votes
