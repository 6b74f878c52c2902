// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_world.hpp"

#include <algorithm>

namespace actord::sim {

namespace {

system::SystemSettings settings_of(const SimWorld::Options& options) {
  system::SystemSettings settings;
  settings.name = "sim";
  settings.state_directory = ".";
  settings.cells = {std::size_t{1} << 16, 64, 64};
  settings.envelope_reserve = std::size_t{1} << 26;
  settings.live.dead_letters.logged = 0;
  settings.live.dead_letters.kept_bytes = options.dead_letter_bytes;
  settings.shares_emitter = true;
  settings.live.journal = options.journal;
  settings.journal.open_store =
      [store = options.store]() -> persist::StoreResult<std::shared_ptr<persist::Store>> {
    return store;
  };
  return settings;
}

}  // namespace

sched::Simulator::Options SimWorld::options_of(const Options& options) {
  sched::Simulator::Options o;
  o.seed = options.seed;
  o.workers = options.workers;
  o.slice_max = options.slice_max;
  o.pick = options.pick;
  o.priority_changes = options.priority_changes;
  // Set even if choices are not recorded: the scheduler then has a random source of its own, and an
  // unrecorded run makes the same choices as a recorded one.
  o.choose = [choices = options.choices,
              random = base::Random(options.seed)](std::uint64_t bound) mutable -> std::uint64_t {
    if (bound == 1) return 0;
    if (choices == nullptr) return random.below(bound);
    const std::size_t at = choices->made.size();
    std::uint64_t choice = choices->has_chance ? random.below(bound) : 0;
    if (at < choices->replayed.size())
      choice = std::min<std::uint64_t>(choices->replayed[at], bound - 1);
    choices->made.push_back(static_cast<std::uint32_t>(choice));
    choices->bounds.push_back(static_cast<std::uint32_t>(bound));
    return choice;
  };
  return o;
}

SimWorld::SimWorld(const Options& options, const actord_plugin& plugin)
    : simulator_(options_of(options)),
      hub_([this] { return simulator_.now_ns(); },
           {.ring_bytes = 1024, .backlog_bytes = 0, .level = log::Level::error}),
      system_(std::make_unique<system::ActorSystem>(settings_of(options), simulator_, hub_,
                                                    sdk::host_table())) {
  ACTORD_ASSERT(system_->add_plugin(plugin).ok());
}

SimWorld::~SimWorld() { system_->join(); }

void SimWorld::start(system::SnapshotSpec wanted, system::SystemListener listener) {
  listener.on_stopped = [this] { has_stopped_ = true; };
  system_->start(*system_->build_snapshot(std::move(wanted)), std::move(listener));
  run();
}

bool SimWorld::run_until_stopped() {
  for (int i = 0; i < 10'000 && !has_stopped_; ++i) {
    run();
    const std::int64_t due = simulator_.timers().earliest_due();
    if (due == sched::TimerWheel::never || has_stopped_) break;
    simulator_.skip_to(due);
  }
  run();
  return has_stopped_;
}

void SimWorld::reconfigure(system::SnapshotSpec wanted, std::function<void()> on_done) {
  system_->reconfigure(*system_->build_snapshot(std::move(wanted)), false, std::move(on_done));
}

bool SimWorld::is_alive(actor::Ref ref) const {
  const actor::Cell& found = cell(ref);
  return found.generation.load() == actor::generation_of(ref) &&
         found.life.stage() != actor::Stage::terminated && found.props != nullptr;
}

}  // namespace actord::sim
