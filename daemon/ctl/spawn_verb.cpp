// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <ostream>

#include "ctl/actor_order.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"
#include "os/files.hpp"

namespace actord::ctl {

namespace {

/// "echo" for "echo/Echo".
std::string name_after(const std::string& behaviour) {
  std::string name = behaviour.substr(behaviour.rfind('/') + 1);
  if (!name.empty())
    name.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(name.front())));
  return name;
}

const AnswerShape& file_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {{"path", Form::text, {}, true},
                                    {"file", Form::text, {}, true},
                                    {"like", Form::text, {}, true},
                                    {"text", Form::text, {}, true}};
  return shape;
}

/// Adds the actor to the configuration, and lets the daemon read that. If it does not take it, the
/// configuration stays as it was.
Exit persist(const Call& call, wire::Json arguments) {
  Exit exit = Exit::ok;
  arguments["persist"] = true;
  const auto checked = ask_daemon(call, "actor.spawn", std::move(arguments), file_shape(), exit);
  if (!checked) return exit;
  const std::string file = text_at(*checked, "file"), path = text_at(*checked, "path");
  const auto created = os::create_file(file, text_at(*checked, "text"), text_at(*checked, "like"));
  if (!created) {
    const bool is_denied = created.error().is_not_permitted();
    return report_failure(
        call, {is_denied ? Exit::not_permitted : Exit::operating_system, created.error().what,
               is_denied ? "only who may write the configuration can add an actor to it: sudo"
                         : std::string{}});
  }
  const auto reloaded = ask_daemon(
      call, "config.reload", {{"all_or_nothing", true}},
      {{"outcome", MemberShape::Form::text, {}, true}, {"lost", MemberShape::Form::texts}}, exit);
  if (!reloaded) {
    ::unlink(file.c_str());
    return exit;
  }
  const wire::Json lost = reloaded->value("lost", wire::Json::array());
  const bool is_lost = std::ranges::find(lost, wire::Json(path)) != lost.end();
  if (call.is_json()) {
    print_json(call.out,
               {{"path", path}, {"file", file}, {"outcome", is_lost ? "lost" : "spawned"}});
  } else if (is_lost) {
    call.err << "actorctl: " << path << " could not be created; " << file << " keeps it\n"
             << "  actorctl logs " << path << " tells why\n";
  } else {
    call.out << path << " is there, and " << file << " keeps it\n";
  }
  return is_lost ? Exit::differs : Exit::ok;
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
  if (call.has("persist")) return persist(call, std::move(arguments));
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
          "configuration: a reload leaves it alone, and it is gone when actord ends. --persist\n"
          "adds it to the configuration instead, as a file in conf.d, and reloads that.\n"
          "\n"
          "  actorctl spawn echo/Echo --name echo-2\n"
          "  actorctl spawn static_site/Site '{\"root\": \"/srv/www\", \"port\": 8080}'\n"
          "  actorctl spawn shop/Shop @shop.json --name shop-2 --persist",
      .operands = {{.name = "BEHAVIOUR"}, {.name = "JSON", .is_needed = false}},
      .options = {{.name = "name",
                   .takes = Takes::text,
                   .argument = "NAME",
                   .help = "the name of the actor; default: the last part of BEHAVIOUR, with\n"
                           "a small first letter"},
                  {.name = "persist",
                   .help =
                       "keep the actor: write it to conf.d beside the configuration, and reload"},
                  reason_option()},
      .run = &spawn};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
