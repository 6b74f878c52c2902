// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "settings/rule_check.hpp"
#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::settings;

namespace {

const std::vector<system::DeclaredFailures> declared = {
    {"crawler",
     {{"crawler::Timeout", "crawler::RetrievalException", "net::Trouble", "std::exception"},
      {"crawler::IndexError", "actord::Error", "std::runtime_error", "std::exception"}}},
    {"wrapper", {{"std::system_error", "std::runtime_error", "std::exception"}}}};

hocon::Diagnostics findings_of(const std::string& text,
                               const std::vector<system::DeclaredFailures>& failures = declared) {
  const Settings settings = read(text);
  Findings findings(settings.tree);
  check_rules(findings, settings, KnownFailures(failures));
  CHECK_FALSE(findings.has_errors());
  return findings.take_warnings();
}

hocon::Diagnostics findings_of_rule(const std::string& name) {
  return findings_of("actord.user.x.supervisor-strategy.decider { \"" + name + "\" = restart }");
}

}  // namespace

TEST_SUITE_BEGIN("settings/rule_check");

TEST_CASE("a misspelt exception is a warning at its place, with what was meant") {
  const auto found = findings_of(
      "actord.user.x.supervisor-strategy {\n"
      "  decider { \"crawler::RetreivalException\" = restart }\n"
      "}");
  CHECK(hocon::format(found) ==
        "test.conf:2:14: warning: unknown failure \"crawler::RetreivalException\" [W0401]\n"
        "  2 |   decider { \"crawler::RetreivalException\" = \u2026 }\n"
        "    |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "  help: did you mean \"crawler::RetrievalException\"?\n"
        "  note: plugin crawler declares crawler::Timeout, crawler::IndexError\n");
  CHECK_FALSE(found.front().remark);
}

TEST_CASE("a name near any known one is a warning, in whichever namespace it lies") {
  struct Row {
    const char* written;
    const char* meant;
  };
  for (const Row& row :
       {Row{"std::runtime_eror", "std::runtime_error"}, Row{"actord::Kiled", "actord::Killed"},
        Row{"actord::InitialisationFailure", "actord::InitializationFailure"},
        Row{"net::Truoble", "net::Trouble"}, Row{"crawler::index_error", "crawler::IndexError"}}) {
    CAPTURE(row.written);
    const auto found = findings_of_rule(row.written);
    REQUIRE(found.size() == 1);
    CHECK_FALSE(found.front().remark);
    CHECK(found.front().help == "did you mean \"" + std::string{row.meant} + "\"?");
  }
}

TEST_CASE("a name that the plugin of its namespace does not declare is a warning") {
  const auto found = findings_of_rule("crawler::http::Redirect");
  REQUIRE(found.size() == 1);
  CHECK_FALSE(found.front().remark);
  CHECK(found.front().code == "W0401");
  CHECK(found.front().help == "");
  CHECK(found.front().note == "plugin crawler declares crawler::Timeout, crawler::IndexError");
}

TEST_CASE("any other unknown name is only a remark") {
  // the plugins of these may declare no failures; no plugin owns std::, whatever it declares
  for (const char* name :
       {"shop::SoldOut", "SoldOut", "std::my_own_error", "net::Unheard", "boost::any::bad<int>"}) {
    CAPTURE(name);
    const auto found = findings_of_rule(name);
    REQUIRE(found.size() == 1);
    CHECK(found.front().remark);
    CHECK(found.front().warning);
  }
}

TEST_CASE("without a plugin that declares failures no name is a warning by its namespace") {
  const auto found = findings_of(
      "actord.user.x.supervisor-strategy.decider { \"crawler::Redirect\" = restart }", {});
  REQUIRE(found.size() == 1);
  CHECK(found.front().remark);
}

TEST_CASE("declared failures, their bases, built-in causes and standard exceptions are known") {
  CHECK(hocon::format(findings_of(R"(actord.user.x.supervisor-strategy.decider {
      "crawler::Timeout" = stop, "crawler::RetrievalException" = restart, "net::Trouble" = stop
      "actord::Failure" = stop, "actord::Killed" = stop, "actord::UnlistedMessage" = stop
      "actord::crash::SIGSEGV" = restart, "actord::crash::SIGKILL" = restart
      "actord::crash::Signal" = stop, "actord::crash::Exit" = stop, "actord::crash::Hang" = stop
      "actord::crash::Protocol" = stop, "actord::PeerCrash" = restart
      "actord::StartTimeout" = stop
      "actord::WorkerCrash" = stop, "actord::UnexpectedReply" = stop, "actord::Error" = stop
      "actord::ForeignException" = stop, "actord::AskTimeout" = stop, "std::bad_alloc" = stop
      "actord::ShutdownTaskRefused" = stop
      "actord::CircuitBreakerOpen" = stop
      "std::filesystem::filesystem_error" = stop, "std::ios_base::failure" = stop
      default = escalate
    })")) == "");
}

TEST_CASE("names that no type can have are left to the check that says why") {
  CHECK(findings_of_rule("java.lang.RuntimeException").empty());
  CHECK(findings_of_rule("::std::runtime_error").empty());
}

TEST_CASE("each decider is checked, wherever it is written") {
  const auto found = findings_of(R"(
    actord.actor.guardian-supervisor-strategy { decider { "x::A" = stop } }
    actord.actor.deployment."/user/a/*".supervisor-strategy.decider { "x::B" = stop }
    actord.user.a {
      supervisor-strategy.decider { "x::C" = stop, "x::Gone" = null }
      behaviour = "shop/Shop"
      backoff-supervisor { mode = on-failure, min = 1s, max = 2s }
      children.b.supervisor-strategy.decider { "x::D" = { directive = stop, log-level = debug } }
    })");
  REQUIRE(found.size() == 4);
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(found[i].message == "unknown failure \"x::" + std::string(1, "ABCD"[i]) + '"');
  const auto alias =
      findings_of("akka.actor.guardian-supervisor-strategy.decider { \"x::E\" = stop }");
  CHECK(alias.size() == 1);
}

TEST_SUITE_END();
