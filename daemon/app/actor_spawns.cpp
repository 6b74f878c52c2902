// SPDX-License-Identifier: Apache-2.0
#include "app/actor_spawns.hpp"

#include <algorithm>
#include <vector>

#include "actor/config_snapshot.hpp"
#include "actor/path.hpp"
#include "actor/spawn_request.hpp"
#include "app/json_object.hpp"
#include "config/configuration.hpp"
#include "config/json_forms.hpp"
#include "hocon/source.hpp"
#include "layers/layers.hpp"
#include "os/files.hpp"
#include "schema/reference.hpp"
#include "settings/binding.hpp"
#include "settings/findings.hpp"
#include "settings/settings.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

using Outcome = ActorQuestions::Outcome;
using wire::Json;

namespace {

// The name under which findings tell where they were found.
constexpr const char* source_name = "config";

Outcome refused_for(const std::string& what, const hocon::Diagnostics& findings) {
  Outcome outcome = ActorQuestions::refused(what);
  outcome.result["findings"] = config::json_of(findings);
  return outcome;
}

}  // namespace

base::Result<actor::PropsPtr, Outcome> ActorSpawns::props_of(const Wish& wish) {
  if (!actors_.behaviours().find(wish.behaviour)) {
    std::vector<std::string> all = actors_.behaviours().behaviour_names();
    std::erase_if(all, [](const std::string& name) { return name.starts_with("actord/"); });
    const std::vector<std::string_view> known(all.begin(), all.end());
    return ActorQuestions::refused(
        "no loaded plugin has a behaviour " + wish.behaviour,
        known.empty() ? "a plugin is loaded when the configuration names a behaviour of it"
                      : settings::suggestion_for(wish.behaviour, known, "behaviours: "));
  }
  // JSON is HOCON, but HOCON could include files and variables of the daemon.
  const auto config = read_object(wish.config, "config");
  if (!config) return ActorQuestions::refused(config.error().what);
  const std::string refused = "this is no config of " + wish.behaviour;
  hocon::Source source;
  source.add_text(std::string{schema::reference_name}, std::string{schema::reference_text()});
  const Json user = {{wish.name, {{"behaviour", wish.behaviour}, {"config", *config}}}};
  source.add_text(source_name, Json{{"actord", {{"user", user}}}}.dump());
  const auto tree = source.resolve();
  if (!tree) return refused_for(refused, tree.error());
  const auto read = settings::read_settings(*tree, {});
  if (!read) return refused_for(refused, read.error());
  const auto reader = std::make_shared<sdk::ConfigReader>(
      read->tree, [this](std::string_view path) { return actors_.find(path); });
  auto bound = settings::bind(*read, actors_.behaviours(), *reader);
  if (!bound) return refused_for(refused, bound.error());
  const auto snapshot = actors_.build_snapshot({std::move(bound->user), {}, reader});
  if (!snapshot) return ActorQuestions::refused(snapshot.error().what);
  const actor::NodeSpec& node = (*snapshot)->user().children.front();
  actor::PropsPtr props(new actor::Props(*node.behaviour));
  props->build_from(node);
  // A reload stops actors that have a node and are not configured; this one stays.
  props->node = nullptr;
  props->built_from = *snapshot;
  return props;
}

std::string ActorSpawns::why_not(const Wish& wish) const {
  if (std::string wrong = actor::why_name_is_invalid(wish.name); !wrong.empty()) return wrong;
  const std::string path = "/user/" + wish.name;
  const bool is_there = actor::index_of(actors_.find(path)) != 0;
  return is_there ? "there is an actor " + path + " already" : std::string{};
}

void ActorSpawns::prepare_file(const Wish& wish, const config::Configuration& running,
                               const Done& done) {
  if (const std::string wrong = why_not(wish); !wrong.empty())
    return done(ActorQuestions::refused(wrong));
  if (std::ranges::find(running.settings.user, wish.name, &settings::Node::name) !=
      running.settings.user.end())
    return done(ActorQuestions::refused("the configuration has an actor " + wish.name + " already",
                                        "actorctl start /user/" + wish.name + " starts it"));
  if (running.options.config_files.empty() || !running.options.drop_ins)
    return done(ActorQuestions::refused("this actord reads no drop-ins, so nothing is kept",
                                        "it was started with --no-drop-ins"));
  const auto config = read_object(wish.config, "config");
  if (!config) return done(ActorQuestions::refused(config.error().what));
  // The reload loads a plugin that the configuration names for the first time, and checks the rest.
  if (actors_.behaviours().find(wish.behaviour)) {
    if (const auto props = props_of(wish); !props) return done(props.error());
  }
  const std::string main = os::real_path(running.options.config_files.front());
  const std::string file = layers::drop_in_folder_of(main) + "/spawned-" + wish.name + ".conf";
  std::string text =
      "# Written by actorctl spawn --persist. Without this file, a reload ends the actor.\n"
      "actord.user." +
      Json(wish.name).dump() + " {\n  behaviour = " + Json(wish.behaviour).dump() + '\n';
  if (!config->empty()) text += "  config = " + config->dump(2) + '\n';
  text += "}\n";
  done({0,
        {},
        {{"path", "/user/" + wish.name},
         {"outcome", "checked"},
         {"file", file},
         {"like", main},
         {"text", text}}});
}

void ActorSpawns::spawn(const Wish& wish, const Done& done) {
  if (const std::string wrong = why_not(wish); !wrong.empty())
    return done(ActorQuestions::refused(wrong));
  const std::string path = "/user/" + wish.name;
  auto props = props_of(wish);
  if (!props) return done(props.error());
  const base::IntrusivePtr<actor::SpawnRequest> request(new actor::SpawnRequest);
  request->name = wish.name;
  request->props = std::move(*props);
  request->on_answer = [&loop = loop_, request = request.get(), path, done] {
    const std::string error = request->error;
    os::post(loop, [path, done, error] {
      if (error.empty()) done({0, {}, {{"path", path}, {"outcome", "spawned"}}});
      else done({ActorQuestions::busy, path + " could not be created: " + error});
    });
  };
  actors_.send_system(actors_.find("/user"), actor::SystemMessage::spawn(request));
}

}  // namespace actord::app
