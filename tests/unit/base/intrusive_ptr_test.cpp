// SPDX-License-Identifier: Apache-2.0
#include "base/intrusive_ptr.hpp"

#include <doctest/doctest.h>

#include <thread>
#include <utility>
#include <vector>

namespace actord::base {

TEST_SUITE_BEGIN("base/intrusive_ptr");

namespace {

struct Counted : RefCounted<Counted> {
  explicit Counted(int& ended_) : ended(ended_) {}
  ~Counted() { ++ended; }
  int& ended;
};

}  // namespace

TEST_CASE("an object lives as long as its last pointer") {
  int ended = 0;
  IntrusivePtr<Counted> first(new Counted(ended));
  {
    const IntrusivePtr<Counted> second = first;
    CHECK(second.get() == first.get());
    first = {};
    CHECK_FALSE(first);
    CHECK(ended == 0);
  }
  CHECK(ended == 1);
}

TEST_CASE("an object made with its first pointer lives as long as its last one") {
  int ended = 0;
  IntrusivePtr<Counted> first = make_counted<Counted>(ended);
  IntrusivePtr<Counted> second = first;
  first = {};
  CHECK(ended == 0);
  second = {};
  CHECK(ended == 1);
}

TEST_CASE("a moved pointer hands its count over") {
  int ended = 0;
  IntrusivePtr<Counted> first(new Counted(ended));
  IntrusivePtr<Counted> second = std::move(first);
  CHECK(ended == 0);
  second = IntrusivePtr<Counted>{};
  CHECK(ended == 1);
}

TEST_CASE("a released count is adopted again: a pointer can travel as a raw one") {
  int ended = 0;
  Counted* raw = IntrusivePtr<Counted>(new Counted(ended)).release();
  CHECK(ended == 0);
  IntrusivePtr<Counted>::adopt(raw) = {};
  CHECK(ended == 1);
}

TEST_CASE("assigning a pointer to itself changes nothing") {
  int ended = 0;
  IntrusivePtr<Counted> pointer(new Counted(ended));
  const auto& same = pointer;
  pointer = same;
  CHECK(pointer);
  CHECK(ended == 0);
}

TEST_CASE("threads may share an object through pointers of their own") {
  int ended = 0;
  {
    IntrusivePtr<Counted> pointer(new Counted(ended));
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([pointer] {
        for (int i = 0; i < 10'000; ++i) IntrusivePtr<Counted> mine = pointer;
      });
    }
    pointer = {};
    threads.clear();
  }
  CHECK(ended == 1);
}

TEST_SUITE_END();

}  // namespace actord::base
