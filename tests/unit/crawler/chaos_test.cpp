// SPDX-License-Identifier: Apache-2.0

#include "crawler/chaos.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

int fails(const crawler::Chaos& chaos, int pages, unsigned attempt = 1) {
  int count = 0;
  for (int i = 0; i < pages; ++i)
    count += chaos.fails("/page" + std::to_string(i) + ".html", attempt);
  return count;
}

}  // namespace

TEST_SUITE("crawler/chaos") {
  TEST_CASE("the mixer is splitmix64") {
    CHECK(crawler::mixed(0) == 0xe220a8397b1dcdaf);  // the published first output for seed 0
  }

  TEST_CASE("the same seed strikes the same attempts") {
    const crawler::Chaos one{0.3, 7}, same{0.3, 7}, other{0.3, 8};
    int differences = 0;
    for (unsigned attempt = 1; attempt <= 100; ++attempt) {
      CHECK(one.fails("/a.html", attempt) == same.fails("/a.html", attempt));
      differences += one.fails("/a.html", attempt) != other.fails("/a.html", attempt);
    }
    CHECK(differences > 0);
  }

  TEST_CASE("the share of attempts that fail is the probability") {
    CHECK(fails({0, 1}, 1000) == 0);
    CHECK(fails({1, 1}, 1000) == 1000);
    const int tenth = fails({0.1, 1}, 10'000);
    CHECK(tenth > 900);
    CHECK(tenth < 1100);
  }

  TEST_CASE("a second attempt has its own luck") {
    const crawler::Chaos chaos{0.5, 3};
    int both = 0;
    for (int i = 0; i < 1000; ++i) {
      const std::string page = '/' + std::to_string(i);
      both += chaos.fails(page, 1) && chaos.fails(page, 2);
    }
    CHECK(both > 200);
    CHECK(both < 300);
  }
}
