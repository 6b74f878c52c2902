// SPDX-License-Identifier: Apache-2.0
//
// The output of --help for actorctl, a group of verbs, and a verb.
#pragma once

#include <string>
#include <string_view>

#include "ctl/verb.hpp"

namespace actord::ctl {

std::string help_text();
std::string help_of_group(std::string_view group);
std::string help_of(const Verb& verb);
std::string version_text();

/// "actorctl config explain [OPTION...] KEY"
std::string usage_of(const Verb& verb);

}  // namespace actord::ctl
