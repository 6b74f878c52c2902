/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an actor is spawned from, and what an actor is told of its children and its routees. It is a
 * part of plugin.h, which includes it.
 */
#ifndef ACTORD_PLUGIN_PROPS_H
#define ACTORD_PLUGIN_PROPS_H

struct actord_props;
/* How the same actor is created in another process with the same plugin (isolation = process). */
typedef struct actord_props_codec {
  uint32_t struct_size, reserved;
  /* Describes the arguments. NULL: there are none. */
  actord_status (*write_args)(const void* args, actord_writer*, actord_errors*);
  /* Called there: writes the same props, with arguments of their own, which are read from `args`
   * (absent: there are none), to *out, of which out->struct_size says how much room there is. The
   * function is one of the plugin's file. */
  actord_status (*remake)(actord_value args, struct actord_props* out, actord_errors*);
} actord_props_codec;

/* since 1.10: flags of props. ROUTEE: the child is a routee of its parent, if that is a router.
 * COUNTED_MAILBOX: actord counts what waits in its mailbox, for the sake of routers; sending to it
 * costs some nanoseconds more. Since 1.11: ROUTER: the actor is a router; the value that its
 * create() gets is the router block that the configuration has for its path, or absent. Since 1.14:
 * HELPER: the child is a part of its parent that the parent's code does not see, and ends with the
 * parent's incarnation: children(), child() and stop_children() leave it out, its end calls no
 * child_terminated, no strategy concerns it (if it fails, it is stopped), and no configuration of
 * paths does. It has no name. */
enum { ACTORD_ROUTEE = 1, ACTORD_COUNTED_MAILBOX = 2, ACTORD_ROUTER = 4, ACTORD_HELPER = 8 };

typedef struct actord_props { /* what spawn() creates; kept for restarts */
  uint32_t struct_size, flags;
  const actord_behaviour* behaviour; /* of this plugin; NULL: behaviour_name is used */
  actord_str behaviour_name;         /* "plugin/Behaviour" of any loaded plugin */
  /* Called instead of the behaviour's create(); NULL: the behaviour's create() is called. */
  actord_status (*create)(void* self, actord_context*, actord_value, const void* args,
                          actord_errors*);
  void* args;                       /* passed to create() for each incarnation */
  void (*args_destroy)(void* args); /* called when the actor has stopped, or if spawn() fails */
  /* since 1.1 */
  actord_str dispatcher;           /* empty: the default one; a deployment of the path goes first */
  const actord_strategy* strategy; /* applied to its children; copied. NULL: the behaviour's */
  /* since 1.9 */
  const actord_props_codec* codec; /* NULL: the arguments cannot leave this process */
} actord_props;

/* A child whose name is taken. */
typedef struct actord_child {
  actord_ref ref;
  int32_t is_stopping; /* its parent has stopped it and has not been told of its end yet */
  int32_t reserved;
} actord_child;

/* since 1.10: how the sender of a message to a router chooses the routee. */
typedef enum actord_route_logic {
  ACTORD_ROUND_ROBIN = 0,
  ACTORD_RANDOM = 1,
  ACTORD_SMALLEST_MAILBOX = 2, /* an idle one, or else the one for which the fewest wait */
  ACTORD_BY_ROUTER = 3         /* none: the router gets the message */
} actord_route_logic;

/* since 1.10 */
typedef struct actord_routee {
  actord_ref ref;
  int64_t waiting;    /* messages in its mailbox; -1: they are not counted */
  int32_t is_idle;    /* no message waits or is being handled */
  uint32_t unhandled; /* since 1.14: messages of offer() that it has; 0 before */
} actord_routee;

#endif
