// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit confirm(const Call& call) {
  Exit exit = Exit::ok;
  const auto result = ask_daemon(call, "config.confirm", wire::Json::object(),
                                 {{"generation", MemberShape::Form::number, {}, true}}, exit);
  if (!result) return exit;
  if (call.is_json()) print_json(call.out, *result);
  else call.out << "generation " << number_at(*result, "generation") << " stays\n";
  return exit;
}

}  // namespace

Verb confirm_verb() {
  Verb verb{.group = "config",
            .name = "confirm",
            .summary = "let a reload that waits for it stay",
            .description =
                "After `actorctl config reload --confirm DURATION`: the configuration that was\n"
                "loaded stays. Without this, the one before comes back when the time is over. A\n"
                "later reload without --confirm confirms it, too.\n"
                "\n"
                "  actorctl config confirm",
            .operands = {},
            .options = {},
            .run = &confirm};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
