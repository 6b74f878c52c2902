// SPDX-License-Identifier: Apache-2.0
#include "config/onlooker.hpp"

#include <algorithm>
#include <memory>

#include "config/json_forms.hpp"
#include "config/running_daemon.hpp"
#include "config/service_unit.hpp"
#include "os/files.hpp"
#include "os/local_socket.hpp"

namespace actord::config {

namespace {

constexpr std::chrono::seconds answer_timeout{5};

/// The daemons that may run with this configuration. They are asked at the first question.
class Daemons {
 public:
  explicit Daemons(const std::string& socket) : sockets_{socket} {
    sockets_.insert(sockets_.end(), std::begin(service_sockets), std::end(service_sockets));
  }

  bool hold(const hocon::Value& port, const os::Listener& listener) {
    if (!is_asked_) ask();
    EffectiveValue wanted;
    wanted.key = port.path();
    wanted.text = settings::shown(port);
    wanted.value = port;
    const wire::Json json = json_of(wanted)["value"];
    return std::ranges::any_of(answers_, [&](const RunningDaemon& daemon) {
      const auto found = daemon.values.find(wanted.key);
      return daemon.uid == listener.uid && found != daemon.values.end() && found->second == json;
    });
  }

 private:
  void ask() {
    is_asked_ = true;
    for (const std::string& socket : sockets_) {
      if (socket.empty()) continue;
      if (auto answer = ask_running_daemon(socket, answer_timeout))
        answers_.push_back(std::move(*answer));
    }
  }

  std::vector<std::string> sockets_;
  std::vector<RunningDaemon> answers_;
  bool is_asked_ = false;
};

/// The state directory of another user's actord; the environment of this process does not say it.
std::optional<std::string> state_directory_of(const Configuration& configuration,
                                              const std::optional<ServiceUnit>& unit) {
  const bool is_from_environment = configuration.settings.state_directory_source.starts_with('$');
  if (!is_from_environment) return std::nullopt;
  const std::string of_unit = unit ? unit->state_directory : std::string{};
  // systemd creates it at the first start
  return os::is_directory(of_unit) ? of_unit : std::string{};
}

}  // namespace

base::Result<Onlooker, BootError> onlooker_of(const Configuration& configuration) {
  Onlooker onlooker;
  const auto daemons = std::make_shared<Daemons>(configuration.settings.admin_socket);
  onlooker.is_held_by_daemon = [daemons](const hocon::Value& port, const os::Listener& listener) {
    return daemons->hold(port, listener);
  };
  const std::string& named = configuration.options.user;
  const auto unit = unit_of(configuration.options.config_files);
  if (named.empty() && !unit) return onlooker;
  const std::string name = !named.empty() ? named : unit->user.empty() ? "root" : unit->user;
  const auto user = os::find_user(name);
  if (!user && !named.empty())
    return boot_error(ExitCode::command_line, user.error().what, "--user takes the name of a user");
  if (user && user->uid == os::own_user()) return onlooker;
  onlooker.state_directory = state_directory_of(configuration, unit);
  if (user && os::own_user() == 0) onlooker.user = *user;
  else onlooker.unjudged_user = name;
  return onlooker;
}

}  // namespace actord::config
