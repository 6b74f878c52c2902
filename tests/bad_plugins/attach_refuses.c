// SPDX-License-Identifier: Apache-2.0
//
// A plugin that loads and then says that it cannot work here.
#include <actord/plugin.h>

ACTORD_NOTE("attach_refuses", "1.0.0")

static actord_status attach(const actord_host* host, actord_system* system, actord_errors* errors) {
  static const actord_str type = ACTORD_STR("std::runtime_error");
  const actord_failure failure = {.struct_size = sizeof(actord_failure),
                                  .types = &type,
                                  .n_types = 1,
                                  .what = ACTORD_STR("the licence has run out")};
  (void)host;
  (void)system;
  errors->report(errors, &failure);
  return ACTORD_FAILED;
}

static const actord_plugin plugin = {.struct_size = sizeof(actord_plugin),
                                     .abi_major = ACTORD_ABI_MAJOR,
                                     .name = ACTORD_STR("attach_refuses"),
                                     .version = ACTORD_STR("1.0.0"),
                                     .attach = attach};

ACTORD_EXPORT const actord_plugin* actord_plugin_v1(void) { return &plugin; }
