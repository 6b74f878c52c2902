// SPDX-License-Identifier: Apache-2.0
//
// Shell completion scripts for actorctl and actord, generated from the verbs and the options.
#pragma once

#include <string>

namespace actord::ctl {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace actord::ctl
