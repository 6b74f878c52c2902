/* SPDX-License-Identifier: Apache-2.0 */
/*
 * since 1.12: what a behaviour and actord_host say of persistent actors, whose state is kept as a
 * sequence of events. It is a part of plugin.h, which includes it.
 */
#ifndef ACTORD_PLUGIN_PERSIST_H
#define ACTORD_PLUGIN_PERSIST_H

enum {
  /* The actor's events are whole states: each one replaces those before it. */
  ACTORD_NEWEST_ONLY = 1,
  /* since 1.14: a persisted() that has failed is called again with the same number when the
   * supervisor has resumed the actor, and so on until it succeeds; `is_snapshot_due` is 0 then. It
   * does what the calls before it have not begun. Without the flag it is called once for each
   * event. */
  ACTORD_REPEATS_PERSISTED = 2
};

/* Flags of persist(). */
enum {
  /* The actor goes on with its mailbox before the event is stored. */
  ACTORD_PERSIST_ASYNC = 1
};

/* What persist() and save_snapshot() return besides ACTORD_OK and ACTORD_FAILED. */
enum {
  /* The message cannot be stored, as `errors` says; the log says so, too. Nothing else changes. */
  ACTORD_REJECTED = 1
};

/* What persisted() returns besides ACTORD_OK and ACTORD_FAILED. */
enum {
  /* It has failed, and has not taken the event over: the instance has not the state that is stored.
   * If the supervisor decides to resume the actor, it is restarted. */
  ACTORD_UNAPPLIED = 2
};

/* An event or a snapshot that was stored. Its type is ctx->message_type. */
typedef struct {
  const void* content;
  uint64_t sequence;  /* of the event, from 1 on; of a snapshot: that of the last event in it */
  int64_t written_ns; /* since 1970 */
} actord_stored;

/* Makes a behaviour persistent. When an incarnation has been created, it gets what is stored for
 * it, and no message before that. If a function for that fails, so does the recovery: the actor is
 * stopped. */
typedef struct actord_persistence {
  uint32_t struct_size, flags;
  /* The newest snapshot, if there is one. NULL: there are none. */
  actord_status (*restore)(void* self, actord_context*, const actord_stored*, actord_errors*);
  /* Each event that is not in the snapshot, in their order. */
  actord_status (*replay)(void* self, actord_context*, const actord_stored*, actord_errors*);
  /* The actor has all; may be NULL. */
  actord_hook recovered;
  /* The event of that number, which persist() was called for in this incarnation, is stored. The
   * calls come in the order of the numbers; ctx->sender is the sender of the message in whose
   * handler it was persisted, and since 1.14 ctx->message is that message, which can be forwarded
   * and stashed; it is NULL if there was none. `is_snapshot_due`: so many events have come since
   * the last snapshot that it is time for another one. */
  actord_status (*persisted)(void* self, actord_context*, uint64_t sequence,
                             int32_t is_snapshot_due, actord_errors*);
} actord_persistence;

/* What persistence_state() tells. */
typedef struct {
  uint64_t sequence;    /* of the newest event for which persisted() or replay() was called */
  uint64_t snapshot;    /* the events up to that one are in a snapshot */
  uint64_t unconfirmed; /* events that are not stored yet */
  int32_t is_recovering;
  uint32_t reserved;
  actord_str id; /* lent until the next call of the host; empty before the recovery */
} actord_persistence_state;

#endif
