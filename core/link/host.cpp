// SPDX-License-Identifier: Apache-2.0
#include "link/host.hpp"

#include <algorithm>
#include <vector>

#include "actor/crash_charge.hpp"
#include "system/actor_system.hpp"

namespace actord::link {

namespace {

namespace causes = actor::causes;

std::string sentence(const HostEnd& end) {
  std::string what = "the process of the actor, " + std::to_string(end.process_id) + ", ";
  switch (end.kind) {
    case HostEnd::Kind::signal: what += "was ended by " + end.signal; break;
    case HostEnd::Kind::exited:
      what += "has exited with status " + std::to_string(end.number);
      break;
    case HostEnd::Kind::hang: what += "did not come back and was killed"; break;
    case HostEnd::Kind::protocol: what += "has broken the protocol and was killed"; break;
    case HostEnd::Kind::closed: what += "was ended by actord"; break;
  }
  return end.detail.empty() ? what : what + ": " + end.detail;
}

const actor::TypeChain& chain_of(const HostEnd& end, actor::TypeChains& chains) {
  switch (end.kind) {
    case HostEnd::Kind::signal: return actor::chain_of_signal(end.signal, chains);
    case HostEnd::Kind::hang: return chains.intern(causes::crash_hang, true);
    case HostEnd::Kind::protocol: return chains.intern(causes::crash_protocol, true);
    case HostEnd::Kind::exited:
    case HostEnd::Kind::closed: break;
  }
  return chains.intern(causes::crash_exit, true);
}

}  // namespace

actor::FailurePtr failure_of(const HostEnd& end, actor::TypeChains& chains) {
  actor::FailurePtr failure(new actor::Failure);
  failure->types = &chain_of(end, chains);
  failure->what = sentence(end);
  return failure;
}

actor::FailurePtr peer_failure(const HostEnd& end, actor::TypeChains& chains) {
  actor::FailurePtr failure(new actor::Failure);
  failure->types = &chains.intern(causes::peer_crash, true);
  failure->what = sentence(end) + " (in another actor of that process)";
  failure->is_uncharged = true;
  return failure;
}

std::uint64_t Host::move_in(actor::Ref who, std::uint32_t incarnation) {
  const std::lock_guard lock(mutex_);
  residents_.emplace(++last_instance_, Resident{who, incarnation});
  return last_instance_;
}

void Host::move_out(std::uint64_t instance) {
  const std::lock_guard lock(mutex_);
  residents_.erase(instance);
}

std::size_t Host::residents() const {
  const std::lock_guard lock(mutex_);
  return residents_.size();
}

void Host::tell_end(const HostEnd& end, bool has_culprit) {
  mark_dead();
  std::vector<std::pair<std::uint64_t, Resident>> left;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(is_told_, true)) return;
    left.assign(residents_.begin(), residents_.end());
  }
  // Parents before their children, which they have created.
  std::ranges::sort(left, {}, &std::pair<std::uint64_t, Resident>::first);
  for (const auto& [instance, resident] : left) {
    actor::FailurePtr failure =
        has_culprit ? peer_failure(end, actors_.chains) : failure_of(end, actors_.chains);
    failure->is_instance_lost = true;
    actors_.send_system(resident.actor, actor::SystemMessage::instance_lost(std::move(failure),
                                                                            resident.incarnation));
  }
}

}  // namespace actord::link
