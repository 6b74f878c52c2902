// SPDX-License-Identifier: Apache-2.0
//
// The host processes of a daemon: one for each plugin and group that has actors, and for each
// plugin some that have loaded it already and wait, so that after a crash the next one is there at
// once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/sync.hpp"
#include "isolate/host_process.hpp"
#include "isolate/isolation_thread.hpp"
#include "isolate/options.hpp"
#include "link/host.hpp"
#include "link/isolated_plugin.hpp"

namespace actord::isolate {

class HostPool final : public link::Hosts, HostKeeper {
 public:
  HostPool(system::ActorSystem& actors, IsolationOptions options, IsolationEvents events);
  /// As end_all().
  ~HostPool();
  HostPool(const HostPool&) = delete;
  HostPool& operator=(const HostPool&) = delete;

  // ---- any thread ----
  /// From now on hosts of that name load this build. Those that run go on with theirs.
  void add_plugin(HostedPlugin plugin);
  /// The same for a plugin as the runtime has it, which outlives the pool. `copy` is that of its
  /// file, as hosts load it.
  void add_plugin(const link::IsolatedPlugin& plugin, std::string file,
                  std::shared_ptr<const os::SealedCopy> copy);
  /// For hosts that are started from then on.
  void set_options(IsolationOptions options);
  base::Result<link::HostPtr> host_for(const link::HostKey& key) override;
  /// All processes that have taken actors or wait for some.
  std::vector<HostFacts> hosts() const;
  HostCountsByPlugin counts() const;
  /// Ends all hosts in order, and waits for that; a host that takes too long is killed. From now on
  /// none is started. Called while the actor system lives.
  void end_all();

 private:
  using Key = std::pair<std::string, std::string>;  // plugin, group
  struct Plugin {
    HostedPluginPtr current;
    std::vector<HostProcessPtr> spares;  // of this build; also those that are starting
    std::int64_t refill_at_ns = INT64_MAX;
    std::int64_t used_ns = 0;  // when it had an adopted host last
  };
  struct Entry {
    HostProcessPtr host;
    std::int64_t wanted_ns = 0;  // when host_for() was called last, or an actor was there
  };

  struct Chosen {
    HostProcessPtr host;
    bool is_new = false;  // the caller attaches it
  };

  IsolationEvents counting(IsolationEvents events);
  base::Result<Chosen> choose(const link::HostKey& key);
  void on_over(const HostProcessPtr& host) override;
  std::int64_t keep(std::int64_t now_ns) override;
  void refill(const std::string& name, Plugin& plugin, std::int64_t now_ns);
  std::int64_t end_unused(std::int64_t now_ns);
  HostProcessPtr new_host(const HostedPluginPtr& plugin);
  bool has_hosts_of(const std::string& plugin) const;

  system::ActorSystem& actors_;
  const IsolationEvents events_;
  mutable base::Mutex mutex_;  // guards what follows but the thread
  IsolationOptions options_;
  std::map<std::string, Plugin, std::less<>> plugins_;
  std::map<Key, Entry> entries_;
  HostCountsByPlugin counts_;
  bool is_ending_ = false;
  IsolationThread thread_{*this};
};

}  // namespace actord::isolate
