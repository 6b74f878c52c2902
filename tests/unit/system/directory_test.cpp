// SPDX-License-Identifier: Apache-2.0
//
// Which actors are found by a path and by a pattern, and what the tree of them asserts.
#include "system/directory.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/cell_source.hpp"
#include "support/dies.hpp"

namespace actord::system {

TEST_SUITE_BEGIN("system/directory");

using actor::Cell;
using support::assertion_broken_by;

namespace {

/// A directory with "/user", which stays.
struct Listed {
  Cell& add(const char* name, const Cell& parent) {
    Cell& cell = source.make(name, &parent);
    directory.add(cell);
    return cell;
  }
  actor::Ref ref(const Cell& cell) const { return source.pool.ref_of(cell); }
  /// The paths of those that match, in the order in which they were found.
  std::vector<std::string> select(const char* pattern) const {
    std::vector<std::string> paths;
    for (const actor::Ref each : directory.select(pattern)) paths.push_back(source.pool.path(each));
    return paths;
  }

  support::CellSource source{{.capacity = 1 << 18, .quarantine = 10}};
  Directory directory{source.pool};
  Cell& root = source.make(nullptr);
  Cell& user = add("user", root);
};

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("a named actor is found by its path, until it is removed") {
  Listed listed;
  Cell& shop = listed.add("shop", listed.user);
  Cell& till = listed.add("till", shop);
  CHECK(listed.directory.find("/user") == listed.ref(listed.user));
  CHECK(listed.directory.find("/user/shop/till") == listed.ref(till));
  CHECK(listed.directory.find("/user/till") == actor::nobody);
  listed.directory.remove(till);
  CHECK(listed.directory.find("/user/shop/till") == actor::nobody);
  CHECK(listed.directory.find("/user/shop") == listed.ref(shop));
}

TEST_CASE("what is not the path of an actor finds none") {
  Listed listed;
  listed.add("shop", listed.user);
  for (const char* path : {"", "/", "//", "user", "user/shop", "/user/", "/user//shop", "//user",
                           "/user/shop/", "/shop", "/user/Shop", "/user/*"}) {
    CAPTURE(path);
    CHECK(listed.directory.find(path) == actor::nobody);
  }
}

TEST_CASE("one below actors with generated names is found, and they are not") {
  Listed listed;
  Cell& outer = listed.source.make_numbered(0, listed.user);
  Cell& inner = listed.source.make_numbered(1, outer);
  Cell& first = listed.add("till", inner);
  Cell& second = listed.add("safe", outer);
  CHECK(listed.directory.find("/user/$a/$b/till") == listed.ref(first));
  CHECK(listed.directory.find("/user/$a/safe") == listed.ref(second));
  CHECK(listed.directory.find("/user/$a") == actor::nobody);
  CHECK(listed.directory.find("/user/$a/$b") == actor::nobody);
  CHECK(listed.select("/user/**") == Paths{"/user/$a/$b/till", "/user/$a/safe"});
  CHECK(listed.select("/user/*/*") == Paths{"/user/$a/safe"});
  listed.directory.remove(second);
  CHECK(listed.directory.find("/user/$a/$b/till") == listed.ref(first));
  listed.directory.remove(first);
  CHECK(listed.directory.find("/user/$a/$b/till") == actor::nobody);
  listed.directory.remove(listed.user);  // asserts that nothing is below it
  CHECK(listed.directory.select("/**").empty());
}

TEST_CASE("a pattern finds an actor before those below it, and siblings by name") {
  Listed listed;
  Cell& shop = listed.add("shop", listed.user);
  listed.add("till-2", shop);
  listed.add("till-10", shop);
  listed.add("safe", shop);
  listed.add("bank", listed.user);
  CHECK(listed.select("/user/**") == Paths{"/user/bank", "/user/shop", "/user/shop/safe",
                                           "/user/shop/till-10", "/user/shop/till-2"});
  CHECK(listed.select("/**").front() == "/user");
  CHECK(listed.select("/user/*") == Paths{"/user/bank", "/user/shop"});
  CHECK(listed.select("/*/shop/till-?") == Paths{"/user/shop/till-2"});
  CHECK(listed.select("/user/*/till*") == Paths{"/user/shop/till-10", "/user/shop/till-2"});
  CHECK(listed.select("/user/*/*/*").empty());
  CHECK(listed.select("*").empty() == listed.select("/*").empty());
}

TEST_CASE("a name is free again when the actor has been removed") {
  Listed listed;
  Cell& shop = listed.add("shop", listed.user);
  Cell& bank = listed.add("bank", listed.user);
  Cell& mill = listed.add("mill", listed.user);
  listed.directory.remove(bank);  // between two others in the list of siblings
  CHECK(listed.select("/user/*") == Paths{"/user/mill", "/user/shop"});
  Cell& next = listed.add("bank", listed.user);
  CHECK(listed.directory.find("/user/bank") == listed.ref(next));
  for (Cell* each : {&shop, &next, &mill}) listed.directory.remove(*each);
  CHECK(listed.select("/**") == Paths{"/user"});
}

TEST_CASE("a chain of 100 000 actors is listed, found and removed") {
  Listed listed;
  std::vector<Cell*> chain{&listed.user};
  std::string path = "/user";
  while (chain.size() < 100'000) {
    chain.push_back(&listed.add("n", *chain.back()));
    path += "/n";
  }
  CHECK(listed.directory.find(path) == listed.ref(*chain.back()));
  CHECK(listed.directory.select("/**").size() == chain.size());
  for (std::size_t i = chain.size(); i-- > 0;) listed.directory.remove(*chain[i]);
  CHECK(listed.directory.select("/**").empty());
}

TEST_CASE("a path is that of one actor, from its listing to its removal") {
  Listed listed;
  const Cell& twin = listed.source.make("shop", &listed.user);
  const Cell& shop = listed.add("shop", listed.user);
  CHECK(assertion_broken_by([&] { listed.directory.add(shop); }) == "is_new || at != &cell");
  CHECK(assertion_broken_by([&] { listed.directory.add(twin); }) ==
        "entry->second.ref == cells_.ref_of(*at)");
  CHECK(assertion_broken_by([&] { listed.directory.remove(listed.user); }) ==
        "entry.first_child == nullptr");
  CHECK(assertion_broken_by([&] {
          listed.directory.remove(shop);
          listed.directory.remove(shop);
        }) == "found != entries_.end()");
}

TEST_SUITE_END();

}  // namespace actord::system
