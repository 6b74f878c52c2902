/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plugin boundary: every type and function that crosses between actord (the host) and a plugin,
 * in C.
 *
 * C++ authors do not read this file. They include <actord/actord.hpp>, which is compiled into the
 * plugin and calls this interface. The daemon's built-in behaviours use the same interface.
 *
 * These rules hold for every function below:
 *
 * 1. No exception crosses the boundary. A function that can fail takes `errors` as its last
 *    parameter. It reports one failure there, with data that may be on its own stack, and returns
 *    ACTORD_FAILED. The receiver of the report copies what it keeps, so that there is nothing to
 *    free. Only a forced unwind, which is no exception of the plugin's language, passes through.
 * 2. The first parameter says which thread may call. An `actord_context*` is lent for one call on
 *    the actor's thread: it must not be stored. An `actord_system*` may be used on any thread, from
 *    attach() to detach().
 * 3. A pointer is lent for the call. There are two exceptions. Whatever is reachable from
 *    actord_plugin stays constant for the life of the plugin. actord_props.args belongs to the host
 *    from the moment spawn() is entered, even if spawn() fails.
 * 4. Storage belongs to the host. Messages and behaviours are built in place, in memory of the size
 *    and alignment that their table names. Neither side frees what the other side allocated.
 * 5. Sending moves out of the caller's object, which the caller still destroys. A delivered message
 *    is const. The host destroys it after the handler, or after the supervisor's decision has been
 *    carried out if the handler failed.
 * 6. A table with struct_size grows only at its end; ACTORD_HAS tests for a member that is newer
 *    than 1.0. A struct without struct_size never changes. The host refuses a plugin with another
 *    major number, and accepts one with another minor number.
 */
#ifndef ACTORD_PLUGIN_H
#define ACTORD_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ACTORD_ABI_MAJOR 1
#define ACTORD_ABI_MINOR 15

#define ACTORD_EXPORT __attribute__((visibility("default")))
#define ACTORD_STR(literal) \
  { (literal), sizeof(literal) - 1 }
#define ACTORD_HAS(type, table, member) \
  ((table)->struct_size >= offsetof(type, member) + sizeof((table)->member))

/* ---- basic types ----------------------------------------------------------------------------- */

/* The address of an actor, or of an ask that waits for its answer; 0 is neither. It may be copied,
 * compared and sent in messages. */
typedef uint64_t actord_ref;
/* The number of a message type. Numbers are dense and valid in this process only; 0 is none. */
typedef uint32_t actord_type_id;
typedef int32_t actord_status;
typedef int32_t actord_directive;
typedef struct actord_system actord_system;
typedef struct actord_cell actord_cell;
typedef struct actord_host actord_host;

/* Values of actord_status. */
enum { ACTORD_OK = 0, ACTORD_FAILED = -1 };
/* Directives. 5 is reserved for an actor that is held until the operator decides. */
enum {
  ACTORD_UNDECIDED = 0,
  ACTORD_RESUME = 1,
  ACTORD_RESTART = 2,
  ACTORD_STOP = 3,
  ACTORD_ESCALATE = 4
};
/* Kinds of strategy. 2 is reserved for rest-for-one. */
enum { ACTORD_ONE_FOR_ONE = 0, ACTORD_ALL_FOR_ONE = 1 };
/* Levels of a log event. */
enum { ACTORD_ERROR = 0, ACTORD_WARNING = 1, ACTORD_INFO = 2, ACTORD_DEBUG = 3 };
/* since 1.5: events of log_supervision(); others are not written */
enum { ACTORD_WAITS_FOR_RESTART = 0, ACTORD_RESTART_LIMIT_REACHED = 1 };
enum { /* kinds of fields and values; a field is never NULL, LIST or MAP */
       ACTORD_BOOL = 0,
       ACTORD_INT = 1,
       ACTORD_UINT = 2,
       ACTORD_DOUBLE = 3,
       ACTORD_TEXT = 4,
       ACTORD_REF = 5,
       ACTORD_DURATION = 6,
       ACTORD_NULL = 16,
       ACTORD_LIST = 17,
       ACTORD_MAP = 18
};

typedef struct {
  const char* data;
  size_t size;
} actord_str; /* UTF-8, not NUL-terminated */

typedef struct { /* a key with a value, in log events and in the details of a failure */
  actord_str key;
  int64_t kind;
  union {
    int64_t i;  /* BOOL, INT, DURATION in ns */
    uint64_t u; /* UINT, REF */
    double d;
    actord_str text;
  } value;
} actord_field;

/* A member of a struct. The host uses it for checks, documentation and translation. Its type is one
 * of
 *   bool  int8 int16 int32 int64  uint8 uint16 uint32 uint64  float double
 *   text  ref  duration  list<T>  map<T>  optional<T>  {name:T,...}
 */
typedef struct {
  actord_str name, type;
  size_t offset;
} actord_member;

/* ---- failures: how every error is reported --------------------------------------------------- */

enum {
  /* What was thrown is no std::exception, or not of C++: the directive is escalate unless a rule
   * names the type. */
  ACTORD_FOREIGN = 1,
  /* The array `types` is constant for the life of the plugin, so that the host may keep its
   * address. */
  ACTORD_STATIC_TYPES = 2
};

typedef struct actord_failure {
  uint32_t struct_size, flags;
  const actord_str* types; /* the printed type and its bases, most derived first; never empty */
  uint32_t n_types, n_frames;
  const void* const* frames; /* return addresses of the throw, if they were recorded; may be NULL */
  actord_str what;
  const struct actord_failure* cause; /* the failure that caused this one, or NULL */
  const actord_field* details;
  size_t n_details;
  /* A message that the failure carries, or 0 and NULL. The receiver moves it out. */
  actord_type_id payload_type;
  void* payload;
  /* since 1.1 */
  /* If this failure ended a restart: the failure that was the reason for the restart. Otherwise
   * NULL (supervision.md 56). */
  const struct actord_failure* original;
} actord_failure;

typedef struct actord_errors {
  void (*report)(struct actord_errors* self, const actord_failure* failure);
} actord_errors;

#include <actord/plugin_values.h>

#include <actord/plugin_context.h>
#include <actord/plugin_message.h>

/* ---- behaviours ------------------------------------------------------------------------------ */

typedef actord_status (*actord_handler)(void* self, actord_context*, const void* message,
                                        actord_errors*);
typedef struct {
  actord_str type;
  actord_handler handle;
} actord_case;

typedef struct actord_receive { /* the handlers of an actor in one of its states */
  uint32_t struct_size, n_cases;
  actord_str name;
  const actord_case* cases;
  actord_handler otherwise; /* for all other types; NULL: they become unhandled messages */
  /* since 1.8 */
  /* For each case where its actord_message_type has its id. The handler then gets the message in
   * that layout, whichever plugin the behaviour counts to. NULL: in the layout of the plugin. */
  const actord_type_id* const* ids;
} actord_receive;

typedef struct {
  actord_str type;
  int32_t directive;
  int32_t level; /* level of the log line; -1: warning for resume, error otherwise */
} actord_rule;

typedef struct {
  /* The first delay; the longest delay without the random part; and how long an incarnation must
   * live for the delay to be min_ns again. reset_after_ns 0 means min_ns. */
  int64_t min_ns, max_ns, reset_after_ns;
  double random_factor; /* largest random part, as a share of the delay: 0 to 1 */
  int64_t capacity;     /* messages kept during the delay; further ones become dead letters */
} actord_backoff;

/* A supervisor strategy. It is data, so that an operator can read and replace it. */
typedef struct actord_strategy {
  uint32_t struct_size;
  int32_t kind;
  int64_t max_restarts;     /* restart limit; negative: unlimited; 0: no restart */
  int64_t within_ns;        /* window of the limit; negative: no window; 0 is refused */
  const actord_rule* rules; /* the rule for the most derived type wins, then the first one */
  size_t n_rules;
  actord_directive otherwise;    /* if no rule matches; ACTORD_UNDECIDED: the default decider */
  int32_t is_logging;            /* 0: failures are not logged */
  const actord_backoff* backoff; /* NULL: restart without a delay */
} actord_strategy;

/* A named strategy, for actord.actor.guardian-supervisor-strategy = "plugin/Name". `decide` is
 * asked before the rules, and may leave ACTORD_UNDECIDED. */
typedef struct actord_configurator {
  uint32_t struct_size, flags;
  actord_str name, doc;
  const actord_strategy* strategy;
  actord_status (*decide)(const actord_failure*, actord_directive* out,
                          actord_errors*); /* or NULL */
} actord_configurator;

#include <actord/plugin_config.h>
#include <actord/plugin_data.h>

typedef actord_status (*actord_hook)(void* self, actord_context*, actord_errors*);
typedef actord_status (*actord_restart_hook)(void* self, actord_context*,
                                             const actord_failure* reason, actord_errors*);

#include <actord/plugin_persist.h>

/*
 * Every function of actord_behaviour except create and destroy may be NULL. The host then does the
 * default. The default consists of public calls, so that a plugin's own hook can do the same:
 *
 *   pre_restart    host->stop_children(ctx), then post_stop
 *   post_restart   pre_start
 *   other hooks    nothing
 *
 * The host never makes two calls at once for one `self`. After a creation that failed, no hook runs
 * on the instance.
 */
enum {
  /* The host does not start the configured children of the actor: the actor calls
   * spawn_configured() for each. */
  ACTORD_STARTS_OWN_CHILDREN = 1,
  /* since 1.15: its functions write `sender` to ctx->taken_sender before they use it. So the host
   * knows whether other actors may answer an ask on which the actor fails. If none may, the host
   * answers it with the failure (supervision.md 188). */
  ACTORD_MARKS_SENDER = 2
};

typedef struct actord_behaviour {
  uint32_t struct_size, flags;
  actord_str name, doc;
  uint32_t size, align;
  /* All states that become() may switch to. [0] is the state of every new incarnation. */
  const actord_receive* const* receives;
  size_t n_receives;
  const actord_member* config;
  size_t n_config;
  const actord_strategy* strategy; /* applied to its children; NULL: the default strategy */
  actord_status (*create)(void* self, actord_context*, actord_value config, const void* args,
                          actord_errors*);
  void (*destroy)(void* self);
  actord_hook pre_start, post_stop;
  actord_restart_hook pre_restart, post_restart;
  /* Asked for a directive when a child has failed, before the rules of `strategy`; may leave
   * ACTORD_UNDECIDED. A strategy from the configuration asks it only for causes that its own rules
   * do not name, and only with `decider.default = code`. If this function fails, the supervisor
   * itself fails (supervision.md 8-10). */
  actord_status (*decide)(void* self, actord_context*, const actord_failure*, actord_directive* out,
                          actord_errors*);
  /* Replaces the log line of a failure. Not called for escalate (supervision.md 179e). */
  actord_status (*log_failure)(void* self, actord_context*, const actord_failure*, actord_directive,
                               actord_errors*);
  /* A child has stopped; its name is free (supervision.md 62, 126). */
  actord_status (*child_terminated)(void* self, actord_context*, actord_ref child, actord_errors*);
  /* since 1.1 */
  /* Called last for a failure of a child, with every strategy. *verdict is the directive of decide
   * or of the rules. The function may change it; the host applies the result. */
  actord_status (*review)(void* self, actord_context*, const actord_failure*,
                          actord_directive* verdict, actord_errors*);
  int64_t stash_capacity; /* messages; 0: as configured; negative: unlimited */
  /* since 1.3 */
  const actord_config_key* const* config_keys; /* limits and descriptions of config members */
  size_t n_config_keys;
  /* since 1.5 */
  /* Rejects a config whose single values are all valid: calls config.reader->reject() for each
   * fault, and returns ACTORD_FAILED. If a key at fault is absent, it rejects the object that lacks
   * the key. Called on any thread, before an actor is created: at a check, a start and a reload. It
   * has no side effects and does not wait. A ref in `config` leads to no actor. A failure that it
   * reports itself rejects the config as a whole. A host of 1.5 or later calls create() only with a
   * config that has passed. */
  actord_status (*validate)(actord_value config, actord_errors*);
  /* since 1.12 */
  const actord_persistence* persistence; /* NULL: the state of the actor ends with it */
} actord_behaviour;

#include <actord/plugin_breaker.h>
#include <actord/plugin_props.h>

/* Receives the answer to an ask. Either `message` or the failure is not NULL. The failure is a
 * timeout, a target that has stopped, or a failure that the target answered with. */
typedef actord_status (*actord_reply_handler)(void* self, actord_context*, const void* message,
                                              const actord_failure*, actord_errors*);

/* ---- what the host offers -------------------------------------------------------------------- */

struct actord_host {
  uint32_t struct_size;
  uint16_t abi_major, abi_minor;

  /* Sending. A message that cannot be delivered becomes a dead letter; it is no error. */
  void (*tell)(actord_context*, actord_ref to, actord_type_id, void* message);
  void (*tell_from)(actord_context*, actord_ref to, actord_type_id, void* message,
                    actord_ref sender);
  void (*reply)(actord_context*, actord_type_id, void* message);
  /* Answers the ask whose answer the sender takes. If it takes none, nothing is sent. */
  void (*reply_failure)(actord_context*, const actord_failure*);
  /* Sends a copy of the current message, with its sender. */
  void (*forward)(actord_context*, actord_ref to);
  /* Exactly one answer comes, unless the incarnation ends before it. */
  void (*ask)(actord_context*, actord_ref to, actord_type_id, void* message, int64_t timeout_ns,
              actord_reply_handler);

  /* The tree. */
  /* Returns 0 on failure. An empty name: the host makes one ($a, $b, ...). */
  actord_ref (*spawn)(actord_context*, actord_str name, const actord_props*, actord_errors*);
  void (*stop)(actord_context*, actord_ref);
  void (*stop_children)(actord_context*); /* unwatches and stops each child */
  /* Writes at most `capacity` refs, and returns the number of children that are not stopping. */
  size_t (*children)(actord_context*, actord_ref* out, size_t capacity);
  void (*watch)(actord_context*, actord_ref); /* delivers actord.Terminated/1 when it stops */
  void (*unwatch)(actord_context*, actord_ref);

  /* The actor's own state. A restart and a stop clear it; the stash goes back to the mailbox or to
   * dead letters. */
  void (*become)(actord_context*, const actord_receive*, int32_t keep_old); /* keep_old: unbecome */
  void (*unbecome)(actord_context*);
  actord_status (*stash)(actord_context*, actord_errors*); /* keeps the current message */
  void (*unstash_all)(actord_context*);
  /* Replaces the timer of that key. period_ns 0: the timer fires once. It ends with the
   * incarnation. */
  void (*start_timer)(actord_context*, actord_str key, int64_t delay_ns, int64_t period_ns,
                      actord_type_id, void* message);
  void (*cancel_timer)(actord_context*, actord_str key);
  /* Delivers actord.ReceiveTimeout/1 after each such time without a message; 0: off. */
  void (*receive_timeout)(actord_context*, int64_t ns);

  /* Time, random numbers, log, event stream. A behaviour that takes time and random numbers from
   * here is deterministic under simulation. */
  int64_t (*now_ns)(actord_context*); /* monotonic clock */
  uint64_t (*random)(actord_context*);
  /* `text` is constant, `event` a name for machines or empty; at most 32 fields are written. */
  void (*log)(actord_context*, int32_t level, actord_str event, actord_str text,
              const actord_field*, size_t n);
  /* `type` is the name of a message type; an unknown one is ignored. */
  void (*subscribe)(actord_context*, actord_str type);
  void (*unsubscribe)(actord_context*, actord_str type);
  void (*publish)(actord_context*, actord_type_id, void* message);

  /* Any thread. system_tell sends without a sender. */
  void (*system_tell)(actord_system*, actord_ref to, actord_type_id, void* message);
  void (*system_log)(actord_system*, int32_t level, actord_str event, actord_str text,
                     const actord_field*, size_t n);
  /* Writes at most capacity bytes with the NUL, and returns the whole length, as snprintf does. */
  size_t (*path)(actord_system*, actord_ref, char* out, size_t capacity);
  actord_ref (*find)(actord_system*, actord_str path); /* 0: no actor has that path */
  /* The directory in which plugins keep files. It exists. Without a trailing slash. */
  actord_str (*state_directory)(actord_system*);
  /* The table that a plugin has published under that id, such as "shop.prices/1"; NULL: none has.
   * It begins with a uint32_t struct_size, and is constant until the process ends. Plugins are
   * attached in the order in which they are loaded: one that uses another's table looks it up when
   * it needs it, not in attach(). Ids that begin with "actord." are the host's; it has none yet. */
  const void* (*extension)(actord_system*, actord_str id);

  /* ---- since 1.1 ---- */

  /* As watch, but delivers this message; type 0: actord.Terminated/1. Fails if the actor is already
   * watched with a different message. */
  actord_status (*watch_with)(actord_context*, actord_ref, actord_type_id, void* message,
                              actord_errors*);
  /* Stops the actor; with a type other than 0 by sending the message. The handler gets
   * actord.Terminated/1, or an actord::AskTimeout if the actor has not stopped in time. */
  void (*graceful_stop)(actord_context*, actord_ref, actord_type_id, void* message,
                        int64_t timeout_ns, actord_reply_handler);
  int32_t (*has_timer)(actord_context*, actord_str key);
  /* As start_timer, but at a fixed rate: messages that are late are sent as fast as possible. */
  void (*start_timer_at_fixed_rate)(actord_context*, actord_str key, int64_t delay_ns,
                                    int64_t period_ns, actord_type_id, void* message);
  /* Sends to every named actor that matches the path, and returns their number. A path without a
   * leading '/' is relative to self. In a name "*" is any
   * characters and "?" one; ".." is the parent. */
  size_t (*tell_selection)(actord_context*, actord_str paths, actord_type_id, void* message);
  /* As forward, with another sender. */
  void (*forward_from)(actord_context*, actord_ref to, actord_ref sender);
  /* Creates the child that the configuration gives this actor under that name. Returns 0 on
   * failure. */
  actord_ref (*spawn_configured)(actord_context*, actord_str name, actord_errors*);
  void (*subscribe_prefix)(actord_context*, actord_str prefix); /* all types that begin with it */
  /* Restart limit and window of the strategy currently applied to this actor's children. Negative:
   * no limit, no window. */
  void (*budget)(actord_context*, int64_t* max_restarts, int64_t* within_ns);
  /* Replies with a message of that type, read from `fields`. Absent fields keep their defaults. */
  actord_status (*reply_read)(actord_context*, actord_str type, actord_value fields,
                              actord_errors*);
  actord_str (*type_name)(actord_system*, actord_type_id); /* "echo.Text/1"; any thread */

  /* Any thread. Sends the message without a sender after `delay_ns`, then every `period_ns` unless
   * that is 0, until it is cancelled or the receiver has stopped. Returns an id, or 0 if the system
   * is shutting down. */
  uint64_t (*schedule)(actord_system*, actord_ref to, int64_t delay_ns, int64_t period_ns,
                       int32_t at_fixed_rate, actord_type_id, void* message);
  int32_t (*cancel_scheduled)(actord_system*, uint64_t id); /* 0: nothing was left */

  /* ---- since 1.2 ---- */

  /* As schedule without a period, for calls on the actor's thread: about ten times faster. */
  uint64_t (*schedule_once)(actord_context*, actord_ref to, int64_t delay_ns, actord_type_id,
                            void* message);

  /* ---- since 1.4 ---- */

  /* Any thread. As system_tell, and returns 1. If messages take up more memory than
   * actord.actor.message-memory-max, it returns 0 and does not move the message. */
  int32_t (*system_try_tell)(actord_system*, actord_ref to, actord_type_id, void* message);

  /* ---- since 1.5 ---- */

  /* The actor that asked, if the current message is an ask; otherwise 0. The sender of an ask is a
   * ref that takes one answer, from whichever actor, at any time before the timeout. */
  actord_ref (*asker)(actord_context*);
  /* Answers the ask with a failure. Returns 0 if the ref is no sender of an ask. */
  int32_t (*fail_ask)(actord_context*, actord_ref sender_of_ask, const actord_failure*);
  /* As ask, of every named actor that tell_selection() selects. Returns their number. The first
   * answer counts. */
  size_t (*ask_selection)(actord_context*, actord_str paths, actord_type_id, void* message,
                          int64_t timeout_ns, actord_reply_handler);
  /* As forward, to every named actor that tell_selection() would select. Returns their number. */
  size_t (*forward_selection)(actord_context*, actord_str paths);
  /* As children, but with those that are stopping, whose names are still taken. */
  size_t (*all_children)(actord_context*, actord_child* out, size_t capacity);
  /* The child of that name, which may be stopping. 0: the name is free. */
  int32_t (*child)(actord_context*, actord_str name, actord_child* out);
  /* All types of that family. */
  void (*subscribe_family)(actord_context*, actord_str family);
  void (*unsubscribe_family)(actord_context*, actord_str family);
  void (*unsubscribe_prefix)(actord_context*, actord_str prefix); /* empty: from everything */
  /* Any thread. Creates an actor below /system, which outlives those below /user. During an attach
   * at the start it is created when /system starts, before /user. */
  actord_status (*spawn_system)(actord_system*, actord_str name, const actord_props*,
                                actord_errors*);
  /* Writes an event of actord's own for an actor that supervises as strategies do: actor.backoff
   * with a delay, or supervisor.limit with a limit. log() cannot write these. */
  void (*log_supervision)(actord_context*, int32_t event, actord_ref child, int64_t restart_count,
                          int64_t delay_ns, int64_t max_restarts);

  /* ---- since 1.7 ---- */

  /* The W3C header `traceparent` for a request that the running call makes elsewhere; empty if the
   * call is not part of a trace. Writes it with a NUL; `out` has room for ACTORD_TRACEPARENT_SIZE
   * bytes. */
  void (*traceparent)(actord_context*, char* out);
  /* The running call acts for a request that came with that header: what it sends until it returns
   * belongs to that trace. Returns 1 if so, and 0 if the text is no such header or says that the
   * trace is not recorded, or if actord.tracing is off. */
  int32_t (*continue_trace)(actord_context*, actord_str traceparent);

  /* ---- since 1.8 ---- */

  /* Offers a table of functions to other plugins, which get it by extension(). Only attach() may
   * call it, on the thread that runs attach(). The id begins with the plugin's name and a dot, and
   * has a version: "shop.prices/1". The table begins with a uint32_t struct_size, grows only at its
   * end, and is constant for the life of the plugin; its functions may be called on any thread. It
   * is offered once attach() has succeeded. Fails if the id is not of that form or is taken. */
  actord_status (*publish_extension)(actord_system*, actord_str id, const void* table,
                                     actord_errors*);

  /* ---- since 1.10: routers ---- */

  /* Makes this actor a router, or changes its logic. Messages to it go to a routee, without a turn
   * of this actor, until it stops; those of types "actord.…" and those for which there is no routee
   * come to itself. Children with ACTORD_ROUTEE are routees as long as they live. */
  actord_status (*route)(actord_context*, int32_t logic, actord_errors*);
  /* Adds a routee that is no such child. Fails if this actor is no router, or if it is the routee.
   * It stays one until it is removed, also when it has stopped. */
  actord_status (*add_routee)(actord_context*, actord_ref, actord_errors*);
  void (*remove_routee)(actord_context*, actord_ref);
  /* Writes at most `capacity` routees of that router, and returns how many it has; 0 also if it is
   * no router. */
  size_t (*routees)(actord_context*, actord_ref router, actord_routee* out, size_t capacity);
  /* Sends each routee of that router a copy, and returns their number. If it is no router, it gets
   * the message itself, and the number is 1. */
  size_t (*tell_routees)(actord_context*, actord_ref router, actord_type_id, void* message);
  /* Creates another child like that configured child of this actor; 0: like its configured routees.
   * Returns 0 on failure. */
  actord_ref (*spawn_like)(actord_context*, actord_ref child, actord_str name, actord_errors*);
  /* Moves the first `n` stashed messages to the front of the mailbox, in their order. */
  void (*unstash)(actord_context*, size_t n);
  /* The hash of that field of the current message, which is the same in each run and on each
   * machine. Returns 0 if there is no message, or if it has no such field. */
  int32_t (*hash_of_field)(actord_context*, actord_str field, uint64_t* out);

  /* ---- since 1.11: circuit breakers that actors share ---- */

  /* The breaker of that name. Its number stays until actord ends. Its settings are those of
   * actord.circuit-breaker.NAME, else of actord.circuit-breaker.default. Returns 0 if the name is
   * none, or if there are too many already. */
  uint64_t (*breaker)(actord_context*, actord_str name, actord_errors*);
  /* What becomes of a call that begins now, an actord_admission, and how long it may take. A number
   * of no breaker lets every call through. */
  int32_t (*admit_call)(actord_context*, uint64_t breaker, int64_t* call_timeout_ns);
  /* The end of a call that was let through as that. One that took too long has failed. */
  void (*settle_call)(actord_context*, uint64_t breaker, int32_t admission, int32_t has_failed);
  void (*breaker_state)(actord_context*, uint64_t breaker, actord_breaker* out);

  /* ---- since 1.12: for behaviours with `persistence` ---- */

  /* Under which name the events of this actor are stored. Only create, pre_start and post_restart
   * may call it. Without the call it is the path, which the actor must have a name for. Fails if
   * the name is empty or longer than 1 000 bytes. */
  actord_status (*persistence_id)(actord_context*, actord_str id, actord_errors*);
  /* Stores the event once the running call of the plugin has succeeded; with a call that fails, its
   * events are dropped. All events of one call are stored together or not at all. Until they are,
   * the actor handles no messages. If they cannot be stored, the log says so, and the actor is
   * stopped, whatever its supervisor would decide. Writes the number of the event. Not before the
   * recovery has ended, except in recovered(). */
  int32_t (*persist)(actord_context*, actord_type_id, const void* event, uint32_t flags,
                     uint64_t* sequence, actord_errors*);
  /* Stores the state after the newest event for which persisted() or replay() was called. If that
   * fails, the log says so. */
  int32_t (*save_snapshot)(actord_context*, actord_type_id, const void* state, actord_errors*);
  /* Deletes the events up to that one, as far as a snapshot has them that is stored already. */
  void (*delete_events)(actord_context*, uint64_t to);
  void (*persistence_state)(actord_context*, actord_persistence_state* out);

  /* ---- since 1.14 ---- */
  /* `actor` has a task in that phase of the shutdown, from this call on, and is sent a ShutdownTask
   * when the phase begins; with `is_end` it is told to stop, which is the task. The same task again
   * changes nothing. Fails with actord::ShutdownTaskRefused without such a phase, or a name. */
  actord_status (*add_shutdown_task)(actord_context*, actord_str phase, actord_str task,
                                     actord_ref actor, int32_t is_end, actord_errors*);
  /* Calls the handler with a Terminated when that actor has stopped. No watch is involved. */
  void (*await_end)(actord_context*, actord_ref, actord_reply_handler);
  /* For a router: the current message becomes a dead letter of this actor, as no routee gets it. */
  void (*refuse)(actord_context*);
  /* For a router: sends the current message to a routee that is its child, and counts it in
   * actord_routee.unhandled until the routee has handled it, whatever becomes of it; then the first
   * stashed message comes again. Returns 0, and sends nothing, if it is no child. */
  int32_t (*offer)(actord_context*, actord_ref routee);
};

enum { ACTORD_TRACEPARENT_SIZE = 56 };

/* ---- the plugin ------------------------------------------------------------------------------ */

/* Flags of a plugin. They describe it; this host does not act on them. */
enum { ACTORD_UNLOADABLE = 1, ACTORD_WANTS_PROCESS = 2, ACTORD_HAS_THREADS = 4 };

/* since 1.5: a type that is thrown and its bases, as in actord_failure */
typedef struct {
  const actord_str* types;
  size_t n_types;
} actord_type_chain;

typedef struct actord_plugin {
  uint32_t struct_size;
  uint16_t abi_major, abi_minor;
  uint64_t flags;
  actord_str name, version, doc;
  const actord_behaviour* const* behaviours;
  size_t n_behaviours;
  const actord_message_type* const* messages;
  size_t n_messages;
  const actord_configurator* const* configurators;
  size_t n_configurators;
  actord_status (*attach)(const actord_host*, actord_system*, actord_errors*); /* may be NULL */
  actord_status (*detach)(actord_errors*); /* joins the plugin's threads; may be NULL */
  /* since 1.5 */
  const actord_type_chain* failures; /* what its actors throw; deciders are checked against it */
  size_t n_failures;
  /* since 1.13 */
  const actord_import* imports; /* types of actord's own that its actors may use */
  size_t n_imports;
} actord_plugin;

/* The only symbol that the host looks up. It needs no host, starts no thread and may be called any
 * number of times. */
ACTORD_EXPORT const actord_plugin* actord_plugin_v1(void);

#ifdef __cplusplus
}
#endif

#include <actord/plugin_note.h>

#endif
