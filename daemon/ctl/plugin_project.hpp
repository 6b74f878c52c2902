// SPDX-License-Identifier: Apache-2.0
//
// The files of a new plugin, made of the templates in templates/.
#pragma once

#include <string>
#include <vector>

#include "ctl/plugin_draft.hpp"

namespace actord::ctl {

struct ProjectFile {
  std::string path;  // in the folder of the plugin
  std::string content;
};

/// The options of cmake for a folder that has no build yet. If this program belongs to a build
/// tree, -Dactord_DIR says where; an installed actord is found without it. Ninja is taken if it is
/// installed and $CMAKE_GENERATOR is not set, because cmake takes make even where there is none.
std::vector<std::string> new_build_options();

/// All files, in the order in which an author reads them.
std::vector<ProjectFile> project_files(const PluginDraft& draft);

/// A value of the message in JSON, for the command line.
std::string sample_of(const MessageDraft& message);

}  // namespace actord::ctl
