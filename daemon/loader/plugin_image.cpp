// SPDX-License-Identifier: Apache-2.0
#include "loader/plugin_image.hpp"

#include <algorithm>
#include <cerrno>

#include "os/elf_symbols.hpp"

namespace actord::loader {

namespace {

constexpr std::size_t file_size_max = std::size_t{1} << 30;
constexpr std::size_t build_id_shown = 12;  // digits; enough to tell builds apart

/// "actord:echo@3f2a01c4be77", as it stands in /proc/PID/maps and in a core dump.
std::string label_of(const std::string& file, std::string_view name) {
  std::string label = "actord:" + std::string{name};
  if (const std::string id = os::elf_build_id(file); !id.empty())
    label += '@' + id.substr(0, build_id_shown);
  return label;
}

std::string help_for(const os::SystemError& error) {
  if (error.number == EAGAIN) return "try again when the file is complete";
  if (error.what.find("in memory") == error.what.npos) return {};
  if (error.number == EMFILE || error.number == ENFILE)
    return "raise the limit on open files: LimitNOFILE= of the unit, or ulimit -n";
  if (error.number == ENOMEM || error.number == ENOSPC)
    return "it needs as much memory as the file has bytes: MemoryMax= of the unit limits that";
  return "actord loads plugins from copies in memory: permit memfd_create() in SystemCallFilter= "
         "of the unit, and set vm.memfd_noexec below 2 with sysctl";
}

}  // namespace

base::Result<PluginImagePtr, Refusal> PluginImage::of(const std::string& file,
                                                      std::string_view name) {
  auto copy = os::SealedCopy::of(file, label_of(file, name), file_size_max);
  if (!copy) {
    const os::SystemError& error = copy.error();
    const bool is_forbidden = error.is_not_permitted() && help_for(error).empty();
    const auto kind = is_forbidden             ? Refusal::Kind::not_permitted
                      : error.number == EAGAIN ? Refusal::Kind::changing
                                               : Refusal::Kind::refused;
    return Refusal{kind, error.what, help_for(error), file};
  }
  return PluginImagePtr(new PluginImage(file, std::move(copy).value()));
}

bool PluginImage::has_content_of(const PluginImage& other) const {
  const auto own = copy_.map(), its = other.copy_.map();
  return own && its && std::ranges::equal(own->bytes(), its->bytes());
}

}  // namespace actord::loader
