// SPDX-License-Identifier: Apache-2.0
//
// Messages from outside are admitted or refused by how much memory waiting messages take; the log
// lines about it.
#include "system/ingress.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "log/hub.hpp"

namespace actord::system {

TEST_SUITE_BEGIN("system/ingress");

namespace {

/// An ingress with a clock that only the test moves, and with a readable log.
struct Fixture {
  std::int64_t now_ns = 0;
  log::Hub hub{[this] { return now_ns; }};
  Ingress ingress{hub};

  std::vector<std::string> events() {
    std::vector<std::string> seen;
    hub.drain([&](const log::Record& record) { seen.emplace_back(record.event); });
    return seen;
  }
};

using Events = std::vector<std::string>;

}  // namespace

TEST_CASE("without a limit every message is accepted") {
  Fixture fixture;
  CHECK(fixture.ingress.admits(SIZE_MAX - 1));
  CHECK(fixture.events().empty());
}

TEST_CASE("at the limit no message is accepted, until an eighth of it is free") {
  Fixture fixture;
  fixture.ingress.set_limit(800);
  CHECK(fixture.ingress.admits(799));
  CHECK(fixture.events().empty());
  CHECK_FALSE(fixture.ingress.admits(800));
  CHECK_FALSE(fixture.ingress.admits(5000));
  CHECK_FALSE(fixture.ingress.admits(700));
  CHECK(fixture.events() == Events{"ingress.busy"});
  CHECK(fixture.ingress.admits(699));
  CHECK(fixture.ingress.admits(799));
  CHECK(fixture.events() == Events{"ingress.relieved"});
}

TEST_CASE(
    "a load that goes up and down is logged once in ten seconds, with the count of all refused") {
  constexpr std::int64_t ten_s = 10'000'000'000;
  Fixture fixture;
  fixture.ingress.set_limit(800);
  const auto reject_then_admit = [&] {
    CHECK_FALSE(fixture.ingress.admits(800));
    CHECK(fixture.ingress.admits(100));
  };
  reject_then_admit();
  CHECK(fixture.events() == Events{"ingress.busy", "ingress.relieved"});
  fixture.now_ns = ten_s - 1;
  reject_then_admit();
  reject_then_admit();
  CHECK(fixture.events().empty());
  fixture.now_ns = ten_s;
  CHECK_FALSE(fixture.ingress.admits(800));
  std::uint64_t refused = 0;
  fixture.hub.drain([&](const log::Record& record) {
    CHECK(record.event == "ingress.busy");
    refused = record.fields.back().value.natural();
  });
  CHECK(refused == 3);
}

TEST_CASE("the log's last line never says that there is room while there is none") {
  Fixture fixture;
  fixture.ingress.set_limit(800);
  CHECK_FALSE(fixture.ingress.admits(800));
  CHECK(fixture.ingress.admits(100));
  CHECK_FALSE(fixture.ingress.admits(800));  // too soon for another line
  CHECK(fixture.events() == Events{"ingress.busy", "ingress.relieved"});
  fixture.now_ns = 10'000'000'000;
  CHECK_FALSE(fixture.ingress.admits(800));
  CHECK_FALSE(fixture.ingress.admits(800));
  CHECK(fixture.events() == Events{"ingress.busy"});
}

TEST_CASE("another limit holds at once") {
  Fixture fixture;
  fixture.ingress.set_limit(800);
  CHECK_FALSE(fixture.ingress.admits(900));
  fixture.ingress.set_limit(1600);
  CHECK(fixture.ingress.admits(900));
  fixture.ingress.set_limit(800);
  CHECK_FALSE(fixture.ingress.admits(900));
}

TEST_SUITE_END();

}  // namespace actord::system
