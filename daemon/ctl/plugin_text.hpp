// SPDX-License-Identifier: Apache-2.0
//
// Plugins as the verbs of the group plugin print them.
#pragma once

#include <iosfwd>

#include "ctl/answer_shape.hpp"
#include "ctl/verb.hpp"
#include "wire/control_message.hpp"

namespace actord::ctl {

/// A plugin in the answers of plugin.list, plugin.rescan, plugin.load and plugin.retire.
const std::vector<MemberShape>& plugin_members();
const AnswerShape& plugin_list_shape();

/// Prints the answer with a list of plugins in the format of the call.
void print_plugins(const Call& call, const wire::Json& answer);

/// "1.0.0, loaded, 2 behaviours"; and what is wrong with it.
std::string plugin_line(const wire::Json& plugin);

/// What a plugin has: the form of config::plugin_summary().
void print_plugin_summary(std::ostream& out, const wire::Json& summary);
const AnswerShape& plugin_summary_shape();

}  // namespace actord::ctl
