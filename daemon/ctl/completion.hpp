// SPDX-License-Identifier: Apache-2.0
//
// Shell completion scripts for actorctl, generated from the verbs and the schema.
#pragma once

#include <string>

namespace actord::ctl {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace actord::ctl
