// SPDX-License-Identifier: Apache-2.0
//
// A host process, as the runtime sees it: a plugin, the actors that live in it, and how it has
// ended. The daemon implements it with processes (daemon/isolate), and the loopback without one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "actor/failure.hpp"
#include "base/result.hpp"
#include "base/sync.hpp"
#include "link/channel.hpp"

namespace actord::system {
class ActorSystem;
}

namespace actord::link {

/// How a host process has ended.
struct HostEnd {
  enum class Kind : std::uint8_t {
    signal,    // number: the signal
    exited,    // number: the exit status
    hang,      // it did not come back, and was killed
    protocol,  // it said what it must not say, and was killed
    closed     // the runtime has ended it in order
  };
  Kind kind = Kind::exited;
  int number = 0;
  std::string signal;  // "SIGSEGV"
  /// What a person should know besides: "at address 0x0 in null_call() (crash_lab.so)".
  std::string detail;
  int process_id = 0;
};

/// The failure of an actor whose host process has ended so: actord::crash::SIGSEGV,
/// actord::crash::Signal, actord::WorkerCrash …
actor::FailurePtr failure_of(const HostEnd& end, actor::TypeChains& chains);
/// The failure of the other actors in that process: actord::PeerCrash, actord::WorkerCrash …
actor::FailurePtr peer_failure(const HostEnd& end, actor::TypeChains& chains);

/// Threads: any, if nothing else is said.
class Host {
 public:
  explicit Host(system::ActorSystem& actors) : actors_(actors) {}
  virtual ~Host() = default;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// A channel that no other thread uses; waits until there is one. It is given back with
  /// release(), also after the process has died.
  virtual Channel& acquire() = 0;
  virtual void release(Channel& channel) = 0;
  /// Ends the process at once; what is said of its end is that. The process counts as dead when the
  /// function returns.
  virtual void kill(HostEnd::Kind why, std::string detail) = 0;
  /// 0: there is no process, or none yet.
  virtual int process_id() const = 0;
  /// How the process has ended. Call it only if an exchange or is_alive() has said so. It may wait
  /// for a moment until that is known.
  virtual HostEnd end() = 0;
  /// The acquire pairs with the release in mark_dead(): a thread that sees that the process has
  /// ended sees what was known of its end before.
  bool is_alive() const noexcept { return is_alive_.load(base::acquire); }

  // ---- the actors in it ----
  /// A number for a new instance. `who` is told if the process ends.
  std::uint64_t move_in(actor::Ref who, std::uint32_t incarnation);
  /// The instance is gone, or its thread has seen by itself that the process has ended: from now on
  /// its actor is not told.
  void move_out(std::uint64_t instance);
  std::size_t residents() const;

 protected:
  /// From now on is_alive() is false, and every actor in the process is told: it fails with
  /// PeerCrash if `has_culprit`, an actor that was busy in it, and else with the end itself. Once.
  void tell_end(const HostEnd& end, bool has_culprit);
  /// The first half of it: is_alive() is false from now on. The release pairs with the acquire
  /// there.
  void mark_dead() noexcept { is_alive_.store(false, base::release); }

  system::ActorSystem& actors_;

 private:
  struct Resident {
    actor::Ref actor;
    std::uint32_t incarnation;
  };
  base::Atomic<bool> is_alive_{true};
  mutable base::Mutex mutex_;
  std::unordered_map<std::uint64_t, Resident> residents_;  // by instance
  std::uint64_t last_instance_ = 0;
  bool is_told_ = false;
};
using HostPtr = std::shared_ptr<Host>;

/// Which process an actor lives in.
struct HostKey {
  std::string plugin;  // "crash_lab"
  std::string group;   // the actors with the same group share the process
};

/// Starts host processes. Any thread.
class Hosts {
 public:
  virtual ~Hosts() = default;
  /// The living process of that key, which has attached the plugin; starts one, and waits for it,
  /// if there is none. The error says why there is none.
  virtual base::Result<HostPtr> host_for(const HostKey& key) = 0;
};

}  // namespace actord::link
