// SPDX-License-Identifier: Apache-2.0
#include "system/system_actors.hpp"

#include <algorithm>
#include <utility>

#include "actor/path.hpp"
#include "actor/spawning.hpp"
#include "system/actor_system.hpp"

namespace actord::system {

// A request that is dropped destroys arguments of a plugin, whose code may call spawn() again. So
// no function drops one under the mutex.

base::Result<void> SystemActors::spawn(std::string name, std::string_view dispatcher,
                                       actor::PropsPtr props) {
  const std::string fault =
      name.empty() ? "an actor below /system needs a name" : actor::why_name_is_invalid(name);
  if (!fault.empty()) return base::Error{fault};
  base::IntrusivePtr<actor::SpawnRequest> request(new actor::SpawnRequest);
  request->name = std::move(name);
  request->props = std::move(props);
  request->is_refusal_logged = true;
  if (!dispatcher.empty()) {
    const auto named = system_.dispatcher_named(dispatcher);
    if (!named) return named.error();
    request->dispatcher = *named;
  }
  std::lock_guard lock(mutex_);
  if (stage_ == Stage::closed || system_.is_terminating())
    return base::Error{"the system is shutting down"};
  if (is_taken(request->name))
    return base::Error{"the name " + request->name + " is taken: /system has a child of that name"};
  if (attaching_ == base::this_thread()) of_attach_.push_back(request);
  else pass_on(request);
  return {};
}

void SystemActors::pass_on(const base::IntrusivePtr<actor::SpawnRequest>& request) {
  if (stage_ == Stage::before_start) kept_.push_back(request);
  else system_.send_system(system_.find("/system"), actor::SystemMessage::spawn(request));
}

bool SystemActors::is_taken(const std::string& name) const {
  if (name == "shutdown") return true;  // /system may create it later (shutdown_actor.hpp)
  const auto has_name = [&](const auto& request) { return request->name == name; };
  if (std::ranges::any_of(of_attach_, has_name) || std::ranges::any_of(kept_, has_name))
    return true;
  return stage_ == Stage::before_start ? name == "log"
                                       : system_.find("/system/" + name) != actor::nobody;
}

void SystemActors::begin_attach() {
  std::lock_guard lock(mutex_);
  attaching_ = base::this_thread();
}

void SystemActors::end_attach(bool is_attached) {
  Requests requests;
  std::lock_guard lock(mutex_);
  attaching_ = {};
  requests = std::exchange(of_attach_, {});
  for (const auto& request : requests) {
    if (is_attached && stage_ != Stage::closed) pass_on(request);
  }
}

void SystemActors::start_kept(actor::Turn& guardian) {
  Requests requests;
  {
    std::lock_guard lock(mutex_);
    if (stage_ == Stage::before_start) stage_ = Stage::started;
    requests = std::exchange(kept_, {});
  }
  for (const auto& request : requests) actor::spawn_requested(guardian, *request);
}

void SystemActors::close() {
  Requests of_attach, kept;
  std::lock_guard lock(mutex_);
  stage_ = Stage::closed;
  of_attach = std::exchange(of_attach_, {});
  kept = std::exchange(kept_, {});
}

}  // namespace actord::system
