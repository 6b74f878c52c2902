/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The context of a call. It is a part of plugin.h, which includes it.
 */
#ifndef ACTORD_PLUGIN_CONTEXT_H
#define ACTORD_PLUGIN_CONTEXT_H

/* The host's. Members are plain data and may be read at any time during the call. */
typedef struct actord_context {
  uint32_t struct_size;
  actord_type_id message_type;
  const actord_host* host;
  actord_system* system;
  actord_cell* cell;
  actord_ref self, parent;
  /* The sender of `message`, for an ask a ref that takes one answer; in decide, review, log_failure
   * and child_terminated the child. */
  actord_ref sender;
  /* The message that is being handled. In pre_restart and post_stop it is the message on which the
   * actor failed. NULL if there is none. */
  const void* message;
  /* since 1.15 */
  /* Written by the actor, if its behaviour has ACTORD_MARKS_SENDER: the `sender` that it has read.
   */
  actord_ref taken_sender;
} actord_context;

#endif
