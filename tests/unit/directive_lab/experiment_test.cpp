// SPDX-License-Identifier: Apache-2.0
//
// The whole series, as the daemon would run it, in virtual time.
#include <doctest/doctest.h>
#include <actord/testkit.hpp>

#include "directive_lab/lab_messages.hpp"

using actord::testkit::Event;
using actord::testkit::TestSystem;

TEST_SUITE_BEGIN("directive_lab/experiment");

TEST_CASE("each fault has its outcome, in every order of concurrent events") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    TestSystem system({.seed = seed});
    system.use(actord_plugin_v1());
    system.spawn("lab", "directive_lab/Experiment", "value = 7");
    const Event finished = system.expect_event("lab.finished");
    CHECK(finished.field("trials") == "5");
    CHECK(finished.field("as_foreseen") == "5");
    std::string outcomes;
    for (const Event& seen : system.events("lab.observed")) {
      CHECK(seen.field("value_before") == "7");
      outcomes += std::string{seen.field("trouble")} + ' ' + std::string{seen.field("directive")} +
                  ' ' + std::string{seen.field("value_after")} + '\n';
    }
    CHECK(outcomes ==
          "arithmetic resume 7\n"
          "null_reference restart 0\n"
          "bad_argument stop \n"
          "other escalate \n"
          "other escalate 0\n");
  }
}

TEST_CASE("a child that fails on its own beside the series does not stop it, but shows") {
  TestSystem system;
  system.use(actord_plugin_v1());
  // Another failure replaces the arithmetic one: the rule for that other one applies.
  system.fail<lab::NullReference>(
      {.path = "/user/lab/supervisor/child-1", .message = actord::message_name<lab::Fail>});
  system.spawn("lab", "directive_lab/Experiment");
  CHECK(system.expect_event("lab.finished").field("as_foreseen") == "4");
  const Event first = system.expect_event("lab.observed", {{"trial", 1}});
  CHECK(first.field("as_foreseen") == "false");
  CHECK(first.field("directive") == "restart");
}

TEST_SUITE_END();
