/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plugin boundary: everything that crosses between actord and a plugin, as C.
 *
 * C++ authors do not read this file: they include <actord/actord.hpp>, which is compiled into the
 * plugin and speaks this language. The daemon's own behaviours come through the same door.
 *
 * The rules, for every function below:
 *
 * 1. Nothing is thrown across. What can fail takes `errors` last; it reports once, with data that
 * may live on its own stack, and answers ACTORD_FAILED. The receiver copies what it keeps, so there
 * is nothing to free. Only what is not an exception of the plugin's language (a forced unwind)
 * passes through.
 * 2. The first parameter names the thread. `actord_context*` is lent for one call on the actor's
 * thread and never stored. `actord_system*` is good on any thread, from attach() to detach().
 * 3. Pointers are loans for the call. Exceptions: whatever is reachable from actord_plugin is
 * constant for the life of the plugin, and actord_props.args is the host's from the moment spawn()
 * is entered.
 * 4. Storage belongs to the host: messages and behaviours are built in place in memory of the size
 * and alignment that their table asks for. Neither side frees what the other allocated.
 * 5. Sending moves out of the caller's object, which the caller still destroys. A delivered message
 * is const; the host destroys it after the handler, a failed one when its failure has been dealt
 * with.
 * 6. A table with struct_size grows only at its end; members newer than 1.0 are tested with
 * ACTORD_HAS. A struct without struct_size never changes. Another major number is refused, another
 * minor is not.
 */
#ifndef ACTORD_PLUGIN_H
#define ACTORD_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ACTORD_ABI_MAJOR 1
#define ACTORD_ABI_MINOR 4

#define ACTORD_EXPORT __attribute__((visibility("default")))
#define ACTORD_STR(literal) \
  { (literal), sizeof(literal) - 1 }
#define ACTORD_HAS(type, table, member) \
  ((table)->struct_size >= offsetof(type, member) + sizeof((table)->member))

/* ---- words ----------------------------------------------------------------------------------- */

typedef uint64_t actord_ref; /* the address of an actor; 0 is nobody. Free to copy, compare, send */
typedef uint32_t actord_type_id; /* of a message, dense, for this process only; 0 is none */
typedef int32_t actord_status;
typedef int32_t actord_directive;
typedef struct actord_system actord_system;
typedef struct actord_cell actord_cell;
typedef struct actord_host actord_host;

enum { ACTORD_OK = 0, ACTORD_FAILED = -1 };
/* 5 is reserved for holding an actor until the operator decides. */
enum {
  ACTORD_UNDECIDED = 0,
  ACTORD_RESUME = 1,
  ACTORD_RESTART = 2,
  ACTORD_STOP = 3,
  ACTORD_ESCALATE = 4
};
/* 2 is reserved for rest-for-one. */
enum { ACTORD_ONE_FOR_ONE = 0, ACTORD_ALL_FOR_ONE = 1 };
enum { ACTORD_ERROR = 0, ACTORD_WARNING = 1, ACTORD_INFO = 2, ACTORD_DEBUG = 3 };
enum { /* kinds of field and value; a field is never null, list or map */
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

typedef struct { /* a key with a value: what log events and failures carry */
  actord_str key;
  int64_t kind;
  union {
    int64_t i;  /* BOOL, INT, DURATION in ns */
    uint64_t u; /* UINT, REF */
    double d;
    actord_str text;
  } value;
} actord_field;

/* The members of a struct, for checking, documentation and translation. Types are spelt
 * bool int8..int64 uint8..uint64 float double text ref duration list<T> map<T> optional<T>
 * {name:T,...} */
typedef struct {
  actord_str name, type;
  size_t offset;
} actord_member;

/* ---- failures: how every error crosses ------------------------------------------------------- */

enum {
  /* not a std::exception, or not C++ at all: escalates unless a rule names it */
  ACTORD_FOREIGN = 1,
  /* `types` stays where it is for the life of the plugin: the host may keep it */
  ACTORD_STATIC_TYPES = 2
};

typedef struct actord_failure {
  uint32_t struct_size, flags;
  const actord_str* types; /* the cause's type and its bases, most derived first; never empty */
  uint32_t n_types, n_frames;
  const void* const* frames; /* return addresses of the throw, where somebody recorded them */
  actord_str what;
  const struct actord_failure* cause; /* what this one was thrown because of */
  const actord_field* details;
  size_t n_details;
  actord_type_id
      payload_type; /* a message that travels with the failure; moved out by the receiver */
  void* payload;
  /* since 1.1 */
  const struct actord_failure* original; /* what began the restarts of which this one failed */
} actord_failure;

typedef struct actord_errors {
  void (*report)(struct actord_errors* self, const actord_failure* failure);
} actord_errors;

/* ---- values: two visitors serve JSON, MessagePack, config and state -------------------------- */

typedef struct actord_writer { /* the host's; the plugin describes, the host formats. Cannot fail */
  uint32_t struct_size;
  void (*null)(struct actord_writer*);
  void (*boolean)(struct actord_writer*, int32_t);
  void (*integer)(struct actord_writer*, int64_t);
  void (*natural)(struct actord_writer*, uint64_t);
  void (*real)(struct actord_writer*, double);
  void (*text)(struct actord_writer*, actord_str);
  void (*ref)(struct actord_writer*,
              actord_ref); /* told as a path; the number means nothing elsewhere */
  void (*duration)(struct actord_writer*, int64_t ns);
  void (*begin_list)(struct actord_writer*, size_t n);
  void (*begin_map)(struct actord_writer*, size_t n);
  void (*key)(struct actord_writer*, actord_str);
  void (*end)(struct actord_writer*);
} actord_writer;

typedef struct {
  const struct actord_reader* reader;
  const void* node;
} actord_value; /* node NULL: absent */

typedef struct actord_reader {
  uint32_t struct_size;
  int32_t (*kind)(actord_value); /* config text that reads as a number or truth tells TEXT: ask for
                                    what you want */
  size_t (*size)(actord_value);  /* of a list or map */
  actord_value (*at)(actord_value, size_t index, actord_str* key); /* key may be NULL */
  actord_value (*member)(actord_value, actord_str name);
  /* These convert as the source's rules allow ("yes" is true, "5" is 5); 0 when it is no such
   * thing. */
  int32_t (*boolean)(actord_value, int32_t* out);
  int32_t (*integer)(actord_value, int64_t* out);
  int32_t (*natural)(actord_value, uint64_t* out);
  int32_t (*real)(actord_value, double* out);
  int32_t (*text)(actord_value, actord_str* out);
  int32_t (*ref)(actord_value, actord_ref* out);      /* the path of a living actor */
  int32_t (*duration)(actord_value, int64_t* out_ns); /* "5s", or a number of milliseconds */
  int32_t (*bytes)(actord_value, int64_t* out);       /* "64k" */
  /* Reports a bad value; the host adds where it stands: file:line:column, or the path in a message.
   */
  actord_status (*reject)(actord_value, actord_str reason, actord_errors*);
} actord_reader;

/* ---- what a call knows ----------------------------------------------------------------------- */

typedef struct actord_context { /* the host's; reading a member costs nothing */
  uint32_t struct_size;
  actord_type_id message_type;
  const actord_host* host;
  actord_system* system;
  actord_cell* cell;
  actord_ref self, parent;
  actord_ref
      sender; /* of the message below; in decide, log_failure and child_terminated the child */
  const void*
      message; /* being handled; in the restart hooks and post_stop the one that failed; or NULL */
} actord_context;

/* ---- message types --------------------------------------------------------------------------- */

enum {
  ACTORD_TRIVIAL = 1, /* move and copy are memcpy, destroy does nothing: the host skips the calls */
  ACTORD_NO_DEAD_LETTER = 2, /* not reported when undeliverable */
  ACTORD_NO_ACTIVITY = 4     /* does not re-arm the receive timeout */
};

typedef struct actord_message_type {
  uint32_t struct_size, flags;
  actord_str name; /* "echo.Text/1": chosen once, for ever */
  /* Same name with other members: the later plugin is refused and told which. Same members but
   * another layout or library: translated by write and read instead of moved. */
  const actord_member* members;
  size_t n_members;
  uint32_t size, align;
  actord_str library;                 /* of its C++ members; empty when trivial */
  actord_type_id* id;                 /* written by the host once, before attach() */
  void (*move)(void* to, void* from); /* constructs *to; *from stays to be destroyed */
  actord_status (*copy)(void* to, const void* from, actord_errors*);
  void (*destroy)(void*);
  actord_status (*write)(const void*, actord_writer*, actord_errors*);
  actord_status (*read)(void* to, actord_value, actord_errors*); /* constructs *to on ACTORD_OK */
} actord_message_type;

/* ---- behaviours ------------------------------------------------------------------------------ */

typedef actord_status (*actord_handler)(void* self, actord_context*, const void* message,
                                        actord_errors*);
typedef struct {
  actord_str type;
  actord_handler handle;
} actord_case;

typedef struct actord_receive { /* what an actor understands in one of its states */
  uint32_t struct_size, n_cases;
  actord_str name;
  const actord_case* cases;
  actord_handler otherwise; /* NULL: the message is published as unhandled */
} actord_receive;

typedef struct {
  actord_str type;
  int32_t directive;
  int32_t level; /* of the log line; -1: warning for resume, error otherwise */
} actord_rule;

typedef struct {
  int64_t min_ns, max_ns, reset_after_ns; /* reset_after_ns 0: min_ns */
  double random_factor;
  int64_t capacity; /* messages kept while waiting; more become dead letters */
} actord_backoff;

typedef struct actord_strategy { /* data, so that an operator can read and replace it */
  uint32_t struct_size;
  int32_t kind;
  int64_t max_restarts;     /* negative: unlimited; 0: never */
  int64_t within_ns;        /* negative: for ever; 0 is refused */
  const actord_rule* rules; /* the most derived type wins; among equals the first written */
  size_t n_rules;
  actord_directive otherwise; /* no rule matched; ACTORD_UNDECIDED: as the default decider says */
  int32_t is_logging;
  const actord_backoff* backoff; /* NULL: restart at once */
} actord_strategy;

/* A strategy under a name, for actord.actor.guardian-supervisor-strategy = "plugin/Name". */
typedef struct actord_configurator {
  uint32_t struct_size, flags;
  actord_str name, doc;
  const actord_strategy* strategy;
  actord_status (*decide)(const actord_failure*, actord_directive* out,
                          actord_errors*); /* or NULL */
} actord_configurator;

/* since 1.3: what is said of a member of a config beyond its name and type, so that the host can
 * check a configuration, and tell of it, before an actor is made. */
enum {
  ACTORD_REQUIRED = 1, /* the object that has it must name it; an object that is absent need not */
  ACTORD_SECRET = 2,   /* its value is never shown */
  ACTORD_SIZE = 4      /* a number of bytes, which may be written as "64k" */
};

typedef struct { /* a bound, inclusive */
  int64_t kind;  /* INT, UINT, DOUBLE, DURATION; NULL: there is none */
  union {
    int64_t i; /* INT, DURATION in ns */
    uint64_t u;
    double d;
  } value;
} actord_bound;

typedef struct actord_config_key {
  uint32_t struct_size, flags;
  actord_str path; /* "chaos.probability"; * for any element of a list or map */
  actord_str doc;  /* a sentence or two */
  actord_bound least, most;
  const actord_str* words; /* all that a text may be, - and _ alike; NULL: any text */
  size_t n_words;
} actord_config_key;

typedef actord_status (*actord_hook)(void* self, actord_context*, actord_errors*);
typedef actord_status (*actord_restart_hook)(void* self, actord_context*,
                                             const actord_failure* reason, actord_errors*);

/*
 * Every function except create and destroy may be NULL; the host then does the default, which is
 * made of public calls, so that an override can do it too: pre_restart = host->stop_children(ctx),
 * then post_stop      post_restart = pre_start Never two calls at once for one `self`. No hook runs
 * on an instance whose creation failed.
 */
enum {
  ACTORD_STARTS_OWN_CHILDREN = 1 /* its configured children wait for spawn_configured() */
};

typedef struct actord_behaviour {
  uint32_t struct_size, flags;
  actord_str name, doc;
  uint32_t size, align;
  const actord_receive* const*
      receives; /* [0] at birth and after a restart; all that become() may name */
  size_t n_receives;
  const actord_member* config;
  size_t n_config;
  const actord_strategy* strategy; /* for its children; NULL: the default strategy */
  actord_status (*create)(void* self, actord_context*, actord_value config, const void* args,
                          actord_errors*);
  void (*destroy)(void* self);
  actord_hook pre_start, post_stop;
  actord_restart_hook pre_restart, post_restart;
  /* Asked before the rules; may leave ACTORD_UNDECIDED. Failing here is the supervisor's own
   * failure. */
  actord_status (*decide)(void* self, actord_context*, const actord_failure*, actord_directive* out,
                          actord_errors*);
  actord_status (*log_failure)(void* self, actord_context*, const actord_failure*, actord_directive,
                               actord_errors*);
  actord_status (*child_terminated)(void* self, actord_context*, actord_ref child, actord_errors*);
  /* since 1.1 */
  /* Asked last: *verdict is what decide and the rules say, and what it is afterwards holds. */
  actord_status (*review)(void* self, actord_context*, const actord_failure*,
                          actord_directive* verdict, actord_errors*);
  int64_t stash_capacity; /* 0: as configured; negative: unlimited */
  /* since 1.3 */
  const actord_config_key* const* config_keys; /* of members that have more to say than a type */
  size_t n_config_keys;
} actord_behaviour;

typedef struct actord_props { /* what to spawn, kept for restarts */
  uint32_t struct_size, flags;
  const actord_behaviour* behaviour; /* of this plugin, or NULL and then ... */
  actord_str behaviour_name;         /* "plugin/Behaviour" of any plugin */
  actord_status (*create)(void* self, actord_context*, actord_value, const void* args,
                          actord_errors*);
  void* args; /* given to create() for each incarnation; NULL create: the behaviour's */
  void (*args_destroy)(void* args); /* when the actor is gone for good */
  /* since 1.1 */
  actord_str dispatcher;           /* empty: as its path says, else the default one */
  const actord_strategy* strategy; /* for its children; copied. NULL: the behaviour's */
} actord_props;

/* The answer to an ask. message NULL and failure set: timed out, target dead, or answered with a
 * failure. */
typedef actord_status (*actord_reply_handler)(void* self, actord_context*, const void* message,
                                              const actord_failure*, actord_errors*);

/* ---- what the host offers -------------------------------------------------------------------- */

struct actord_host {
  uint32_t struct_size;
  uint16_t abi_major, abi_minor;

  /* Sending. What cannot be delivered becomes a dead letter, never an error. */
  void (*tell)(actord_context*, actord_ref to, actord_type_id, void* message);
  void (*tell_from)(actord_context*, actord_ref to, actord_type_id, void* message,
                    actord_ref sender);
  void (*reply)(actord_context*, actord_type_id, void* message);
  void (*reply_failure)(actord_context*,
                        const actord_failure*); /* completes an ask; else a dead letter */
  void (*forward)(actord_context*,
                  actord_ref to); /* a copy of the current message, its sender kept */
  void (*ask)(actord_context*, actord_ref to, actord_type_id, void* message, int64_t timeout_ns,
              actord_reply_handler);

  /* The tree. */
  actord_ref (*spawn)(actord_context*, actord_str name, const actord_props*,
                      actord_errors*); /* 0: failed */
  void (*stop)(actord_context*, actord_ref);
  void (*stop_children)(actord_context*); /* unwatches and stops each */
  size_t (*children)(actord_context*, actord_ref* out,
                     size_t capacity);        /* answers how many there are */
  void (*watch)(actord_context*, actord_ref); /* answered with an actord.Terminated/1 */
  void (*unwatch)(actord_context*, actord_ref);

  /* The cell's state; restart and stop reset it or hand it on. */
  void (*become)(actord_context*, const actord_receive*, int32_t keep_old);
  void (*unbecome)(actord_context*);
  actord_status (*stash)(actord_context*, actord_errors*); /* the current message, once */
  void (*unstash_all)(actord_context*);
  /* A timer of that key is replaced. period_ns 0: once. Dropped when the incarnation ends. */
  void (*start_timer)(actord_context*, actord_str key, int64_t delay_ns, int64_t period_ns,
                      actord_type_id, void* message);
  void (*cancel_timer)(actord_context*, actord_str key);
  void (*receive_timeout)(actord_context*,
                          int64_t ns); /* an actord.ReceiveTimeout/1 after silence; 0: off */

  /* Surroundings. Time and chance come from here, so that a simulated system is deterministic. */
  int64_t (*now_ns)(actord_context*); /* monotonic */
  uint64_t (*random)(actord_context*);
  void (*log)(actord_context*, int32_t level, actord_str event, actord_str text,
              const actord_field*, size_t n);
  void (*subscribe)(actord_context*, actord_str type); /* to messages of that type name */
  void (*unsubscribe)(actord_context*, actord_str type);
  void (*publish)(actord_context*, actord_type_id, void* message);

  /* Any thread. */
  void (*system_tell)(actord_system*, actord_ref to, actord_type_id, void* message);
  void (*system_log)(actord_system*, int32_t level, actord_str event, actord_str text,
                     const actord_field*, size_t n);
  size_t (*path)(actord_system*, actord_ref, char* out, size_t capacity); /* as snprintf counts */
  actord_ref (*find)(actord_system*, actord_str path);                    /* 0: nobody there */
  actord_str (*state_directory)(
      actord_system*); /* where plugins keep files; exists, no trailing slash */
  const void* (*extension)(actord_system*,
                           actord_str id); /* "actord.persistence/1" -> its table, or NULL */

  /* ---- since 1.1 ---- */

  /* As watch, but told by this message; type 0: by an actord.Terminated/1. Refused while the actor
   * is watched with another message. */
  actord_status (*watch_with)(actord_context*, actord_ref, actord_type_id, void* message,
                              actord_errors*);
  /* Sends the message, or with type 0 the order to stop, and is answered with the
   * actord.Terminated/1, or with an actord::AskTimeout. */
  void (*graceful_stop)(actord_context*, actord_ref, actord_type_id, void* message,
                        int64_t timeout_ns, actord_reply_handler);
  int32_t (*has_timer)(actord_context*, actord_str key);
  /* As start_timer, but what was late is made up for. */
  void (*start_timer_at_fixed_rate)(actord_context*, actord_str key, int64_t delay_ns,
                                    int64_t period_ns, actord_type_id, void* message);
  /* To every named actor whose path matches; relative to self unless it begins with '/'. "*" stands
   * for one name, ".." for the parent. Answers how many there were. */
  size_t (*tell_selection)(actord_context*, actord_str paths, actord_type_id, void* message);
  /* A copy of the current message, from somebody else. */
  void (*forward_from)(actord_context*, actord_ref to, actord_ref sender);
  /* A child that the configuration gives this actor; 0: failed. */
  actord_ref (*spawn_configured)(actord_context*, actord_str name, actord_errors*);
  void (*subscribe_prefix)(actord_context*, actord_str prefix); /* to all types that begin so */
  /* Of the strategy that judges its children now; negative: unlimited, for ever. */
  void (*budget)(actord_context*, int64_t* max_restarts, int64_t* within_ns);
  /* A reply of that type, read from `fields`; absent ones leave it as it is by default. */
  actord_status (*reply_read)(actord_context*, actord_str type, actord_value fields,
                              actord_errors*);
  actord_str (*type_name)(actord_system*, actord_type_id); /* "echo.Text/1"; any thread */

  /* Any thread. A message from nobody after `delay_ns`, then every `period_ns` if that is not 0,
   * until it is cancelled or its receiver is dead. 0: the system is going down. */
  uint64_t (*schedule)(actord_system*, actord_ref to, int64_t delay_ns, int64_t period_ns,
                       int32_t at_fixed_rate, actord_type_id, void* message);
  int32_t (*cancel_scheduled)(actord_system*, uint64_t id); /* 0: it was over already */

  /* ---- since 1.2 ---- */

  /* As schedule, once, from inside an actor's call: some ten times faster. */
  uint64_t (*schedule_once)(actord_context*, actord_ref to, int64_t delay_ns, actord_type_id,
                            void* message);

  /* ---- since 1.4 ---- */

  /* Any thread. As system_tell, unless so many messages wait in the system that the operator wants
   * no more of them from outside: then 0, and the message stays the caller's. */
  int32_t (*system_try_tell)(actord_system*, actord_ref to, actord_type_id, void* message);
};

/* ---- the plugin ------------------------------------------------------------------------------ */

enum { ACTORD_UNLOADABLE = 1, ACTORD_WANTS_PROCESS = 2, ACTORD_HAS_THREADS = 4 };

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
  actord_status (*detach)(actord_errors*); /* threads joined, nothing pending; may be NULL */
} actord_plugin;

/* The only symbol the host looks up. Pure: needs no host, starts no thread, may be called any
 * number of times. */
ACTORD_EXPORT const actord_plugin* actord_plugin_v1(void);

/* ---- the note: what a file is, readable before any of its code runs -------------------------- */

#define ACTORD_TEXT_OF_(x) #x
#define ACTORD_TEXT_OF(x) ACTORD_TEXT_OF_(x)
#if defined(__clang__)
#define ACTORD_CC "clang-" ACTORD_TEXT_OF(__clang_major__)
#else
#define ACTORD_CC "gcc-" ACTORD_TEXT_OF(__GNUC__)
#endif
#if defined(_LIBCPP_VERSION)
#define ACTORD_STDLIB "libc++-" ACTORD_TEXT_OF(_LIBCPP_VERSION)
#elif defined(_GLIBCXX_RELEASE)
#define ACTORD_STDLIB "libstdc++-" ACTORD_TEXT_OF(_GLIBCXX_RELEASE)
#else
#define ACTORD_STDLIB "none"
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ACTORD_SANITIZER "address"
#elif defined(__SANITIZE_THREAD__)
#define ACTORD_SANITIZER "thread"
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ACTORD_SANITIZER "address"
#elif __has_feature(thread_sanitizer)
#define ACTORD_SANITIZER "thread"
#endif
#endif
#ifndef ACTORD_SANITIZER
#define ACTORD_SANITIZER "none"
#endif

/* key=value pairs joined by ';'. Neither name nor version may hold one of those two characters. */
#define ACTORD_NOTE_TEXT(name, version)                                                         \
  "name=" name ";version=" version ";abi=" ACTORD_TEXT_OF(ACTORD_ABI_MAJOR) "." ACTORD_TEXT_OF( \
      ACTORD_ABI_MINOR) ";cc=" ACTORD_CC ";stdlib=" ACTORD_STDLIB ";san=" ACTORD_SANITIZER

/* An ELF note of owner "actord", type 1, padded to 4. The section's name makes it a note, `used`
 * keeps it. */
#define ACTORD_NOTE(name, version)                                                   \
  static const struct {                                                              \
    uint32_t owner_size, text_size, type;                                            \
    char owner[8], text[(sizeof(ACTORD_NOTE_TEXT(name, version)) + 3) & ~(size_t)3]; \
  } actord_note __attribute__((section(".note.actord"), used, aligned(4))) = {       \
      7, sizeof(ACTORD_NOTE_TEXT(name, version)), 1, "actord", ACTORD_NOTE_TEXT(name, version)};

#ifdef __cplusplus
}
#endif
#endif
