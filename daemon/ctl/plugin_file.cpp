// SPDX-License-Identifier: Apache-2.0
#include "ctl/plugin_file.hpp"

#include <algorithm>
#include <string_view>

#include "loader/plugin_trust.hpp"
#include "os/files.hpp"

namespace actord::ctl {

namespace {

constexpr std::string_view service_folders[] = {"/usr/lib/actord/", "/usr/local/lib/actord/"};

loader::Trust trust_for(const Call& call, const std::string& file) {
  const std::string rule = call.value("trust", "auto"), real = os::real_path(file);
  const bool is_of_service = std::ranges::any_of(
      service_folders, [&](std::string_view folder) { return real.starts_with(folder); });
  const bool is_strict = rule == "strict" || (rule == "auto" && is_of_service);
  return is_strict ? loader::Trust{} : loader::developer_trust();
}

Failure failure_of(const loader::Refusal& refusal) {
  using Kind = loader::Refusal::Kind;
  const Exit exit = refusal.kind == Kind::not_permitted ? Exit::not_permitted
                    : refusal.kind == Kind::missing     ? Exit::missing
                                                        : Exit::refused;
  const bool names_file = refusal.what.find(refusal.file) != std::string::npos;
  return {exit, names_file ? refusal.what : refusal.file + ": " + refusal.what, refusal.help};
}

}  // namespace

bool is_plugin_file(const std::string& word) {
  return word.find('/') != word.npos || word.ends_with(".so");
}

base::Result<loader::ExaminedPlugin, Failure> examine_plugin_file(const Call& call,
                                                                  const std::string& file) {
  if (!os::exists(file))
    return Failure{Exit::missing, "there is no file " + file,
                   "plugins lie in /usr/lib/actord/plugins, or in actord.plugins.path"};
  const loader::PluginLoader loader({}, trust_for(call, file));
  auto plugin = loader.examine_file(file);
  if (!plugin) return failure_of(plugin.error());
  if (const auto tried = loader::PluginLoader::try_out(*plugin); !tried)
    return failure_of(tried.error());
  return plugin.value();
}

Option trust_option() {
  return {.name = "trust",
          .takes = Takes::words,
          .argument = "RULE",
          .help =
              "who may own the file: strict, only root; developer, also you and the\n"
              "owner of actord; auto (the default): strict below /usr/lib/actord and\n"
              "/usr/local/lib/actord, else developer",
          .words = {"auto", "strict", "developer"}};
}

}  // namespace actord::ctl
