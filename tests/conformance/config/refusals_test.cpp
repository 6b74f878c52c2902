// SPDX-License-Identifier: Apache-2.0
//
// Configurations that actord refuses to start with: items 71, 76, 80, 93, 114 and 178d.
#include "config/check.hpp"
#include "conformance/config/config_support.hpp"
#include "support/scratch_folder.hpp"

namespace actord::conformance {

namespace {

std::string strategy(const std::string& block) {
  return "actord.user.x {\n  behaviour = \"stage/ScriptedActor\"\n  supervisor-strategy { " +
         block + " }\n}\n";
}

/// The error with which actord refuses to start from this file; exit status 0 if it starts.
config::BootError start_with(const std::string& text) {
  const support::ScratchFolder folder;
  options::Options options;
  options.config_files = {folder.write(
      "actord.conf", "actord.state-dir = \"" + folder.path().string() + "\"\n" + text)};
  auto configuration = config::read_draft(std::move(options));
  if (!configuration) return configuration.error();
  auto checked = config::check(*configuration);
  return checked ? config::BootError{config::ExitCode::ok, {}, {}} : std::move(checked).error();
}

}  // namespace

TEST_CASE("71 in words, a window without a number of restarts is an error: neither is guessed") {
  const std::string text = settings::errors(strategy("within = 1 minute"));
  CHECK_HAS(text, "test.conf:3:34: error: within needs max-restarts");
  CHECK(start_with(strategy("within = 1 minute")).code == config::ExitCode::config_wrong);
}

TEST_CASE("76 a window of no time is an error") {
  for (const char* none : {"0", "0 s", "-3 s"}) {
    const std::string block = std::string{"max-restarts = 3, within = "} + none;
    CHECK_HAS(settings::errors(strategy(block)), "test.conf:3:52: error: within must be longer");
    CHECK(start_with(strategy(block)).code == config::ExitCode::config_wrong);
  }
}

TEST_CASE("93 an unknown configurator ends the start with status 78, its place and a suggestion") {
  const std::string near = "actord.actor.guardian-supervisor-strategy = \"stage/Strikt\"";
  const std::string faults = faults_of(near);
  CHECK_HAS(faults, "test.conf:1:45: error: unknown configurator \"stage/Strikt\"");
  CHECK_HAS(faults, "did you mean \"stage/Strict\"?");
  CHECK(faults_of("actord.actor.guardian-supervisor-strategy = \"stage/Strict\"").empty());
  const config::BootError refused =
      start_with("actord.actor.guardian-supervisor-strategy = \"actord/Strict\"");
  CHECK(static_cast<int>(refused.code) == 78);
  CHECK_HAS(refused.screen, "actord.conf:2:45: error: unknown configurator \"actord/Strict\"");
}

TEST_CASE("93 a configurator of a missing plugin ends the start with status 78") {
  const config::BootError refused =
      start_with("actord.actor.guardian-supervisor-strategy = \"nowhere/Strict\"");
  CHECK(static_cast<int>(refused.code) == 78);
  CHECK_HAS(refused.screen, "actord.conf:2:45: error: ");
  CHECK_HAS(refused.screen, "nowhere");
}

TEST_CASE("93 a strategy's name that means nothing is an error with what may be written") {
  const std::string text =
      settings::errors("akka.actor.guardian-supervisor-strategy = akka.actor.StoppingStrategy");
  CHECK_HAS(text, "unknown strategy \"akka.actor.StoppingStrategy\"");
  CHECK_HAS(text, "akka.actor.StoppingSupervisorStrategy");
}

TEST_CASE("114 the name of a system begins with a letter or digit, then - and _ as well") {
  for (const char* name : {"a", "9", "shop-1", "Shop_2", "a--", "0_"}) {
    CHECK(settings::read(std::string{"actord.name = \""} + name + '"').name == name);
  }
  for (const char* name : {"", "-a", "_a", "a b", "a.b", "ä", "a/b", "a$", "a\\n"}) {
    CAPTURE(name);
    const std::string text = std::string{"actord.name = \""} + name + '"';
    CHECK_HAS(settings::errors(text), "test.conf:1:15: error: expected a name of letters, digits");
    CHECK(start_with(text).code == config::ExitCode::config_wrong);
  }
}

TEST_CASE("178d options of a back-off supervisor that make no sense are refused with their place") {
  const auto node = [](const std::string& block) {
    return "actord.user.x { behaviour = \"stage/ScriptedActor\"\nbackoff-supervisor { " + block +
           " } }";
  };
  const auto refuses = [&](const std::string& block, const std::string& why) {
    CHECK_HAS(settings::errors(node(block)), "test.conf:2:");
    CHECK_HAS(settings::errors(node(block)), why);
    CHECK(start_with(node(block)).code == config::ExitCode::config_wrong);
  };
  refuses("mode = on-stop, min = 0 s, max = 1 s", "more than 0");
  refuses("mode = on-stop, min = 2 s, max = 1 s", "max is shorter than min");
  refuses("mode = on-stop, min = 1 s, max = 1 s, random-factor = 2", "from 0 to 1");
  refuses("mode = on-stop, min = 1 s, max = 2 s, reset-after = 3 s", "between min and max");
  refuses("mode = on-failure, min = 1 s, max = 2 s, final-stop = [\"a.B/1\"]", "on-stop");
}

TEST_CASE("deployment: two patterns that are equally specific are an error naming both places") {
  const std::string text =
      settings::errors("actord.actor.deployment {\n\"/user/a/*/**\" {}\n\"/user/*/b/**\" {}\n}");
  CHECK_HAS(text, "test.conf:3:");
  CHECK_HAS(text, "is at test.conf:2");
}

}  // namespace actord::conformance
