// SPDX-License-Identifier: Apache-2.0
//
// What the verbs of the quarantine of messages have in common.
#pragma once

#include "ctl/kept_messages.hpp"

namespace actord::ctl {

const KeptList& quarantine_list();
/// The operands and the option of a verb that is for some messages or for all.
std::vector<Operand> quarantined_operands();
Option all_option(std::string_view help);
/// The ids of the operands, or those of all messages with --all. nullopt after reporting a failure.
std::optional<std::vector<std::string>> ids_wanted(const Call& call, Exit& exit);

}  // namespace actord::ctl
