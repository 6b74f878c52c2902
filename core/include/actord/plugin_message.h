/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Message types: what crosses the plugin boundary of each. It is a part of plugin.h, which includes
 * it.
 */
#ifndef ACTORD_PLUGIN_MESSAGE_H
#define ACTORD_PLUGIN_MESSAGE_H

enum {
  /* move and copy are memcpy and destroy does nothing: the host does not call them. */
  ACTORD_TRIVIAL = 1,
  /* An undelivered message becomes a SuppressedDeadLetter, which is not logged. */
  ACTORD_NO_DEAD_LETTER = 2,
  /* Handling the message does not re-arm the receive timeout. */
  ACTORD_NO_ACTIVITY = 4,
  /* since 1.9; an older host ignores it */
  /* A control message: an actor whose mailbox is configured with `control` takes it before all
   * others. */
  ACTORD_CONTROL = 8
};

typedef struct actord_message_type {
  uint32_t struct_size, flags;
  actord_str name; /* "echo.Text/1": it never changes */
  /* Two plugins may have types of the same name with the same members: names and types, in order.
   * If size, offsets or library differ, too, the host translates a message between them: it calls
   * `write` of the sender's type and `read` of the receiver's. It refuses a plugin whose type has
   * other members than one that was loaded before, and says which differ. */
  const actord_member* members;
  size_t n_members;
  uint32_t size, align;
  /* How it is stored, as far as members and sizes do not say it: the standard library of its
   * members, the unit of a duration, the numbers of an enumeration. Empty: they say it all. */
  actord_str library;
  actord_type_id* id;                 /* the host writes it once, before attach() */
  void (*move)(void* to, void* from); /* constructs *to; the caller destroys *from */
  actord_status (*copy)(void* to, const void* from, actord_errors*);
  void (*destroy)(void*);
  actord_status (*write)(const void*, actord_writer*, actord_errors*);
  actord_status (*read)(void* to, actord_value, actord_errors*); /* constructs *to on ACTORD_OK */
  /* since 1.5 */
  actord_str family; /* a name for subscriptions that several types share; empty: none */
  /* since 1.6 */
  const actord_str* secrets; /* members that are never shown: "pin", "card.number", "cards.*.pin" */
  size_t n_secrets;
  /* since 1.15 */
  /* Members of earlier versions that may be lost when what was stored is read, in the same form. */
  const actord_str* dropped;
  size_t n_dropped;
} actord_message_type;

/* since 1.13: a message type of actord's own that a plugin has under the same name, size, alignment
 * and library, so that it brings no table of it. The host refuses the plugin if it has that type in
 * another layout, and leaves *id 0 if it has none of that name. */
typedef struct {
  actord_str name;
  uint32_t size, align;
  actord_str library; /* as in actord_message_type */
  actord_type_id* id; /* the host writes it once, before attach() */
} actord_import;

#endif
