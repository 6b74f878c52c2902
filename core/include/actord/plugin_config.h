/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a behaviour declares about the keys of its config. It is a part of plugin.h, which includes
 * it.
 */
#ifndef ACTORD_PLUGIN_CONFIG_H
#define ACTORD_PLUGIN_CONFIG_H

/* since 1.3: the limits and the description of a config key. The host uses them to check and to
 * document a configuration before it creates an actor. */
enum {
  ACTORD_REQUIRED = 1, /* must be present in its object; the object itself may be absent */
  ACTORD_SECRET = 2,   /* the value is never shown */
  ACTORD_SIZE = 4      /* a number of bytes, which may be written as "64k" */
};

/* since 1.5: what the value of a config key names outside the configuration. The host looks at it
 * before it creates an actor, and reports what is missing with the place of the value. */
enum {
  ACTORD_FOLDER = 1, /* a folder; a relative path starts at the working directory */
  ACTORD_FILE = 2,   /* the same for a file that is no folder */
  ACTORD_PORT = 3,   /* a TCP port to listen on; 0: any free one */
  ACTORD_URL = 4     /* an absolute URL with a host */
};
/* since 1.5: how the actor uses a folder or a file. A file that it only writes may be missing if
 * its folder may be written. */
enum {
  ACTORD_READS = 1,
  ACTORD_WRITES = 2,
  /* The value is a file name, without a folder, in `folder` of the state directory. The actor
   * creates that folder if it is missing. */
  ACTORD_IN_STATE_DIRECTORY = 4
};

typedef struct { /* an inclusive bound */
  int64_t kind;  /* INT, UINT, DOUBLE or DURATION; NULL: no bound */
  union {
    int64_t i; /* INT, DURATION in ns */
    uint64_t u;
    double d;
  } value;
} actord_bound;

typedef struct actord_config_key {
  uint32_t struct_size, flags;
  actord_str path; /* "chaos.probability"; * is any element of a list or map */
  actord_str doc;  /* one or two sentences */
  actord_bound least, most;
  const actord_str* words; /* the texts that are allowed, where - equals _; NULL: any text */
  size_t n_words;
  /* since 1.5 */
  uint32_t resource; /* ACTORD_FOLDER, ...; 0: none. The host ignores kinds that it does not know */
  uint32_t use;      /* ACTORD_READS, ... */
  actord_str folder; /* with ACTORD_IN_STATE_DIRECTORY: "crawler"; empty: the state directory */
  /* The path of the key with the address of a port, such as "host". Empty: all addresses. */
  actord_str address_key;
  const actord_str* schemes; /* those that a URL may have, in lower case; NULL: any */
  size_t n_schemes;
  /* Taken if the key is absent; in HOCON, as `500 ms`. Empty: none, or not told, as for a secret */
  actord_str default_value;
} actord_config_key;

#endif
