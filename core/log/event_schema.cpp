// SPDX-License-Identifier: Apache-2.0
#include "log/event_schema.hpp"

#include <algorithm>

#include "log/event_fields.hpp"

namespace actord::log {

namespace {

using namespace fields;

constexpr EventField needed(const FieldSchema& field) noexcept { return {&field, true}; }
constexpr EventField optional(const FieldSchema& field) noexcept { return {&field, false}; }

constexpr Levels any_level = Levels::error | Levels::warning | Levels::info | Levels::debug;

constexpr EventField actor_started_fields[] = {
    needed(actor_path),      needed(actor_uid),    needed(actor_incarnation),
    needed(actor_behaviour), needed(plugin_name),  needed(plugin_version),
    optional(config_origin), optional(failure_id), optional(collateral_of)};
constexpr EventField actor_failed_fields[] = {
    needed(actor_path),           needed(actor_uid),
    needed(actor_incarnation),    needed(actor_behaviour),
    needed(failure_id),           needed(failure_type),
    needed(failure_types),        needed(failure_message),
    needed(failure_phase),        needed(supervisor_path),
    needed(supervisor_strategy),  needed(decision_directive),
    needed(decision_rule),        needed(decision_origin),
    optional(failure_cause_type), optional(failure_cause_types),
    optional(failure_follows),    optional(failure_details),
    optional(message_type),       optional(message_sender),
    optional(decision_denied),    optional(decision_affected),
    optional(step_supervisor),    optional(step_directive),
    optional(step_rule),          optional(step_origin),
    optional(path_omitted),       optional(judged_id),
    optional(judged_actor),       optional(judged_type),
    optional(judged_message),     optional(restart_count),
    optional(restart_max),        optional(restart_delay)};
constexpr EventField actor_restarted_fields[] = {
    needed(actor_path),      needed(actor_uid),       needed(actor_incarnation),
    needed(actor_behaviour), optional(failure_id),    optional(collateral_of),
    optional(failure_type),  optional(restart_cause), optional(config_origin)};
constexpr EventField actor_resumed_fields[] = {needed(actor_path), needed(actor_uid),
                                               needed(actor_incarnation), needed(actor_behaviour),
                                               needed(failure_id)};
constexpr EventField actor_backoff_fields[] = {
    needed(actor_path),        optional(actor_uid),     optional(actor_incarnation),
    optional(actor_behaviour), optional(failure_id),    optional(collateral_of),
    optional(child),           optional(restart_delay), optional(restart_count)};
constexpr EventField actor_stopped_fields[] = {
    needed(actor_path),  needed(actor_uid),    needed(actor_incarnation), needed(actor_behaviour),
    needed(stop_reason), optional(failure_id), optional(collateral_of),   optional(stopped_by)};
constexpr EventField actor_spawn_refused_fields[] = {needed(actor_path), needed(spawn_reason)};
constexpr EventField actor_emergency_stop_fields[] = {needed(actor_path)};
constexpr EventField actor_pre_restart_failed_fields[] = {
    needed(actor_path),           needed(actor_uid),
    needed(actor_incarnation),    needed(actor_behaviour),
    needed(failure_type),         needed(failure_types),
    needed(failure_message),      needed(failure_phase),
    optional(failure_id),         optional(collateral_of),
    optional(restart_cause_type), optional(restart_cause_message)};
constexpr EventField actor_post_stop_failed_fields[] = {
    needed(actor_path),      needed(actor_uid),     needed(actor_incarnation),
    needed(actor_behaviour), needed(failure_type),  needed(failure_types),
    needed(failure_message), needed(failure_phase), optional(failure_id),
    optional(collateral_of)};
constexpr EventField actor_stuck_fields[] = {needed(dispatcher),          needed(worker_thread),
                                             needed(duration_ms),         optional(actor_path),
                                             optional(actor_incarnation), optional(actor_behaviour),
                                             optional(plugin_name),       optional(plugin_version),
                                             optional(message_type),      optional(stack)};
constexpr EventField actor_unstuck_fields[] = {needed(dispatcher), needed(worker_thread),
                                               needed(duration_ms), optional(actor_path)};
constexpr EventField dispatcher_fields[] = {needed(dispatcher), needed(threads), needed(waiting),
                                            needed(duration_ms)};
constexpr EventField watchdog_late_fields[] = {needed(dispatcher), needed(worker_thread),
                                               needed(duration_ms), optional(actor_path)};
constexpr EventField supervisor_limit_fields[] = {
    needed(actor_path),        optional(restart_max),         optional(failure_id),
    optional(supervisor_path), optional(supervisor_strategy), optional(decision_origin),
    optional(child),           optional(restart_count),       optional(restart_within)};
constexpr EventField supervisor_storm_fields[] = {
    needed(actor_path),        needed(supervisor_path), needed(supervisor_strategy),
    needed(decision_rule),     needed(decision_origin), needed(failure_type),
    needed(restart_threshold), needed(restart_within)};
constexpr EventField supervisor_storm_over_fields[] = {
    needed(actor_path), needed(supervisor_path), needed(decision_rule), needed(decision_origin),
    needed(restart_delayed)};
constexpr EventField supervisor_resume_became_restart_fields[] = {needed(actor_path),
                                                                  needed(failure_id)};
constexpr EventField supervisor_failure_dropped_fields[] = {needed(actor_path), needed(actor_uid),
                                                            needed(actor_incarnation),
                                                            needed(actor_behaviour), needed(about)};
constexpr EventField guardian_terminated_fields[] = {needed(actor_path), needed(failure_type),
                                                     needed(failure_message), needed(failure_id)};
constexpr EventField guardian_message_ignored_fields[] = {needed(message_type)};
constexpr EventField deadletter_fields[] = {needed(actor_path),         needed(message_type),
                                            needed(message_recipient),  needed(message_sender),
                                            needed(undelivered_reason), needed(kept_back)};
constexpr EventField message_copy_failed_fields[] = {
    needed(actor_path),   needed(actor_uid),     needed(actor_incarnation), needed(actor_behaviour),
    needed(failure_type), needed(failure_types), needed(failure_message),   needed(failure_phase)};
constexpr EventField ingress_busy_fields[] = {needed(in_use), needed(limit), needed(refused)};
constexpr EventField actor_receive_fields[] = {needed(actor_path), needed(message_type),
                                               needed(message_sender)};
constexpr EventField actor_lifecycle_fields[] = {needed(actor_path), optional(about)};
constexpr EventField log_suppressed_fields[] = {
    needed(suppressed_of),        needed(count),
    optional(actor_path),         optional(actor_behaviour),
    optional(failure_type),       optional(failure_phase),
    optional(decision_directive), optional(decision_rule),
    optional(first_id),           optional(last_id)};
constexpr EventField log_journal_unusable_fields[] = {needed(journal_socket),
                                                      needed(journal_error)};
constexpr EventField plugin_loaded_fields[] = {needed(plugin_name), needed(plugin_version),
                                               needed(plugin_file), needed(plugin_behaviours)};
constexpr EventField plugin_slow_fields[] = {needed(duration_ms), optional(plugin_file),
                                             optional(stack)};
constexpr EventField plugin_detach_failed_fields[] = {needed(plugin_name), needed(failure_message)};
constexpr EventField plugin_event_fields[] = {needed(plugin_event), optional(actor_path)};
constexpr EventField config_warning_fields[] = {needed(config_file), needed(config_line),
                                                needed(config_column), needed(help)};
constexpr EventField config_reloaded_fields[] = {
    needed(asked_by),   needed(generation),      needed(duration_ms),   needed(changed),
    needed(changes),    needed(pending),         optional(forced),      optional(lost_actors),
    optional(late),     optional(reload_reason), optional(peer_uid),    optional(peer_gid),
    optional(peer_pid), optional(peer_user),     optional(peer_command)};
constexpr EventField config_rejected_fields[] = {
    needed(asked_by),    needed(generation),    needed(duration_ms), needed(reload_reason),
    needed(errors),      optional(peer_uid),    optional(peer_gid),  optional(peer_pid),
    optional(peer_user), optional(peer_command)};
constexpr EventField daemon_starting_fields[] = {needed(version), needed(abi), needed(config_files),
                                                 needed(state_dir), needed(plugins_trust)};
constexpr EventField daemon_unsafe_fields[] = {needed(help)};
constexpr EventField daemon_ready_fields[] = {needed(actors), needed(lost_count),
                                              needed(duration_ms)};
constexpr EventField daemon_degraded_fields[] = {needed(actors), needed(up), needed(down)};
constexpr EventField daemon_healthy_fields[] = {needed(actors), needed(up), needed(duration_ms)};
constexpr EventField daemon_stopping_fields[] = {needed(end_reason), optional(waits_for),
                                                 optional(waits_for_more), optional(duration_ms)};
constexpr EventField daemon_stopped_fields[] = {needed(end_reason), needed(exit_status),
                                                optional(error)};
constexpr EventField daemon_crashed_fields[] = {
    optional(signal),       optional(exit_call),         optional(address),
    optional(actor_path),   optional(actor_incarnation), optional(actor_behaviour),
    optional(message_type), optional(plugin_name),       optional(plugin_version),
    optional(plugin_file)};
constexpr EventField daemon_signal_ignored_fields[] = {needed(signal),      needed(count),
                                                       optional(peer_uid),  optional(peer_pid),
                                                       optional(peer_user), optional(peer_command)};
constexpr EventField admin_command_fields[] = {
    needed(verb),     needed(arguments), needed(peer_uid),      needed(peer_gid),
    needed(peer_pid), needed(peer_user), optional(peer_command)};
constexpr EventField admin_denied_fields[] = {needed(peer_uid), needed(peer_gid), needed(peer_pid),
                                              needed(peer_user), optional(peer_command)};
constexpr EventField admin_accept_failed_fields[] = {needed(admin_socket), needed(admin_error)};

constexpr const FieldSchema* actor_restarted_causes[] = {&failure_id, &collateral_of,
                                                         &restart_cause};
constexpr const FieldSchema* actor_backoff_causes[] = {&failure_id, &collateral_of, &child};
constexpr const FieldSchema* supervisor_limit_causes[] = {&failure_id, &child};
constexpr const FieldSchema* daemon_crashed_causes[] = {&signal, &exit_call};

constexpr EventSchema events[] = {
    {.topic = "The life of actors",
     .name = "actor.started",
     .id = "6afe34e4f49a4bf7941e41198ca33595",
     .levels = Levels::info | Levels::debug,
     .doc = "An actor is ready. At info if it is configured or one of /, /user, /system and "
            "/system/log, else at debug",
     .fields = actor_started_fields},
    {.topic = "The life of actors",
     .name = "actor.failed",
     .id = "e11eefdeddcc4c9ba07d26512c2460fb",
     .levels = any_level,
     .doc = "A failure, and what the supervisor decided. The level is that of the rule",
     .fields = actor_failed_fields},
    {.topic = "The life of actors",
     .name = "actor.restarted",
     .id = "6ad2fc29ae6c4bf3aa62400044bb224c",
     .levels = Levels::warning | Levels::info,
     .doc = "An actor has a new instance, because it or another actor failed, or because a reload "
            "changed its config",
     .fields = actor_restarted_fields,
     .one_of = actor_restarted_causes},
    {.topic = "The life of actors",
     .name = "actor.resumed",
     .id = "faebdf67ae9a4ce08278fe6f4b930977",
     .levels = Levels::warning,
     .doc = "An actor that failed goes on with its state",
     .fields = actor_resumed_fields},
    {.topic = "The life of actors",
     .name = "actor.backoff",
     .id = "28fa250fa5994249acab92be5378d273",
     .levels = Levels::warning,
     .doc = "An actor waits before its restart, or a BackoffSupervisor before it starts its child "
            "again",
     .fields = actor_backoff_fields,
     .one_of = actor_backoff_causes},
    {.topic = "The life of actors",
     .name = "actor.stopped",
     .id = "bbfa250c269d4c83b09150442033c181",
     .levels = Levels::error | Levels::info | Levels::debug,
     .doc = "An actor has stopped. At error if its own failure is the reason, at info if that of "
            "another actor is, else at the level of its start",
     .fields = actor_stopped_fields},
    {.topic = "The life of actors",
     .name = "actor.spawn-refused",
     .id = "5dc81bab968a4225920372fb4c722a54",
     .levels = Levels::error,
     .doc = "A child could not be created",
     .fields = actor_spawn_refused_fields},
    {.topic = "The life of actors",
     .name = "actor.emergency-stop",
     .id = "dc805bbfa0ce4c80b37570a59542dd0a",
     .levels = Levels::error,
     .doc = "The handling of a failure failed for want of memory: the actor and its children are "
            "stopped",
     .fields = actor_emergency_stop_fields},
    {.topic = "The life of actors",
     .name = "actor.reconfiguration-failed",
     .id = "fd36bf8ee41346ed87eb0b5fdcb094ac",
     .levels = Levels::error,
     .doc = "There was not enough memory to apply a new configuration: the actor and all actors "
            "below it keep the old one",
     .fields = actor_emergency_stop_fields},
    {.topic = "The life of actors",
     .name = "actor.pre_restart-failed",
     .id = "b8ddcd5018394628b5ad1cf49cd858cd",
     .levels = Levels::error,
     .doc = "The hook pre_restart failed; the restart goes on",
     .fields = actor_pre_restart_failed_fields},
    {.topic = "The life of actors",
     .name = "actor.post_stop-failed",
     .id = "1976782bde6e4acbaae3da5f7f222d9a",
     .levels = Levels::error,
     .doc = "The hook post_stop failed; the actor stops",
     .fields = actor_post_stop_failed_fields},
    {.topic = "The life of actors",
     .name = "actor.child_terminated-failed",
     .id = "252675cccf654732b7eb339004632c9f",
     .levels = Levels::error,
     .doc = "The hook child_terminated failed in an actor that is not running",
     .fields = actor_post_stop_failed_fields},
    {.topic = "The life of actors",
     .name = "actor.log_failure-failed",
     .id = "d9b1088312844eb5bf1c7eb2766e1b4c",
     .levels = Levels::error,
     .doc = "The hook log_failure of a supervisor failed",
     .fields = actor_post_stop_failed_fields},
    {.topic = "Threads",
     .name = "actor.stuck",
     .id = "bd60b7ad98e2429e819d551d3369d6ef",
     .levels = Levels::warning,
     .doc = "A handler or a hook of an actor has run for stuck-timeout and runs still. Without "
            "actor.path and stack if its thread has not answered the signal that asks for them",
     .fields = actor_stuck_fields},
    {.topic = "Threads",
     .name = "actor.unstuck",
     .id = "73e204ff64994b5aa14b685f0ea7c4fd",
     .levels = Levels::info,
     .doc = "A handler or a hook for which actor.stuck was logged has returned",
     .fields = actor_unstuck_fields},
    {.topic = "Threads",
     .name = "dispatcher.starved",
     .id = "30041aa0d70e47e28be6e1f1c0db3ee1",
     .levels = Levels::warning,
     .doc = "Actors wait for a thread of a blocking dispatcher, and each of its threads has run "
            "the same handler for stuck-timeout",
     .fields = dispatcher_fields},
    {.topic = "Threads",
     .name = "dispatcher.recovered",
     .id = "049099a1b6e548df94ddc68774ea04da",
     .levels = Levels::info,
     .doc = "A dispatcher for which dispatcher.starved was logged has a free thread again, or no "
            "actor waits for one",
     .fields = dispatcher_fields},
    {.topic = "Threads",
     .name = "watchdog.late",
     .id = "782fe0e9ebd046faa2f9c87e162279b6",
     .levels = Levels::error,
     .doc = "actord sends the service manager no WATCHDOG=1 as long as this handler does not "
            "return: a thread that handlers must not block has made no progress for half of the "
            "time that the service manager waits",
     .fields = watchdog_late_fields},
    {.topic = "Supervision",
     .name = "supervisor.limit",
     .id = "7d9533e2c0a84d829869cc4fb969f42b",
     .levels = Levels::error,
     .doc = "The restart limit is reached: the child is stopped, or the BackoffSupervisor stops",
     .fields = supervisor_limit_fields,
     .one_of = supervisor_limit_causes},
    {.topic = "Supervision",
     .name = "supervisor.storm",
     .id = "b909c152e2b6460793698e4a8b91f898",
     .levels = Levels::warning,
     .doc = "A child, or the children of an all-for-one supervisor, are restarted so often that "
            "the storm guard delays their restarts from now on",
     .fields = supervisor_storm_fields},
    {.topic = "Supervision",
     .name = "supervisor.storm-over",
     .id = "5f7f9b0a7ee34c0d8b6373f77cb5dabf",
     .levels = Levels::info,
     .doc = "There was no restart for a while, or the actor has ended: the storm guard delays no "
            "restart any more",
     .fields = supervisor_storm_over_fields},
    {.topic = "Supervision",
     .name = "supervisor.resume-became-restart",
     .id = "c8571ac9e4fd4f97ab937a332402dd59",
     .levels = Levels::error,
     .doc = "An actor whose restart failed cannot be resumed: it is restarted",
     .fields = supervisor_resume_became_restart_fields},
    {.topic = "Supervision",
     .name = "supervisor.failure-dropped",
     .id = "73cc0c4b75904b098b02babe5cb084d7",
     .levels = Levels::debug,
     .doc = "A failure of an unknown or former child is dropped",
     .fields = supervisor_failure_dropped_fields},
    {.topic = "Supervision",
     .name = "guardian.terminated",
     .id = "b2ff45c8f146480db70ea7849fecb6d0",
     .levels = Levels::error,
     .doc = "A guardian failed: the system shuts down",
     .fields = guardian_terminated_fields},
    {.topic = "Supervision",
     .name = "guardian.message-ignored",
     .id = "7552cd2a449e40eab33d2eaabdb509d2",
     .levels = Levels::error,
     .doc = "A message to the supervisor of the root guardian is ignored",
     .fields = guardian_message_ignored_fields},
    {.topic = "Messages",
     .name = "deadletter",
     .id = "373053e62b4c4bc796a01620c4f5a697",
     .levels = Levels::info,
     .doc = "A message was not delivered",
     .fields = deadletter_fields},
    {.topic = "Messages",
     .name = "message.unhandled",
     .id = "df03d29629d54f1b80f43b16afa5a6b6",
     .levels = Levels::info,
     .doc = "A message was delivered to an actor that has no handler for it",
     .fields = deadletter_fields},
    {.topic = "Messages",
     .name = "message.copy-failed",
     .id = "93105ebc6a72477b955a9ecac62c8140",
     .levels = Levels::error,
     .doc = "A message could not be copied for one of several recipients",
     .fields = message_copy_failed_fields},
    {.topic = "Messages",
     .name = "ingress.busy",
     .id = "70dc1f2c9182404c8cef6de40dd2ee74",
     .levels = Levels::warning,
     .doc = "The memory of messages has reached its limit: messages from outside are refused",
     .fields = ingress_busy_fields},
    {.topic = "Messages",
     .name = "ingress.relieved",
     .id = "6664b9c7acb84e668e7715dee2859da5",
     .levels = Levels::info,
     .doc = "Messages from outside are accepted again",
     .fields = ingress_busy_fields},
    {.topic = "Tracing, if actord.actor.debug enables it",
     .name = "actor.receive",
     .id = "82f26f8a99b94fefaa8a3b2244d0ae5b",
     .levels = Levels::debug,
     .doc = "An actor handles a message",
     .fields = actor_receive_fields},
    {.topic = "Tracing, if actord.actor.debug enables it",
     .name = "actor.autoreceive",
     .id = "6c90dc7eb3ad4b83a11244b8a387315a",
     .levels = Levels::debug,
     .doc = "An actor received PoisonPill, Kill, Identify or Terminated",
     .fields = actor_receive_fields},
    {.topic = "Tracing, if actord.actor.debug enables it",
     .name = "actor.unhandled",
     .id = "2aac1302ebda48fdad7c0d438695dc62",
     .levels = Levels::debug,
     .doc = "An actor has no handler for a message",
     .fields = actor_receive_fields},
    {.topic = "Tracing, if actord.actor.debug enables it",
     .name = "actor.lifecycle",
     .id = "92c362690ace443084f6c8b650a67cbc",
     .levels = Levels::debug,
     .doc = "A step in the life of an actor, or a watch",
     .fields = actor_lifecycle_fields},
    {.topic = "Tracing, if actord.actor.debug enables it",
     .name = "event-stream.subscribed",
     .id = "250b8fe2b5ab49ea89cad6f710441846",
     .levels = Levels::debug,
     .doc = "An actor subscribes to what the sentence names",
     .fields = supervisor_failure_dropped_fields},
    {.topic = "Tracing, if actord.actor.debug enables it",
     .name = "event-stream.unsubscribed",
     .id = "9866e6cb97b04320ae93c421de17d3ec",
     .levels = Levels::debug,
     .doc = "An actor ends a subscription",
     .fields = supervisor_failure_dropped_fields},
    {.topic = "The log",
     .name = "log.suppressed",
     .id = "b55065558e264682876dc7c73aced9aa",
     .levels = any_level,
     .doc = "Lines were left out. For failures, the level is that of their lines",
     .fields = log_suppressed_fields},
    {.topic = "The log",
     .name = "log.journal-unusable",
     .id = "3a292b415efd4a5288d3bf18b295a20f",
     .levels = Levels::warning,
     .doc = "The log was to go to the journal, but the socket of the journal cannot be used: it "
            "goes to standard output",
     .fields = log_journal_unusable_fields},
    {.topic = "Plugins",
     .name = "plugin.loaded",
     .id = "7aaf70b816924e6b9035e25c168acc53",
     .levels = Levels::info,
     .doc = "A plugin is loaded",
     .fields = plugin_loaded_fields,
     .is_audit = true},
    {.topic = "Plugins",
     .name = "plugin.slow",
     .id = "8874e99f39a94ef8be04b324f0cf284f",
     .levels = Levels::warning,
     .doc = "The static initialisers, the attach, the detach or the static destructors of a "
            "plugin have not returned yet",
     .fields = plugin_slow_fields,
     .is_audit = true},
    {.topic = "Plugins",
     .name = "plugin.detach-failed",
     .id = "a54f2961a4e34050b16956eae276a86a",
     .levels = Levels::error,
     .doc = "The detach of a plugin failed",
     .fields = plugin_detach_failed_fields,
     .is_audit = true},
    {.topic = "Plugins",
     .name = "plugin.event",
     .id = "78bf7afd1cae4488b57fe435e11991b2",
     .levels = any_level,
     .doc = "An event of a plugin under a name that is reserved for actord; its fields are those "
            "of the plugin",
     .fields = plugin_event_fields,
     .is_open = true},
    {.topic = "Configuration",
     .name = "config.warning",
     .id = "c4d0f9a9b93848578b79155370648eaa",
     .levels = Levels::warning,
     .doc = "The configuration has a value that is likely to be a mistake",
     .fields = config_warning_fields},
    {.topic = "Configuration",
     .name = "config.note",
     .id = "0aef9a98945b4a068a8de6a6e94eda54",
     .levels = Levels::info,
     .doc = "The configuration has a value that deserves a look",
     .fields = config_warning_fields},
    {.topic = "Configuration",
     .name = "config.reloaded",
     .id = "ad9c0333547d4b36b6eee7bf71dbfbcf",
     .levels = Levels::warning | Levels::info,
     .doc = "A new configuration applies. At warning if an actor could not be created, or has not "
            "applied it",
     .fields = config_reloaded_fields,
     .is_audit = true},
    {.topic = "Configuration",
     .name = "config.rejected",
     .id = "259e0e15a3dc4b65b1accb68c5510476",
     .levels = Levels::error,
     .doc = "A new configuration is rejected: the running one stays",
     .fields = config_rejected_fields,
     .is_audit = true},
    {.topic = "The daemon",
     .name = "daemon.starting",
     .id = "d88c3b723d354a088075850f6a303330",
     .levels = Levels::info,
     .doc = "actord starts",
     .fields = daemon_starting_fields},
    {.topic = "The daemon",
     .name = "daemon.unsafe",
     .id = "bd460ff5898a43fe827f9dba24116285",
     .levels = Levels::warning,
     .doc =
         "actord runs as root under systemd, or other users own its state directory or may write "
         "to it: one line at the start for each",
     .fields = daemon_unsafe_fields},
    {.topic = "The daemon",
     .name = "daemon.ready",
     .id = "08d321e35cd5440e85c11fd647214912",
     .levels = Levels::info,
     .doc =
         "The start is over: each configured actor has started, is lost, or is created again and "
         "again by its supervisor",
     .fields = daemon_ready_fields},
    {.topic = "The daemon",
     .name = "daemon.degraded",
     .id = "416f6a0e3ca645b8ad3f7a329fb6eb7e",
     .levels = Levels::warning,
     .doc = "Configured actors are down that were not down at the last line of this kind: lost, or "
            "waiting longer than 5 s for their restart. At most once in 5 s; see on-actor-lost",
     .fields = daemon_degraded_fields},
    {.topic = "The daemon",
     .name = "daemon.healthy",
     .id = "08862e51a8ea48f2ad48bcb7af639780",
     .levels = Levels::info,
     .doc = "No configured actor is down any more",
     .fields = daemon_healthy_fields},
    {.topic = "The daemon",
     .name = "daemon.stopping",
     .id = "0e0b3256e7e440ea8da028c9439e0fec",
     .levels = Levels::warning | Levels::info,
     .doc = "actord stops, or, at warning, waits for something before it can stop",
     .fields = daemon_stopping_fields},
    {.topic = "The daemon",
     .name = "daemon.stopped",
     .id = "f48fc2b2c9ff47d99d8d9a3975625c86",
     .levels = Levels::error | Levels::info,
     .doc = "The last line of a run. At error if the exit status is not 0",
     .fields = daemon_stopped_fields},
    {.topic = "The daemon",
     .name = "daemon.crashed",
     .id = "813d71306d38415ca5e173d0e978c2a4",
     .levels = Levels::error,
     .doc = "actord was ended by a signal such as SIGSEGV, or by code of a plugin that called "
            "exit() or a function like it; the actor is the one that the thread was running",
     .fields = daemon_crashed_fields,
     .one_of = daemon_crashed_causes},
    {.topic = "The daemon",
     .name = "daemon.signal-ignored",
     .id = "6d66b8e62b334bdda65ca35ca149da09",
     .levels = Levels::warning,
     .doc =
         "A process has sent a signal that means nothing to actord and would end other programs: "
         "SIGUSR1, SIGUSR2, SIGALRM, SIGPOLL or SIGPWR. At most one line in 10 s for each",
     .fields = daemon_signal_ignored_fields},
    {.topic = "Clients",
     .name = "admin.command",
     .id = "e182f5153ca3449a91f030552209d4ff",
     .levels = Levels::info,
     .doc = "A client requested a change",
     .fields = admin_command_fields,
     .is_audit = true},
    {.topic = "Clients",
     .name = "admin.denied",
     .id = "4754ed69652f46b1b894378bd99da0bf",
     .levels = Levels::warning,
     .doc = "A client may not use the admin socket",
     .fields = admin_denied_fields,
     .is_audit = true},
    {.topic = "Clients",
     .name = "admin.accept-failed",
     .id = "f46b2c82775041b196d02be5e505d0fd",
     .levels = Levels::warning,
     .doc =
         "A client waits at the admin socket and cannot be connected, for example because actord "
         "has no file descriptor left. It is tried again; at most one line in 10 s",
     .fields = admin_accept_failed_fields},
};

// An id is 128 random bits (`systemd-id128 new`), and an event keeps it for ever: the message
// catalogue of the journal and the scripts of operators find the event by it.
constexpr bool have_ids() noexcept {
  return std::ranges::all_of(events, [](const EventSchema& event) {
    const bool is_hexadecimal = std::ranges::all_of(
        event.id, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    return event.id.size() == message_id_size && is_hexadecimal &&
           event.id.find_first_not_of('0') != event.id.npos &&
           std::ranges::count(events, event.id, &EventSchema::id) == 1;
  });
}
static_assert(have_ids(), "each event has an id of its own: 32 digits, of a to f in lower case");

constexpr EventField envelope[] = {
    needed(ts),     needed(level),       needed(event),    needed(msg),      needed(seq),
    needed(pid),    optional(tid),       optional(boot),   optional(system), optional(node),
    needed(schema), optional(truncated), optional(misfits)};

}  // namespace

std::span<const EventSchema> event_schemas() noexcept { return events; }

std::span<const EventField> envelope_schema() noexcept { return envelope; }

}  // namespace actord::log
