// SPDX-License-Identifier: Apache-2.0
#include "config/resource_check.hpp"

#include <filesystem>

#include "message/message_type.hpp"
#include "os/access.hpp"
#include "os/local_socket.hpp"
#include "schema/setting_codes.hpp"

namespace actord::config {

using hocon::Diagnostic;
using message::view;
using settings::Resource;

namespace {

using Judgement = base::Result<void, os::SystemError>;

bool is_path(const Resource& resource) {
  const std::uint32_t kind = resource.declared->resource;
  return (kind == ACTORD_FOLDER || kind == ACTORD_FILE) && resource.value.is_string();
}

bool is_in_state_directory(const Resource& resource) {
  return (resource.declared->use & ACTORD_IN_STATE_DIRECTORY) != 0;
}

Judgement judge(const Resource& resource, const std::string& state_directory) {
  const std::uint32_t use = resource.declared->use;
  const os::FileUse wanted{(use & ACTORD_READS) != 0, (use & ACTORD_WRITES) != 0};
  const std::string text{resource.value.text()};
  if (is_in_state_directory(resource)) {
    if (state_directory.empty()) return {};
    const std::string folder{view(resource.declared->folder)};
    return os::check_file_in_made_folder(state_directory + (folder.empty() ? "" : '/' + folder),
                                         text, wanted);
  }
  return resource.declared->resource == ACTORD_FOLDER ? os::check_folder(text, wanted)
                                                      : os::check_file(text, wanted);
}

/// What is wrong with a text before the file system is asked; nullopt: nothing.
std::optional<Diagnostic> text_error(const Resource& resource) {
  const hocon::Value& value = resource.value;
  if (resource.declared->resource == ACTORD_URL && value.is_string()) {
    const std::string wrong = settings::url_error(value.text(), *resource.declared);
    if (!wrong.empty()) return value.reject(wrong);
  }
  if (!is_path(resource)) return std::nullopt;
  const std::string_view text = value.text();
  if (is_in_state_directory(resource)) {
    if (settings::is_file_name(text)) return std::nullopt;
    return value.reject("expected a file name, without a folder");
  }
  if (text.empty() || text.find('\0') != text.npos) return value.reject("this is not a path");
  if (!text.starts_with('~')) return std::nullopt;
  return value.reject("~ is not expanded", "write ${HOME}\"" + std::string{text.substr(1)} + '"');
}

Diagnostic unusable(const Resource& resource, const os::SystemError& why) {
  const bool is_forbidden = why.is_not_permitted();
  Diagnostic finding = coded(
      schema::codes::resource,
      resource.value.reject(why.what, is_forbidden ? "change its owner or its permissions (chmod, "
                                                     "setfacl), or name another one"
                                                   : "create it, or name another one"));
  if (!resource.value.text().starts_with('/') && !is_in_state_directory(resource)) {
    std::error_code failed;
    finding.note = "a relative path starts at the working directory, here " +
                   std::filesystem::current_path(failed).string();
  }
  return finding;
}

Diagnostic unjudged(const Resource& resource, const std::string& user, const char* how) {
  Diagnostic note =
      coded(schema::codes::unjudged,
            resource.value.warn("whether user " + user + " may use this was not judged", how));
  note.remark = true;
  return note;
}

void report(const Resource& resource, const Judgement& judged, const Onlooker& onlooker,
            ResourceFindings& findings) {
  const bool is_forbidden = !judged && judged.error().is_not_permitted();
  if (!onlooker.unjudged_user.empty() && (judged || is_forbidden)) {
    findings.warnings.push_back(
        unjudged(resource, onlooker.unjudged_user, "check as root or as that user"));
  } else if (!judged) {
    auto& kind = is_forbidden ? findings.forbidden : findings.wrong;
    kind.push_back(unusable(resource, judged.error()));
  }
}

void look_at_paths(const std::vector<Resource>& paths, const std::string& state_directory,
                   const Onlooker& onlooker, ResourceFindings& findings) {
  if (paths.empty()) return;
  std::vector<Judgement> judged;
  const auto judge_all = [&] {
    for (const Resource& each : paths) judged.push_back(judge(each, state_directory));
  };
  if (!onlooker.user) judge_all();
  else if (const auto became = os::as_user(*onlooker.user, judge_all); !became) {
    Onlooker other = onlooker;
    other.user.reset();
    other.unjudged_user = onlooker.user->name;
    return look_at_paths(paths, state_directory, other, findings);
  }
  for (std::size_t i = 0; i < paths.size(); ++i) report(paths[i], judged[i], onlooker, findings);
}

void look_at_port(const Resource& resource, const Onlooker& onlooker, ResourceFindings& findings) {
  if (!onlooker.is_held_by_daemon) return;
  const auto port = resource.value.as_int64(1, UINT16_MAX);
  if (!port) return;  // 0, or the check of its type has reported it
  const std::string address{resource.address ? resource.address.text() : std::string_view{}};
  const auto listener = os::listener_on(static_cast<std::uint16_t>(*port), address);
  if (!listener || !*listener) return;
  if (onlooker.is_held_by_daemon(resource.value, **listener)) return;
  const std::string number = std::to_string(*port);
  findings.warnings.push_back(coded(
      schema::codes::port_in_use,
      resource.value.warn("port " + number + " is in use: user " + os::user_name((*listener)->uid) +
                              " listens at " + (*listener)->address,
                          "ss -ltnp \"sport = :" + number +
                              "\" names the process; stop it, or choose another port")));
}

}  // namespace

ResourceFindings look_at(const std::vector<Resource>& resources,
                         const std::string& own_state_directory, const Onlooker& onlooker) {
  const std::string state_directory = onlooker.state_directory.value_or(own_state_directory);
  ResourceFindings findings;
  std::vector<Resource> paths;
  for (const Resource& each : resources) {
    if (auto wrong = text_error(each)) findings.wrong.push_back(*std::move(wrong));
    else if (is_path(each)) paths.push_back(each);
    else if (each.declared->resource == ACTORD_PORT) look_at_port(each, onlooker, findings);
  }
  look_at_paths(paths, state_directory, onlooker, findings);
  return findings;
}

}  // namespace actord::config
