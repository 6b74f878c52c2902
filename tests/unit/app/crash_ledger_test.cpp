// SPDX-License-Identifier: Apache-2.0
#include "app/crash_ledger.hpp"

#include <doctest/doctest.h>

namespace actord::app {

TEST_SUITE_BEGIN("app/crash_ledger");

namespace {

using wire::Json;

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::int64_t start_ns = 1'700'000'000 * second_ns;

/// The builds of the files, by their paths.
std::map<std::string, std::string> builds;

CrashLedger ledger() {
  return CrashLedger([](const std::string& file) { return builds[file]; });
}

Json crash(const std::string& path, std::int64_t at_s = 0) {
  const std::string id = "c" + std::to_string(at_s);
  return {{"boot", id},
          {"ts", "2024-05-01T10:32:01.123456Z"},
          {"signal", "SIGSEGV"},
          {"actor", {{"path", path}, {"behaviour", "actord/Supervisor"}}},
          {"message", {{"type", "a.B/1"}}},
          {"plugin", {{"name", "a"}}},
          {"crash",
           {{"id", id},
            {"wall_ns", start_ns + at_s * second_ns},
            {"uptime_ns", 5 * second_ns},
            {"is_own", true},
            {"places", {"/lib/libc.so.6+0x10", "/plugins/a.so+0x12f0"}}}}};
}

settings::Node node(const std::string& path, std::vector<settings::Node> children = {}) {
  settings::Node made;
  made.path = path;
  made.name = path.substr(path.rfind('/') + 1);
  made.children = std::move(children);
  return made;
}

std::vector<settings::Node> tree() {
  std::vector<settings::Node> nodes{node("/user/a", {node("/user/a/b")}), node("/user/x")};
  nodes[1].backoff.emplace();
  return nodes;
}

std::string culprit(const Json& of) {
  const auto found = ledger().charge(of, tree(), {});
  return found ? found->path + " " + found->front + " " + found->plugin_file : "none";
}

/// Whether the culprit is in quarantine now.
bool charge(CrashLedger& to, const Json& of, const settings::CrashSettings& rules = {}) {
  const auto culprit = to.charge(of, tree(), rules);
  return culprit && to.is_quarantined(culprit->name());
}

}  // namespace

TEST_CASE("a crash is charged to the configured actor, or to the nearest one above") {
  CHECK(culprit(crash("/user/a/b")) == "/user/a/b /user/a/b /plugins/a.so");
  CHECK(culprit(crash("/user/a/b/c/d")) == "/user/a/b /user/a/b /plugins/a.so");
  CHECK(culprit(crash("/user/a/bb")) == "/user/a /user/a /plugins/a.so");
  CHECK(culprit(crash("/user/a")) == "/user/a /user/a /plugins/a.so");
}

TEST_CASE("behind a back-off supervisor the actor is charged, and quarantine is the supervisor's") {
  CHECK(culprit(crash("/user/x/x")) == "/user/x/x /user/x /plugins/a.so");
  CHECK(culprit(crash("/user/x/x/y")) == "/user/x/x /user/x /plugins/a.so");
  CHECK(culprit(crash("/user/x")) == "/user/x /user/x /plugins/a.so");
}

TEST_CASE("nothing is charged with the crash of an actor that is not configured") {
  CHECK(culprit(crash("/user/gone")) == "none");
  CHECK(culprit(crash("/system/of-a")) == "none");
}

TEST_CASE("outside of actors it is charged to the plugin, if that is known") {
  CHECK(culprit(crash("")) == "  /plugins/a.so");
  Json loading = crash("");
  loading["plugin"] = {{"file", "/plugins/z.so"}};
  CHECK(culprit(loading) == "  /plugins/z.so");
  Json nothing = crash("");
  nothing.erase("plugin");
  CHECK(culprit(nothing) == "none");
}

TEST_CASE("a signal of another process, and a crash at the end, are charged to none of them") {
  Json sent = crash("/user/a");
  sent["crash"]["is_own"] = false;
  CHECK(culprit(sent) == "none");
  sent["crash"]["is_hang"] = true;
  CHECK(culprit(sent) == "/user/a /user/a /plugins/a.so");
  Json detaching = crash("");
  detaching["crash"]["is_ending"] = true;
  CHECK(culprit(detaching) == "none");
}

TEST_CASE("so many crashes of one within the time are a quarantine, and a release forgets them") {
  CrashLedger of = ledger();
  CHECK_FALSE(charge(of, crash("/user/a", 0)));
  CHECK_FALSE(charge(of, crash("/user/x/x", 10)));
  CHECK_FALSE(charge(of, crash("/user/a", 300)));
  CHECK_FALSE(charge(of, crash("/user/a", 601)));  // the first is too old by now
  CHECK(charge(of, crash("/user/a", 602)));
  CHECK(of.release("/user/a"));
  CHECK_FALSE(of.release("/user/a"));
  CHECK_FALSE(charge(of, crash("/user/a", 603)));
}

TEST_CASE("one crash is charged once, however often it is found") {
  CrashLedger of = ledger();
  for (int i = 0; i < 5; ++i) CHECK_FALSE(charge(of, crash("/user/a", 0)));
}

TEST_CASE("quarantine may be off, or follow the first crash") {
  CrashLedger never = ledger();
  for (int i = 0; i < 9; ++i) {
    settings::CrashSettings rules;
    rules.quarantine_after = 0;
    CHECK_FALSE(charge(never, crash("/user/a", i), rules));
  }
  CrashLedger at_once = ledger();
  settings::CrashSettings rules;
  rules.on_crash = schema::OnDaemonCrash::quarantine;
  CHECK(charge(at_once, crash("/user/a", 0), rules));
}

TEST_CASE("the charges have all crashes of an actor, of which the last one may be judged before") {
  CrashLedger of = ledger();
  charge(of, crash("/user/a", 0));
  charge(of, crash("/user/a", 100));
  CHECK(of.judge_all());
  CHECK_FALSE(of.judge_all());
  charge(of, crash("/user/x/x", 150));
  const auto charges = of.charges(tree(), start_ns + 200 * second_ns);
  REQUIRE(charges.size() == 2);
  const auto& [path, a] = charges[0];
  CHECK(path == "/user/a");
  CHECK(a.is_judged);
  CHECK(a.last.ago_ns == 100 * second_ns);
  REQUIRE(a.earlier.size() == 1);
  CHECK(a.earlier[0].ago_ns == 200 * second_ns);
  CHECK(a.earlier[0].lived_ns == 5 * second_ns);
  CHECK(charges[1].first == "/user/x/x");
  CHECK_FALSE(charges[1].second.is_judged);
}

TEST_CASE("a quarantine replaces the charge, at the path that is started") {
  CrashLedger of = ledger();
  settings::CrashSettings rules;
  rules.on_crash = schema::OnDaemonCrash::quarantine;
  charge(of, crash("/user/x/x", 0), rules);
  const auto charges = of.charges(tree(), start_ns);
  REQUIRE(charges.size() == 1);
  CHECK(charges[0].first == "/user/x");
  CHECK(charges[0].second.is_quarantined);
}

TEST_CASE("what is written is read, except for plugins with another build since") {
  builds = {{"/plugins/a.so", "1"}};
  CrashLedger of = ledger();
  settings::CrashSettings rules;
  rules.quarantine_after = 2;
  for (int i = 0; i < 2; ++i) charge(of, crash("/user/a", i), rules);
  CrashLedger same = ledger();
  CHECK(same.read(of.text()));
  CHECK(same.text() == of.text());
  CHECK(same.is_quarantined("/user/a"));
  builds = {{"/plugins/a.so", "2"}};
  CrashLedger other = ledger();
  CHECK(other.read(of.text()));
  CHECK_FALSE(other.is_quarantined("/user/a"));
  CHECK(other.charges(tree(), start_ns).empty());
  builds.clear();
}

TEST_CASE("a stop in order forgets crashes and not quarantines") {
  CrashLedger of = ledger();
  settings::CrashSettings rules;
  rules.quarantine_after = 2;
  for (int i = 0; i < 2; ++i) charge(of, crash("/user/a", i), rules);
  charge(of, crash("/user/x/x", 3), rules);
  of.forget_crashes();
  const auto charges = of.charges(tree(), start_ns);
  REQUIRE(charges.size() == 1);
  CHECK(charges[0].first == "/user/a");
}

TEST_CASE("a plugin is in quarantine until its file is another build") {
  builds = {{"/plugins/z.so", "1"}};
  CrashLedger of = ledger();
  settings::CrashSettings rules;
  rules.on_crash = schema::OnDaemonCrash::quarantine;
  Json loading = crash("");
  loading["plugin"] = {{"file", "/plugins/z.so"}};
  CHECK(charge(of, loading, rules));
  CHECK(of.quarantine_of("/plugins/z.so").has_value());
  CHECK_FALSE(of.quarantine_of("/plugins/a.so").has_value());
  CHECK(of.charges(tree(), start_ns).empty());
  builds = {{"/plugins/z.so", "2"}};
  CHECK_FALSE(of.quarantine_of("/plugins/z.so").has_value());
  builds.clear();
}

TEST_CASE("a build that has crashed actord is known until the file is another one") {
  builds = {{"/plugins/a.so", "1"}};
  CrashLedger of = ledger();
  CHECK_FALSE(of.has_crashed("/plugins/a.so"));
  charge(of, crash("/user/a", 0));
  CHECK(of.has_crashed("/plugins/a.so"));
  CHECK_FALSE(of.has_crashed("/plugins/z.so"));
  of.forget_crashes();
  CrashLedger later = ledger();
  CHECK(later.read(of.text()));
  CHECK(later.has_crashed("/plugins/a.so"));
  builds = {{"/plugins/a.so", "2"}};
  CHECK_FALSE(later.has_crashed("/plugins/a.so"));
  CrashLedger other = ledger();
  CHECK(other.read(of.text()));
  builds = {{"/plugins/a.so", "1"}};
  CHECK_FALSE(other.has_crashed("/plugins/a.so"));
  builds.clear();
}

TEST_CASE("a charge holds for the behaviour that has crashed, not for the path alone") {
  CrashLedger of = ledger();
  charge(of, crash("/user/a", 0));
  CHECK(of.charges(tree(), start_ns).size() == 1);
  CHECK(of.charges({node("/user/b")}, start_ns).empty());
  Json other = crash("/user/x/x", 1);
  other["actor"]["behaviour"] = "a/Other";
  charge(of, other);
  CHECK(of.charges(tree(), start_ns).size() == 1);
}

TEST_CASE("nothing is charged with the crash of a build that is not there any more") {
  builds = {{"/plugins/a.so", "new"}};
  Json old = crash("/user/a");
  old["crash"]["build_ids"] = {"", "old"};
  CHECK(culprit(old) == "none");
  old["crash"]["build_ids"] = {"", "new"};
  CHECK(culprit(old) == "/user/a /user/a /plugins/a.so");
  builds.clear();
}

TEST_CASE("crashes of a clock that was ahead do not count") {
  CrashLedger of = ledger();
  charge(of, crash("/user/a", 1'000'000));
  charge(of, crash("/user/a", 1'000'001));
  CHECK_FALSE(charge(of, crash("/user/a", 0)));
}

TEST_CASE("a damaged ledger is told, and never more than forgotten") {
  for (const char* text :
       {"", "7", "{}", R"({"crashes":7,"quarantined":[]})", R"({"crashes":[7],"quarantined":[]})",
        R"({"crashes":[{"id":"x"}],"quarantined":[]})"}) {
    CAPTURE(text);
    CrashLedger of = ledger();
    CHECK_FALSE(of.read(text));
  }
  CrashLedger sound = ledger();
  settings::CrashSettings rules;
  rules.on_crash = schema::OnDaemonCrash::quarantine;
  charge(sound, crash("/user/a", 0), rules);
  std::string text = sound.text();
  text.insert(text.find('[') + 1, "7,");
  CrashLedger rest = ledger();
  CHECK_FALSE(rest.read(text));
  CHECK(rest.is_quarantined("/user/a"));
}

TEST_SUITE_END();

}  // namespace actord::app
