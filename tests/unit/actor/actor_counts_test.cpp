// SPDX-License-Identifier: Apache-2.0
#include "actor/actor_counts.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "testkit/world.hpp"

namespace counts_test {

struct Number {
  std::int64_t value = 0;
};
struct Flood {
  std::int64_t count = 0;
};
ACTORD_MESSAGE(Number, "counts_test.Number/1", value)
ACTORD_MESSAGE(Flood, "counts_test.Flood/1", count)

/// Fails on negative numbers.
class Reader : public actord::Actor {
 public:
  void on(const Number& number) {
    if (number.value < 0) throw std::runtime_error("negative");
  }
  using Receive = actord::Handlers<&Reader::on>;
};

/// Sends many numbers in one handler, which makes packets of them.
class Source : public actord::Actor {
 public:
  explicit Source(actord::Ref to) : to_(to) {}
  void on(actord::Context& ctx, const Flood& flood) {
    for (std::int64_t i = 0; i < flood.count; ++i) ctx.tell(to_, Number{i});
  }
  using Receive = actord::Handlers<&Source::on>;

 private:
  actord::Ref to_;
};

}  // namespace counts_test

namespace actord::actor {

TEST_SUITE_BEGIN("actor/actor_counts");

namespace {

using counts_test::Flood;
using counts_test::Number;
using Which = ActorCounts::Which;

struct CountsTest {
  testkit::World world;

  explicit CountsTest(Which which) {
    world.use(*plugin_table<Behaviours<>, Messages<Number, Flood>>("counts_test", "1"));
    count(which);
    world.start();
  }
  void count(Which which) { world.system().counts.set_which(which); }
  ActorCounts::Count of(Ref actor) {
    const auto counts = world.system().counts.read();
    const auto found = std::ranges::find(counts, actor, &ActorCounts::Count::actor);
    return found == counts.end() ? ActorCounts::Count{} : *found;
  }
};

}  // namespace

TEST_CASE("messages are counted exactly, however they come and whatever becomes of them") {
  CountsTest test(Which::all);
  const Ref reader = test.world.spawn<counts_test::Reader>("reader");
  const Ref source = test.world.spawn<counts_test::Source>("source", actord::Ref{reader});
  std::uint64_t sent = 0;
  for (const std::int64_t count : {1, 16, 17, 40, 1000}) {
    CAPTURE(count);
    test.world.send(source, Flood{count});
    sent += static_cast<std::uint64_t>(count);
    CHECK(test.of(reader).messages == sent);
  }
  CHECK(test.of(source).messages == 5);
  test.world.send(reader, Flood{1});  // it has no handler for this
  CHECK(test.of(reader).messages == sent + 1);
  test.world.send(reader, Number{-1});
  const ActorCounts::Count after = test.of(reader);
  CHECK(after.messages == sent + 2);
  CHECK(after.failures == 1);
  CHECK(after.restarts == 1);
}

TEST_CASE("a new actor in the same cell begins with 0, and one that has stopped is not counted") {
  CountsTest test(Which::all);
  const Ref first = test.world.spawn<counts_test::Reader>("reader");
  test.world.send(first, Number{1});
  CHECK(test.of(first).messages == 1);
  test.world.stop(first);
  test.world.run();
  CHECK(test.of(first).actor == nobody);
  const Ref second = test.world.spawn<counts_test::Reader>("reader");
  CHECK(test.of(second).messages == 0);
}

TEST_CASE("a reload begins and ends the counting of running actors") {
  CountsTest test(Which::none);
  const Ref reader = test.world.spawn<counts_test::Reader>("reader");
  test.world.send(reader, Number{1});
  CHECK(test.world.system().counts.read().empty());
  const auto reload = [&](Which which) {
    test.count(which);
    test.world.reconfigure({});
    test.world.run();
  };
  reload(Which::all);
  test.world.send(reader, Number{2});
  CHECK(test.of(reader).messages == 1);
  reload(Which::configured);
  CHECK(test.of(reader).actor == nobody);
  CHECK_FALSE(test.world.system().counts.read().empty());  // the guardians have nodes
  reload(Which::none);
  CHECK(test.world.system().counts.read().empty());
}

}  // namespace actord::actor
