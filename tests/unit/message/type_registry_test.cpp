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
  TypeRegistry registry;
  Description here("crawler.Fetch/1", url_and_attempt);
  Description there("crawler.Fetch/1", {{"url", "text", 0}, {"attempt", "int64", 8}});
  REQUIRE(registry.add(here.table));
  const auto refused = registry.add(there.table);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().what ==
        "message type crawler.Fetch/1 has the members {url:text attempt:int64} in this plugin and "
        "{url:text attempt:int32} in one that was loaded before");
  CHECK(there.id == 0);
  CHECK(registry.find("crawler.Fetch/1") == here.id);
}

TEST_CASE("the same members in a different layout are refused, and the error says so") {
  TypeRegistry registry;
  Description here("a/1", url_and_attempt);
  REQUIRE(registry.add(here.table));
  SUBCASE("of another size") {
    Description there("a/1", url_and_attempt, 24);
    const auto refused = registry.add(there.table);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().what.find("a different layout") != std::string::npos);
    CHECK(refused.error().what.find("24 bytes") != std::string::npos);
  }
  SUBCASE("with members elsewhere") {
    Description there("a/1", {{"url", "text", 8}, {"attempt", "int32", 0}});
    CHECK_FALSE(registry.add(there.table));
  }
  SUBCASE("of another alignment") {
    Description there("a/1", url_and_attempt);
    there.table.align = 16;
    CHECK_FALSE(registry.add(there.table));
  }
  SUBCASE("built with another standard library") {
    Description there("a/1", url_and_attempt);
    there.table.library = to_c("libc++-14");
    const auto refused = registry.add(there.table);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().what.find("libc++-14") != std::string::npos);
  }
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
