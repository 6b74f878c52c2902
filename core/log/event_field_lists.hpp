// SPDX-License-Identifier: Apache-2.0
//
// The fields of each event, for the table of events (event_schema.cpp).
#pragma once

#include "log/event_fields.hpp"

namespace actord::log::field_lists {

using namespace fields;

constexpr EventField needed(const FieldSchema& field) noexcept { return {&field, true}; }
constexpr EventField optional(const FieldSchema& field) noexcept { return {&field, false}; }

inline constexpr Levels any_level = Levels::error | Levels::warning | Levels::info | Levels::debug;

inline constexpr EventField actor_started_fields[] = {
    needed(actor_path),      needed(actor_uid),    needed(actor_incarnation),
    needed(actor_behaviour), needed(plugin_name),  needed(plugin_version),
    optional(config_origin), optional(failure_id), optional(collateral_of)};
inline constexpr EventField actor_failed_fields[] = {
    needed(actor_path),           needed(actor_uid),
    needed(actor_incarnation),    needed(actor_behaviour),
    needed(failure_id),           needed(failure_type),
    needed(failure_types),        needed(failure_message),
    needed(failure_phase),        needed(supervisor_path),
    needed(supervisor_strategy),  needed(decision_directive),
    needed(decision_rule),        needed(decision_origin),
    optional(failure_cause_type), optional(failure_cause_types),
    optional(failure_follows),    optional(failure_details),
    optional(failure_stack),      optional(message_type),
    optional(message_sender),     optional(decision_denied),
    optional(decision_affected),  optional(step_supervisor),
    optional(step_directive),     optional(step_rule),
    optional(step_origin),        optional(path_omitted),
    optional(judged_id),          optional(judged_actor),
    optional(judged_type),        optional(judged_message),
    optional(restart_count),      optional(restart_max),
    optional(restart_delay)};
inline constexpr EventField actor_restarted_fields[] = {
    needed(actor_path),      needed(actor_uid),       needed(actor_incarnation),
    needed(actor_behaviour), optional(failure_id),    optional(collateral_of),
    optional(failure_type),  optional(restart_cause), optional(config_origin)};
inline constexpr EventField actor_resumed_fields[] = {needed(actor_path), needed(actor_uid),
                                                      needed(actor_incarnation),
                                                      needed(actor_behaviour), needed(failure_id)};
inline constexpr EventField actor_backoff_fields[] = {
    needed(actor_path),        optional(actor_uid),     optional(actor_incarnation),
    optional(actor_behaviour), optional(failure_id),    optional(collateral_of),
    optional(child),           optional(restart_delay), optional(restart_count)};
inline constexpr EventField actor_stopped_fields[] = {
    needed(actor_path),  needed(actor_uid),    needed(actor_incarnation), needed(actor_behaviour),
    needed(stop_reason), optional(failure_id), optional(collateral_of),   optional(stopped_by)};
inline constexpr EventField actor_spawn_refused_fields[] = {needed(actor_path),
                                                            needed(spawn_reason)};
inline constexpr EventField actor_quarantined_fields[] = {
    needed(actor_path),      needed(actor_behaviour), needed(plugin_name),
    optional(config_origin), needed(crash_id),        needed(quarantine_reason)};
inline constexpr EventField actor_emergency_stop_fields[] = {needed(actor_path)};
inline constexpr EventField actor_pre_restart_failed_fields[] = {
    needed(actor_path),           needed(actor_uid),
    needed(actor_incarnation),    needed(actor_behaviour),
    needed(failure_type),         needed(failure_types),
    needed(failure_message),      needed(failure_phase),
    optional(failure_id),         optional(collateral_of),
    optional(restart_cause_type), optional(restart_cause_message)};
inline constexpr EventField actor_post_stop_failed_fields[] = {
    needed(actor_path),      needed(actor_uid),     needed(actor_incarnation),
    needed(actor_behaviour), needed(failure_type),  needed(failure_types),
    needed(failure_message), needed(failure_phase), optional(failure_id),
    optional(collateral_of)};
inline constexpr EventField actor_stuck_fields[] = {
    needed(dispatcher),    needed(worker_thread),       needed(duration_ms),
    optional(actor_path),  optional(actor_incarnation), optional(actor_behaviour),
    optional(plugin_name), optional(plugin_version),    optional(message_type),
    optional(stack)};
inline constexpr EventField actor_unstuck_fields[] = {needed(dispatcher), needed(worker_thread),
                                                      needed(duration_ms), optional(actor_path)};
inline constexpr EventField dispatcher_fields[] = {needed(dispatcher), needed(threads),
                                                   needed(waiting), needed(duration_ms)};
inline constexpr EventField watchdog_late_fields[] = {needed(dispatcher), needed(worker_thread),
                                                      needed(duration_ms), optional(actor_path)};
inline constexpr EventField supervisor_limit_fields[] = {
    needed(actor_path),        optional(restart_max),         optional(failure_id),
    optional(supervisor_path), optional(supervisor_strategy), optional(decision_origin),
    optional(child),           optional(restart_count),       optional(restart_within)};
inline constexpr EventField supervisor_storm_fields[] = {
    needed(actor_path),        needed(supervisor_path), needed(supervisor_strategy),
    needed(decision_rule),     needed(decision_origin), needed(failure_type),
    needed(restart_threshold), needed(restart_within)};
inline constexpr EventField supervisor_storm_over_fields[] = {
    needed(actor_path), needed(supervisor_path), needed(decision_rule), needed(decision_origin),
    needed(restart_delayed)};
inline constexpr EventField supervisor_resume_became_restart_fields[] = {needed(actor_path),
                                                                         needed(failure_id)};
inline constexpr EventField supervisor_failure_dropped_fields[] = {
    needed(actor_path), needed(actor_uid), needed(actor_incarnation), needed(actor_behaviour),
    needed(about)};
inline constexpr EventField guardian_terminated_fields[] = {
    needed(actor_path), needed(failure_type), needed(failure_message), needed(failure_id)};
inline constexpr EventField guardian_message_ignored_fields[] = {needed(message_type)};
inline constexpr EventField deadletter_fields[] = {
    needed(actor_path),     needed(message_type),       needed(message_recipient),
    needed(message_sender), needed(undelivered_reason), needed(kept_back)};
inline constexpr EventField message_copy_failed_fields[] = {
    needed(actor_path),   needed(actor_uid),     needed(actor_incarnation), needed(actor_behaviour),
    needed(failure_type), needed(failure_types), needed(failure_message),   needed(failure_phase)};
inline constexpr EventField ingress_busy_fields[] = {needed(in_use), needed(limit),
                                                     needed(refused)};
inline constexpr EventField mailbox_highwater_fields[] = {
    needed(in_use),         needed(limit),  needed(resident),       needed(memory),
    optional(mailbox_path), needed(depths), optional(message_type), optional(depth)};
inline constexpr EventField message_redelivered_fields[] = {
    needed(actor_path), needed(message_type), needed(attempts), needed(attempts_max)};
inline constexpr EventField message_quarantined_fields[] = {
    needed(actor_path),   needed(message_type),    needed(message_sender),
    needed(attempts),     needed(quarantine_id),   needed(failure_id),
    needed(failure_type), needed(failure_message), needed(help)};
inline constexpr EventField quarantine_full_fields[] = {needed(actor_path), needed(message_type),
                                                        needed(quarantine_messages),
                                                        needed(quarantine_bytes), needed(help)};
inline constexpr EventField quarantine_failed_fields[] = {needed(quarantine_error), needed(help)};
inline constexpr EventField mailbox_overflow_fields[] = {
    needed(actor_path), needed(mailbox_capacity), needed(mailbox_policy), needed(overflows)};
inline constexpr EventField breaker_changed_fields[] = {
    needed(actor_path), needed(breaker_name), needed(breaker_state), needed(breaker_failures),
    needed(breaker_remaining)};
inline constexpr EventField actor_recovered_fields[] = {needed(actor_path), needed(persistence_id),
                                                        needed(persistence_sequence),
                                                        needed(persistence_snapshot)};
inline constexpr EventField persistence_fault_fields[] = {
    needed(actor_path), needed(persistence_id), needed(persistence_sequence),
    needed(persistence_reason)};
inline constexpr EventField persist_rejected_fields[] = {
    needed(actor_path), needed(persistence_id), needed(message_type), needed(persistence_reason)};
inline constexpr EventField journal_opened_fields[] = {needed(journal_path), needed(journal_rows),
                                                       needed(journal_lost_rows)};
inline constexpr EventField journal_failed_fields[] = {needed(journal_fault),
                                                       needed(persistence_reason)};
inline constexpr EventField journal_member_unknown_fields[] = {
    needed(message_type), needed(message_member), needed(persistence_reason)};
inline constexpr EventField mailbox_relieved_fields[] = {needed(in_use), needed(limit),
                                                         needed(resident), needed(memory)};
inline constexpr EventField actor_receive_fields[] = {needed(actor_path), needed(message_type),
                                                      needed(message_sender)};
inline constexpr EventField actor_traced_fields[] = {needed(actor_path), needed(message_type),
                                                     needed(message_sender),
                                                     needed(message_content), needed(traced_left)};
inline constexpr EventField actor_span_fields[] = {
    needed(actor_path),     needed(trace_id),       needed(span_id),
    optional(span_parent),  needed(span_duration),  optional(span_waited),
    optional(span_outcome), optional(message_type), optional(message_sender)};
inline constexpr EventField actor_lifecycle_fields[] = {needed(actor_path), optional(about)};
inline constexpr EventField log_suppressed_fields[] = {
    needed(suppressed_of),        needed(count),
    optional(actor_path),         optional(actor_behaviour),
    optional(failure_type),       optional(failure_phase),
    optional(decision_directive), optional(decision_rule),
    optional(first_id),           optional(last_id)};
inline constexpr EventField log_journal_unusable_fields[] = {needed(journal_socket),
                                                             needed(journal_error)};
inline constexpr EventField log_history_unwritable_fields[] = {needed(history_error)};
inline constexpr EventField plugin_loaded_fields[] = {
    needed(plugin_name), needed(plugin_version), needed(plugin_file), needed(plugin_behaviours)};
inline constexpr EventField plugin_discovered_fields[] = {
    needed(plugin_name), needed(plugin_version), needed(plugin_file), needed(loaded_version)};
inline constexpr EventField plugin_rejected_fields[] = {needed(plugin_name), needed(plugin_file),
                                                        needed(plugin_what), needed(help)};
inline constexpr EventField plugin_retired_fields[] = {needed(plugin_name), needed(plugin_version),
                                                       needed(plugin_file)};
inline constexpr EventField plugin_unwatched_fields[] = {needed(folder), needed(folder_error),
                                                         needed(help)};
inline constexpr EventField plugin_slow_fields[] = {needed(duration_ms), optional(plugin_file),
                                                    optional(stack)};
inline constexpr EventField worker_started_fields[] = {
    needed(worker_pid),       needed(worker_group), needed(plugin_name),
    optional(plugin_version), needed(duration_ms),  needed(worker_spare)};
inline constexpr EventField worker_crashed_fields[] = {
    needed(worker_pid),        needed(worker_group),   needed(plugin_name),
    optional(plugin_version),  optional(plugin_file),  needed(worker_residents),
    optional(signal),          optional(exit_status),  optional(address),
    optional(actor_path),      optional(actor_uid),    optional(actor_incarnation),
    optional(actor_behaviour), optional(message_type), optional(stack)};
inline constexpr EventField worker_stuck_fields[] = {
    needed(worker_pid),        needed(worker_group),   needed(plugin_name),
    optional(plugin_version),  needed(duration_ms),    optional(worker_thread),
    optional(actor_path),      optional(actor_uid),    optional(actor_incarnation),
    optional(actor_behaviour), optional(message_type), optional(stack)};
inline constexpr EventField worker_killed_fields[] = {needed(worker_pid),
                                                      needed(worker_group),
                                                      needed(plugin_name),
                                                      optional(plugin_version),
                                                      needed(worker_residents),
                                                      needed(kill_reason),
                                                      optional(kill_detail),
                                                      optional(actor_path),
                                                      optional(actor_uid),
                                                      optional(actor_incarnation),
                                                      optional(actor_behaviour),
                                                      optional(message_type),
                                                      optional(stack)};
inline constexpr EventField worker_stopped_fields[] = {
    needed(worker_pid), needed(worker_group), needed(plugin_name), optional(plugin_version)};
inline constexpr EventField plugin_limit_fields[] = {needed(plugin_name), needed(resource),
                                                     needed(plugin_limit), needed(plugin_refused),
                                                     needed(actor_path)};
inline constexpr EventField plugin_detach_failed_fields[] = {needed(plugin_name),
                                                             needed(failure_message)};
inline constexpr EventField plugin_event_fields[] = {needed(plugin_event), optional(actor_path)};
inline constexpr EventField config_warning_fields[] = {needed(config_file), needed(config_line),
                                                       needed(config_column), needed(help)};
inline constexpr EventField config_reloaded_fields[] = {
    needed(asked_by),   needed(generation),      needed(duration_ms),      needed(changed),
    needed(changes),    needed(pending),         optional(forced),         optional(lost_actors),
    optional(late),     optional(reload_reason), optional(confirm_within), optional(peer_uid),
    optional(peer_gid), optional(peer_pid),      optional(peer_user),      optional(peer_command)};
inline constexpr EventField config_rejected_fields[] = {
    needed(asked_by),    needed(generation),    needed(duration_ms), needed(reload_reason),
    needed(errors),      optional(peer_uid),    optional(peer_gid),  optional(peer_pid),
    optional(peer_user), optional(peer_command)};
inline constexpr EventField config_not_kept_fields[] = {needed(keep_error)};
inline constexpr EventField daemon_starting_fields[] = {
    needed(version), needed(abi), needed(config_files), needed(state_dir), needed(plugins_trust)};
inline constexpr EventField daemon_unsafe_fields[] = {needed(help)};
inline constexpr EventField daemon_listening_fields[] = {needed(http_address)};
inline constexpr EventField daemon_ready_fields[] = {needed(actors), needed(lost_count),
                                                     needed(duration_ms)};
inline constexpr EventField daemon_degraded_fields[] = {needed(actors), needed(up), needed(down)};
inline constexpr EventField daemon_healthy_fields[] = {needed(actors), needed(up),
                                                       needed(duration_ms)};
inline constexpr EventField daemon_stopping_fields[] = {
    needed(end_reason), optional(waits_for), optional(waits_for_more), optional(duration_ms)};
inline constexpr EventField shutdown_phase_fields[] = {
    needed(shutdown_phase), needed(shutdown_tasks), needed(shutdown_timeout), needed(end_reason)};
inline constexpr EventField shutdown_phase_skipped_fields[] = {needed(shutdown_phase),
                                                               needed(shutdown_tasks)};
inline constexpr EventField shutdown_task_failed_fields[] = {
    needed(shutdown_phase), needed(shutdown_task),  needed(actor_path),
    needed(shutdown_fault), optional(failure_type), optional(failure_message)};
inline constexpr EventField shutdown_aborted_fields[] = {needed(shutdown_phase),
                                                         needed(end_reason)};
inline constexpr EventField daemon_stopped_fields[] = {needed(end_reason), needed(exit_status),
                                                       optional(error)};
inline constexpr EventField daemon_crashed_fields[] = {optional(signal),
                                                       optional(exit_call),
                                                       optional(address),
                                                       optional(actor_path),
                                                       optional(actor_incarnation),
                                                       optional(actor_behaviour),
                                                       optional(message_type),
                                                       optional(plugin_name),
                                                       optional(plugin_version),
                                                       optional(plugin_file),
                                                       optional(stack)};
inline constexpr EventField daemon_crash_found_fields[] = {
    needed(crash_id),          needed(crash_ts),
    needed(crash_pid),         optional(signal),
    optional(exit_call),       optional(address),
    optional(actor_path),      optional(actor_incarnation),
    optional(actor_behaviour), optional(message_type),
    optional(plugin_name),     optional(plugin_version),
    optional(plugin_file),     optional(stack),
    optional(crash_charged),   optional(crash_file)};
inline constexpr EventField daemon_crash_unrecorded_fields[] = {needed(crash_error)};
inline constexpr EventField daemon_signal_ignored_fields[] = {
    needed(signal),     needed(count),       optional(peer_uid),
    optional(peer_pid), optional(peer_user), optional(peer_command)};
inline constexpr EventField admin_command_fields[] = {
    needed(verb),     needed(arguments), needed(peer_uid),      needed(peer_gid),
    needed(peer_pid), needed(peer_user), optional(peer_command)};
inline constexpr EventField admin_denied_fields[] = {
    needed(peer_uid),       needed(peer_gid), needed(peer_pid), needed(peer_user),
    optional(peer_command), optional(verb),   optional(role)};
inline constexpr EventField admin_accept_failed_fields[] = {needed(admin_socket),
                                                            needed(admin_error)};

inline constexpr const FieldSchema* actor_restarted_causes[] = {&failure_id, &collateral_of,
                                                                &restart_cause};
inline constexpr const FieldSchema* actor_backoff_causes[] = {&failure_id, &collateral_of, &child};
inline constexpr const FieldSchema* supervisor_limit_causes[] = {&failure_id, &child};
inline constexpr const FieldSchema* worker_crashed_causes[] = {&signal, &exit_status};
inline constexpr const FieldSchema* daemon_crashed_causes[] = {&signal, &exit_call};

}  // namespace actord::log::field_lists
