// SPDX-License-Identifier: Apache-2.0
//
// Actors in host processes that code of actord spawns: item 181m.
#include "isolation_support.hpp"

namespace actord::conformance {

namespace {

/// Every kind of value that an argument may be.
enum class Size { small, large };
ACTORD_ENUM(Size, small, large)
struct Strap {
  std::string colour;
  bool is_tight = false;
};
ACTORD_FIELDS(Strap, colour, is_tight)
struct Luggage {
  int number = 0;
  double weight = 0;
  Size size = Size::small;
  std::vector<Strap> straps;
  std::map<std::string, std::uint64_t> prices;
  std::optional<std::string> label;
  std::chrono::nanoseconds wait{};
  Bytes room;
};
ACTORD_FIELDS(Luggage, number, weight, size, straps, prices, label, wait, room)

Luggage a_trunk() {
  return {.number = -7,
          .weight = 0.1,
          .size = Size::large,
          .straps = {{"red", true}, {"", false}},
          .prices = {{"all", UINT64_MAX}},
          .label = "heavy",
          .wait = 3ns,
          .room = {1 << 20}};
}

/// Sends the number of its luggage for each Note, if all of it has arrived. It refers to its
/// argument, which lives as long as the actor.
class Porter : public Actor {
 public:
  Porter(const Luggage& luggage, Ref to) : luggage_(luggage), to_(to) {}

  void pre_start(Context& ctx) override { tell(ctx, 100); }
  void note(Context& ctx, const Note& note) { tell(ctx, note.n); }
  using Receive = Handlers<&Porter::note>;

 private:
  void tell(Context& ctx, int n) const {
    ctx.tell(to_, Note{luggage_ == a_trunk() ? luggage_.number + n : 0});
  }
  const Luggage& luggage_;
  Ref to_;
};

/// Has no arguments, and is not listed by its plugin.
class Idler : public Porter {
 public:
  Idler() : Porter(none(), {}) {}

 private:
  static const Luggage& none() {
    static const Luggage luggage;
    return luggage;
  }
};

/// Its argument is an address of the process that spawns it.
class Mule : public Actor {
 public:
  explicit Mule(const int* load) : load_(load) {}
  void note(const Note&) const { CHECK(*load_ == 1); }
  using Receive = Handlers<&Mule::note>;

 private:
  const int* load_;
};

/// A supervisor in actord whose children are to live in processes, and an actor that they tell.
SeededTest::Setup station() {
  SeededTest::Setup setup = isolated({in_actord("boss", {}, restarts()), in_actord("desk", {})});
  setup.before_start = [start = setup.before_start](SeededTest& test) {
    start(test);
    test.deployments = {
        {"/user/boss/*", {.isolation = actor::Isolation::process, .worker_group = "vat"}}};
  };
  return setup;
}

template <class A, class... Args>
Ref spawn(SeededTest& test, const Args&... args) {
  Ref child;
  test.perform(test.find("/user/boss"),
               [&](ScriptedActor&, Context& ctx) { child = ctx.spawn<A>("child", args...); });
  return child;
}

}  // namespace

TEST_CASE("181m the arguments of a spawn come to the process, for every incarnation") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = spawn<Porter>(test, a_trunk(), test.find("/user/desk"));
        test.note(child, 8);
        test.world.run();
        kill(test);
        test.note(child, 9);
        test.world.run();
        CHECK(test.life_of("desk") == "new 0, pre_start 0, got 93, got 1, got 93, got 2");
        CHECK(test.world.incarnation(child.value) == 1);
        CHECK(test.world.events("actor.failed").size() == 1);
      },
      station());
}

TEST_CASE("181m the process ends with the constructor, and the next one has the arguments, too") {
  for (const Fate fate : {Fate::dies_before, Fate::dies_after, Fate::garbles}) {
    CAPTURE(static_cast<int>(fate));
    under_seeds(
        [&](SeededTest& test) {
          let_end_at(test, 1, fate);
          const Ref child = spawn<Porter>(test, a_trunk(), test.find("/user/desk"));
          test.note(child, 8);
          test.world.run();
          CHECK(test.is_alive(child));
          CHECK(test.count("desk got 1") == 1);
        },
        station());
  }
}

TEST_CASE("181m a class without arguments that its plugin does not list lives there, too") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = spawn<Idler>(test);
        REQUIRE(test.is_alive(child));
        kill(test);
        test.world.run();
        CHECK(test.world.incarnation(child.value) == 1);
      },
      station());
}

TEST_CASE("181m arguments that are no values cannot leave actord, and the spawn says so") {
  under_seeds(
      [](SeededTest& test) {
        const int load = 1;
        std::string what;
        test.perform(test.find("/user/boss"), [&](ScriptedActor&, Context& ctx) {
          try {
            ctx.spawn<Mule>("child", &load);
          } catch (const Error& error) {
            what = error.what();
          }
        });
        CHECK(what.find("/user/boss/child: it should live in a host process (isolation = process), "
                        "and is spawned with arguments that cannot leave actord") !=
              std::string::npos);
        CHECK_FALSE(test.find("/user/boss/child"));
        CHECK(test.answers(test.find("/user/boss")));
      },
      station());
}

}  // namespace actord::conformance
