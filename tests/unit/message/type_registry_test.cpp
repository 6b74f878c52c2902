// SPDX-License-Identifier: Apache-2.0
#include "message/type_registry.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <string>
#include <thread>
#include <vector>

namespace actord::message {

TEST_SUITE_BEGIN("message/type_registry");

namespace {

struct Member {
  std::string name, type;
  std::size_t offset;
};

/// A plugin's description of a type, with the memory it points to.
struct Description {
  Description(std::string name_, std::vector<Member> members_, std::uint32_t size = 16)
      : name(std::move(name_)), members(std::move(members_)) {
    for (const Member& member : members) {
      c_members.push_back({to_c(member.name), to_c(member.type), member.offset});
    }
    table.struct_size = sizeof table;
    table.flags = ACTORD_TRIVIAL;
    table.name = to_c(name);
    table.members = c_members.data();
    table.n_members = c_members.size();
    table.size = size;
    table.align = 8;
    table.library = to_c("");
    table.id = &id;
  }
  Description(const Description&) = delete;

  std::string name;
  std::vector<Member> members;
  std::vector<actord_member> c_members;
  actord_type_id id = 0;
  actord_message_type table{};
};

const std::vector<Member> url_and_attempt = {{"url", "text", 0}, {"attempt", "int32", 8}};

}  // namespace

TEST_CASE("types get dense ids from one, which are written where their plugins want them") {
  TypeRegistry registry;
  Description fetch("crawler.Fetch/1", url_and_attempt),
      page("crawler.Page/1", {{"n", "int64", 0}});
  CHECK(*registry.add(fetch.table) == 1);
  CHECK(*registry.add(page.table) == 2);
  CHECK(fetch.id == 1);
  CHECK(page.id == 2);
  CHECK(registry.find("crawler.Fetch/1") == 1);
  CHECK(registry.find("crawler.Page/1") == 2);
  CHECK(registry.find("crawler.Page/2") == 0);
  CHECK(registry.name(2) == "crawler.Page/1");
  CHECK(registry.name(0) == "?");
  CHECK(registry.name(3) == "?");
}

TEST_CASE("the same type in two plugins is one type: both get the same id") {
  TypeRegistry registry;
  Description here("crawler.Fetch/1", url_and_attempt), there("crawler.Fetch/1", url_and_attempt);
  REQUIRE(registry.add(here.table));
  const auto second = registry.add(there.table);
  REQUIRE(second);
  CHECK(here.id == there.id);
  CHECK(registry.at(here.id).table == &here.table);
  Description next("next/1", {});
  CHECK(*registry.add(next.table) == 2);
}

TEST_CASE("a type of the same name with other members is refused, and the error names them") {
  struct Row {
    std::vector<Member> there;
    const char* difference;
  };
  for (const Row& row : {
           Row{{{"url", "text", 0}, {"attempt", "int64", 8}},
               "attempt is int64 here and int32 there"},
           Row{{{"url", "text", 0}, {"tries", "int32", 8}},
               "tries is int32 here and missing there, attempt is missing here and int32 there"},
           Row{{{"url", "text", 0}}, "attempt is missing here and int32 there"},
           Row{{{"attempt", "int32", 0}, {"url", "text", 8}},
               "the order is {attempt:int32 url:text} here and {url:text attempt:int32} there"},
       }) {
    TypeRegistry registry;
    Description here("crawler.Fetch/1", url_and_attempt), there("crawler.Fetch/1", row.there);
    REQUIRE(registry.add(here.table, "crawler 1.0"));
    const auto refused = registry.add(there.table, "shop 2.0");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().what ==
          "message type crawler.Fetch/1 has other members than in the plugin crawler 1.0, which "
          "was loaded before: " +
              std::string{row.difference});
    CHECK(there.id == 0);
    CHECK(registry.find("crawler.Fetch/1") == here.id);
    CHECK_FALSE(registry.has_further_layouts());
  }
}

TEST_CASE("the same members in another layout are the same type with an id of its own") {
  TypeRegistry registry;
  Description here("a/1", url_and_attempt), other("b/1", url_and_attempt);
  REQUIRE(registry.add(here.table, "crawler 1.0"));
  REQUIRE(registry.add(other.table, "crawler 1.0"));
  CHECK_FALSE(registry.has_further_layouts());
  CHECK(registry.next_layout(here.id) == here.id);
  Description there("a/1", url_and_attempt);
  SUBCASE("of another size") { there.table.size = 24; }
  SUBCASE("with members elsewhere") { there.c_members[1].offset = 12; }
  SUBCASE("of another alignment") { there.table.align = 16; }
  SUBCASE("built with another standard library") { there.table.library = to_c("libc++-14"); }
  SUBCASE("that is not copied byte by byte") { there.table.flags = 0; }
  REQUIRE(registry.add(there.table, "shop 2.0"));
  CHECK(there.id == further_layouts);
  CHECK(registry.name(there.id) == "a/1");
  CHECK(registry.at(there.id).table == &there.table);
  CHECK(registry.has_further_layouts());
  CHECK(registry.last() == other.id);
  CHECK(registry.is_known(there.id));
  CHECK_FALSE(registry.is_known(there.id + 1));
  CHECK(registry.name(there.id + 1) == "?");

  CHECK(registry.first_layout(there.id) == here.id);
  CHECK(registry.first_layout(here.id) == here.id);
  CHECK(registry.next_layout(here.id) == there.id);
  CHECK(registry.next_layout(there.id) == here.id);
  CHECK(registry.next_layout(other.id) == other.id);
}

TEST_CASE("a plugin finds a type in its own layout, and any other plugin in the first one") {
  TypeRegistry registry;
  std::deque<Description> layouts;
  for (const std::uint32_t size : {16u, 24u, 32u}) {
    Description& layout = layouts.emplace_back("a/1", url_and_attempt, size);
    REQUIRE(registry.add(layout.table, "plugin " + std::to_string(size)));
  }
  Description again("a/1", url_and_attempt, 24), foreign("b/1", url_and_attempt);
  REQUIRE(registry.add(again.table, "later 1"));
  REQUIRE(registry.add(foreign.table, "later 1"));
  CHECK(again.id == layouts[1].id);
  CHECK(registry.find("a/1") == layouts[0].id);
  for (const Description& layout : layouts) {
    const std::string plugin = "plugin " + std::to_string(layout.table.size);
    CHECK(registry.find("a/1", plugin) == layout.id);
    for (const Description& sent : layouts) CHECK(registry.layout_in(plugin, sent.id) == layout.id);
    CHECK(registry.has_further_layouts(plugin) == (layout.table.size != 16));
  }
  CHECK(registry.find("a/1", "later 1") == again.id);
  CHECK(registry.has_further_layouts("later 1"));
  CHECK(registry.find("b/1", "plugin 24") == foreign.id);
  CHECK(registry.layout_in("plugin 24", foreign.id) == 0);
  CHECK(registry.find("c/1", "plugin 24") == 0);
  CHECK(registry.find("a/1", "unknown 1") == layouts[0].id);
}

TEST_CASE("layouts of one type call the same members secret") {
  const actord_str pin[] = {ACTORD_STR("url")};
  const auto with_secret = [&](Description& description) -> const actord_message_type& {
    description.table.secrets = pin;
    description.table.n_secrets = 1;
    return description.table;
  };
  {
    TypeRegistry registry;
    Description open("a/1", url_and_attempt), secret("a/1", url_and_attempt, 24);
    REQUIRE(registry.add(open.table, "crawler 1.0"));
    const auto refused = registry.add(with_secret(secret), "shop 2.0");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().what ==
          "message type a/1 calls the member url secret, which the plugin crawler 1.0, loaded "
          "before, does not: build that one again");
  }
  TypeRegistry registry;
  Description secret("a/1", url_and_attempt), open("a/1", url_and_attempt, 24);
  REQUIRE(registry.add(with_secret(secret), "crawler 1.0"));
  const auto refused = registry.add(open.table, "shop 2.0");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().what ==
        "message type a/1 does not call the member url secret, which the plugin crawler 1.0, "
        "loaded before, does");
  Description both("a/1", url_and_attempt, 24);
  CHECK(registry.add(with_secret(both), "shop 2.1"));
}

TEST_CASE("when ids of further layouts run out, the caller gets an error") {
  TypeRegistry registry;
  std::deque<Description> descriptions;
  for (TypeId i = 0; i <= TypeRegistry::further_capacity; ++i) {
    auto& layout = descriptions.emplace_back("a/1", url_and_attempt, 16 + 8 * i);
    REQUIRE(registry.add(layout.table));
  }
  Description last("a/1", url_and_attempt, 8);
  const auto refused = registry.add(last.table);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().what ==
        "message type a/1 has another layout than before, and there are 1024 such layouts already");
  CHECK(registry.add(descriptions.back().table));  // a known one
}

TEST_CASE("what lies in an envelope is decided once, by size and alignment") {
  TypeRegistry registry;
  struct Row {
    std::uint32_t size, align;
    bool fits_inline, fits_correlated, fits_small;
  };
  std::deque<Description> descriptions;
  for (const Row& row :
       {Row{0, 1, true, true, true}, Row{8, 8, true, true, true}, Row{9, 1, true, true, false},
        Row{8, 16, false, false, false}, Row{32, 8, true, true, false},
        Row{33, 8, true, false, false}, Row{40, 8, true, false, false},
        Row{41, 8, false, false, false}, Row{16, 16, false, false, false}}) {
    CAPTURE(row.size);
    CAPTURE(row.align);
    auto& description = descriptions.emplace_back("t/" + std::to_string(descriptions.size()),
                                                  std::vector<Member>{}, row.size);
    description.table.align = row.align;
    const auto id = registry.add(description.table);
    REQUIRE(id);
    const MessageType& type = registry.at(*id);
    CHECK(type.size == row.size);
    CHECK(type.is_trivial);
    CHECK(type.fits_inline == row.fits_inline);
    CHECK(type.fits_correlated == row.fits_correlated);
    CHECK(type.fits_small == row.fits_small);
  }
}

TEST_CASE("when type ids run out, the caller gets an error") {
  TypeRegistry registry;
  std::deque<Description> descriptions;
  for (TypeId i = 1; i < TypeRegistry::capacity; ++i) {
    auto& description = descriptions.emplace_back("t/" + std::to_string(i), std::vector<Member>{});
    REQUIRE(registry.add(description.table));
  }
  Description last("last/1", {});
  const auto refused = registry.add(last.table);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().what == "more than 4095 message types");
}

TEST_CASE("threads that add the same types agree on the ids") {
  constexpr int threads = 4, types = 100;
  TypeRegistry registry;
  std::vector<std::deque<Description>> descriptions(threads);
  for (auto& mine : descriptions) {
    for (int i = 0; i < types; ++i) mine.emplace_back("t/" + std::to_string(i), url_and_attempt);
  }
  {
    std::vector<std::jthread> adders;
    for (int t = 0; t < threads; ++t) {
      adders.emplace_back([&, t] {
        for (int i = 0; i < types; ++i) {
          Description& mine = descriptions[t][static_cast<std::size_t>((i + t * 7) % types)];
          if (const auto id = registry.add(mine.table)) {
            if (registry.name(*id) != mine.name) mine.id = 0;
          }
        }
      });
    }
  }
  for (int i = 0; i < types; ++i) {
    for (int t = 0; t < threads; ++t) {
      CHECK(descriptions[t][i].id != 0);
      CHECK(descriptions[t][i].id == descriptions[0][i].id);
    }
  }
}

TEST_SUITE_END();

}  // namespace actord::message
