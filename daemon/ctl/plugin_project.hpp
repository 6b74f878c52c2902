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

/// Where cmake finds actord, as an option for it: " -Dactord_DIR=/…/build/release" if this program
/// belongs to a build tree; empty if it is installed.
std::string actord_dir_option();

/// All files, in the order in which an author reads them.
std::vector<ProjectFile> project_files(const PluginDraft& draft);

/// A value of the message in JSON, for the command line.
std::string sample_of(const MessageDraft& message);

}  // namespace actord::ctl
