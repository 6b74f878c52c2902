// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"
#include "hocon/render.hpp"
#include "hocon/source.hpp"
#include "layers/layers.hpp"

namespace actord::ctl {

namespace {

Exit exit_of(hocon::FileError::Reason reason) {
  switch (reason) {
    case hocon::FileError::Reason::missing: return Exit::missing;
    case hocon::FileError::Reason::not_permitted: return Exit::not_permitted;
    case hocon::FileError::Reason::unreadable: break;
  }
  return Exit::config_wrong;
}

Exit render(const Call& call) {
  hocon::Source source;
  layers::set_syntaxes(source);
  layers::set_secrets(source, {}, {}, layers::SecretUse::ignored);
  source.set_environment(hocon::process_environment());
  if (const auto added = source.add_file(call.operands.front()); !added) {
    return report_failure(call,
                          failure_of(exit_of(added.error().reason), {added.error().diagnostic}));
  }
  const auto tree = source.resolve();
  if (!tree) return report_failure(call, failure_of(Exit::config_wrong, tree.error()));
  call.out << hocon::with_controls_escaped(hocon::render_json(tree->root(), true));
  return Exit::ok;
}

}  // namespace

Verb render_verb() {
  return {.group = "config",
          .name = "render",
          .summary = "print a file of HOCON or YAML as JSON, whatever its keys",
          .description =
              "Reads FILE and its includes, resolves it and prints the result as JSON. The\n"
              "keys are not checked: FILE need not be a configuration of actord. Values\n"
              "below vars.secret are not shown.",
          .operands = {{.name = "FILE", .takes = Takes::file}},
          .options = {output_option()},
          .run = &render};
}

}  // namespace actord::ctl
