// SPDX-License-Identifier: Apache-2.0
//
// A host without a process: the guest runs in this process, on the thread of the call. Every call
// is encoded, decoded and checked as on the way to a process. For tests and simulations, which also
// let the process "end" at a step of their choice.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "actor/isolator.hpp"
#include "link/guest.hpp"
#include "link/isolated_plugin.hpp"

namespace actord::link {

class Loopback final : public Hosts, public actor::Isolator {
 public:
  /// What happens at a turn of a process instead of the turn.
  enum class Fate : std::uint8_t {
    turns,        // nothing: the turn takes place
    dies_before,  // the process ends before it has begun with the frame
    dies_after,   // it ends when the frame is done, before it gives the turn back
    garbles       // what it says last is cut off
  };
  using ChooseFate = std::function<Fate()>;

  explicit Loopback(system::ActorSystem& actors);
  ~Loopback() override;

  /// The plugin whose actors live in the hosts; before the first host is needed.
  void use(const actord_plugin& plugin, const IsolatedPlugin& isolated);
  /// From now on it is asked at every turn. Null: all turns take place.
  void choose_fates_with(ChooseFate choose) { choose_ = std::move(choose); }
  base::Result<HostPtr> host_for(const HostKey& key) override;
  /// Props for an actor in a host, from those of one in this process. The behaviour is of the
  /// plugin that was used last, unless another one lists it.
  actord_props isolated(const actord_props& props);
  /// Configured actors live in hosts unless they are set to `thread`, those that code of actord
  /// spawns if they are set to `process`; others stay. The worker-group says in which host.
  base::Result<Isolated> isolate(const Actor& actor) override;
  bool isolates_by_plugin() const override { return false; }
  /// Ends a process, by SIGKILL or as it is said. What an actor that is busy there has asked for
  /// before is done, and what it asks for later is not.
  void kill(const HostKey& key);
  void kill(const HostKey& key, const HostEnd& end);
  /// Destroys what is left of the processes that have ended: instances whose destructors have not
  /// run, because a process would not have run them.
  void forget_dead();

 private:
  class LoopHost;
  system::ActorSystem& actors_;
  ChooseFate choose_;
  struct Used {
    const actord_plugin* plugin;
    const IsolatedPlugin* isolated;
  };
  const Used* used_for(const actord_props& props) const;

  std::string last_used_;
  std::map<std::string, Used, std::less<>> plugins_;
  std::map<std::string, std::shared_ptr<LoopHost>, std::less<>> hosts_;  // by plugin and group
};

}  // namespace actord::link
