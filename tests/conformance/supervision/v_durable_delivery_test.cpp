// SPDX-License-Identifier: Apache-2.0
//
// Messages that are delivered at least once by a sender with durable state: item 184i.
#include <actord/at_least_once.hpp>

#include <set>

#include "persistence_support.hpp"

namespace actord::conformance::durable_delivery {

namespace {

using persist::MemoryStore;

struct Open {
  std::uint64_t number = 0;
  std::int64_t n = 0;
};
ACTORD_FIELDS(Open, number, n)
struct Orders {  // the state of the sender
  std::vector<Open> open;
  std::int64_t sent = 0;
};
struct Order {
  std::int64_t n = 0;
};
struct Cancel {};  // takes all off
struct Break {};
struct Ship {
  DeliveryId delivery;
  std::int64_t n = 0;
};
ACTORD_MESSAGE(Orders, "desk.Orders/1", open, sent)
ACTORD_MESSAGE(Order, "desk.Order/1", n)
ACTORD_MESSAGE(Cancel, "desk.Cancel/1")
ACTORD_MESSAGE(Break, "desk.Break/1")
ACTORD_MESSAGE(Ship, "desk.Ship/1", delivery, n)

/// Over all processes of a case.
struct Diary {
  bool is_deaf = false, fails_behind = false, forgets_to_take_off = false;
  std::size_t unconfirmed_max = 100;
  std::size_t unconfirmed = 0;
  std::vector<std::uint64_t> confirmed;
  std::multiset<std::int64_t> shipped;  // each time that it came, if the shipper was not deaf
  std::set<std::uint64_t> numbers;      // of all that came

  static inline Diary* open = nullptr;
};

class Desk : public DurableAtLeastOnce<Desk, Orders> {
 public:
  Redelivery redelivery() const override {
    return {.first = 100ms,
            .longest = 1s,
            .random_factor = 0,
            .unconfirmed_max = Diary::open->unconfirmed_max};
  }
  void recovery_completed(Context&) override { look(); }
  void delivery_confirmed(Context&, std::uint64_t number) override {
    Diary::open->confirmed.push_back(number);
    look();
  }
  void order(Context& ctx, const Order& wanted) {
    Orders next = state();
    next.open.push_back({new_delivery(ctx), wanted.n});
    ++next.sent;
    store(ctx, std::move(next), [this] {
      look();
      if (Diary::open->fails_behind) throw Error("behind the state");
    });
  }
  void cancel(Context& ctx, const Cancel&) {
    Orders next = state();
    next.open.clear();
    store(ctx, std::move(next), [this] { look(); });
  }
  void fail(const Break&) { throw Error("again"); }
  void deliveries(const Orders& now) {
    for (const Open& each : now.open)
      deliver(each.number, "/user/shipper", [each](const DeliveryId& id) {
        return Ship{id, each.n};
      });
  }
  void delivered(Orders& next, std::uint64_t number) {
    if (Diary::open->forgets_to_take_off) return;
    std::erase_if(next.open, [number](const Open& each) { return each.number == number; });
  }
  void look() const { Diary::open->unconfirmed = unconfirmed(); }

  using Receive = Delivering<&Desk::order, &Desk::cancel, &Desk::fail>;
};

class Shipper : public Actor {
 public:
  void ship(Context& ctx, const Ship& wanted) {
    Diary::open->numbers.insert(wanted.delivery.number);
    if (Diary::open->is_deaf) return;
    Diary::open->shipped.insert(wanted.n);
    confirm_delivery(ctx, wanted.delivery);
  }
  using Receive = Handlers<&Shipper::ship>;
};

struct Scene {
  actor::Ref desk() { return test.world.find("/user/desk"); }
  void order(std::int64_t n) { test.world.send(desk(), Order{n}); }
  std::size_t shipped(std::int64_t n) const { return diary.shipped.count(n); }
  SeededTest& test;
  Diary& diary;
};

using Process = std::function<void(Scene&)>;

// Processes, one after the other, with one store.
void under_seeds(std::initializer_list<Process> processes,
                 const std::optional<actor::Strategy>& strategy = {}) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    Diary diary;
    Diary::open = &diary;
    const auto store = std::make_shared<MemoryStore>();
    for (const Process& process : processes) {
      SeededTest::Setup setup;
      setup.options.store = store;
      setup.before_start = [&](SeededTest& test) {
        test.world.use(
            *plugin_table<Behaviours<Desk, Shipper>, Messages<Orders, Order, Cancel, Break, Ship>>(
                "desk", "1"));
        test.user.options.strategy = strategy;
        for (const char* const name : {"shipper", "desk"}) {
          actor::NodeSpec& node = test.user.children.emplace_back();
          node.name = name;
          node.behaviour = *test.world.system().behaviours().find(
              node.name == "desk" ? "desk/Desk" : "desk/Shipper");
        }
      };
      SeededTest test(seed, setup);
      test.world.run();
      Scene scene{test, diary};
      process(scene);
      test.end();
    }
  }
}

}  // namespace

TEST_CASE("184i a message is sent when the state is stored, and no more once it is confirmed") {
  under_seeds({[](Scene& it) {
    it.order(5);
    it.order(6);
    it.test.world.advance(10s);
    CHECK(it.diary.shipped == std::multiset<std::int64_t>{5, 6});
    CHECK(it.diary.confirmed.size() == 2);
    CHECK(it.diary.unconfirmed == 0);
    CHECK(it.test.world.events("deadletter").empty());
  }});
}

TEST_CASE("184i what is open is sent again after a restart of the sender, or of actord") {
  under_seeds({[](Scene& it) {
                 it.diary.is_deaf = true;
                 it.order(5);
                 it.order(6);
                 it.test.world.send(it.desk(), Break{});
                 CHECK(it.diary.unconfirmed == 2);
               },
               [](Scene& it) {
                 CHECK(it.diary.unconfirmed == 2);
                 it.diary.is_deaf = false;
                 it.test.world.advance(2s);
                 CHECK(it.diary.shipped == std::multiset<std::int64_t>{5, 6});
                 CHECK(it.diary.numbers.size() == 2);
               },
               [](Scene& it) {
                 it.order(7);
                 CHECK(it.diary.unconfirmed == 0);
                 CHECK(it.diary.numbers.size() == 3);
               }});
}

TEST_CASE("184i what follows the state fails, and the sender is resumed: the message is sent") {
  under_seeds({[](Scene& it) {
                it.diary.fails_behind = true;
                it.order(5);
                CHECK(it.shipped(5) == 1);
                it.diary.fails_behind = false;
                it.order(6);
                CHECK(it.shipped(6) == 1);
                CHECK(it.diary.unconfirmed == 0);
              }},
              always(actor::Strategy::Otherwise::resume));
}

TEST_CASE("184i what a state names no more is sent no more") {
  under_seeds({[](Scene& it) {
    it.diary.is_deaf = true;
    it.order(5);
    it.test.world.send(it.desk(), Cancel{});
    CHECK(it.diary.unconfirmed == 0);
    it.diary.is_deaf = false;
    it.test.world.advance(10s);
    CHECK(it.diary.shipped.empty());
  }});
}

TEST_CASE("184i a state with too many open deliveries is refused, one with fewer is stored") {
  under_seeds({[](Scene& it) {
                it.diary.is_deaf = true;
                it.diary.unconfirmed_max = 2;
                for (int i = 1; i <= 4; ++i) it.order(i);
                CHECK(it.diary.unconfirmed == 2);
                const auto failed = it.test.world.events("actor.failed");
                REQUIRE(failed.size() == 2);
                CHECK(failed[0].field("failure.type") == "actord::TooManyUnconfirmed");
                it.diary.unconfirmed_max = 1;
                it.test.world.send(it.desk(), Cancel{});
                CHECK(it.diary.unconfirmed == 0);
              }},
              always(actor::Strategy::Otherwise::resume));
}

TEST_CASE("184i a confirmed delivery that stays in the state fails the sender, and is sent on") {
  under_seeds({[](Scene& it) {
                it.diary.forgets_to_take_off = true;
                it.order(5);
                CHECK(it.test.world.events("actor.failed").size() == 1);
                it.diary.forgets_to_take_off = false;
                it.test.world.advance(2s);
                CHECK(it.diary.unconfirmed == 0);
                CHECK(it.shipped(5) == 2);
              }},
              always(actor::Strategy::Otherwise::resume));
}

TEST_CASE("184i after the state of the sender was dropped, no delivery has a former number") {
  under_seeds({[](Scene& it) {
                 it.order(5);
                 it.test.stop(Ref{it.desk()});
                 it.test.world.run();
                 while (*it.test.world.store().drop("/user/desk") == persist::DropStep::more) {}
               },
               [](Scene& it) {
                 it.order(6);
                 CHECK(it.diary.numbers.size() == 2);
                 CHECK(it.shipped(6) == 1);
               }});
}

}  // namespace actord::conformance::durable_delivery
