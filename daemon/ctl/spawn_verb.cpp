// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <ostream>

#include "ctl/actor_order.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

/// "echo" for "echo/Echo".
std::string name_after(const std::string& behaviour) {
  std::string name = behaviour.substr(behaviour.rfind('/') + 1);
  if (!name.empty())
    name.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(name.front())));
  return name;
}

Exit spawn(const Call& call) {
  Exit exit = Exit::ok;
  const std::string& behaviour = call.operands.front();
  auto config = json_operand(call, 1, exit);
  if (!config) return exit;
  wire::Json arguments = {{"behaviour", behaviour},
                          {"name", call.value("name", name_after(behaviour))},
                          {"config", *std::move(config)}};
  if (call.has("reason")) arguments["reason"] = call.value("reason");
  const auto result = order_actor(call, "actor.spawn", std::move(arguments), exit);
  if (result && !call.is_json())
    call.out << result->value("path", "") << " is there, until it stops or actord does\n";
  return exit;
}

}  // namespace

Verb spawn_verb() {
  Verb verb{
      .group = {},
      .name = "spawn",
      .summary = "create an actor by hand",
      .description =
          "Creates an actor below /user: BEHAVIOUR is one of a plugin that is loaded, and\n"
          "the config an object of JSON, checked as in the configuration. The actor is in no\n"
          "configuration: a reload leaves it alone, and it is gone when actord ends. To keep\n"
          "it, write it into the configuration.\n"
          "\n"
          "  actorctl spawn echo/Echo --name echo-2\n"
          "  actorctl spawn static_site/Site '{\"root\": \"/srv/www\", \"port\": 8080}'\n"
          "  actorctl spawn shop/Shop @shop.json --name shop-2",
      .operands = {{.name = "BEHAVIOUR"}, {.name = "JSON", .is_needed = false}},
      .options = {{.name = "name",
                   .takes = Takes::text,
                   .argument = "NAME",
                   .help = "the name of the actor; default: the last part of BEHAVIOUR, with\n"
                           "a small first letter"},
                  reason_option()},
      .run = &spawn};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
