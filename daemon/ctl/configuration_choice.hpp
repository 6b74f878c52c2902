// SPDX-License-Identifier: Apache-2.0
//
// Selects and reads the configuration that a verb works on, with the code that actord starts with.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/configuration.hpp"
#include "ctl/verb.hpp"

namespace actord::ctl {

inline constexpr std::string_view standard_file = "/etc/actord/actord.conf";

/// The equivalent options of actord: `files`, else --config, else standard_file, with --set and
/// --plugin-path. Returns nullopt after an error message if --set has no value, or if both files
/// and --config are given.
std::optional<options::Options> chosen_options(const Call& call,
                                               const std::vector<std::string>& files = {});

/// Whether only built-in values apply: no file is given, and standard_file does not exist.
bool is_built_in(const Call& call, const std::vector<std::string>& files = {});

/// Reports an error if --running is combined with a choice of files, and returns whether it is.
/// `verb` is its full name.
bool conflicts_with_running(const Call& call, std::string_view verb,
                            const std::vector<std::string>& files);

/// The exit status of actorctl with the same number.
Exit exit_of(config::ExitCode code) noexcept;

/// Reads the configuration of the call as far as possible, only to show it. Values that may be
/// secret are hidden, and so are values that were not read. Returns nullopt after reporting the
/// failure (verb_failure.hpp) if the configuration cannot be resolved.
std::optional<config::ConfigDraft> read_draft_to_show(const Call& call, Exit& exit,
                                                      const std::vector<std::string>& files = {});

/// The same, but any error in the configuration is reported and makes it fail.
std::optional<config::Configuration> read_chosen(const Call& call, Exit& exit,
                                                 const std::vector<std::string>& files = {});

}  // namespace actord::ctl
