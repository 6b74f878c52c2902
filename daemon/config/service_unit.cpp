// SPDX-License-Identifier: Apache-2.0
#include "config/service_unit.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>

namespace actord::config {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view unit_name = "actord.service";
// the one that overrides the others first
constexpr std::array<const char*, 4> unit_folders = {"/etc/systemd/system", "/run/systemd/system",
                                                     "/usr/local/lib/systemd/system",
                                                     "/usr/lib/systemd/system"};

std::string trimmed(std::string text) {
  constexpr const char* blanks = " \t\r";
  text.erase(0, text.find_first_not_of(blanks));
  text.erase(text.find_last_not_of(blanks) + 1);
  return text;
}

/// The folder that systemd makes for the first name of StateDirectory=.
std::string state_directory_of(const std::string& names) {
  const std::string first = names.substr(0, names.find_first_of(" \t:"));
  return first.empty() ? first : "/var/lib/" + first;
}

void read(const fs::path& file, ServiceUnit& unit) {
  std::ifstream in(file);
  std::string line, section;
  while (std::getline(in, line)) {
    while (!line.empty() && line.back() == '\\') {
      std::string more;
      if (!std::getline(in, more)) break;
      line.back() = ' ';
      line += more;
    }
    line = trimmed(line);
    if (line.starts_with('[')) section = line;
    const std::size_t equals = line.find('=');
    if (section != "[Service]" || equals == line.npos || line.starts_with('#')) continue;
    const std::string key = trimmed(line.substr(0, equals));
    const std::string value = trimmed(line.substr(equals + 1));
    if (key == "User") unit.user = value;
    if (key == "StateDirectory") unit.state_directory = state_directory_of(value);
    if (key == "ExecStart") unit.command = value;
  }
}

}  // namespace

bool ServiceUnit::starts_with(const std::string& config_file) const {
  std::istringstream words(command);
  for (std::string word; words >> word;) {
    if (word == config_file || word == "--config=" + config_file) return true;
  }
  return false;
}

std::optional<ServiceUnit> installed_unit(const std::string& root) {
  std::optional<ServiceUnit> unit;
  std::map<std::string, fs::path> drop_ins;  // the first folder wins for each name
  for (const char* const folder : unit_folders) {
    std::error_code failed;
    const fs::path file = root + folder + '/' + std::string{unit_name};
    if (!unit && fs::is_regular_file(file, failed)) read(file, unit.emplace());
    for (fs::directory_iterator each(file.string() + ".d", failed), end; !failed && each != end;
         each.increment(failed)) {
      if (each->path().extension() == ".conf")
        drop_ins.emplace(each->path().filename().string(), each->path());
    }
  }
  if (!unit) return unit;
  for (const auto& [name, file] : drop_ins) read(file, *unit);
  return unit;
}

std::optional<ServiceUnit> unit_of(const std::vector<std::string>& config_files) {
  if (config_files.empty()) return std::nullopt;
  auto unit = installed_unit();
  std::error_code failed;
  const std::string first = fs::absolute(config_files.front(), failed).lexically_normal();
  return unit && unit->starts_with(first) ? unit : std::nullopt;
}

}  // namespace actord::config
