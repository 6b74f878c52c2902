// SPDX-License-Identifier: Apache-2.0
//
// Where cells come from, what a dead cell still knows, and when it is reused.
#include "actor/cell_pool.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "support/cell_source.hpp"

namespace actord::actor {

TEST_SUITE_BEGIN("actor/cell_pool");

using support::CellSource;

TEST_CASE("a path is the names from the root down, and the root's is a slash") {
  CellSource source({.capacity = 1000, .quarantine = 10});
  const Cell& root = source.make(nullptr);
  const Cell& user = source.make("user", &root);
  const Cell& crawler = source.make("crawler", &user);
  const Cell& nameless = source.make_numbered(26, crawler);
  const auto path = [&](const Cell& cell) { return source.pool.path(source.pool.ref_of(cell)); };
  CHECK(path(root) == "/");
  CHECK(path(user) == "/user");
  CHECK(path(crawler) == "/user/crawler");
  CHECK(path(nameless) == "/user/crawler/$A");
}

TEST_CASE("a ref that was never given out leads to dead letters") {
  CellSource source({.capacity = 1000, .quarantine = 10});
  const Cell& root = source.make(nullptr);
  const std::uint32_t index = source.pool.index_of(root);
  CHECK(source.pool.path(nobody) == "/deadLetters");
  CHECK(source.pool.path(make_ref(index, 2)) == "/deadLetters");
  CHECK(source.pool.path(make_ref(900, 1)) == "/deadLetters");
  CHECK(source.pool.path(make_ref(0, 1)) == "/deadLetters");
  CHECK(source.pool.path(make_ref(~0u, 1)) == "/deadLetters");
  CHECK(source.pool.is_index(1));
  CHECK(source.pool.is_index(999));
  CHECK_FALSE(source.pool.is_index(0));
  CHECK_FALSE(source.pool.is_index(1000));
}

TEST_CASE("refs and cells lead to each other") {
  CellSource source({.capacity = 1000, .quarantine = 10});
  for (int i = 0; i < 300; ++i) {
    const Cell& cell = source.make(nullptr);
    const Ref ref = source.pool.ref_of(cell);
    CHECK(&source.pool.at(index_of(ref)) == &cell);
    CHECK(generation_of(ref) == 1);
    CHECK(ref != nobody);
  }
}

TEST_CASE("a fresh cell is closed: nothing gets in before it is opened") {
  CellSource source({.capacity = 1000, .quarantine = 0});
  Cell& cell = source.make(nullptr);
  CHECK(cell.mailbox.is_closed());
  Envelope envelope{};
  CHECK(cell.mailbox.push(&envelope) == MailboxWord::Pushed::closed);
  CHECK_FALSE(cell.system.push(&envelope));
  CHECK(cell.generation.load() == 1);
}

TEST_CASE("a dead cell keeps its name and generation while it rests") {
  CellSource source({.capacity = 1000, .quarantine = 10});
  const Cell& root = source.make(nullptr);
  Cell& late = source.make("late", &root);
  const Ref ref = source.pool.ref_of(late);
  source.retire(late);
  for (int i = 0; i < 500; ++i) CHECK(source.take() != &late);
  CHECK(source.pool.path(ref) == "/late");
}

TEST_CASE("after the quarantine a cell comes again, as another generation and without a name") {
  CellSource source({.capacity = 1000, .quarantine = 2});
  const Cell& root = source.make(nullptr);
  std::vector<Ref> refs;
  for (const char* name : {"a", "b", "c", "d"}) {
    Cell& cell = source.make(name, &root);
    refs.push_back(source.pool.ref_of(cell));
    source.retire(cell);
  }
  source.fresh.count = 0;  // as if used up; the dead cells beyond the quarantine come next
  Cell* const second = source.take();
  REQUIRE(second != nullptr);
  CHECK(source.fresh.count == 1);
  Cell* const first = source.take();
  CHECK(second == &source.pool.at(index_of(refs[1])));
  CHECK(first == &source.pool.at(index_of(refs[0])));
  CHECK(source.pool.ref_of(*first) == make_ref(index_of(refs[0]), 2));
  CHECK(first->name.is_none());
  CHECK(source.pool.path(refs[0]) == "/deadLetters");
  CHECK(source.pool.path(refs[1]) == "/deadLetters");
  CHECK(source.pool.path(refs[2]) == "/c");
  CHECK(source.pool.path(refs[3]) == "/d");
}

TEST_CASE("unnamed cells have a quarantine of their own, and are reused sooner than named ones") {
  CellSource source({.capacity = 1000, .quarantine = 2, .nameless_quarantine = 1});
  const Cell& root = source.make(nullptr);
  Cell& named = source.make("named", &root);
  Cell& first = source.make_numbered(0, root);
  Cell& second = source.make_numbered(1, root);
  const Ref named_ref = source.pool.ref_of(named), second_ref = source.pool.ref_of(second);
  for (Cell* const cell : {&named, &first, &second}) source.retire(*cell);
  source.fresh.count = 0;
  CHECK(source.take() == &first);
  CHECK(source.fresh.count == 0);
  CHECK(source.pool.path(named_ref) == "/named");
  CHECK(source.pool.path(second_ref) == "/$b");
}

TEST_CASE("a child whose parent's cell has a new tenant does not get the new tenant's path") {
  CellSource source({.capacity = 1000, .quarantine = 0});
  const Cell& root = source.make(nullptr);
  Cell& old_parent = source.make("old", &root);
  const Cell& orphan = source.make("orphan", &old_parent);
  const Ref ref = source.pool.ref_of(orphan);
  source.retire(old_parent);
  source.fresh.count = 0;
  Cell& successor = source.make("heir", &root);
  REQUIRE(&successor == &old_parent);
  CHECK(source.pool.path(source.pool.ref_of(successor)) == "/heir");
  CHECK(source.pool.path(ref) == "/deadLetters");
}

TEST_CASE("a cell of the last generation is not used again") {
  CellSource source({.capacity = 1000, .quarantine = 0});
  Cell& cell = source.make(nullptr);
  cell.generation = ~0u;
  source.retire(cell);
  source.fresh.count = 0;
  while (Cell* const next = source.take()) CHECK(next != &cell);
}

TEST_CASE("when addresses run out, the caller gets an error") {
  CellSource source({.capacity = 300, .quarantine = 5});
  std::set<const Cell*> cells;
  while (const Cell* const cell = source.take()) cells.insert(cell);
  CHECK(cells.size() == 299);  // index 0 is `nobody`
  CHECK_FALSE(source.pool.refill(source.fresh));
  for (const Cell* cell : cells) source.retire(const_cast<Cell&>(*cell));
  std::size_t again = 0;
  while (const Cell* const cell = source.take()) {
    CHECK(cells.contains(cell));
    CHECK(cell->generation.load() == 2);
    ++again;
  }
  CHECK(again == 294);
}

TEST_CASE("paths can be asked for while cells come and go on other threads") {
  constexpr int rounds = 200;
  CellPool pool({.capacity = 100'000, .quarantine = 64});
  base::Magazine roots;
  REQUIRE(pool.refill(roots));
  Cell& root = *static_cast<Cell*>(roots.blocks[--roots.count]);
  const Ref root_ref = pool.ref_of(root);
  std::vector<std::atomic<Ref>> known(2);
  std::atomic<int> at_work{2};
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < rounds; ++i) {
        base::Magazine fresh, dead;
        if (!pool.refill(fresh)) break;
        while (fresh.count != 0) {
          Cell& cell = *static_cast<Cell*>(fresh.blocks[--fresh.count]);
          cell.name = CellName::given("child");
          cell.parent = index_of(root_ref);
          cell.parent_generation = generation_of(root_ref);
          known[t].store(pool.ref_of(cell), base::release);
          dead.blocks[dead.count++] = &cell;
        }
        pool.retire(dead);
      }
      --at_work;
    });
  }
  bool is_sane = true;
  while (at_work != 0) {
    for (auto& ref : known) {
      const std::string path = pool.path(ref.load(base::acquire));
      is_sane = is_sane && (path == "/child" || path == "/deadLetters");
    }
  }
  threads.clear();
  CHECK(is_sane);
}

TEST_SUITE_END();

}  // namespace actord::actor
