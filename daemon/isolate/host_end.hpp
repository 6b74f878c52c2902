// SPDX-License-Identifier: Apache-2.0
//
// Finds out how a host process has ended: from what it has said itself before its end, from what
// the kernel says, and from why it was killed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isolate/options.hpp"
#include "link/host.hpp"
#include "os/shared_lanes.hpp"
#include "os/watched_process.hpp"

namespace actord::isolate {

/// Why actord itself ends a host.
struct KillReason {
  link::HostEnd::Kind kind = link::HostEnd::Kind::closed;
  std::string detail;
  bool waits_for_note = false;  // the host was told to say where it hangs
  bool was_late = false;        // it did not end in time
};

/// The files that calls of a host are named by.
struct HostFiles {
  const HostedPlugin& plugin;
  std::string executable;
};

struct EndEvidence {
  std::optional<KillReason> killed;
  os::EndFacts said;                              // by the host
  std::optional<os::WatchedProcess::End> status;  // by the kernel
};

/// Whether that is enough to say how the host has ended.
bool is_sufficient(const EndEvidence& evidence) noexcept;
/// Reads the symbols of the plugin.
link::HostEnd end_of(const EndEvidence& evidence, const HostFiles& files, int process_id);
/// "it was ended by SIGSEGV at address 0x0 in null_call() (crash_lab.so)"
std::string text_of(const link::HostEnd& end);
/// The calls of the thread that has ended the host. Reads the symbols of all libraries.
std::vector<std::string> stack_of(const os::EndFacts& said, const HostFiles& files);

}  // namespace actord::isolate
