// SPDX-License-Identifier: Apache-2.0
#include "settings/admin_socket.hpp"

#include "hocon/units.hpp"
#include "os/local_socket.hpp"
#include "settings/state_directory.hpp"

namespace actord::settings {

namespace {

constexpr std::string_view file_name = "/actord.sock";

// The default path of the socket.
void choose_socket_path(Settings& settings, const ReadOptions& options) {
  auto folder =
      options.environment ? options.environment("RUNTIME_DIRECTORY") : std::optional<std::string>{};
  if (folder && folder->starts_with('/')) {
    // systemd separates several directories by ':'
    folder->erase(std::min(folder->find(':'), folder->size()));
    settings.admin_socket = folder->append(file_name);
    settings.admin_socket_source = "$RUNTIME_DIRECTORY";
  } else if (!settings.state_directory.empty()) {
    settings.admin_socket = settings.state_directory + std::string{file_name};
    settings.admin_socket_source = "the state directory, " + settings.state_directory_source;
  }
}

hocon::Diagnostic too_long(const hocon::Value& value, const Settings& settings) {
  const std::string what = "the path of the admin socket has " +
                           std::to_string(settings.admin_socket.size()) + " bytes, and " +
                           std::to_string(os::socket_path_max) +
                           " are allowed: " + settings.admin_socket;
  const std::string help = "set actord.admin.socket to a shorter path, or to off";
  if (value) return value.reject(what, help);
  hocon::Diagnostic finding;
  finding.message = what;
  finding.help = help;
  finding.note = "it comes from " + settings.admin_socket_source;
  return finding;
}

}  // namespace

void read_admin_socket(ObjectReader& admin, Settings& settings, const ReadOptions& options) {
  const hocon::Value value = admin.take("socket");
  const auto truth = value ? hocon::parse_bool(value.text()) : std::nullopt;
  if (truth && *truth) {
    return admin.findings().add(value.mismatch(
        "off or a path",
        "leave the key out for the default socket; for a file of that name write ./" +
            std::string{value.text()}));
  }
  if (truth) return;
  if (value) {
    settings.admin_socket_source = value.origin_text();
    if (auto path = read_path(admin.findings(), value, settings, options))
      settings.admin_socket = *path;
  } else {
    choose_socket_path(settings, options);
  }
  if (settings.admin_socket.size() > os::socket_path_max)
    admin.findings().add(too_long(value, settings));
}

}  // namespace actord::settings
