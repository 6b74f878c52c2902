// SPDX-License-Identifier: Apache-2.0

#include "crawler/frontier.hpp"

#include <doctest/doctest.h>

using crawler::Attempt;
using crawler::Fate;
using crawler::Frontier;
using crawler::Reason;
using namespace std::chrono_literals;

TEST_SUITE("crawler/frontier") {
  TEST_CASE("a page is visited once however often it is linked") {
    Frontier frontier{{}};
    CHECK(frontier.add("http://a/"));
    CHECK_FALSE(frontier.add("http://a/"));
    CHECK(frontier.seen() == 1);
    const auto first = frontier.next(1s);
    CHECK(first == Attempt{1, 1});
    CHECK(frontier.url(1) == "http://a/");
    CHECK_FALSE(frontier.next(1s));
    CHECK_FALSE(frontier.is_over());
    CHECK(frontier.succeed(*first));
    CHECK(frontier.is_over());
    CHECK_FALSE(frontier.add("http://a/"));
  }

  TEST_CASE("every link to a page that does not exist is dead, whenever it was found") {
    Frontier frontier{{}};
    frontier.add("start");
    const Attempt start = *frontier.next(1s);
    CHECK(frontier.succeed(start));
    frontier.add("gone", start.page);
    frontier.add("there", start.page);
    const Attempt gone = *frontier.next(1s);
    const Attempt there = *frontier.next(1s);
    frontier.add("gone", there.page);
    frontier.add("there", there.page);
    CHECK(frontier.succeed(there));
    CHECK(frontier.dead_links().empty());
    CHECK(frontier.find_dead(gone, 404));
    CHECK_FALSE(frontier.find_dead(gone, 500));
    frontier.add("gone", gone.page);
    frontier.add("there", gone.page);
    CHECK(frontier.is_over());
    const auto dead = frontier.dead_links();
    REQUIRE(dead.size() == 3);
    CHECK(dead[0].source == "start");
    CHECK(dead[0].target == "gone");
    CHECK(dead[0].status == 404);
    CHECK(dead[1].source == "there");
    CHECK(dead[2].source == "gone");
    CHECK(frontier.linked_from(there.page) == start.page);
  }

  TEST_CASE("a start page that does not exist is a dead link without a source") {
    Frontier frontier{{}};
    frontier.add("start");
    CHECK(frontier.find_dead(*frontier.next(1s), 410));
    const auto dead = frontier.dead_links();
    REQUIRE(dead.size() == 1);
    CHECK(dead[0].source.empty());
    CHECK(dead[0].target == "start");
  }

  TEST_CASE("a failed page is tried again until its attempts are spent") {
    Frontier frontier{{.attempts_max = 2}};
    frontier.add("x");
    CHECK(frontier.fail(*frontier.next(1s), Reason::timeout) == Fate::retry);
    CHECK_FALSE(frontier.is_over());
    CHECK(frontier.given_up().empty());
    CHECK(frontier.fail(*frontier.next(1s), Reason::timeout) == Fate::given_up);
    CHECK(frontier.is_over());
    REQUIRE(frontier.given_up().size() == 1);
    CHECK(frontier.given_up()[0].url == "x");
    CHECK(frontier.given_up()[0].attempts == 2);
    CHECK(frontier.given_up()[0].reason == Reason::timeout);
  }

  TEST_CASE("the reason that the fetcher gave counts, and only for its attempt") {
    Frontier frontier{{.attempts_max = 2}};
    frontier.add("x");
    const Attempt first = *frontier.next(1s);
    frontier.explain(first, Reason::chaos);
    frontier.fail(first, Reason::deadline);
    frontier.explain(first, Reason::chaos);  // it comes too late
    frontier.fail(*frontier.next(1s), Reason::deadline);
    REQUIRE(frontier.given_up().size() == 1);
    CHECK(frontier.given_up()[0].reason == Reason::deadline);

    frontier.add("y");
    frontier.fail(*frontier.next(1s), Reason::deadline);
    const Attempt last = *frontier.next(1s);
    frontier.explain(last, Reason::connection_lost);
    frontier.fail(last, Reason::deadline);
    REQUIRE(frontier.given_up().size() == 2);
    CHECK(frontier.given_up()[1].reason == Reason::connection_lost);
  }

  TEST_CASE("a failed page waits behind those not tried yet") {
    Frontier frontier{{}};
    frontier.add("x");
    frontier.add("y");
    frontier.fail(*frontier.next(1s), Reason::timeout);
    CHECK(frontier.next(1s) == Attempt{2, 1});
    CHECK(frontier.next(1s) == Attempt{1, 2});
  }

  TEST_CASE("a late result changes nothing") {
    Frontier frontier{{.attempts_max = 2}};
    frontier.add("x");
    const Attempt first = *frontier.next(1s);
    CHECK(frontier.fail(first, Reason::timeout) == Fate::retry);
    CHECK_FALSE(frontier.succeed(first));
    CHECK(frontier.fail(first, Reason::timeout) == Fate::stale);
    const Attempt second = *frontier.next(1s);
    CHECK_FALSE(frontier.succeed(first));
    CHECK(frontier.fail(first, Reason::timeout) == Fate::stale);
    CHECK(frontier.in_progress() == 1);
    CHECK(frontier.succeed(second));
    CHECK(frontier.fail(second, Reason::timeout) == Fate::stale);
    CHECK(frontier.given_up().empty());
  }

  TEST_CASE("a page taken back waits again and has spent no attempt") {
    Frontier frontier{{.attempts_max = 1}};
    frontier.add("x");
    const Attempt first = *frontier.next(1s);
    frontier.take_back(first);
    CHECK(frontier.in_progress() == 0);
    CHECK_FALSE(frontier.is_over());
    CHECK(frontier.overdue(9s).empty());
    CHECK(frontier.next(1s) == first);
    CHECK(frontier.fail(first, Reason::timeout) == Fate::given_up);
  }

  TEST_CASE("only the attempt in progress can be taken back") {
    Frontier frontier{{}};
    frontier.add("x");
    const Attempt first = *frontier.next(1s);
    frontier.fail(first, Reason::timeout);
    frontier.take_back(first);
    CHECK(frontier.next(1s) == Attempt{1, 2});
    CHECK_FALSE(frontier.next(1s));
  }

  TEST_CASE("only attempts in progress miss their deadline") {
    Frontier frontier{{}};
    frontier.add("x");
    frontier.add("y");
    frontier.add("z");
    const Attempt x = *frontier.next(1s);
    const Attempt y = *frontier.next(2s);
    CHECK(frontier.overdue(999ms).empty());
    CHECK(frontier.overdue(1s) == std::vector{x});
    CHECK(frontier.overdue(9s) == std::vector{x, y});
    frontier.succeed(x);
    frontier.fail(y, Reason::timeout);
    CHECK(frontier.overdue(9s).empty());
  }

  TEST_CASE("when no fetcher is left, all unfinished pages are given up") {
    Frontier frontier{{}};
    for (const char* page : {"done", "busy", "waiting"}) frontier.add(page);
    frontier.succeed(*frontier.next(1s));
    const Attempt busy = *frontier.next(1s);
    const auto lost = frontier.abandon(Reason::no_fetcher);
    REQUIRE(lost.size() == 2);
    CHECK(lost[0].url == "busy");
    CHECK(lost[0].attempts == 1);
    CHECK(lost[1].url == "waiting");
    CHECK(lost[1].attempts == 0);
    CHECK(lost[1].reason == Reason::no_fetcher);
    CHECK(frontier.is_over());
    CHECK(frontier.given_up().size() == 2);
    CHECK_FALSE(frontier.succeed(busy));
  }

  TEST_CASE("a site without end is cut off and says so") {
    Frontier frontier{{.pages_max = 2}};
    CHECK(frontier.add("1"));
    CHECK(frontier.add("2"));
    CHECK_FALSE(frontier.add("1"));
    CHECK_FALSE(frontier.is_full());
    CHECK_FALSE(frontier.add("3"));
    CHECK(frontier.is_full());
    CHECK(frontier.seen() == 2);
  }
}
