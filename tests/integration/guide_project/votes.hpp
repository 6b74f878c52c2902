// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <actord/actord.hpp>
#include <actord/at_least_once.hpp>
#include <actord/persistent.hpp>

#include <set>
#include <string>

namespace votes {

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
