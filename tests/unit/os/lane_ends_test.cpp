// SPDX-License-Identifier: Apache-2.0
//
// The two ends of a lane, between threads of this process and between processes. The child of a
// test writes the words of the lane itself where it does what no ChildLane would do.
#include "os/lane_ends.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <thread>

#include "support/wait.hpp"

using namespace actord::os;
namespace base = actord::base;
namespace support = actord::support;

namespace {

constexpr std::size_t area = SharedLanes::area_size;

struct Lanes {
  explicit Lanes(unsigned count = 1) {
    auto made = SharedLanes::make(count);
    REQUIRE(made.ok());
    parent = std::move(*made);
    auto mapped = SharedLanes::of(Descriptor(::fcntl(parent->descriptor(), F_DUPFD_CLOEXEC, 0)));
    REQUIRE(mapped.ok());
    child = std::move(*mapped);
  }
  std::unique_ptr<SharedLanes> parent, child;
};

/// A thread that serves a lane: it does for each frame what `serve` says.
class Serving {
 public:
  Serving(SharedLanes& lanes, std::function<void(ChildLane&, std::string_view)> serve)
      : lanes_(lanes), thread_([this, serve = std::move(serve)] {
          ChildLane lane(lanes_, 0);
          for (std::string_view frame; lane.turn(frame);) serve(lane, frame);
        }) {}
  ~Serving() {
    lanes_.close(0);
    thread_.join();
  }

 private:
  SharedLanes& lanes_;
  std::thread thread_;
};

void put_frame(ChildLane& lane, std::string_view frame) { lane.put(frame); }

std::string pattern(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += static_cast<char>('a' + (i * 7 + i / 251) % 26);
  return text;
}

/// Runs `act` in a child process, which then ends at once by _exit(). It has the mapping of the
/// parent only.
class Child {
 public:
  explicit Child(const std::function<void()>& act) : id_(::fork()) {
    REQUIRE(id_ >= 0);
    if (id_ != 0) return;
    ::alarm(60);
    act();
    ::_exit(0);
  }
  ~Child() { end(); }
  int end() {
    int status = -1;
    if (id_ > 0) ::waitpid(std::exchange(id_, 0), &status, 0);
    return status;
  }
  void kill() { ::kill(id_, SIGKILL); }

 private:
  pid_t id_;
};

/// Does once by hand what a ChildLane does before it is called: waits for the turn.
LaneWords& word_when_called(SharedLanes& lanes) {
  LaneWords& words = lanes.words(0);
  support::wait_until([&] { return words.turn.load() == 1; }, "the turn");
  return words;
}

/// The fault that the parent finds when the child answers with these words.
std::string fault_of(const std::function<void(LaneWords&)>& lie) {
  Lanes lanes;
  std::thread liar([&] { lie(word_when_called(*lanes.child)); });
  ParentLane parent(*lanes.parent, 0);
  std::string requests;
  const ParentLane::Exchanged end = parent.exchange("do it", requests);
  liar.join();
  CHECK_FALSE(end.is_alive);
  CHECK(parent.is_given_up());
  CHECK(requests.size() <= area);
  return end.fault != nullptr ? end.fault : "";
}

void give_back(LaneWords& words, TurnReason reason) {
  words.reason = static_cast<std::uint32_t>(reason);
  words.turn = 2;
  wake_word(words.turn);
}

}  // namespace

TEST_SUITE_BEGIN("os/lane_ends");

TEST_CASE("each exchange brings the requests of its own frame") {
  Lanes lanes;
  const Serving serving(*lanes.child, [](ChildLane& lane, std::string_view frame) {
    lane.put("<");
    lane.put(frame);
    lane.put(">");
  });
  ParentLane parent(*lanes.parent, 0);
  std::string requests;
  for (int i = 0; i < 20000; ++i) {
    const std::string frame = std::to_string(i);
    const auto end = parent.exchange(frame, requests);
    REQUIRE(end.is_alive);
    REQUIRE(end.was_started);
    REQUIRE(requests == '<' + frame + '>');
  }
}

TEST_CASE("frames and requests of any size cross whole") {
  Lanes lanes;
  const Serving serving(*lanes.child, &put_frame);
  ParentLane parent(*lanes.parent, 0);
  std::string requests;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, area - 1, area, area + 1, 2 * area,
                                 3 * area + 7, 40 * area}) {
    CAPTURE(size);
    const std::string frame = pattern(size);
    const auto end = parent.exchange(frame, requests);
    REQUIRE(end.is_alive);
    CHECK(requests == frame);
  }
}

TEST_CASE("requests that do not fit into the area follow each other") {
  Lanes lanes;
  const Serving serving(*lanes.child, [](ChildLane& lane, std::string_view) {
    lane.put(pattern(area - 10));
    lane.put(pattern(20));
    lane.put(pattern(2 * area + 5));
    lane.put("end");
  });
  ParentLane parent(*lanes.parent, 0);
  std::string requests;
  REQUIRE(parent.exchange("do it", requests).is_alive);
  CHECK(requests == pattern(area - 10) + pattern(20) + pattern(2 * area + 5) + "end");
}

TEST_CASE("a frame stays readable while requests cross in pieces") {
  Lanes lanes;
  const Serving serving(*lanes.child, [](ChildLane& lane, std::string_view frame) {
    lane.put(pattern(3 * area));
    lane.put(frame);
  });
  ParentLane parent(*lanes.parent, 0);
  std::string requests;
  REQUIRE(parent.exchange("the frame", requests).is_alive);
  CHECK(requests == pattern(3 * area) + "the frame");
}

TEST_CASE("what a process has put before it dies is there, and what it has not finished is not") {
  Lanes lanes;
  Child child([&] {
    ChildLane lane(*lanes.parent, 0);
    std::string_view frame;
    lane.turn(frame);
    lane.put("first.");
    lane.put("second.");
    ::kill(::getpid(), SIGKILL);
  });
  ParentLane parent(*lanes.parent, 0);
  std::thread watch([&] {
    child.end();
    parent.give_up();
  });
  std::string requests;
  const auto end = parent.exchange("do it", requests);
  watch.join();
  CHECK_FALSE(end.is_alive);
  CHECK(end.was_started);
  CHECK(end.fault == nullptr);
  CHECK(requests == "first.second.");
  CHECK(parent.is_busy());
}

TEST_CASE("requests of an exchange before do not come again when the process dies") {
  Lanes lanes;
  Child child([&] {
    ChildLane lane(*lanes.parent, 0);
    std::string_view frame;
    lane.turn(frame);
    lane.put("once.");
    lane.turn(frame);
    ::kill(::getpid(), SIGKILL);
  });
  ParentLane parent(*lanes.parent, 0);
  std::string requests;
  REQUIRE(parent.exchange("do it", requests).is_alive);
  CHECK(requests == "once.");
  std::thread watch([&] {
    child.end();
    parent.give_up();
  });
  const auto end = parent.exchange("and again", requests);
  watch.join();
  CHECK_FALSE(end.is_alive);
  CHECK(end.was_started);
  CHECK(requests.empty());
}

TEST_CASE("a piece of a request whose process dies is no request") {
  Lanes lanes;
  Child child([&] {
    ChildLane lane(*lanes.parent, 0);
    std::string_view frame;
    lane.turn(frame);
    lane.put("whole.");
    lane.put(pattern(area));  // takes the turn of "whole."
    LaneWords& words = lanes.parent->words(0);
    words.part_bytes = 100;
    words.put = LaneWords::put_in(words.turn, 0);
    ::kill(::getpid(), SIGKILL);
  });
  ParentLane parent(*lanes.parent, 0);
  std::thread watch([&] {
    child.end();
    parent.give_up();
  });
  std::string requests;
  CHECK_FALSE(parent.exchange("do it", requests).is_alive);
  watch.join();
  CHECK(requests == "whole.");
}

TEST_CASE("a frame that a process has not begun with before it dies was not started") {
  Lanes lanes;
  Child child([&] {
    const LaneWords& words = lanes.parent->words(0);
    support::wait_until([&] { return words.turn.load() == 1; }, "the turn");
    ::kill(::getpid(), SIGKILL);
  });
  ParentLane parent(*lanes.parent, 0);
  std::thread watch([&] {
    child.end();
    parent.give_up();
  });
  std::string requests;
  const auto end = parent.exchange("do it", requests);
  watch.join();
  CHECK_FALSE(end.is_alive);
  CHECK_FALSE(end.was_started);
  CHECK_FALSE(parent.is_busy());
}

TEST_CASE("a lane that is closed at the parent's turn starts nothing") {
  Lanes lanes;
  lanes.parent->close(0);
  ParentLane parent(*lanes.parent, 0);
  std::string requests = "old";
  const auto end = parent.exchange("do it", requests);
  CHECK_FALSE(end.is_alive);
  CHECK_FALSE(end.was_started);
  CHECK(end.fault == nullptr);
  CHECK(requests.empty());
}

TEST_CASE("an exchange whose turn has come back before the lane is closed is complete") {
  Lanes lanes;
  ParentLane parent(*lanes.parent, 0);
  std::thread child([&] {
    LaneWords& words = word_when_called(*lanes.child);
    words.begun_frame = words.frame_number.load();
    words.reason = static_cast<std::uint32_t>(TurnReason::done);
    words.turn = 2 | LaneWords::closed;
    wake_word(words.turn);
  });
  std::string requests;
  CHECK(parent.exchange("do it", requests).is_alive);
  child.join();
  CHECK_FALSE(parent.exchange("and again", requests).is_alive);
}

TEST_CASE("a child that writes over the turn cannot keep the parent from giving up") {
  // The parent may see that the lane is closed before the child has written over that.
  for (int round = 0; round < 10; ++round) {
    Lanes lanes;
    ParentLane parent(*lanes.parent, 0);
    std::atomic<bool> is_over{false};
    std::thread liar([&] {
      LaneWords& words = word_when_called(*lanes.child);
      words.begun_frame = 1;
      while (!is_over) words.turn = 1;
    });
    std::thread watch([&] {
      support::wait_until([&] { return parent.is_busy(); }, "the child to begin");
      parent.give_up();
    });
    std::string requests;
    CHECK_FALSE(parent.exchange("do it", requests).is_alive);
    is_over = true;
    liar.join();
    watch.join();
  }
}

TEST_CASE("a frame that was begun is not given again, and its answer comes with the exchange") {
  Lanes lanes;
  int frames = 0;
  {
    const Serving serving(*lanes.child, [&](ChildLane& lane, std::string_view frame) {
      ++frames;
      lane.put(frame);
    });
    ParentLane parent(*lanes.parent, 0);
    std::string requests;
    parent.begin("one");
    support::wait_until([&] { return lanes.parent->words(0).turn == 2; }, "the child to answer");
    CHECK(parent.is_childs_turn());
    CHECK(parent.exchange("one", requests).is_alive);
    CHECK(requests == "one");
    CHECK_FALSE(parent.is_childs_turn());
    CHECK(parent.exchange("two", requests).is_alive);
    CHECK(requests == "two");
    CHECK(parent.exchange("", requests).is_alive);
    CHECK(requests.empty());
  }
  CHECK(frames == 3);
}

TEST_CASE("a lane that is closed after a frame was begun ends the exchange") {
  Lanes lanes;
  ParentLane parent(*lanes.parent, 0);
  std::string requests;
  parent.begin("one");
  parent.give_up();
  const auto end = parent.exchange("one", requests);
  CHECK_FALSE(end.is_alive);
  CHECK_FALSE(end.was_started);
  CHECK(end.fault == nullptr);
  Lanes closed;
  ParentLane late(*closed.parent, 0);
  late.give_up();
  late.begin("one");
  CHECK_FALSE(late.exchange("one", requests).is_alive);
}

TEST_CASE("what a child must not say is found") {
  CHECK(fault_of([](LaneWords& words) {
          words.put = LaneWords::put_in(1, area + 1);
          give_back(words, TurnReason::done);
        }) == "its requests are larger than the area for them");
  CHECK(fault_of([](LaneWords& words) {
          words.put = LaneWords::put_in(1, static_cast<std::uint32_t>(-4));
          give_back(words, TurnReason::full);
        }) == "its requests are larger than the area for them");
  CHECK(fault_of([](LaneWords& words) {
          words.part_bytes = 0xffff'ffff;
          give_back(words, TurnReason::part);
        }) == "a piece of its request is larger than the area for it");
  CHECK(fault_of([](LaneWords& words) {
          words.part_bytes = 0;
          give_back(words, TurnReason::part);
        }) == "a piece of its request is larger than the area for it");
  CHECK(fault_of([](LaneWords& words) { give_back(words, static_cast<TurnReason>(9)); }) ==
        "it has given its turn back for no reason");
  CHECK(fault_of([](LaneWords& words) { give_back(words, TurnReason::next_piece); }) ==
        "it has given its turn back for no reason");
  CHECK(fault_of([](LaneWords& words) {
          words.turn = 77;
          wake_word(words.turn);
        }) == "it has taken a turn that was not its own");
}

TEST_CASE("a child that asks without end is found") {
  Lanes lanes;
  std::thread liar([&] {
    LaneWords& words = lanes.child->words(0);
    std::uint32_t turn = 1;
    while ((words.turn.load() & LaneWords::closed) == 0) {
      if (words.turn.load() != turn) continue;
      words.put = LaneWords::put_in(turn, area);
      words.reason = static_cast<std::uint32_t>(TurnReason::full);
      words.turn.compare_exchange_strong(turn, turn + 1);
      wake_word(words.turn);
      turn += 2;
    }
  });
  ParentLane parent(*lanes.parent, 0);
  std::string requests;
  const auto end = parent.exchange("do it", requests);
  liar.join();
  REQUIRE(end.fault != nullptr);
  CHECK(std::string(end.fault) == "it asks for more than 256 MiB at once");
}

TEST_CASE("a child that does not take the rest of a frame is found") {
  Lanes lanes;
  std::thread liar([&] { give_back(word_when_called(*lanes.child), TurnReason::done); });
  ParentLane parent(*lanes.parent, 0);
  std::string requests;
  const auto end = parent.exchange(pattern(2 * area), requests);
  liar.join();
  REQUIRE(end.fault != nullptr);
  CHECK(std::string(end.fault) == "it has not taken the whole frame");
}

TEST_CASE("a note of a child is read only if it is complete, and cleaned") {
  Lanes lanes(2);
  EndNote& note = lanes.child->note();
  CHECK(lanes.parent->end_facts().kind == EndNote::Kind::none);
  note.facts.kind = EndNote::Kind::exit;
  note.facts.lane = 2;
  note.facts.call.fill('\x1b');
  note.frame_count = 1'000'000;
  note.facts.frames[0].file.fill('x');
  note.facts.frames[0].build_id_bytes = 0xffff'ffff;
  CHECK(lanes.parent->end_facts().kind == EndNote::Kind::none);
  note.is_written = 1;
  const EndFacts facts = lanes.parent->end_facts();
  CHECK(facts.kind == EndNote::Kind::exit);
  CHECK(facts.lane == -1);
  CHECK(facts.call == std::string(128, '?'));
  REQUIRE(facts.frames.size() == EndNote::frames_max);
  CHECK(facts.frames[0].file == std::string(216, 'x'));
  CHECK(facts.frames[0].build_id.size() == 40);
  note.facts.kind = static_cast<EndNote::Kind>(44);
  CHECK(lanes.parent->end_facts().kind == EndNote::Kind::none);
}

TEST_CASE("what a thread works on is a text of limited length") {
  Lanes lanes;
  ChildLane child(*lanes.child, 0);
  child.note_work("Get to /user/a\n");
  CHECK(lanes.parent->work_of(0) == "Get to /user/a?");
  child.note_work(std::string(1000, 'x'));
  CHECK(lanes.parent->work_of(0).size() == 256);
  lanes.child->words(0).work_bytes = 0xffff'ffff;
  CHECK(lanes.parent->work_of(0).size() == 256);
}

TEST_CASE("a side that spins in vain skips waits, until the other one says that it was quick") {
  const base::Atomic<std::uint32_t> word{1};
  SpinChoice choice;
  // After a wait it knows since when it has the turn if it has looked at the clock: if it has spun.
  const auto spins = [&](bool has_woken = false) {
    choice.spin(word, 1, has_woken);
    return choice.took_ns() != 0;
  };
  CHECK(spins());
  CHECK_FALSE(spins());
  CHECK(spins());
  CHECK_FALSE(spins(true));
  choice.note_sleep(0);
  CHECK_FALSE(spins());
  choice.note_sleep(1'000'000);
  CHECK_FALSE(spins());
  CHECK(spins());
  CHECK_FALSE(spins());
  choice.note_sleep(1'000);
  CHECK(choice.took_ns() != 0);
  CHECK(spins());
  CHECK_FALSE(spins());

  choice = {};
  choice.spin(word, 2, true);
  CHECK(choice.took_ns() == 0);
}

TEST_CASE("the memory cannot be made smaller") {
  Lanes lanes;
  CHECK(::ftruncate(lanes.parent->descriptor(), 4096) != 0);
  CHECK_FALSE(SharedLanes::of(Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC))).ok());
}

TEST_SUITE_END();
