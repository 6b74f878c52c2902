// SPDX-License-Identifier: Apache-2.0
//
// The one-word mailbox, call by call. Threads are tested in mailbox_threads_test.cpp, and every
// interleaving in tests/sim.
#include "actor/mailbox.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <set>
#include <vector>

#include "base/random.hpp"
#include "support/dies.hpp"

namespace actord::actor {

TEST_SUITE_BEGIN("actor/mailbox");

namespace {

using Pushed = MailboxWord::Pushed;
using Numbers = std::vector<std::uint64_t>;

/// A mailbox with its owner, and envelopes that record whether they are free.
struct Box {
  explicit Box(bool is_open = true) {
    if (is_open) word.open();
  }

  Envelope* block(std::uint64_t number) {
    Envelope* const envelope = free.empty() ? &all.emplace_back() : free.back();
    if (!free.empty()) free.pop_back();
    envelope->sender = number;
    return envelope;
  }
  void give(Envelope* envelope) {
    REQUIRE(std::ranges::find(free, envelope) == free.end());
    free.push_back(envelope);
  }
  auto giver() {
    return [this](Envelope* envelope) { give(envelope); };
  }

  Pushed push(std::uint64_t number) { return word.push(block(number)); }
  bool fetch() { return inbox.fetch(word, giver()); }
  bool park() { return inbox.park(word, giver()); }

  /// Reads one message as a cell does: the block goes back unless it is the marker.
  std::uint64_t read() {
    Envelope* const envelope = inbox.pop();
    REQUIRE(envelope != nullptr);
    const std::uint64_t number = envelope->sender;
    if (!inbox.is_marker(envelope)) give(envelope);
    return number;
  }
  Numbers read_all() {
    Numbers numbers;
    while (inbox.has_fetched()) numbers.push_back(read());
    return numbers;
  }
  Numbers close() {
    Numbers unread;
    for (Envelope* each = inbox.close(word, giver()); each != nullptr;) {
      unread.push_back(each->sender);
      give(std::exchange(each, each->next));
    }
    return unread;
  }
  std::size_t in_use() const { return all.size() - free.size(); }

  MailboxWord word;
  MailboxOwner inbox;
  std::deque<Envelope> all;
  std::vector<Envelope*> free;
};

}  // namespace

TEST_CASE("a new mailbox is closed, and what it refuses stays the sender's") {
  Box box(false);
  CHECK(box.word.is_closed());
  CHECK(box.push(1) == Pushed::closed);
  CHECK_FALSE(box.word.unpark_for_system());
}

TEST_CASE("an opened mailbox is not parked: its cell has been scheduled already") {
  Box box;
  CHECK_FALSE(box.word.is_closed());
  CHECK(box.push(1) == Pushed::queued);
  CHECK_FALSE(box.word.unpark_for_system());
}

TEST_CASE("the first to push onto a parked mailbox must schedule, and no other") {
  Box box;
  REQUIRE(box.park());
  CHECK(box.push(1) == Pushed::schedule);
  CHECK(box.push(2) == Pushed::queued);
  CHECK(box.push(3) == Pushed::queued);
}

TEST_CASE("mail is read in the order in which it was pushed, over any number of fetches") {
  Box box;
  CHECK_FALSE(box.fetch());
  for (std::uint64_t i = 1; i <= 3; ++i) box.push(i);
  REQUIRE(box.fetch());
  CHECK_FALSE(box.fetch());
  CHECK(box.read() == 1);
  box.push(4);
  box.push(5);
  CHECK(box.read_all() == Numbers{2, 3});
  REQUIRE(box.fetch());
  CHECK(box.read_all() == Numbers{4, 5});
  box.push(6);
  REQUIRE(box.fetch());
  CHECK(box.read_all() == Numbers{6});
}

TEST_CASE("the newest block fetched stays until a newer one is fetched or the mailbox parks") {
  Box box;
  box.push(1);
  box.push(2);
  REQUIRE(box.fetch());
  CHECK(box.read_all() == Numbers{1, 2});
  CHECK(box.in_use() == 1);  // the second block
  SUBCASE("a newer one") {
    box.push(3);
    REQUIRE(box.fetch());
    CHECK(box.in_use() == 1);  // the third block
    CHECK(box.read_all() == Numbers{3});
    CHECK(box.in_use() == 1);
  }
  SUBCASE("parking") {
    REQUIRE(box.park());
    CHECK(box.in_use() == 0);
  }
}

TEST_CASE("a mailbox does not park over mail that came since") {
  Box box;
  box.push(1);
  REQUIRE(box.fetch());
  CHECK(box.read() == 1);
  box.push(2);
  CHECK_FALSE(box.park());
  REQUIRE(box.fetch());
  CHECK(box.read() == 2);
  CHECK(box.park());
}

TEST_CASE("order holds over parking and waking") {
  Box box;
  std::uint64_t sent = 0, read = 0;
  for (int round = 0; round < 10; ++round) {
    REQUIRE(box.park());
    for (int i = 0; i <= round; ++i) {
      CHECK(box.push(++sent) == (i == 0 ? Pushed::schedule : Pushed::queued));
    }
    REQUIRE(box.fetch());
    while (box.inbox.has_fetched()) CHECK(box.read() == ++read);
  }
  CHECK(read == sent);
}

TEST_CASE("a push onto a suspended mailbox schedules nothing") {
  Box box;
  box.push(1);
  box.inbox.park_suspended(box.word);
  CHECK(box.push(2) == Pushed::queued);
  CHECK(box.push(3) == Pushed::queued);
  CHECK(box.word.unpark_for_system());
  REQUIRE(box.fetch());
  CHECK(box.read_all() == Numbers{1, 2, 3});
}

TEST_CASE("a mailbox suspended with mail half read goes on where it was") {
  Box box;
  for (std::uint64_t i = 1; i <= 3; ++i) box.push(i);
  REQUIRE(box.fetch());
  CHECK(box.read() == 1);
  box.inbox.park_suspended(box.word);
  box.push(4);
  CHECK(MailboxOwner::unpark(box.word));
  CHECK(box.read_all() == Numbers{2, 3});
  REQUIRE(box.fetch());
  CHECK(box.read_all() == Numbers{4});
  CHECK(box.park());
  CHECK(box.in_use() == 0);
}

TEST_CASE("of all threads that would wake a parked mailbox for a system message one does") {
  Box box;
  SUBCASE("parked") { REQUIRE(box.park()); }
  SUBCASE("suspended") {
    box.push(1);
    box.inbox.park_suspended(box.word);
  }
  CHECK(box.word.unpark_for_system());
  CHECK_FALSE(box.word.unpark_for_system());
  CHECK_FALSE(MailboxOwner::unpark(box.word));
}

TEST_CASE("an order and a message wake a parked mailbox once between them") {
  Box box;
  REQUIRE(box.park());
  SUBCASE("the order first") {
    CHECK(box.word.unpark_for_system());
    CHECK(box.push(1) == Pushed::queued);
  }
  SUBCASE("the message first") {
    CHECK(box.push(1) == Pushed::schedule);
    CHECK_FALSE(box.word.unpark_for_system());
  }
}

TEST_CASE("unstashed mail comes before all that has been fetched, in its order") {
  Box box;
  for (std::uint64_t i = 1; i <= 4; ++i) box.push(i);
  REQUIRE(box.fetch());
  Envelope* const first = box.inbox.pop();
  Envelope* const second = box.inbox.pop();
  first->next = second;
  box.push(5);
  box.inbox.push_front(first, second);
  CHECK(box.read_all() == Numbers{1, 2, 3, 4});
  Envelope* const alone = box.block(6);
  box.inbox.push_front(alone, alone);
  CHECK(box.read_all() == Numbers{6});
  REQUIRE(box.fetch());
  CHECK(box.read_all() == Numbers{5});
}

TEST_CASE("closing answers everything unread, oldest first, and nothing gets in afterwards") {
  Box box;
  SUBCASE("nothing was fetched") {
    for (std::uint64_t i = 1; i <= 3; ++i) box.push(i);
    CHECK(box.close() == Numbers{1, 2, 3});
  }
  SUBCASE("some was fetched, the newest of it unread") {
    for (std::uint64_t i = 1; i <= 3; ++i) box.push(i);
    REQUIRE(box.fetch());
    CHECK(box.read() == 1);
    box.push(4);
    CHECK(box.close() == Numbers{2, 3, 4});
  }
  SUBCASE("all that was fetched was read") {
    box.push(1);
    REQUIRE(box.fetch());
    CHECK(box.read() == 1);
    box.push(2);
    box.push(3);
    CHECK(box.close() == Numbers{2, 3});
  }
  SUBCASE("everything was read") {
    box.push(1);
    REQUIRE(box.fetch());
    CHECK(box.read() == 1);
    CHECK(box.close().empty());
  }
  SUBCASE("parked") {
    REQUIRE(box.park());
    CHECK(box.close().empty());
  }
  SUBCASE("suspended") {
    box.push(1);
    REQUIRE(box.fetch());
    box.inbox.park_suspended(box.word);
    box.push(2);
    CHECK(box.close() == Numbers{1, 2});
  }
  CHECK(box.in_use() == 0);
  CHECK(box.word.is_closed());
  CHECK(box.push(9) == Pushed::closed);
  CHECK_FALSE(box.word.unpark_for_system());
}

TEST_CASE("a closed mailbox opens for the next tenant as new") {
  Box box;
  box.push(1);
  box.close();
  box.word.open();
  CHECK_FALSE(box.word.is_closed());
  CHECK_FALSE(box.fetch());
  CHECK(box.push(2) == Pushed::queued);
  REQUIRE(box.fetch());
  CHECK(box.read_all() == Numbers{2});
}

TEST_CASE("a block may be used again at once: a word with its address is not mistaken for old") {
  Box box;
  std::set<const Envelope*> used;
  for (std::uint64_t i = 1; i <= 1000; ++i) {
    Envelope* const envelope = box.block(i);  // the block given back last
    used.insert(envelope);
    const bool was_parked = i % 3 == 1;
    if (was_parked) REQUIRE(box.park());
    CHECK(box.word.push(envelope) == (was_parked ? Pushed::schedule : Pushed::queued));
    REQUIRE(box.fetch());
    CHECK(box.read() == i);
    CHECK(box.in_use() == 1);
  }
  CHECK(used.size() <= 3);
}

TEST_CASE("whatever is done to a mailbox, it does what a list would do") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    base::Random random(seed);
    Box box;
    std::deque<std::uint64_t> expected;
    std::uint64_t sent = 0;
    enum { awake, parked, suspended } state = awake;
    for (int i = 0; i < 300; ++i) {
      switch (random.below(6)) {
        case 0:
        case 1:
          CHECK(box.push(++sent) == (state == parked ? Pushed::schedule : Pushed::queued));
          expected.push_back(sent);
          if (state == parked) state = awake;
          break;
        case 2:
          CHECK(box.word.unpark_for_system() == (state != awake));
          state = awake;
          break;
        case 3:
          if (state != awake) break;
          if (!box.inbox.has_fetched()) box.fetch();
          if (!box.inbox.has_fetched()) break;
          CHECK(box.read() == expected.front());
          expected.pop_front();
          break;
        case 4:
          if (state != awake || box.inbox.has_fetched()) break;
          CHECK(box.park() == expected.empty());
          if (expected.empty()) state = parked;
          break;
        default:
          if (state != awake || random.chance(0.5)) break;
          box.inbox.park_suspended(box.word);
          state = suspended;
      }
    }
    CHECK(box.close() == Numbers(expected.begin(), expected.end()));
    CHECK(box.in_use() == 0);
  }
}

// ---- system messages ----------------------------------------------------------------------------

TEST_CASE("orders are taken all at once, oldest first") {
  SystemQueue queue;
  queue.open();
  CHECK_FALSE(queue.has_mail());
  CHECK(queue.take_all() == nullptr);
  std::array<Envelope, 3> orders{};
  for (Envelope& order : orders) CHECK(queue.push(&order));
  CHECK(queue.has_mail());
  CHECK(queue.has_mail_after_park());
  const Envelope* order = queue.take_all();
  for (const Envelope& expected : orders) {
    REQUIRE(order == &expected);
    order = order->next;
  }
  CHECK(order == nullptr);
  CHECK_FALSE(queue.has_mail());
}

TEST_CASE("a closed queue refuses orders, before the first tenant and after each") {
  SystemQueue queue;
  std::array<Envelope, 2> orders{};
  CHECK_FALSE(queue.push(&orders[0]));
  queue.open();
  CHECK(queue.push(&orders[0]));
  CHECK(queue.push(&orders[1]));
  CHECK(queue.close() == &orders[0]);
  CHECK(orders[0].next == &orders[1]);
  CHECK_FALSE(queue.push(&orders[0]));
  queue.open();
  CHECK_FALSE(queue.has_mail());
  CHECK(queue.push(&orders[0]));
}

TEST_CASE("a tenancy ends once: to close a second time is a bug") {
  Box box;
  CHECK(box.inbox.close(box.word, box.giver()) == nullptr);
  CHECK(support::assertion_broken_by([&] { box.inbox.close(box.word, box.giver()); }) ==
        "(last & MailboxWord::closed) == 0");
  SystemQueue queue;  // closed also before the first tenant
  CHECK(support::assertion_broken_by([&] { queue.close(); }) == "top != closed");
  CHECK(support::assertion_broken_by([&] { queue.take_all(); }) == "top != closed");
}

TEST_SUITE_END();

}  // namespace actord::actor
