// SPDX-License-Identifier: Apache-2.0
#include "settings/state_directory.hpp"

#include <algorithm>
#include <filesystem>

#include "schema/setting_codes.hpp"

namespace actord::settings {

namespace fs = std::filesystem;

namespace {

std::string normal(const fs::path& path) {
  std::string text = path.lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

fs::path working_directory(const ReadOptions& options) {
  if (!options.working_directory.empty()) return options.working_directory;
  std::error_code failed;
  return fs::current_path(failed);
}

// The directory where a relative path in `value` starts.
fs::path base_of(const hocon::Value& value, const Settings& settings, const ReadOptions& options) {
  const auto& files = settings.tree.files();
  const bool is_file = std::any_of(files.begin(), files.end(), [&](const hocon::LoadedFile& file) {
    return file.state == hocon::LoadedFile::State::loaded && file.name == value.file();
  });
  const fs::path here = working_directory(options);
  return is_file ? here / fs::path(value.file()).parent_path() : here;
}

// The variable's value if it is an absolute path, as the XDG specification requires; otherwise
// empty.
std::string absolute_variable(const ReadOptions& options, std::string_view name) {
  const auto text = options.environment ? options.environment(name) : std::nullopt;
  return text && text->starts_with('/') ? *text : std::string{};
}

}  // namespace

std::optional<std::string> read_path(Findings& findings, const hocon::Value& value,
                                     const Settings& settings, const ReadOptions& options) {
  const auto text = findings.take(value.as_string());
  if (!text) return std::nullopt;
  if (text->empty() || text->find('\0') != std::string::npos) {
    findings.add(value.reject("this is not a path"));
    return std::nullopt;
  }
  if (text->front() == '~') {
    findings.add(value.reject("~ is not expanded", "write ${HOME}\"" + text->substr(1) + '"'));
    return std::nullopt;
  }
  return normal(base_of(value, settings, options) / *text);
}

void read_state_directory(Findings& findings, const hocon::Value& value, Settings& settings,
                          const ReadOptions& options) {
  if (value) {
    if (auto path = read_path(findings, value, settings, options)) settings.state_directory = *path;
    settings.state_directory_source = value.origin_text();
    return;
  }
  struct Source {
    std::string_view variable;
    std::string_view below;
  };
  for (const Source& source : {Source{"STATE_DIRECTORY", ""}, Source{"XDG_STATE_HOME", "actord"},
                               Source{"HOME", ".local/state/actord"}}) {
    std::string path = absolute_variable(options, source.variable);
    if (path.empty()) continue;
    if (source.below.empty())
      // systemd separates several directories by ':'
      path.erase(std::min(path.find(':'), path.size()));
    settings.state_directory = normal(fs::path(path) / source.below);
    settings.state_directory_source = "$" + std::string{source.variable};
    return;
  }
  hocon::Diagnostic missing;
  missing.code = schema::codes::needed;
  missing.message = "there is no state directory";
  missing.help =
      "set actord.state-dir, or one of $STATE_DIRECTORY, $XDG_STATE_HOME and $HOME to an absolute "
      "path";
  findings.add(std::move(missing));
}

}  // namespace actord::settings
