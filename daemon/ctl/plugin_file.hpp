// SPDX-License-Identifier: Apache-2.0
//
// A plugin's file, looked at without a daemon: its code runs only in a process without rights.
#pragma once

#include <string>

#include "base/result.hpp"
#include "ctl/verb.hpp"
#include "ctl/verb_failure.hpp"
#include "loader/plugin_loader.hpp"

namespace actord::ctl {

/// Whether a word is the path of a file, and not the name of a plugin.
bool is_plugin_file(const std::string& word);

/// Judges who may change the file, reads its note and tries it out. The rule for its owners is that
/// of --trust; without that, strict in the folders of the service and developer elsewhere.
base::Result<loader::ExaminedPlugin, Failure> examine_plugin_file(const Call& call,
                                                                  const std::string& file);
/// --trust
Option trust_option();

}  // namespace actord::ctl
