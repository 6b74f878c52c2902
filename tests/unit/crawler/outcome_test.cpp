// SPDX-License-Identifier: Apache-2.0

#include "crawler/outcome.hpp"

#include <doctest/doctest.h>

using crawler::Outcome;
using crawler::Reason;

namespace {

Outcome given_up(std::initializer_list<std::pair<Reason, std::uint64_t>> counts) {
  Outcome outcome;
  outcome.pages = 757;
  outcome.seconds = 1.26;
  for (const auto& [reason, count] : counts)
    outcome.given_up.at(static_cast<std::size_t>(reason)) = count;
  return outcome;
}

}  // namespace

TEST_SUITE("crawler/outcome") {
  TEST_CASE("a crawl that has all pages of its site is complete, with dead links and images") {
    Outcome outcome = given_up({});
    outcome.dead = 3;
    outcome.not_html = 5;
    outcome.dead_links = 428;
    outcome.failures = 48;
    CHECK(outcome.is_complete());
    CHECK(std::string{headline(outcome)} == "the crawl has ended");
    CHECK(sentence_on_pages(outcome) == "757 in the index, 0 given up, 1.3 s");
  }

  TEST_CASE("pages that were given up make it incomplete, and are counted by their reasons") {
    const Outcome outcome =
        given_up({{Reason::timeout, 2}, {Reason::chaos, 10}, {Reason::no_fetcher, 0}});
    CHECK_FALSE(outcome.is_complete());
    CHECK(outcome.all_given_up() == 12);
    CHECK(std::string{headline(outcome)} == "the crawl has ended, but pages are missing");
    CHECK(sentence_on_pages(outcome) ==
          "757 in the index, 12 given up (10 failed on purpose, 2 timed out), 1.3 s");
  }

  TEST_CASE("every reason has a name and words") {
    for (const auto& text : crawler::reason_texts) {
      CHECK_FALSE(text.name.empty());
      CHECK_FALSE(text.words.empty());
    }
    CHECK(text_of(Reason::index_lost).name == "index_lost");
    CHECK(text_of(Reason::chaos).name == "chaos");
  }

  TEST_CASE("pages that are too large are missing in the index") {
    Outcome outcome = given_up({});
    outcome.too_large = 1;
    CHECK_FALSE(outcome.is_complete());
    CHECK(sentence_on_pages(outcome) == "757 in the index, 0 given up, 1 too large, 1.3 s");
  }

  TEST_CASE("a start page that failed is the news, with what went wrong") {
    Outcome outcome = given_up({});
    outcome.pages = 0;
    outcome.start_problem = "HTTP status 404";
    CHECK_FALSE(outcome.is_complete());
    CHECK(std::string{headline(outcome)} == "the crawl has ended, because the start page failed");
    CHECK(sentence_on_pages(outcome) ==
          "0 in the index, the start page failed: HTTP status 404, 0 given up, 1.3 s");
  }

  TEST_CASE("without its indexer a crawl is incomplete, with any number of pages") {
    Outcome outcome = given_up({});
    outcome.is_index_complete = false;
    CHECK_FALSE(outcome.is_complete());
    CHECK(std::string{headline(outcome)} == "the crawl has ended, because the indexer failed");
  }

  TEST_CASE("text that could not be read is told, and is no missing page") {
    Outcome outcome = given_up({});
    outcome.bad_texts = 4;
    CHECK(outcome.is_complete());
    CHECK(sentence_on_pages(outcome) ==
          "757 in the index, 0 given up, 4 with unreadable characters, 1.3 s");
  }
}
