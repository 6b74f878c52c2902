// SPDX-License-Identifier: Apache-2.0
#include "crew.hpp"

#include "base/clock.hpp"
#include "sdk/host_table.hpp"

namespace actord::conformance {

namespace {

system::SystemSettings settings() {
  system::SystemSettings settings;
  settings.name = "crew";
  settings.workers = Crew::workers;
  settings.live.dead_letters.logged = 0;
  return settings;
}

}  // namespace

Crew::Crew(std::vector<actor::Deployment> deployments)
    : hub_([] { return base::monotonic_ns(); }, {.level = log::Level::error}),
      system_(
          std::make_unique<system::ActorSystem>(settings(), executor_, hub_, sdk::host_table())) {
  REQUIRE(system_->add_plugin(*plugin_table<Behaviours<>, Messages<Go, Count>>("crew", "1")).ok());
  system::SystemListener listener;
  listener.on_ready = [this] { ready_.count_down(); };
  listener.on_stopped = [this] { stopped_.count_down(); };
  system_->start(*system_->build_snapshot({.deployments = std::move(deployments)}),
                 std::move(listener));
  ready_.wait("a system that is ready");
}

Crew::~Crew() {
  if (!has_ended_) end();
}

bool Crew::has_stopped() const { return stopped_.try_wait(); }

void Crew::end() {
  has_ended_ = true;
  system_->terminate();
  stopped_.wait("the end of the system");
  {
    const support::TimeLimit limit("the end of the system's threads");
    system_->join();
  }
  const actor::MessageCounters counters = system_->counters();
  CHECK(counters.sent == counters.ended());
  CHECK(system_->blocks_in_use() == 0);
  CHECK(system_->timers_waiting() == 0);
}

}  // namespace actord::conformance
