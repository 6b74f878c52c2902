// SPDX-License-Identifier: Apache-2.0
//
// What the actors of a run of the profile `companions` share: the scenario, the rules' books, who
// lives, and whether something fails now.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/companion_checks.hpp"
#include "sim/companion_scenario.hpp"
#include "sim/event_trace.hpp"
#include "sim/scenario.hpp"
#include "sim/sim_world.hpp"
#include "sim/watched_store.hpp"

namespace actord::sim::companions {

struct Broken : Error {
  using Error::Error;
};

class Inhabitant;

struct Witness {
  Witness(const Scenario& played, const RunOptions& options, std::shared_ptr<WatchedStore> kept)
      : scenario(played), trace(options), store(std::move(kept)), refs(played.members.size()) {}

  void saw(const char* what, std::uint64_t who, std::uint64_t detail = 0) {
    if (findings.empty()) trace.add(what, who, detail);
  }

  // ---- failures ----
  /// Whether this visit of the spot fails.
  bool fails(Spot spot) {
    const auto i = static_cast<std::size_t>(spot);
    const std::uint64_t visit = ++visits_[i];
    if (is_calm || scenario.faults[i] == 0 || failed_[i] == faults_max) return false;
    if (mixed(scenario.seed, 43 + i, visit) % 256 >= scenario.faults[i]) return false;
    saw(name_of(spot), 1'000, visit);
    ++failed_[i];
    return true;
  }
  void fail_at(Spot spot) {
    if (fails(spot)) throw Broken("broken");
  }

  // ---- who is there ----
  Ref ref_of(std::size_t member) const { return refs[member]; }
  std::size_t chosen(std::uint64_t detail) const { return detail % refs.size(); }
  /// `than` itself if there is no other one.
  std::size_t another(Role role, std::size_t than, std::uint64_t detail) const {
    for (std::size_t i = 0; i < refs.size(); ++i) {
      const std::size_t at = (detail + i) % refs.size();
      if (at != than && scenario.members[at].role == role) return at;
    }
    return than;
  }
  std::string path_of_ledger(std::size_t member) const { return scenario.ledger_path(member); }

  const Scenario& scenario;
  SimWorld* world = nullptr;
  Findings findings;
  EventTrace trace;
  std::shared_ptr<WatchedStore> store;
  std::vector<Ref> refs;                           // the newest of each member
  std::map<std::uint64_t, Inhabitant*> living;     // the instances, by their numbers
  std::map<actor::Ref, std::set<Ref>> watched;     // by whom, also over its restarts
  std::map<std::uint64_t, std::uint32_t> audited;  // the last round that an actor has answered
  /// An event with parcels; a drop of what one side has stored makes it void.
  struct Sending {
    std::uint32_t mark = 0, count = 1;
    std::string from, to;
    bool is_void = false;
  };
  std::vector<Sending> parcels;
  /// Whether a sender waits for ever for a receiver that has ended with its supervisor.
  bool has_lost_receivers() const;
  std::set<std::uint32_t> taken_back;  // events of handlers that have failed
  std::uint64_t instances = 0;
  std::uint32_t asks = 0, marks = 0;
  bool is_calm = false;

  Fates fates{findings};
  Children children{findings};
  DeliveryNumbers numbers{findings};
  ShutdownTasks shutdown{findings};
  Transitions transitions{findings};
  Snapshots snapshots{findings, scenario.snapshot_every};

 private:
  // A tree that grows faster than it is mended would fail for ever.
  static constexpr std::uint64_t faults_max = 20;

  std::array<std::uint64_t, spots> visits_{}, failed_{};
};

inline bool Witness::has_lost_receivers() const {
  return std::ranges::any_of(parcels, [this](const Sending& each) {
    return world->system().find(each.to) == actor::nobody;
  });
}

/// The witness of the run under way. What a back-off supervisor starts again, and the key of a
/// router, have no other way to it.
inline Witness* witness = nullptr;

/// An instance of an actor of the author.
class Inhabitant {
 public:
  /// `is_planned`: it has the mailbox of the member.
  Inhabitant(Context& ctx, std::uint32_t member_, bool is_planned = true)
      : self(ctx.self().value),
        member(member_),
        attempts(is_planned ? plan().attempts : std::uint8_t{0}),
        number_(++witness->instances) {
    witness->living.emplace(number_, this);
    witness->saw("begins", member, number_);
  }
  virtual ~Inhabitant() {
    witness->living.erase(number_);
    witness->saw("ends", member, number_);
  }
  Inhabitant(const Inhabitant&) = delete;
  Inhabitant& operator=(const Inhabitant&) = delete;

  const Member& plan() const { return witness->scenario.members[member]; }
  std::string name() const { return "m" + std::to_string(member); }
  /// Nothing is under way, and nothing fails any more.
  virtual void check_rest() { asks.check_rest(name()); }

  const actor::Ref self;
  const std::uint32_t member;
  const std::uint8_t attempts;  // of a message on which it fails
  Asks asks{witness->findings};

 private:
  const std::uint64_t number_;
};

/// One call of a handler for a message that is followed.
class Handling {
 public:
  Handling(Context& ctx, const Inhabitant& who, std::uint32_t number, const char* what)
      : ctx_(ctx), attempts_(who.attempts), number_(number) {
    witness->saw(what, who.member, number);
    witness->fates.taken(number);
  }
  ~Handling() {
    // A message that comes again has another fate, unless it is somewhere else already.
    if (has_failed() && attempts_ != 0 && !is_kept_) witness->fates.moved(number_);
  }
  Handling(const Handling&) = delete;
  Handling& operator=(const Handling&) = delete;

  bool has_failed() const { return std::uncaught_exceptions() > before_ || ctx_.has_failed(); }
  /// It is in the stash.
  void keep() {
    is_kept_ = true;
    witness->fates.moved(number_);
  }
  std::uint32_t number() const noexcept { return number_; }

 private:
  Context& ctx_;
  const int before_ = std::uncaught_exceptions();
  const std::uint8_t attempts_;
  const std::uint32_t number_;
  bool is_kept_ = false;
};

}  // namespace actord::sim::companions
