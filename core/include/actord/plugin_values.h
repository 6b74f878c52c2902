/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a plugin describes a message to the host, and reads messages and configuration. It is a part
 * of plugin.h, which includes it.
 */
#ifndef ACTORD_PLUGIN_VALUES_H
#define ACTORD_PLUGIN_VALUES_H

struct actord_data_type;

/* The host's writer. The plugin calls it to describe a value; the host formats the value. No call
 * fails. */
typedef struct actord_writer {
  uint32_t struct_size;
  void (*null)(struct actord_writer*);
  void (*boolean)(struct actord_writer*, int32_t);
  void (*integer)(struct actord_writer*, int64_t);
  void (*natural)(struct actord_writer*, uint64_t);
  void (*real)(struct actord_writer*, double);
  void (*text)(struct actord_writer*, actord_str);
  /* Written as the path of the actor, because the number is valid in this process only. */
  void (*ref)(struct actord_writer*, actord_ref);
  void (*duration)(struct actord_writer*, int64_t ns);
  void (*begin_list)(struct actord_writer*, size_t n);
  void (*begin_map)(struct actord_writer*, size_t n);
  void (*key)(struct actord_writer*, actord_str);
  void (*end)(struct actord_writer*);
  /* since 1.13 */
  /* Writes the value at `at`, which is of that type, by the functions above (plugin_data.h). */
  void (*data)(struct actord_writer*, const struct actord_data_type*, const void* at);
} actord_writer;

typedef struct {
  const struct actord_reader* reader;
  const void* node;
} actord_value; /* node NULL: absent */

typedef struct actord_reader {
  uint32_t struct_size;
  /* A quoted number or truth value in config is TEXT: call the function for the type you want. */
  int32_t (*kind)(actord_value);
  size_t (*size)(actord_value); /* number of elements of a list or map */
  actord_value (*at)(actord_value, size_t index, actord_str* key); /* key may be NULL */
  actord_value (*member)(actord_value, actord_str name);           /* absent: node is NULL */
  /* Each returns 1 and writes *out, or returns 0 if the value cannot be read as that type. They
   * convert by the rules of the source: in config "yes" is true and "5" is 5. */
  int32_t (*boolean)(actord_value, int32_t* out);
  int32_t (*integer)(actord_value, int64_t* out);
  int32_t (*natural)(actord_value, uint64_t* out);
  int32_t (*real)(actord_value, double* out);
  int32_t (*text)(actord_value, actord_str* out);
  int32_t (*ref)(actord_value, actord_ref* out);      /* from the path of a living actor */
  int32_t (*duration)(actord_value, int64_t* out_ns); /* "5s", or a count of milliseconds */
  int32_t (*bytes)(actord_value, int64_t* out);       /* from "64k" */
  /* Reports a bad value and returns ACTORD_FAILED. The host adds the place of the value: file, line
   * and column, with its path. */
  actord_status (*reject)(actord_value, actord_str reason, actord_errors*);
  /* since 1.13 */
  /* Reads the value into *to, an object of that type (plugin_data.h). What is absent in the value
   * stays in *to as it was. A value that does not fit is rejected; then *to may be read in part. */
  actord_status (*data)(actord_value, const struct actord_data_type*, void* to, actord_errors*);
} actord_reader;

#endif
