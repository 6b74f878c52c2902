// SPDX-License-Identifier: Apache-2.0
//
// What a behaviour says of an actor's config beyond types and limits: the resources that it
// declares, and its own function validate(). And what happens to an actor that cannot be created
// for it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "actor/config_snapshot.hpp"
#include "config/resource_check.hpp"
#include "loader/plugin_image.hpp"
#include "settings/binding.hpp"

namespace actord::config {

struct ActorFindings {
  std::string path;  // of the actor, "/user/site"
  ResourceFindings found;

  bool has_errors() const noexcept { return !found.wrong.empty() || !found.forbidden.empty(); }
};

struct PluginPlace {
  loader::PluginImagePtr image;    // null: the plugin is built in
  bool is_only_described = false;  // its code is not in this process
};
using FindPlugin = std::function<PluginPlace(std::string_view plugin)>;

/// Checks these actors of `settings`. `unknown`: secrets that are not known, so that they are not
/// looked at and the configs which contain them are not validated. Runs code of the plugins, in
/// this process if it is here, else in one of its own.
std::vector<ActorFindings> check_actors(const settings::Settings& settings,
                                        const std::vector<settings::SoundActor>& actors,
                                        const std::vector<hocon::Value>& unknown,
                                        const FindPlugin& find_plugin, const Onlooker& onlooker);

/// Makes every creation of the actor fail with `findings` as the reason. Its supervisor decides
/// about that failure as about any other. `attempt` differs from reload to reload, so that each
/// tries again.
void refuse_creation(actor::NodeSpec& actor, const hocon::Diagnostics& findings,
                     std::uint64_t attempt);
bool is_refused(const actor::NodeSpec& actor) noexcept;
/// The content of the actor without what refuse_creation() has added.
std::string_view configured_content(const actor::NodeSpec& actor) noexcept;

}  // namespace actord::config
