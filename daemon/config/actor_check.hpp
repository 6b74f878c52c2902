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
#include "settings/binding.hpp"

namespace actord::config {

struct ActorFindings {
  std::string path;  // of the actor, "/user/site"
  ResourceFindings found;

  bool has_errors() const noexcept { return !found.wrong.empty() || !found.forbidden.empty(); }
};

/// Checks these actors of `settings`. `unknown`: secrets that are not known, so that they are not
/// looked at and the configs which contain them are not validated. `file_of` returns the file of a
/// plugin; empty for a built-in one. Runs code of the plugins.
std::vector<ActorFindings> check_actors(
    const settings::Settings& settings, const std::vector<settings::SoundActor>& actors,
    const std::vector<hocon::Value>& unknown,
    const std::function<std::string(std::string_view plugin)>& file_of, const Onlooker& onlooker);

/// Makes every creation of the actor fail with `findings` as the reason. Its supervisor decides
/// about that failure as about any other. `attempt` differs from reload to reload, so that each
/// tries again.
void refuse_creation(actor::NodeSpec& actor, const hocon::Diagnostics& findings,
                     std::uint64_t attempt);
bool is_refused(const actor::NodeSpec& actor) noexcept;
/// The content of the actor without what refuse_creation() has added.
std::string_view configured_content(const actor::NodeSpec& actor) noexcept;

}  // namespace actord::config
