// SPDX-License-Identifier: Apache-2.0
#include "app/actor_spawns.hpp"

#include <boost/asio/post.hpp>
#include <vector>

#include "actor/config_snapshot.hpp"
#include "actor/path.hpp"
#include "actor/spawn_request.hpp"
#include "app/json_object.hpp"
#include "config/json_forms.hpp"
#include "hocon/source.hpp"
#include "schema/reference.hpp"
#include "settings/binding.hpp"
#include "settings/findings.hpp"
#include "settings/settings.hpp"

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

void ActorSpawns::spawn(const Wish& wish, const Done& done) {
  if (const std::string wrong = actor::why_name_is_invalid(wish.name); !wrong.empty())
    return done(ActorQuestions::refused(wrong));
  const std::string path = "/user/" + wish.name;
  if (actor::index_of(actors_.find(path)) != 0)
    return done(ActorQuestions::refused("there is an actor " + path + " already"));
  auto props = props_of(wish);
  if (!props) return done(props.error());
  const base::IntrusivePtr<actor::SpawnRequest> request(new actor::SpawnRequest);
  request->name = wish.name;
  request->props = std::move(*props);
  request->on_answer = [&loop = loop_, request = request.get(), path, done] {
    const std::string error = request->error;
    boost::asio::post(loop, [path, done, error] {
      if (error.empty()) done({0, {}, {{"path", path}, {"outcome", "spawned"}}});
      else done({ActorQuestions::busy, path + " could not be created: " + error});
    });
  };
  actors_.send_system(actors_.find("/user"), actor::SystemMessage::spawn(request));
}

}  // namespace actord::app
