// SPDX-License-Identifier: Apache-2.0
#include "isolate/lane_channel.hpp"

#include "isolate/host_process.hpp"
#include "system/crash_site.hpp"

namespace actord::isolate {

LaneChannel::Turned LaneChannel::exchange(std::string_view frame, std::string& requests) {
  const os::ParentLane::Exchanged end = lane.exchange(frame, requests, this);
  if (!end.is_alive) note_site();
  if (end.fault != nullptr) host_.kill(link::HostEnd::Kind::protocol, end.fault);
  if (!end.is_alive) host_.note_death();
  return {end.is_alive, end.was_started, !end.is_alive && host_.is_bystander(lane)};
}

void LaneChannel::note_site() noexcept {
  system::CrashSite found;
  if (!found.fill()) return;
  const std::lock_guard lock(site_mutex_);
  site_ = CallSite{std::string{found.path}, std::string{found.behaviour},
                   std::string{found.message}, found.incarnation};
  has_site_.store(true, base::relaxed);
}

std::optional<CallSite> LaneChannel::site() const {
  const std::lock_guard lock(site_mutex_);
  return site_;
}

void LaneChannel::forget_site() noexcept {
  if (!has_site_.load(base::relaxed)) return;
  const std::lock_guard lock(site_mutex_);
  site_.reset();
  has_site_.store(false, base::relaxed);
}

}  // namespace actord::isolate
