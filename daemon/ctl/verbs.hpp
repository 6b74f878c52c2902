// SPDX-License-Identifier: Apache-2.0
//
// The list of all verbs of actorctl. Each verb has a file of its own (<name>_verb.cpp).
#pragma once

#include <vector>

#include "ctl/verb.hpp"

namespace actord::ctl {

/// In the order of the help text.
const std::vector<Verb>& verbs();

/// The groups of verbs with their summaries.
struct VerbGroup {
  std::string_view name, summary;
};
const std::vector<VerbGroup>& verb_groups();

/// Options that several verbs share.
Option output_option();
std::vector<Option> configuration_options();
std::vector<Option> connection_options();

Verb check_verb();
Verb show_verb();
Verb explain_verb();
Verb diff_verb();
Verb files_verb();
Verb keys_verb();
Verb schema_verb();
Verb render_verb();
Verb unit_verb();
Verb reload_verb();
Verb start_verb();
Verb completion_verb();

}  // namespace actord::ctl
