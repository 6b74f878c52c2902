// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/verbs.hpp"
#include "schema/json_schema.hpp"

namespace actord::ctl {

namespace {

Exit schema(const Call& call) {
  call.out << schema::json_schema();
  return Exit::ok;
}

}  // namespace

Verb schema_verb() {
  return {.group = "config",
          .name = "schema",
          .summary = "print every key and its range, as JSON Schema",
          .description =
              "Prints the JSON Schema (draft 2020-12) of a configuration after its\n"
              "substitutions, as config render prints it. The member x-reload of a key is\n"
              "the effect of a reload on it.",
          .operands = {},
          .options = {output_option()},
          .run = &schema};
}

}  // namespace actord::ctl
