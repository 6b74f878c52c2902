// SPDX-License-Identifier: Apache-2.0
//
// The fields of the events of actord, for the table in event_schema.cpp.
#pragma once

#include "log/event_schema.hpp"

namespace actord::log::fields {

using Kind = FieldKind;

// ---- the envelope -------------------------------------------------------------------------------

inline constexpr std::string_view level_words[] = {"error", "warning", "info", "debug"};
inline constexpr std::string_view schema_words[] = {schema_name};

inline constexpr FieldSchema ts{"ts", Kind::text,
                                "The time of the event in UTC, with microseconds"};
inline constexpr FieldSchema level{"level", Kind::text, "The severity", level_words};
inline constexpr FieldSchema event{"event", Kind::text, "The name of the event"};
inline constexpr FieldSchema msg{"msg", Kind::text, "A sentence for people; its words may change"};
inline constexpr FieldSchema seq{"seq", Kind::natural,
                                 "Counts the records of a run from 1; a gap is as wide as the "
                                 "number of records that were lost; 0 in daemon.crashed"};
inline constexpr FieldSchema pid{"pid", Kind::natural, "The id of the process"};
inline constexpr FieldSchema tid{"tid", Kind::natural,
                                 "The id of the thread; missing where several threads share a "
                                 "buffer"};
inline constexpr FieldSchema boot{"boot", Kind::text, "The id of this run of the daemon"};
inline constexpr FieldSchema system{"system", Kind::text, "The setting actord.name"};
inline constexpr FieldSchema node{"node", Kind::text, "Reserved for the name of a node"};
inline constexpr FieldSchema schema{"schema", Kind::text, "The name of this schema", schema_words};
inline constexpr FieldSchema trace_id{"trace.id", Kind::text,
                                      "The trace to which the event belongs, as in a W3C "
                                      "traceparent"};
inline constexpr FieldSchema span_id{"span.id", Kind::text,
                                     "The span of the trace in which the event happened"};
inline constexpr FieldSchema truncated{"truncated", Kind::boolean,
                                       "True if the line was too long: texts are cut and fields "
                                       "may be missing"};
inline constexpr FieldSchema misfits{"fields", Kind::anything,
                                     "Fields, with their complete keys, whose place in the line is "
                                     "taken by another one"};

// ---- actors and plugins -------------------------------------------------------------------------

inline constexpr FieldSchema actor_path{"actor.path", Kind::text,
                                        "The path of the actor that the event is about"};
inline constexpr FieldSchema actor_uid{"actor.uid", Kind::text,
                                       "The id of the actor; another actor at the same path has "
                                       "another one"};
inline constexpr FieldSchema actor_incarnation{"actor.incarnation", Kind::natural,
                                               "The number of restarts of the actor before"};
inline constexpr FieldSchema actor_behaviour{"actor.behaviour", Kind::text,
                                             "The behaviour of the actor: plugin/Class"};
inline constexpr FieldSchema plugin_name{"plugin.name", Kind::text, "The name of the plugin"};
inline constexpr FieldSchema plugin_version{"plugin.version", Kind::text,
                                            "The version of the plugin"};
inline constexpr FieldSchema plugin_file{"plugin.file", Kind::text, "The file of the plugin"};
inline constexpr FieldSchema plugin_behaviours{"plugin.behaviours", Kind::texts,
                                               "The behaviours in the plugin"};
inline constexpr FieldSchema plugin_what{"reason", Kind::text, "What is wrong with it"};
inline constexpr FieldSchema loaded_version{"loaded.version", Kind::text,
                                            "The version of the plugin that is loaded"};
inline constexpr FieldSchema folder{"folder", Kind::text, "The folder of plugins"};
inline constexpr FieldSchema folder_error{"error", Kind::text, "Why it cannot be watched"};
inline constexpr FieldSchema plugin_event{"plugin.event", Kind::text,
                                          "The name that the plugin gave to its event"};
inline constexpr std::string_view resource_words[] = {"actors", "timers", "asks"};
inline constexpr FieldSchema resource{"resource", Kind::text, "What the limit is for",
                                      resource_words};
inline constexpr FieldSchema plugin_limit{"limit", Kind::natural,
                                          "The setting actord.plugins.limits for that"};
inline constexpr FieldSchema plugin_refused{"refused", Kind::natural,
                                            "How many times more was wanted since the last such "
                                            "line"};
inline constexpr FieldSchema about{"about", Kind::text, "The path of the other actor"};
inline constexpr FieldSchema child{"child", Kind::text,
                                   "The path of the child of a BackoffSupervisor"};

inline constexpr std::string_view stop_reasons[] = {"stopped", "parent",   "poison",
                                                    "killed",  "failed",   "init-failed",
                                                    "limit",   "shutdown", "config"};
inline constexpr FieldSchema stop_reason{"reason", Kind::text, "Why the actor stopped",
                                         stop_reasons};
inline constexpr FieldSchema stopped_by{"stopped_by", Kind::text,
                                        "The path of the actor that has stopped a configured "
                                        "actor: itself, its supervisor or another one"};
inline constexpr FieldSchema spawn_reason{"reason", Kind::text,
                                          "Why the actor could not be created"};

// ---- failures -----------------------------------------------------------------------------------

inline constexpr std::string_view phases[] = {
    "constructor", "pre_start", "receive",          "pre_restart", "post_restart",
    "post_stop",   "decide",    "child_terminated", "crash",       "persisted"};

inline constexpr FieldSchema failure_id{"failure.id", Kind::text,
                                        "The id of the failure; the actor of the line has reported "
                                        "the failure itself"};
inline constexpr FieldSchema collateral_of{"collateral_of", Kind::text,
                                           "The id of another actor's failure, because of which "
                                           "this happens to the actor"};
inline constexpr FieldSchema failure_type{"failure.type", Kind::text,
                                          "The type of the exception, with its namespace"};
inline constexpr FieldSchema failure_types{"failure.types", Kind::texts,
                                           "The type of the exception and its base classes"};
inline constexpr FieldSchema failure_stack{
    "failure.stack", Kind::texts,
    "The calls that led to the throw, the innermost first: the function and the file, or the file "
    "with the offset in it; if actord.failures.stacktrace has it kept"};
inline constexpr FieldSchema failure_message{"failure.message", Kind::text,
                                             "The text of the innermost exception"};
inline constexpr FieldSchema failure_phase{
    "failure.phase", Kind::text,
    "The hook that failed; receive for a handler; crash for a crash of an earlier process; "
    "persisted for what an actor does with an event that is stored",
    phases};
inline constexpr FieldSchema failure_cause_type{"failure.cause.type", Kind::text,
                                                "The type of the innermost exception, if the "
                                                "exception is nested"};
inline constexpr FieldSchema failure_cause_types{"failure.cause.types", Kind::texts,
                                                 "The type of the innermost exception and its base "
                                                 "classes"};
inline constexpr FieldSchema failure_follows{"failure.follows", Kind::text,
                                             "The id of the failure whose restart has failed with "
                                             "this one"};
inline constexpr FieldSchema failure_details{"failure.details.*", Kind::anything,
                                             "What the exception carries, under keys that the "
                                             "plugin chooses; a path for a reference"};
inline constexpr FieldSchema judged_id{"judged.id", Kind::text,
                                       "The id of the failure that the decider was judging when "
                                       "the decider itself failed"};
inline constexpr FieldSchema judged_actor{"judged.actor", Kind::text,
                                          "The path of the actor whose failure was being judged"};
inline constexpr FieldSchema judged_type{"judged.type", Kind::text,
                                         "The type of the failure that was being judged"};
inline constexpr FieldSchema judged_message{"judged.message", Kind::text,
                                            "The text of the failure that was being judged"};

// ---- supervision --------------------------------------------------------------------------------

inline constexpr std::string_view directives[] = {"resume", "restart", "stop", "escalate"};
inline constexpr std::string_view denied_directives[] = {"restart"};

inline constexpr FieldSchema supervisor_path{"supervisor.path", Kind::text,
                                             "The path of the supervisor that decides"};
inline constexpr FieldSchema supervisor_strategy{"supervisor.strategy", Kind::text,
                                                 "The name of its strategy"};
inline constexpr FieldSchema decision_directive{"decision.directive", Kind::text,
                                                "What happens to the actor", directives};
inline constexpr FieldSchema decision_rule{"decision.rule", Kind::text,
                                           "The rule of the strategy that decided"};
inline constexpr FieldSchema decision_origin{"decision.config_origin", Kind::text,
                                             "Where that rule stands: file:line, "
                                             "`code: plugin/Behaviour`, or `default`"};
inline constexpr FieldSchema decision_denied{"decision.denied", Kind::text,
                                             "What the rule said, if the restart limit did not "
                                             "allow it",
                                             denied_directives};
inline constexpr FieldSchema decision_affected{"decision.affected", Kind::natural,
                                               "The number of children that are restarted or "
                                               "stopped for the failure, if it is not 1"};
inline constexpr FieldSchema step_supervisor{"decision.path.N.supervisor", Kind::text,
                                             "The way of an escalated failure, from the lowest "
                                             "supervisor to the one that decided: the path of the "
                                             "supervisor"};
inline constexpr FieldSchema step_directive{"decision.path.N.directive", Kind::text,
                                            "What this supervisor said", directives};
inline constexpr FieldSchema step_rule{"decision.path.N.rule", Kind::text,
                                       "The rule by which it said so"};
inline constexpr FieldSchema step_origin{"decision.path.N.config_origin", Kind::text,
                                         "Where that rule stands"};
inline constexpr FieldSchema path_omitted{"decision.path_omitted", Kind::natural,
                                          "The number of supervisors left out in the middle of a "
                                          "long way"};
inline constexpr FieldSchema restart_count{"restart.count", Kind::natural,
                                           "The number of restarts in the present window, or in "
                                           "all if there is no limit"};
inline constexpr FieldSchema restart_max{
    "restart.max", Kind::natural,
    "The setting max-restarts of the strategy; missing if only "
    "the time between restarts is limited"};
inline constexpr FieldSchema restart_within{"restart.within", Kind::duration,
                                            "The time in which restarts are counted"};
inline constexpr FieldSchema restart_delay{"restart.delay", Kind::duration,
                                           "The wait before the restart"};
inline constexpr FieldSchema restart_threshold{"restart.threshold", Kind::natural,
                                               "The number of restarts without a delay that the "
                                               "storm guard allows"};
inline constexpr FieldSchema restart_delayed{"restart.delayed", Kind::natural,
                                             "The number of restarts that were delayed"};
inline constexpr FieldSchema restart_cause{"restart.cause", Kind::text,
                                           "The cause of a restart without a failure: "
                                           "actord::ConfigChanged or "
                                           "actord::RestartOrdered"};
inline constexpr FieldSchema restart_cause_type{"restart.cause.type", Kind::text,
                                                "The type of the failure that the actor is "
                                                "restarted for"};
inline constexpr FieldSchema restart_cause_message{"restart.cause.message", Kind::text,
                                                   "The text of the failure that the actor is "
                                                   "restarted for"};

// ---- messages -----------------------------------------------------------------------------------

// The last word is for what is no reason of the runtime: any plugin may publish a dead letter.
inline constexpr std::string_view other_reason = "other";
inline constexpr std::string_view undelivered_reasons[] = {
    "no-actor",  "stopped",        "mailbox-full", "backoff-full", "timeout",
    "unhandled", "not-translated", "poison",       "no-routee",    other_reason};

inline constexpr FieldSchema message_type{"message.type", Kind::text,
                                          "The type of the message, with its version"};
inline constexpr FieldSchema message_sender{"message.sender", Kind::text,
                                            "The path of the sender; empty if there is none"};
inline constexpr FieldSchema message_content{
    "message.content", Kind::text,
    "What is in the message, at most 1 KiB; members that its type calls secret are hidden"};
inline constexpr FieldSchema span_parent{"span.parent_id", Kind::text,
                                         "The span that sent the message; missing if the trace "
                                         "begins here"};
inline constexpr FieldSchema span_duration{"span.duration_us", Kind::natural,
                                           "How long the span took, until this line"};
inline constexpr FieldSchema span_waited{"span.waited_us", Kind::natural,
                                         "How long the message was under way before"};
inline constexpr std::string_view span_outcomes[] = {"handled", "failed", "stashed", "unhandled"};
inline constexpr FieldSchema span_outcome{"span.outcome", Kind::text, "What became of the message",
                                          span_outcomes};
inline constexpr FieldSchema traced_left{"left", Kind::natural,
                                         "How many more messages of the actor will be traced"};
inline constexpr FieldSchema message_recipient{"message.recipient", Kind::text,
                                               "The path of the recipient"};
inline constexpr FieldSchema undelivered_reason{
    "reason", Kind::text, "Why the message was not handled", undelivered_reasons};
inline constexpr FieldSchema kept_back{"kept_back", Kind::natural,
                                       "The number of earlier such messages without a line"};
inline constexpr FieldSchema in_use{"in_use_bytes", Kind::natural,
                                    "The memory of messages that is in use, in bytes"};
inline constexpr FieldSchema limit{"limit_bytes", Kind::natural,
                                   "The setting actord.actor.message-memory-max, in bytes"};
inline constexpr FieldSchema resident{"memory.resident_bytes", Kind::natural,
                                      "The memory that the process takes up, in bytes"};
inline constexpr FieldSchema memory{"memory.limit_bytes", Kind::natural,
                                    "The memory that the process may use, in bytes"};
inline constexpr FieldSchema mailbox_path{"mailbox.path", Kind::text,
                                          "The path of the actor for which most messages wait"};
inline constexpr FieldSchema depth{"mailbox.depth", Kind::natural,
                                   "The number of messages that wait for that actor"};
inline constexpr FieldSchema mailbox_capacity{"mailbox.capacity", Kind::natural,
                                              "How many messages may wait for the actor"};
inline constexpr std::string_view overflow_policies[] = {"drop-new", "drop-old", "fail-sender",
                                                         "wait"};
inline constexpr FieldSchema mailbox_policy{"mailbox.policy", Kind::text,
                                            "What becomes of a message for which there is no room",
                                            overflow_policies};
inline constexpr FieldSchema overflows{
    "overflows", Kind::natural,
    "The number of messages that found the mailbox full since the last such line"};
inline constexpr FieldSchema depths{"mailboxes", Kind::texts,
                                    "The actors for which most messages wait, with their number; "
                                    "one whose handler does not return cannot count them"};
inline constexpr FieldSchema breaker_name{"breaker.name", Kind::text,
                                          "The name of the circuit breaker"};
inline constexpr std::string_view breaker_states[] = {"closed", "open", "half-open"};
inline constexpr FieldSchema breaker_state{"breaker.state", Kind::text,
                                           "What the circuit breaker has become", breaker_states};
inline constexpr FieldSchema breaker_failures{
    "breaker.failures", Kind::natural,
    "The number of failed calls in a row, by all actors, that opened it; 0 if it is closed"};
inline constexpr FieldSchema breaker_remaining{
    "breaker.remaining", Kind::duration,
    "How long it lets no call through, before it tries one; 0 if it is not open"};
inline constexpr FieldSchema persistence_id{"persistence.id", Kind::text,
                                            "The name under which the events of the actor are "
                                            "stored"};
inline constexpr FieldSchema persistence_sequence{
    "persistence.sequence", Kind::natural,
    "The last event that the actor knows to be stored, or that the snapshot has"};
inline constexpr FieldSchema persistence_snapshot{
    "persistence.snapshot", Kind::natural,
    "The last event in the snapshot from which the actor recovered; 0: there was none"};
inline constexpr FieldSchema persistence_reason{"reason", Kind::text,
                                                "What has failed, and how to mend it"};
inline constexpr std::string_view journal_faults[] = {"io", "full", "read-only", "damaged", "gap"};
inline constexpr FieldSchema journal_fault{"journal.fault", Kind::text,
                                           "The kind of the fault of the journal", journal_faults};
inline constexpr FieldSchema journal_path{"journal.path", Kind::text, "The folder of the journal"};
inline constexpr FieldSchema journal_rows{"journal.rows", Kind::natural,
                                          "The number of the last row that it has"};
inline constexpr FieldSchema journal_lost_rows{
    "journal.lost-rows", Kind::natural,
    "The number of rows that were acknowledged and are not there; --accept-journal-loss accepts "
    "that"};
inline constexpr FieldSchema refused{"refused", Kind::natural,
                                     "The number of messages refused since the last such line"};
inline constexpr FieldSchema attempts{"message.attempts", Kind::natural,
                                      "How often the actor has failed on the message"};
inline constexpr FieldSchema message_member{"message.member", Kind::text,
                                            "The way to a member of the message, such as "
                                            "card.number"};
inline constexpr FieldSchema attempts_max{"message.attempts-max", Kind::natural,
                                          "How often it may: the setting on-failure.max-attempts"};
inline constexpr FieldSchema quarantine_id{"quarantine.id", Kind::text,
                                           "The id of the message in the quarantine of messages"};
inline constexpr FieldSchema quarantine_messages{"quarantine.messages", Kind::natural,
                                                 "How many messages are in the quarantine"};
inline constexpr FieldSchema quarantine_bytes{"quarantine.bytes", Kind::natural,
                                              "How many bytes they take up"};
inline constexpr FieldSchema quarantine_error{"quarantine.error", Kind::text,
                                              "The file, and what is wrong with it"};

// ---- the log ------------------------------------------------------------------------------------

inline constexpr FieldSchema suppressed_of{
    "of", Kind::text,
    "What was left out: the name of an event, or, for events of plugins, "
    "`warnings` (with errors) or `chatter`"};
inline constexpr FieldSchema count{"count", Kind::natural, "The exact number"};
inline constexpr FieldSchema first_id{"first.id", Kind::text, "The id of the first failure"};
inline constexpr FieldSchema last_id{"last.id", Kind::text, "The id of the last failure"};
inline constexpr FieldSchema journal_socket{"journal.socket", Kind::text,
                                            "The path of the journal's socket"};
inline constexpr FieldSchema role{"role", Kind::text,
                                  "The role of the client, which does not suffice for the verb"};
inline constexpr FieldSchema http_address{"http.address", Kind::text,
                                          "Where HTTP is served: address:port"};
inline constexpr FieldSchema history_error{"history.error", Kind::text,
                                           "The file, and why it cannot be written"};
inline constexpr FieldSchema journal_error{"journal.error", Kind::text,
                                           "Why the socket cannot be used"};

// ---- threads ------------------------------------------------------------------------------------

inline constexpr FieldSchema dispatcher{"dispatcher", Kind::text, "The name of the dispatcher"};
inline constexpr FieldSchema worker_thread{"thread", Kind::natural,
                                           "The id of the thread that runs the actor, as in "
                                           "/proc/PID/task"};
inline constexpr FieldSchema stack{"stack", Kind::texts,
                                   "The calls that the thread was in, the innermost first: the "
                                   "function and the file, or the file with the offset in it"};
inline constexpr FieldSchema waiting{"waiting", Kind::natural,
                                     "The number of actors that wait for a free thread"};
inline constexpr FieldSchema threads{"threads", Kind::natural,
                                     "The number of threads that the dispatcher has"};

// ---- host processes -----------------------------------------------------------------------------

inline constexpr std::string_view kill_words[] = {"hang", "protocol", "start-timeout",
                                                  "stop-timeout"};

inline constexpr FieldSchema worker_pid{"worker.pid", Kind::natural, "The id of the host process"};
inline constexpr FieldSchema worker_group{"worker.group", Kind::text,
                                          "The group of actors that the process is for: "
                                          "per-plugin, per-actor or shared:NAME"};
inline constexpr FieldSchema worker_spare{"worker.spare", Kind::boolean,
                                          "True if the process had been started beforehand"};
inline constexpr FieldSchema worker_residents{"worker.residents", Kind::natural,
                                              "The number of actors that lived in the process"};
inline constexpr FieldSchema kill_reason{"reason", Kind::text,
                                         "Why the process was killed: code that did not return, a "
                                         "message to actord that is none, a start or a stop that "
                                         "took too long",
                                         kill_words};
inline constexpr FieldSchema kill_detail{"detail", Kind::text, "What is known besides"};

// ---- configuration, daemon, clients -------------------------------------------------------------

inline constexpr FieldSchema config_origin{"config.origin", Kind::text,
                                           "Where the actor is configured: file:line"};
inline constexpr FieldSchema config_file{"config.file", Kind::text,
                                         "The file that the warning is about"};
inline constexpr FieldSchema config_line{"config.line", Kind::natural, "The line, from 1"};
inline constexpr FieldSchema config_column{"config.column", Kind::natural, "The column, from 1"};
inline constexpr FieldSchema config_files{"config.files", Kind::texts,
                                          "The files of the configuration"};
inline constexpr FieldSchema help{"help", Kind::text, "How to mend it; may be empty"};
inline constexpr FieldSchema asked_by{"asked_by", Kind::text,
                                      "The user or the signal that asked for the reload"};
inline constexpr FieldSchema generation{"generation", Kind::natural,
                                        "The number of the configuration that is in effect"};
inline constexpr FieldSchema duration_ms{"duration_ms", Kind::natural,
                                         "How long it took so far, in milliseconds"};
inline constexpr FieldSchema confirm_within{"confirm_within", Kind::duration,
                                            "The time within which it has to be confirmed, or "
                                            "the configuration before comes back"};
inline constexpr FieldSchema keep_error{"error", Kind::text, "What cannot be written, and why"};
inline constexpr FieldSchema errors{"errors", Kind::texts, "The first errors"};
inline constexpr FieldSchema changed{"changed", Kind::natural, "The number of changes"};
inline constexpr FieldSchema changes{"changes", Kind::texts, "The first changes"};
inline constexpr FieldSchema pending{"pending", Kind::texts,
                                     "The first changes that need a restart of the daemon"};
inline constexpr FieldSchema forced{"forced", Kind::boolean,
                                    "True if the reload was asked for with --force"};
inline constexpr FieldSchema lost_actors{"lost", Kind::texts,
                                         "The first configured actors that could not be created"};
inline constexpr FieldSchema late{"late", Kind::texts,
                                  "The first actors that have not applied the configuration yet"};
inline constexpr FieldSchema reload_reason{"reason", Kind::text,
                                           "Why the configuration was rejected or applies in part"};
inline constexpr FieldSchema version{"version", Kind::text, "The version of actord"};
inline constexpr FieldSchema abi{"abi", Kind::text,
                                 "The version of the interface for plugins: major.minor"};
inline constexpr FieldSchema state_dir{"state_dir", Kind::text, "The folder of the state"};
inline constexpr std::string_view trust_words[] = {"strict", "developer"};
inline constexpr FieldSchema plugins_trust{
    "plugins.trust", Kind::text, "The rule that says whose plugins are loaded", trust_words};
inline constexpr FieldSchema actors{"actors", Kind::natural, "The number of configured actors"};
inline constexpr FieldSchema up{"up", Kind::natural, "The number of configured actors that are up"};
inline constexpr FieldSchema down{"down", Kind::texts,
                                  "The first configured actors that are down, each with the "
                                  "reason"};
inline constexpr FieldSchema lost_count{"lost", Kind::natural,
                                        "The number of configured actors that could not be "
                                        "created"};
inline constexpr FieldSchema end_reason{"reason", Kind::text,
                                        "Why actord stops: the name of a signal or a word"};
inline constexpr FieldSchema waits_for{"waits_for", Kind::texts,
                                       "What the stop waits for: the paths of actors, or what is "
                                       "being read"};
inline constexpr FieldSchema waits_for_more{"waits_for_more", Kind::natural,
                                            "The number of further actors that it waits for"};
inline constexpr FieldSchema shutdown_phase{"shutdown.phase", Kind::text,
                                            "The phase of the coordinated shutdown"};
inline constexpr FieldSchema shutdown_tasks{"shutdown.tasks", Kind::natural,
                                            "The number of tasks of the phase"};
inline constexpr FieldSchema shutdown_timeout{"shutdown.timeout", Kind::duration,
                                              "How long the tasks of the phase may take"};
inline constexpr FieldSchema shutdown_task{"shutdown.task", Kind::text, "The name of the task"};
inline constexpr std::string_view shutdown_fault_words[] = {"failed", "timeout", "late"};
inline constexpr FieldSchema shutdown_fault{
    "shutdown.fault", Kind::text,
    "Why the task is not done: its actor has answered with a failure, has not answered in time, or "
    "has added it when the phase was over",
    shutdown_fault_words};
inline constexpr FieldSchema exit_status{"exit", Kind::natural, "The exit status"};
inline constexpr FieldSchema error{"error", Kind::text, "The error that ends actord"};
inline constexpr FieldSchema signal{"signal", Kind::text, "The name of the signal, as SIGSEGV"};
inline constexpr FieldSchema exit_call{"call", Kind::text,
                                       "The call that would have ended the process, as exit(0)"};
inline constexpr FieldSchema address{"address", Kind::text,
                                     "The address of the memory access that failed, in "
                                     "hexadecimal"};
inline constexpr FieldSchema crash_id{"crash.id", Kind::text,
                                      "The id of the crash, for actorctl crash show: that of the "
                                      "run that crashed"};
inline constexpr FieldSchema crash_ts{"crash.ts", Kind::text, "The time of the crash in UTC"};
inline constexpr FieldSchema crash_pid{"crash.pid", Kind::natural,
                                       "The id of the process that crashed"};
inline constexpr FieldSchema crash_charged{"crash.charged", Kind::text,
                                           "What is charged with the crash: the path of the "
                                           "configured actor, or else the file of the plugin"};
inline constexpr FieldSchema crash_file{"crash.file", Kind::text,
                                        "The file with all that is known of the crash"};
inline constexpr FieldSchema crash_error{"crash.error", Kind::text,
                                         "The file, and why it cannot be written or read"};
inline constexpr FieldSchema quarantine_reason{"reason", Kind::text,
                                               "The crash because of which it is not started"};
inline constexpr FieldSchema verb{"verb", Kind::text, "The verb of the request"};
inline constexpr FieldSchema arguments{"arguments", Kind::text,
                                       "The arguments of the request, as JSON; secrets are not "
                                       "shown"};
inline constexpr FieldSchema admin_socket{"admin.socket", Kind::text,
                                          "The path of the admin socket"};
inline constexpr FieldSchema admin_error{"admin.error", Kind::text,
                                         "What the system says about it"};
inline constexpr FieldSchema peer_uid{"peer.uid", Kind::natural,
                                      "The user id of the process that asked: of the client, or "
                                      "of the sender of a signal"};
inline constexpr FieldSchema peer_gid{"peer.gid", Kind::natural,
                                      "The group id of the client; a signal does not tell it"};
inline constexpr FieldSchema peer_pid{"peer.pid", Kind::natural,
                                      "The process id of the process that asked"};
inline constexpr FieldSchema peer_user{"peer.user", Kind::text,
                                       "The login name of that user, or the user id if it has "
                                       "none"};
inline constexpr FieldSchema peer_command{"peer.command", Kind::text,
                                          "The name of the program, if /proc shows it"};

}  // namespace actord::log::fields
