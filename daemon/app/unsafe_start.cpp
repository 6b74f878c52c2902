// SPDX-License-Identifier: Apache-2.0
#include "app/unsafe_start.hpp"

#include "log/hub.hpp"
#include "os/files.hpp"
#include "os/local_socket.hpp"
#include "os/service_manager.hpp"

namespace actord::app {

namespace {

void log_unsafe(log::Hub& hub, std::string_view what, const std::string& help) {
  hub.shared().emit(log::Level::warning, "daemon.unsafe", what, {{"help", help}});
}

}  // namespace

void log_unsafe_start(log::Hub& hub, const std::string& state_directory) {
  // By hand, or in a container, root is often the only user that there is.
  if (os::own_user() == 0 && os::is_started_by_systemd()) {
    log_unsafe(hub, "the service runs as root, and so does the code of all plugins",
               "set User= in the unit, as the actord.service of the sources does");
  }
  const auto facts = os::facts_of(state_directory);
  if (!facts) return;
  const uid_t own = os::own_user();
  if (facts->owner != own && facts->owner != 0) {
    log_unsafe(hub,
               "the state directory " + state_directory + " belongs to " +
                   os::user_name(facts->owner) + ", who can replace the files of actors",
               "chown " + os::user_name(own) + ": " + state_directory);
  }
  if (facts->group_may_write || facts->others_may_write) {
    log_unsafe(hub,
               "other users may write to the state directory " + state_directory +
                   " and can replace the files of actors",
               "chmod go-w " + state_directory);
  }
}

}  // namespace actord::app
