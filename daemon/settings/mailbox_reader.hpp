// SPDX-License-Identifier: Apache-2.0
//
// `mailbox` of an actor's node or of a deployment pattern: how many messages may wait, what becomes
// of further ones, and in which order they are taken.
#pragma once

#include <set>
#include <string>

#include "message/type_registry.hpp"
#include "settings/object_reader.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// Reads `mailbox` of the node or pattern.
void read_mailbox(ObjectReader& block, actor::ActorOptions& options);
/// Reads the rest of actord.actor.default-mailbox: what holds for the mailboxes of all actors below
/// /user of which neither a node nor a pattern says it.
actor::ActorOptions read_default_mailbox(ObjectReader& mailbox);
/// Gives the mailbox of each rule what it leaves open, and adds a rule for all other actors.
void complete_mailboxes(std::vector<actor::Deployment>& rules, const actor::ActorOptions& defaults);

/// Checks the names of messages in all mailboxes against those that plugins have. Plugins in
/// `withheld` are not loaded on purpose, and their messages are not known.
void check_message_names(Findings& findings, const Settings& settings,
                         const message::TypeRegistry& types,
                         const std::set<std::string, std::less<>>& withheld);

}  // namespace actord::settings
