// SPDX-License-Identifier: Apache-2.0
//
// What host processes are started with, and what is told of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "link/host.hpp"
#include "os/sealed_copy.hpp"

namespace actord::isolate {

/// The program `actord-host`: beside the executable of this process, or where it is installed.
std::string default_host_executable();

struct IsolationOptions {
  std::string executable = default_host_executable();
  unsigned spare = 1;            // hosts of a plugin that wait for actors; 0: none
  unsigned lanes = 16;           // actors of one host that may be busy at once
  std::uint64_t memory_max = 0;  // bytes of address space of a host; 0: no limit of its own
  std::uint64_t nofile = 0;      // open files of a host; 0: as many as actord may open
  bool may_dump_core = false;
  std::int64_t start_timeout_ns = 10 * base::ns_per_s;
  // After that time in one call a host is killed; a third of it is a reason for a warning. 0: a
  // call may last for ever.
  std::int64_t stuck_timeout_ns = 30 * base::ns_per_s;
  std::int64_t end_grace_ns = 5 * base::ns_per_s;  // for an orderly end, before it is killed
  std::int64_t unused_ns = 10 * base::ns_per_s;    // after that time without actors a host is ended
};

/// A plugin whose actors live in host processes.
struct HostedPlugin {
  std::string name;
  std::string file;                            // the operator's
  std::shared_ptr<const os::SealedCopy> copy;  // of the file: what hosts load
  // Those of link::IsolatedPlugin.
  std::function<std::string()> welcome;
  std::function<bool(std::string_view request, std::string& answer)> serve_outside;
  // It wants to be attached, which may have any effect. So its spares wait with that until an actor
  // needs them; those of other plugins do not.
  bool has_attach = true;
};
using HostedPluginPtr = std::shared_ptr<const HostedPlugin>;

/// What identifies a host in what is told of it.
struct HostFacts {
  std::string plugin;
  std::string group;
  bool is_adopted = false;  // it has a group; else it waits for its first actor
  bool was_spare = false;   // it had loaded the plugin before it was adopted
  bool is_ready = false;    // it has attached the plugin
  int process_id = 0;
  std::size_t actors = 0;
  std::int64_t age_ns = 0;
  std::int64_t starting_ns = 0;  // from when it was wanted for an actor until it was there
};

/// Its group as an operator writes it.
std::string_view group_name(const HostFacts& host) noexcept;
/// "spare", "starting" or "ready".
std::string_view state_name(const HostFacts& host) noexcept;

/// The actor that a call into a host is for.
struct CallSite {
  std::string path;       // "/user/crawler"
  std::string behaviour;  // "crawler/Master"
  std::string message;    // the type being handled; empty outside a handler
  std::uint32_t incarnation = 0;
};

/// How a host has ended, for people.
struct HostDeath {
  /// When actord has killed it: hang and protocol are in `end`.
  enum class Phase : std::uint8_t { starting, serving, ending };

  link::HostEnd end;
  Phase phase = Phase::serving;
  std::optional<std::uint64_t> address;  // that a signal is about
  bool was_late = false;                 // actord has killed it, because it did not end in time
  std::optional<CallSite> site;          // the call that is to blame, if one is and it is known
  std::string work;                      // what the host says that it was busy with
  std::vector<std::string> stack;        // as os::CallStack::described()
};

/// How a host has ended, for the log and for counts: in order, by itself, or killed by actord for
/// that reason.
enum class HostOutcome : std::uint8_t {
  stopped,
  crashed,
  hang,
  protocol,
  start_timeout,
  stop_timeout
};
inline constexpr std::size_t host_outcomes = 6;
inline constexpr HostOutcome kill_reasons[] = {HostOutcome::hang, HostOutcome::protocol,
                                               HostOutcome::start_timeout,
                                               HostOutcome::stop_timeout};
HostOutcome outcome_of(const HostDeath& death) noexcept;
/// "stop-timeout".
std::string_view name_of(HostOutcome outcome) noexcept;

/// The hosts of a plugin since the start of actord.
struct HostCounts {
  std::uint64_t started = 0;  // those that have taken actors
  std::array<std::uint64_t, host_outcomes> ended{};

  std::uint64_t of(HostOutcome outcome) const noexcept {
    return ended[static_cast<std::size_t>(outcome)];
  }
  std::uint64_t killed() const noexcept {
    std::uint64_t sum = 0;
    for (const HostOutcome reason : kill_reasons) sum += of(reason);
    return sum;
  }
};
using HostCountsByPlugin = std::map<std::string, HostCounts, std::less<>>;

/// A call into a host that takes long.
struct StuckCall {
  std::optional<CallSite> site;
  std::string work;  // as the host says
  std::int64_t lasting_ns = 0;
  std::int64_t limit_ns = 0;  // after which the host is killed
};

/// Functions that may be empty. They are called on the thread that watches the hosts, which does
/// nothing else meanwhile.
struct IsolationEvents {
  std::function<void(const HostFacts&)> started;  // it loads its plugin
  std::function<void(const HostFacts&)> ready;    // it has attached it, and takes actors
  std::function<void(const HostFacts&, const HostDeath&)> ended;  // of itself, killed or in order
  std::function<void(const HostFacts&, const StuckCall&)> stuck;  // once for each call
};

}  // namespace actord::isolate
