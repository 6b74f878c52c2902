// SPDX-License-Identifier: Apache-2.0
#include "actor/child_list.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "support/dies.hpp"

namespace actord::actor {

TEST_SUITE_BEGIN("actor/child_list");

using support::assertion_broken_by;

namespace {

/// A list of cells that have no actors.
struct Nursery {
  CellPool cells{{.capacity = 1024}};
  base::Magazine fresh;
  ChildList list;
  std::vector<Cell*> added;

  Nursery() { REQUIRE(cells.refill(fresh)); }

  /// The child has only a number if `name` is empty.
  Cell& add(const std::string& name = {}) {
    auto& child = *static_cast<Cell*>(fresh.blocks[--fresh.count]);
    child.name =
        name.empty() ? CellName::generated(list.take_number(false)) : CellName::given(name);
    list.add(cells, child);
    added.push_back(&child);
    return child;
  }
  std::vector<Cell*> in_line() const {
    std::vector<Cell*> found;
    for (Cell& child : ChildRange(cells, list.first())) found.push_back(&child);
    return found;
  }
};

}  // namespace

TEST_CASE("children keep the order of their creation when one leaves") {
  Nursery nursery;
  for (int i = 0; i < 5; ++i) nursery.add();
  auto expected = nursery.added;
  CHECK(nursery.in_line() == expected);
  for (const std::size_t leaver : {std::size_t{2}, std::size_t{0}, std::size_t{2}}) {
    nursery.list.remove(nursery.cells, *expected[leaver]);
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(leaver));
    CHECK(nursery.in_line() == expected);
  }
  nursery.add();
  expected.push_back(nursery.added.back());
  CHECK(nursery.in_line() == expected);
  for (Cell* const child : expected) nursery.list.remove(nursery.cells, *child);
  CHECK(nursery.list.is_empty());
  CHECK(nursery.in_line().empty());
}

TEST_CASE("a child is found by its name, among few and among many, until it is gone") {
  for (const int count : {3, 30}) {
    CAPTURE(count);
    Nursery nursery;
    for (int i = 0; i < count; ++i) {
      nursery.add("child" + std::to_string(i));
      nursery.add();
    }
    CHECK(nursery.list.named(nursery.cells, "child2") == nursery.added[4]);
    CHECK(nursery.list.named(nursery.cells, "other") == nullptr);
    CHECK(nursery.list.mark_dying(*nursery.added[4]));
    CHECK(nursery.list.named(nursery.cells, "child2") == nursery.added[4]);
    nursery.list.remove(nursery.cells, *nursery.added[4]);
    CHECK(nursery.list.named(nursery.cells, "child2") == nullptr);
  }
}

TEST_CASE("a child dies once, and is counted out when it is gone") {
  Nursery nursery;
  Cell& one = nursery.add();
  Cell& other = nursery.add();
  CHECK(nursery.list.mark_dying(one));
  CHECK_FALSE(nursery.list.mark_dying(one));
  CHECK(nursery.list.dying() == 1);
  nursery.list.remove(nursery.cells, other);  // it ended by itself
  CHECK(nursery.list.dying() == 1);
  nursery.list.remove(nursery.cells, one);
  CHECK(nursery.list.dying() == 0);
}

TEST_CASE("children that are counted wrong are a bug") {
  Nursery nursery;
  Cell& child = nursery.add();
  SUBCASE("a child is taken out twice") {
    nursery.list.remove(nursery.cells, child);
    CHECK(assertion_broken_by([&] { nursery.list.remove(nursery.cells, child); }) ==
          "(child.child_flags & Cell::gone) == 0");
  }
  SUBCASE("a dying child was never counted") {
    child.child_flags |= Cell::dying;
    CHECK(assertion_broken_by([&] { nursery.list.remove(nursery.cells, child); }) == "dying_ != 0");
  }
  SUBCASE("more children die than there are") {
    Cell stranger;
    nursery.list.mark_dying(child);
    CHECK(assertion_broken_by([&] { nursery.list.mark_dying(stranger); }) == "dying_ <= count_");
  }
  SUBCASE("the last child is gone, and another is still dying") {
    nursery.list.mark_dying(child);
    child.child_flags = 0;
    CHECK(assertion_broken_by([&] { nursery.list.remove(nursery.cells, child); }) ==
          "dying_ <= count_");
  }
}

TEST_SUITE_END();

}  // namespace actord::actor
