// SPDX-License-Identifier: Apache-2.0
//
// Which configuration a verb is about, and how it is read: by the code that actord starts with.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/configuration.hpp"
#include "ctl/verb.hpp"

namespace actord::ctl {

inline constexpr std::string_view standard_file = "/etc/actord/actord.conf";

/// The command line of actord that means the same: `files`, else --config, else standard_file, with
/// --set and --plugin-path. Nothing, and a complaint, when --set has no value, or there are both
/// files and --config.
std::optional<options::Options> chosen_options(const Call& call,
                                               const std::vector<std::string>& files = {});

/// Nothing is chosen, and there is no standard_file: the configuration is what is built in.
bool is_built_in(const Call& call, const std::vector<std::string>& files = {});

/// The same as actord's exit statuses.
Exit exit_of(app::ExitCode code) noexcept;

/// The configuration of the call as far as it can be read, only to be looked at: what may be secret
/// in it is, and so is what was not read. Nothing, and why is told (verb_failure.hpp), when it
/// cannot be resolved.
std::optional<app::ConfigDraft> draft_chosen(const Call& call, Exit& exit,
                                             const std::vector<std::string>& files = {});

/// The same of one without errors; they are told.
std::optional<app::Configuration> read_chosen(const Call& call, Exit& exit,
                                              const std::vector<std::string>& files = {});

}  // namespace actord::ctl
