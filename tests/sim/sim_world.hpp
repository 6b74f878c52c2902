// SPDX-License-Identifier: Apache-2.0
//
// A system for the simulations. It is created and destroyed thousands of times a second, so it has
// no events and little memory; its choices can be recorded and replayed. Tests that read events use
// testkit/world.hpp.
#pragma once

#include <actord/actord.hpp>

#include <functional>
#include <memory>
#include <vector>

#include "sched/simulator.hpp"
#include "sdk/host_table.hpp"
#include "system/actor_system.hpp"

namespace actord::sim {

/// The scheduler's choices. The `replayed` ones come first, cut to what is possible; later ones are
/// random, or 0 if `has_chance` is false.
struct Choices {
  std::vector<std::uint32_t> made;
  std::vector<std::uint32_t> bounds;  // of each: how many alternatives there were, at least 2
  std::vector<std::uint32_t> replayed;
  bool has_chance = true;
  std::vector<std::uint32_t> targets;  // the actor that each operation found; not a choice
};

class SimWorld {
 public:
  struct Options {
    std::uint64_t seed = 1;
    unsigned workers = 2;
    std::uint32_t slice_max = 4;
    sched::Simulator::Pick pick = sched::Simulator::Pick::worker;
    unsigned priority_changes = 2;
    Choices* choices = nullptr;                  // null: random by the seed, not recorded
    std::shared_ptr<persist::Store> store = {};  // of persistent actors; null: there are none
    system::LiveJournalSettings journal = {};
    std::size_t dead_letter_bytes = 0;  // for those that are kept; 0: none are
  };

  explicit SimWorld(const Options& options, const actord_plugin& plugin);
  ~SimWorld();
  SimWorld(const SimWorld&) = delete;
  SimWorld& operator=(const SimWorld&) = delete;

  /// `user` has the guardian's strategy.
  void start(const actor::NodeSpec& user) { start({.user = user}, {}); }
  void start(system::SnapshotSpec wanted, system::SystemListener listener);

  /// Asks /user for a child, which is there after the guardian's next turn.
  template <std::derived_from<Actor> A, class... Args>
  base::IntrusivePtr<actor::SpawnRequest> request(std::string name, Args&&... args) {
    auto props = system_->props_of(actord::detail::props_of<A>(std::forward<Args>(args)...));
    return system_->request_spawn(std::move(name), std::move(*props));
  }
  /// Replaces the current configuration by another.
  void reconfigure(system::SnapshotSpec wanted, std::function<void()> on_done);
  template <Message M>
  void tell(actor::Ref to, M message) {
    system_->tell(to, actord::detail::listed_type_id<M>(), &message);
  }
  void stop(actor::Ref whom) { system_->send_system(whom, actor::SystemMessage::terminate()); }
  bool step() { return simulator_.step(); }
  void run() { simulator_.run_until_idle(); }
  /// Lets time pass until the system, which is to stop, has stopped. False: it does not.
  bool run_until_stopped();
  void advance(std::int64_t ns) { simulator_.advance(ns); }
  std::int64_t now_ns() const { return simulator_.now_ns(); }
  bool has_stopped() const { return has_stopped_; }

  const actor::Cell& cell(actor::Ref ref) const { return system_->cells.at(actor::index_of(ref)); }
  bool is_alive(actor::Ref ref) const;

  system::ActorSystem& system() { return *system_; }
  sched::Simulator& simulator() { return simulator_; }

 private:
  static sched::Simulator::Options options_of(const Options& options);

  sched::Simulator simulator_;
  log::Hub hub_;
  std::unique_ptr<system::ActorSystem> system_;
  bool has_stopped_ = false;
};

}  // namespace actord::sim
