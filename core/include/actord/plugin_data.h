/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types as data: how a value lies in the memory of a plugin, so that the host reads it, writes it
 * and names its faults, and a plugin needs no code of its own for each type. It is a part of
 * plugin.h, which includes it. Since 1.13.
 *
 * A plugin hands such a type to actord_writer.data and actord_reader.data. All of it is constant
 * for the life of the plugin.
 */
#ifndef ACTORD_PLUGIN_DATA_H
#define ACTORD_PLUGIN_DATA_H

enum { /* kinds of types; the numbers in brackets are sizes in bytes */
       ACTORD_DATA_BOOL = 1,
       ACTORD_DATA_INT = 2,       /* signed [1, 2, 4, 8] */
       ACTORD_DATA_UINT = 3,      /* [1, 2, 4, 8] */
       ACTORD_DATA_REAL = 4,      /* float, double, long double [4, 8, 16] */
       ACTORD_DATA_SIZE = 5,      /* an int64_t that may be written as "64k" [8] */
       ACTORD_DATA_REF = 6,       /* actord_ref [8] */
       ACTORD_DATA_DURATION = 7,  /* an int64_t of nanoseconds [8], or of.duration */
       ACTORD_DATA_TEXT = 8,      /* of.text */
       ACTORD_DATA_NAME = 9,      /* an enumerator that is written by its name; of.names */
       ACTORD_DATA_OPTIONAL = 10, /* none or one of `element`; of.container */
       ACTORD_DATA_LIST = 11,     /* of.container, of `element` */
       ACTORD_DATA_MAP = 12,      /* the same, with texts as keys */
       ACTORD_DATA_STRUCT = 13    /* of.members */
};
enum {                         /* flags of types */
       ACTORD_DATA_SIGNED = 1, /* of a NAME: its number is signed */
       ACTORD_DATA_ABOUT = 2,  /* it, or a type within it, is a STRUCT with `about` */
       ACTORD_DATA_UNIT = 4    /* of a DURATION: it is of.duration */
};

typedef struct actord_data_type actord_data_type;

typedef struct {
  actord_str (*get)(const void* text);
  actord_status (*set)(void* text, actord_str, actord_errors*);
} actord_data_text;

typedef struct { /* a count of `num`/`den` seconds */
  int64_t num, den;
  int64_t is_real;                            /* the count is a floating-point number */
  int64_t (*get)(const void* duration);       /* ns */
  int32_t (*set)(void* duration, int64_t ns); /* 0: no multiple of the unit */
} actord_data_duration;

typedef struct {
  actord_str name;
  int64_t number;
} actord_data_name;

typedef struct {
  size_t n_names;
  const actord_data_name* names;
} actord_data_names;

/* Adds nothing of its own: `element` of the type says what is in it. */
typedef struct {
  size_t (*size)(const void* container);
  /* Calls `visit` for each element, in order; the key is empty unless it is a map. */
  void (*each)(const void* container, void* with,
               void (*visit)(void* with, actord_str key, const void* element));
  void (*clear)(void* container);
  /* Makes an element as one that was never set, calls `fill` for it, and adds it if that returns
   * ACTORD_OK. Returns what `fill` did. An optional has one element. */
  actord_status (*add)(void* container, actord_str key, void* with,
                       actord_status (*fill)(void* with, void* element), actord_errors*);
} actord_data_container;

typedef struct {
  actord_str name;
  const actord_data_type* type;
  size_t offset;
  int64_t is_required; /* it must be present where the struct is read */
} actord_data_member;

/* What the author says of a member, as in actord_config_key. */
typedef struct {
  size_t offset;
  uint32_t flags; /* ACTORD_SECRET, or 0 */
  uint32_t resource, use;
  actord_str doc, folder;
  actord_bound least, most;
  int64_t address_offset; /* of the member with the address of a port; negative: none */
  const actord_str* schemes;
  size_t n_schemes;
} actord_data_about;

typedef struct {
  size_t n_members;
  const actord_data_member* members;
  const actord_data_about* (*about)(size_t* n); /* NULL: nothing is said of any member */
} actord_data_struct;

struct actord_data_type {
  uint32_t struct_size, kind, flags;
  uint32_t size;                   /* of a value, in bytes */
  actord_str text;                 /* the type as in actord_member: "list<int32>" */
  const actord_data_type* element; /* of an optional, a list or a map */
  union {
    const actord_data_duration* duration;
    const actord_data_text* text;
    const actord_data_names* names;
    const actord_data_container* container;
    const actord_data_struct* members;
  } of;
};

#endif
