// SPDX-License-Identifier: Apache-2.0
//
// A handler that sends many messages: to living actors, to actors that die meanwhile, and to refs
// that never had an actor.
#include <doctest/doctest.h>
#include <actord/actord.hpp>

#include <string>
#include <vector>

#include "testkit/world.hpp"

namespace packets_test {

struct Number {
  std::int64_t value = 0;
};
struct Text {
  std::string text;
};
struct Flood {
  std::int64_t count = 0;
  bool with_texts = false;
};
ACTORD_MESSAGE(Number, "packets_test.Number/1", value)
ACTORD_MESSAGE(Text, "packets_test.Text/1", text)
ACTORD_MESSAGE(Flood, "packets_test.Flood/1", count, with_texts)

using Lines = std::vector<std::string>;

/// Records what it gets; stashes or stops where it is told to.
class Reader : public actord::Actor {
 public:
  Reader(Lines* lines, std::int64_t stashes_until, std::int64_t stops_at)
      : lines_(*lines), stashes_until_(stashes_until), stops_at_(stops_at) {}

  void on_number(actord::Context& ctx, const Number& number) {
    if (number.value < stashes_until_) return ctx.stash();
    if (number.value == stops_at_) return ctx.stop_self();
    lines_.push_back(std::to_string(number.value));
    if (number.value == stashes_until_) {
      stashes_until_ = 0;
      ctx.unstash_all();
    }
  }
  void on_text(const Text& text) { lines_.push_back(text.text); }
  using Receive = actord::Handlers<&Reader::on_number, &Reader::on_text>;

 private:
  Lines& lines_;
  std::int64_t stashes_until_, stops_at_;
};

class Source : public actord::Actor {
 public:
  Source(actord::Ref first, actord::Ref second) : first_(first), second_(second) {}

  void on(actord::Context& ctx, const Flood& flood) {
    for (std::int64_t i = 0; i < flood.count; ++i) {
      ctx.tell(first_, Number{i});
      if (flood.with_texts) ctx.tell(first_, Text{"text " + std::to_string(i)});
      if (i % 3 == 0) ctx.tell(second_, Number{i});
    }
  }
  using Receive = actord::Handlers<&Source::on>;

 private:
  actord::Ref first_, second_;
};

/// Sends the same number to many actors, round by round.
class Crier : public actord::Actor {
 public:
  explicit Crier(std::vector<actord::Ref> crowd) : crowd_(std::move(crowd)) {}

  void on(actord::Context& ctx, const Flood& flood) {
    for (std::int64_t i = 0; i < flood.count; ++i) {
      for (const actord::Ref& each : crowd_) ctx.tell(each, Number{i});
    }
  }
  using Receive = actord::Handlers<&Crier::on>;

 private:
  std::vector<actord::Ref> crowd_;
};

Lines numbers(std::int64_t end, std::int64_t step = 1) {
  Lines all;
  for (std::int64_t i = 0; i < end; i += step) all.push_back(std::to_string(i));
  return all;
}

struct PacketTest {
  Lines first, second;
  actord::testkit::World world;
  actord::actor::Ref reader, other, source;

  explicit PacketTest(std::int64_t stashes_until = 0, std::int64_t stops_at = -1) {
    world.use(*actord::plugin_table<actord::Behaviours<>, actord::Messages<Number, Text, Flood>>(
        "packets_test", "1"));
    world.start();
    reader = world.spawn<Reader>("reader", &first, stashes_until, stops_at);
    other = world.spawn<Reader>("other", &second, std::int64_t{0}, std::int64_t{-1});
    source = world.spawn<Source>("source", actord::Ref{reader}, actord::Ref{other});
  }
  void flood(std::int64_t count, bool with_texts = false) {
    world.tell(source, Flood{count, with_texts});
    world.run();
  }
};

TEST_SUITE_BEGIN("actor/packets");

TEST_CASE("each receiver gets all of it in the order in which it was sent") {
  for (const std::int64_t count : {1, 16, 17, 18, 40, 1000}) {
    CAPTURE(count);
    PacketTest test;
    test.flood(count);
    CHECK(test.first == numbers(count));
    CHECK(test.second == numbers(count, 3));
  }
}

TEST_CASE("messages of different types keep their order too") {
  PacketTest test;
  test.flood(100, true);
  Lines wanted;
  for (int i = 0; i < 100; ++i) {
    wanted.push_back(std::to_string(i));
    wanted.push_back("text " + std::to_string(i));
  }
  CHECK(test.first == wanted);
}

TEST_CASE(
    "each of a crowd gets all of it in order, though packets are given up and tried again midway") {
  PacketTest test;
  std::vector<Lines> all_lines(600);  // more receivers than a send buffer has room for
  std::vector<actord::Ref> crowd;
  for (Lines& lines : all_lines) {
    const std::string name = "reader" + std::to_string(crowd.size());
    crowd.emplace_back(test.world.spawn<Reader>(name, &lines, std::int64_t{0}, std::int64_t{-1}));
  }
  const actord::actor::Ref crier = test.world.spawn<Crier>("crier", crowd);
  for (const std::int64_t count : {1, 3, 40}) {
    for (Lines& lines : all_lines) lines.clear();
    test.world.tell(crier, Flood{count});
    test.world.run();
    for (const Lines& lines : all_lines) CHECK(lines == numbers(count));
  }
}

TEST_CASE("what came in a packet can be set aside and taken back") {
  PacketTest test(60);
  test.flood(100);
  Lines wanted{"60"};
  for (const auto& each : numbers(60)) wanted.push_back(each);
  for (std::int64_t i = 61; i < 100; ++i) wanted.push_back(std::to_string(i));
  CHECK(test.first == wanted);
}

TEST_CASE("what a receiver that stops has not read is a dead letter each, in packets or not") {
  PacketTest test(0, 50);
  test.flood(100);
  CHECK(test.first == numbers(50));
  CHECK(test.world.events("deadletter").size() == 49);
}

TEST_CASE("what is sent to the dead is a dead letter each") {
  PacketTest test;
  test.world.stop(test.reader);
  test.world.run();
  test.flood(100);
  CHECK(test.world.events("deadletter").size() == 100);
  CHECK(test.second == numbers(100, 3));
}

TEST_SUITE_END();

}  // namespace packets_test
