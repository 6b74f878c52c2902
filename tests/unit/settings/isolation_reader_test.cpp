// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::settings;
using actor::Isolation;

TEST_SUITE_BEGIN("settings/isolation_reader");

TEST_CASE(
    "isolation and the group stand in a node and in a pattern, and are not set by themselves") {
  const Settings s = read(R"(actord {
    user.a { behaviour = "p/A", isolation = process, worker.group = "shared:shop-1" }
    user.b { behaviour = "p/B", isolation = auto, worker { group = per-actor } }
    user.c { behaviour = "p/C", isolation = thread }
    user.d { behaviour = "p/D" }
    actor.deployment."/user/d/*" { isolation = process, worker.group = per-plugin }
  })");
  CHECK(s.user[0].options.isolation == Isolation::process);
  CHECK(s.user[0].options.worker_group == "shared:shop-1");
  CHECK(s.user[1].options.isolation == Isolation::automatic);
  CHECK(s.user[1].options.worker_group == "per-actor");
  CHECK(s.user[2].options.isolation == Isolation::thread);
  CHECK(s.user[3].options.isolation == Isolation::unset);
  CHECK(s.user[3].options.worker_group.empty());
  CHECK(s.deployments[0].options.isolation == Isolation::process);
  CHECK(s.deployments[0].options.worker_group == "per-plugin");
}

TEST_CASE("a word that is none is an error where it stands") {
  CHECK_HAS(errors("actord.user.a.isolation = proces"), "did you mean \"process\"?");
  CHECK_HAS(errors("actord.user.a.isolation = proces"), "test.conf:1:");
  CHECK_HAS(errors("actord.user.a.isolation = off"), "thread, process, auto");
  CHECK_HAS(errors("actord.user.a.worker.group = per-actors"), "did you mean \"per-actor\"?");
  for (const char* const wrong : {"shared", "shared:", "\"shared:a b\"", "\"shared:-a\"", "[]"})
    CHECK_HAS(errors(std::string{"actord.user.a.worker.group = "} + wrong), "test.conf:1:");
  CHECK_HAS(errors("actord.user.a.worker.groups = per-actor"), "did you mean \"group\"?");
  CHECK_HAS(errors("actord.plugins.isolation.p = proces"), "did you mean \"process\"?");
  CHECK_HAS(errors("actord.worker.group = \"shared:a\""), "per-plugin, per-actor");
}

TEST_CASE("a plugin's isolation is that of its name") {
  const auto of =
      read("actord.plugins.isolation { p = process, q = auto, r = null }").plugin_isolation;
  CHECK(of == actor::IsolationByPlugin{{"p", Isolation::process}, {"q", Isolation::automatic}});
  CHECK(read("").plugin_isolation.empty());
}

TEST_CASE("the settings of host processes have the defaults of the code, and are read") {
  const WorkerSettings coded;
  const WorkerSettings of_reference = read("").worker;
  CHECK(of_reference.group == coded.group);
  CHECK(of_reference.spare == coded.spare);
  CHECK(of_reference.start_timeout_ns == coded.start_timeout_ns);
  CHECK(of_reference.stuck_timeout_ns == coded.stuck_timeout_ns);
  CHECK(of_reference.memory_max == coded.memory_max);
  CHECK(of_reference.nofile == coded.nofile);
  CHECK(of_reference.has_core == coded.has_core);
  const WorkerSettings w = read(R"(actord.worker {
    group = per-actor, spare = 0, start-timeout = 2 s, stuck-timeout = off
    memory-max = 256m, nofile = 256, core = on
  })")
                               .worker;
  CHECK(w.group == "per-actor");
  CHECK(w.spare == 0);
  CHECK(w.start_timeout_ns == 2'000'000'000);
  CHECK(w.stuck_timeout_ns == 0);
  CHECK(w.memory_max == 256 << 20);
  CHECK(w.nofile == 256);
  CHECK(w.has_core);
}

TEST_SUITE_END();
