// SPDX-License-Identifier: Apache-2.0
#include "isolate/options.hpp"

#include "os/files.hpp"
#include "os/process.hpp"

namespace actord::isolate {

std::string default_host_executable() {
  const std::string folder = os::executable_folder();
  std::string beside = folder + "/actord-host";
  return os::exists(beside) ? beside : folder + "/../lib/actord/actord-host";
}

std::string_view group_name(const HostFacts& host) noexcept {
  if (host.group.empty()) return "per-plugin";
  return host.group.front() == '/' ? std::string_view{"per-actor"} : std::string_view{host.group};
}

std::string_view state_name(const HostFacts& host) noexcept {
  if (!host.is_adopted) return "spare";
  return host.is_ready ? "ready" : "starting";
}

HostOutcome outcome_of(const HostDeath& death) noexcept {
  using Kind = link::HostEnd::Kind;
  if (death.was_late) return HostOutcome::stop_timeout;
  switch (death.end.kind) {
    case Kind::closed: return HostOutcome::stopped;
    case Kind::protocol: return HostOutcome::protocol;
    case Kind::hang:
      return death.phase == HostDeath::Phase::starting ? HostOutcome::start_timeout
                                                       : HostOutcome::hang;
    case Kind::signal:
    case Kind::exited: break;
  }
  return HostOutcome::crashed;
}

std::string_view name_of(HostOutcome outcome) noexcept {
  switch (outcome) {
    case HostOutcome::stopped: return "stopped";
    case HostOutcome::crashed: return "crashed";
    case HostOutcome::hang: return "hang";
    case HostOutcome::protocol: return "protocol";
    case HostOutcome::start_timeout: return "start-timeout";
    case HostOutcome::stop_timeout: break;
  }
  return "stop-timeout";
}

}  // namespace actord::isolate
