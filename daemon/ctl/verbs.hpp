// SPDX-License-Identifier: Apache-2.0
//
// The list of all verbs of actorctl. Each verb has a file of its own (<name>_verb.cpp).
#pragma once

#include <optional>
#include <vector>

#include "ctl/verb.hpp"
#include "wire/control_message.hpp"

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
/// The verb, which asks a running daemon, with the options for that and for its output behind its
/// own ones.
Verb with_daemon_options(Verb verb);
/// The verb, whose --output may also be `name`.
Verb with_names(Verb verb);
/// The same verb, whose output may also be a table of lines, narrow or wide; after with_names().
Verb with_tables(Verb verb);

/// The operands and the message of tell and ask: PATH TYPE [JSON]. The last one is "{}" if absent;
/// "@FILE" is the content of that file, "@-" that of standard input. Null after reporting that it
/// cannot be read.
std::vector<Operand> message_operands();
/// Their options --trace and --traceparent, whose value is among the arguments, too.
std::vector<Option> trace_options();
std::optional<wire::Json> message_arguments(const Call& call, Exit& exit);
/// The operand at `index`, {} without it: JSON, or @FILE, whose text is read. nullopt after
/// reporting a failure.
std::optional<std::string> json_operand(const Call& call, std::size_t index, Exit& exit);

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
Verb confirm_verb();
Verb revert_verb();
Verb start_verb();
Verb spawn_verb();
Verb stop_verb();
Verb kill_verb();
Verb restart_verb();
Verb suspend_verb();
Verb resume_verb();
Verb trace_verb();
Verb timers_verb();
Verb tree_verb();
Verb inspect_verb();
Verb tell_verb();
Verb ask_verb();
Verb logs_verb();
Verb breakers_verb();
Verb workers_verb();
Verb loglevel_verb();
Verb status_verb();
Verb metrics_verb();
Verb events_verb();
Verb drain_verb();
Verb shutdown_verb();
Verb top_verb();
Verb dead_letter_list_verb();
Verb dead_letter_show_verb();
Verb dead_letter_replay_verb();
Verb dead_letter_drop_verb();
Verb quarantine_list_verb();
Verb quarantine_show_verb();
Verb quarantine_replay_verb();
Verb quarantine_drop_verb();
Verb crash_list_verb();
Verb crash_show_verb();
Verb crash_export_verb();
Verb journal_list_verb();
Verb journal_show_verb();
Verb journal_export_verb();
Verb journal_verify_verb();
Verb journal_compact_verb();
Verb journal_drop_verb();
Verb journal_status_verb();
Verb plugin_list_verb();
Verb plugin_inspect_verb();
Verb plugin_verify_verb();
Verb plugin_load_verb();
Verb plugin_rescan_verb();
Verb plugin_retire_verb();
Verb failures_verb();
Verb story_verb();
Verb plugin_new_verb();
Verb plugin_doc_verb();
Verb plugin_dev_verb();
Verb completion_verb();

}  // namespace actord::ctl
