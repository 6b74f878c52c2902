// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::settings;

TEST_SUITE_BEGIN("settings/shutdown_reader");

namespace {

std::string in_phases(const std::string& text) {
  return "actord.coordinated-shutdown.phases {\n" + text + "\n}\n";
}

}  // namespace

TEST_CASE("without keys there are the standard phases, each with the default timeout") {
  const ShutdownSettings shutdown = read("").shutdown;
  CHECK(shutdown.plan.names() ==
        "before-service-unbind, service-unbind, service-requests-done, service-stop, "
        "before-actor-system-terminate, actor-system-terminate");
  CHECK(shutdown.exit_code == 0);
  CHECK(shutdown.exit_codes.empty());
  for (const system::ShutdownPhase& each : shutdown.plan.phases()) {
    CHECK(each.timeout_ns == 5'000'000'000);
    CHECK(each.recovers);
    CHECK(each.is_enabled);
  }
}

TEST_CASE("the default timeout is that of standard and further phases that have none") {
  const ShutdownSettings shutdown =
      read("actord.coordinated-shutdown { default-phase-timeout = 2 s\n" +
           std::string{"phases { own {}, service-stop.timeout = 3 s, other.timeout = 1 ms } }"})
          .shutdown;
  CHECK(shutdown.plan.find("service-unbind")->timeout_ns == 2'000'000'000);
  CHECK(shutdown.plan.find("own")->timeout_ns == 2'000'000'000);
  CHECK(shutdown.plan.find("service-stop")->timeout_ns == 3'000'000'000);
  CHECK(shutdown.plan.find("other")->timeout_ns == 1'000'000);
}

TEST_CASE("a phase of the configuration stands where its depends-on says") {
  const system::ShutdownPlan plan = read(in_phases("flush { depends-on = [service-unbind] }\n"
                                                   "service-requests-done.depends-on = [flush]\n"
                                                   "service-stop { recover = off, enabled = off }"))
                                        .shutdown.plan;
  CHECK(plan.names() ==
        "before-service-unbind, service-unbind, flush, service-requests-done, service-stop, "
        "before-actor-system-terminate, actor-system-terminate");
  CHECK_FALSE(plan.find("service-stop")->recovers);
  CHECK_FALSE(plan.find("service-stop")->is_enabled);
  CHECK(plan.find("service-stop")->depends_on == std::vector<std::string>{"service-requests-done"});
  CHECK(read(in_phases("flush = null")).shutdown.plan.phases().size() == 6);
}

TEST_CASE("a phase in depends-on that there is none of is an error at its name") {
  const std::string unknown = errors(in_phases("a { depends-on = [service-stop, servce-unbind] }"));
  CHECK_HAS(unknown, "test.conf:2:33: error: unknown phase \"servce-unbind\"");
  CHECK_HAS(unknown, "did you mean \"service-unbind\"?");
  CHECK_HAS(errors(in_phases("a { depends-on = [xyzxyz] }\nb.depends-on = [uvwuvw]")),
            "the phases are before-service-unbind");
  CHECK_HAS(errors(in_phases("a { depends-on = [xyzxyz] }\nb.depends-on = [uvwuvw]")),
            "test.conf:3:");
  CHECK_HAS(errors(in_phases("a { depends-on = xyz }")), "test.conf:2:");
}

TEST_CASE("a circle is an error at a name that the configuration has written") {
  const std::string circle =
      errors(in_phases("a { depends-on = [c] }\nb { depends-on = [a] }\nc { depends-on = [b] }"));
  CHECK_HAS(circle, "test.conf:2:19: error: the phases depend on each other in a circle");
  CHECK_HAS(circle, "note: a → c → b → a");
  const std::string standard = errors(in_phases("service-unbind.depends-on = [service-stop]"));
  CHECK_HAS(standard, "test.conf:2:30: error: the phases depend on each other in a circle");
  CHECK_HAS(standard, "service-unbind → service-stop → service-requests-done → service-unbind");
  CHECK_HAS(errors(in_phases("a.depends-on = [a]")), "note: a → a");
}

TEST_CASE("no phase comes after the one that stops the actors") {
  const std::string after = errors(in_phases("a { depends-on = [actor-system-terminate] }"));
  CHECK_HAS(after, "test.conf:2:19: error: no phase comes after actor-system-terminate");
  CHECK_HAS(after, "help: ");
}

TEST_CASE("exit statuses, in general and by reason") {
  const ShutdownSettings shutdown = read(R"(actord.coordinated-shutdown {
    exit-code = 3
    reason-overrides { SIGINT.exit-code = 4, "guardian-stopped" { exit-code = 0 }, SIGTERM {} }
  })")
                                        .shutdown;
  CHECK(shutdown.exit_code == 3);
  CHECK(shutdown.exit_codes ==
        std::map<std::string, int, std::less<>>{{"SIGINT", 4}, {"guardian-stopped", 0}});
  CHECK_HAS(errors("actord.coordinated-shutdown.reason-overrides.SIGTREM.exit-code = 1"),
            "did you mean \"SIGTERM\"?");
  CHECK_HAS(errors("actord.coordinated-shutdown.exit-code = 256"), "0 to 255");
  CHECK_HAS(errors("actord.coordinated-shutdown.phases.\"a b\" {}"), "letters, digits, - and _");
}
