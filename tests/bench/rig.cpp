// SPDX-License-Identifier: Apache-2.0
#include "rig.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>

#include "base/clock.hpp"
#include "sdk/host_table.hpp"

namespace actord::bench {

namespace {

system::SystemSettings settings_for(unsigned workers) {
  system::SystemSettings settings;
  settings.name = "bench";
  settings.workers = workers;
  settings.dead_letters_logged = 0;
  return settings;
}

}  // namespace

Rig::Rig(unsigned workers)
    : hub_([] { return base::monotonic_ns(); }, {.level = log::Level::error}),
      system_(std::make_unique<system::ActorSystem>(settings_for(workers), executor_, hub_,
                                                    sdk::host_table())) {
  const auto added =
      system_->add_plugin(*plugin_table<Behaviours<>, Messages<Number>>("bench", "1"));
  ACTORD_ASSERT(added.ok());
  system::Milestones milestones;
  milestones.on_ready = [this] { ready_.set_value(); };
  milestones.on_stopped = [this] { stopped_.set_value(); };
  system_->start(user_, std::move(milestones));
  ready_.get_future().wait();
}

Rig::~Rig() {
  system_->terminate();
  stopped_.get_future().wait();
  system_->join();
}

Stopwatch::Stopwatch() : start_ns_(base::monotonic_ns()) {}

double Stopwatch::seconds() const {
  return static_cast<double>(base::monotonic_ns() - start_ns_) * 1e-9;
}

double resident_bytes() {
  long all = 0, resident = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  ACTORD_ASSERT(file != nullptr && std::fscanf(file, "%ld %ld", &all, &resident) == 2);
  std::fclose(file);
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double peak_resident_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

}  // namespace actord::bench
