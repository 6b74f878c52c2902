// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <regex>

#include "schema/setting_codes.hpp"
#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::schema;
using namespace actord::settings;

namespace {

std::string code_of(const std::string& text) {
  const auto settings = try_read(text);
  const hocon::Diagnostics& findings = settings ? settings->warnings : settings.error();
  REQUIRE(findings.size() == 1);
  return std::string{findings.front().code};
}

}  // namespace

TEST_SUITE_BEGIN("schema/setting_codes");

TEST_CASE("every code has a meaning, stands once, and says whether it is an error") {
  const auto all = code_meanings();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string code{all[i].code};
    CAPTURE(code);
    CHECK(std::regex_match(code, std::regex("[EW]0[1-4]0[1-9]")));
    CHECK(all[i].meaning.ends_with('.'));
    CHECK((i == 0 || all[i - 1].code < all[i].code));
  }
}

TEST_CASE("a finding ends its first line with its code") {
  CHECK_HAS(errors("actord.log.level = loud"),
            "test.conf:1:20: error: expected one of error, warning, info, debug, got the string "
            "\"loud\" [E0302]\n");
}

TEST_CASE("each kind of finding has its code") {
  CHECK(code_of("a = [1] x") == hocon::codes::join);
  CHECK(code_of("a = }") == hocon::codes::syntax);
  CHECK(code_of("a = ${nope}") == hocon::codes::substitution);
  CHECK(code_of("include required(\"/no/such/file.conf\")") == hocon::codes::include);
  CHECK(code_of("a = \"\xff\"") == hocon::codes::encoding);
  CHECK(code_of("a = " + std::string(300, '[') + std::string(300, ']')) == hocon::codes::limit);
  CHECK(code_of("actord.lgo = 1") == codes::unknown_key);
  CHECK(code_of("actord.log = 1") == hocon::codes::mismatch);
  CHECK(code_of("actord.actor.default-dispatcher.workers = 65") == hocon::codes::mismatch);
  CHECK(code_of("actord.plugins.path = []") == hocon::codes::value);
  const std::string strategy =
      "actord.user.x.behaviour = \"a/B\"\nactord.user.x.supervisor-strategy ";
  CHECK(code_of(strategy + "{ backoff { min = 1 s } }") == codes::needed);
  CHECK(code_of(strategy + "{ within = 1 s }") == codes::needed);
  CHECK(code_of(strategy + "{ max-restarts = -1 }") == hocon::codes::meaning);
  CHECK(code_of(strategy + "{ max-restarts = unlimited, within = 1 s }") == codes::no_effect);
  CHECK(code_of("actord.actor.guardian-supervisor-strategy = default\n"
                "akka.actor.guardian-supervisor-strategy = default") == codes::conflict);
  CHECK(code_of("akka.loglevel = DEBUG") == codes::not_read);
  CHECK(code_of("actord.user.x.backoff-supervisor { mode = on-stop, min = 1 s, max = 2 s }") ==
        codes::misleading);
}

TEST_SUITE_END();
