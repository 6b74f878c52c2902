// SPDX-License-Identifier: Apache-2.0
#include "system/system_actors.hpp"

#include <algorithm>
#include <utility>

#include "actor/path.hpp"
#include "actor/spawning.hpp"
#include "system/actor_system.hpp"

namespace actord::system {

base::Result<void> SystemActors::spawn(std::string name, actor::PropsPtr props) {
  const std::string fault =
      name.empty() ? "an actor below /system needs a name" : actor::why_name_is_invalid(name);
  if (!fault.empty()) return base::Error{fault};
  base::IntrusivePtr<actor::SpawnRequest> request(new actor::SpawnRequest);
  request->name = std::move(name);
  request->props = std::move(props);
  request->is_refusal_logged = true;
  std::lock_guard lock(mutex_);
  if (is_taken(request->name))
    return base::Error{"the name " + request->name + " is taken: /system has a child of that name"};
  if (!has_started_) kept_.push_back(std::move(request));
  else system_.send_system(system_.find("/system"), actor::SystemMessage::spawn(request));
  return {};
}

bool SystemActors::is_taken(const std::string& name) const {
  if (has_started_) return system_.find("/system/" + name) != actor::nobody;
  return name == "log" ||
         std::ranges::any_of(kept_, [&](const auto& each) { return each->name == name; });
}

void SystemActors::start_kept(actor::Turn& guardian) {
  std::lock_guard lock(mutex_);
  has_started_ = true;
  for (const auto& request : std::exchange(kept_, {})) actor::spawn_requested(guardian, *request);
}

}  // namespace actord::system
