// SPDX-License-Identifier: Apache-2.0
#include "app/actor_starts.hpp"

#include <vector>

#include "app/health.hpp"
#include "settings/findings.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

using ActorState = system::ConfiguredActor::State;
using config::ExitCode;

namespace {

const ActorStarts::Outcome stopping{ExitCode::boot_failed, "actord is stopping"};

std::string parent_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

}  // namespace

void ActorStarts::start(const std::string& path, Done done) {
  if (is_stopping_) return done(stopping);
  system::ConfiguredActors& table = actors_.configured_actors();
  static_cast<void>(table.list());  // the next change is told
  const auto actor = table.find(path);
  if (const auto known = standing(path, actor)) return done(*known);
  pending_.push_back({path, actor->steps, std::move(done), os::Timer(loop_)});
  const Position request = std::prev(pending_.end());
  request->deadline.start(timeout, [this, request] {
    const auto now = actors_.configured_actors().find(request->path);
    answer(request, {ExitCode::boot_failed,
                     now ? text_of(*now) : request->path + " is not configured any more", false,
                     "it has not started within 30 s; its start goes on"});
  });
  if (actor->state != ActorState::starting && !actors_.start_configured(path))
    answer(request, {ExitCode::boot_failed, parent_of(path) + " is not running"});
}

std::optional<ActorStarts::Outcome> ActorStarts::standing(
    const std::string& path, const std::optional<system::ConfiguredActor>& actor) const {
  if (!actor) return unknown(path);
  if (!actor->is_below_running) {
    return Outcome{ExitCode::boot_failed,
                   "the parent of " + path + " is not up, and it starts its children", false,
                   "actorctl start " + parent_of(path)};
  }
  if (actor->state == ActorState::up) return Outcome{ExitCode::ok, {}, true};
  if (actors_.crash_charges().is_withheld(path)) {
    return Outcome{ExitCode::boot_failed, text_of(*actor), false,
                   "its plugin is in quarantine: put another build of its file there, and reload"};
  }
  return std::nullopt;
}

ActorStarts::Outcome ActorStarts::unknown(const std::string& path) const {
  if (actors_.find(path) != actor::nobody) {
    return {ExitCode::command_line, path + " is not an actor of the configuration", false,
            "the actor that creates it decides when it starts"};
  }
  const std::vector<system::ConfiguredActor> all = actors_.configured_actors().list();
  std::vector<std::string_view> paths;
  for (const system::ConfiguredActor& each : all) paths.push_back(each.path);
  return {ExitCode::command_line, "there is no configured actor " + path, false,
          settings::suggestion_for(path, paths, "configured are: ")};
}

void ActorStarts::on_changed() {
  // The next change is told. First, so that one that comes after the look is.
  if (!pending_.empty()) static_cast<void>(actors_.configured_actors().list());
  for (auto at = pending_.begin(); at != pending_.end();) {
    const Position request = at++;
    if (const auto outcome = outcome_of(*request)) answer(request, *outcome);
  }
}

std::optional<ActorStarts::Outcome> ActorStarts::outcome_of(const Pending& request) const {
  const auto actor = actors_.configured_actors().find(request.path);
  if (!actor) return Outcome{ExitCode::boot_failed, request.path + " is not configured any more"};
  if (!actor->is_below_running)
    return Outcome{ExitCode::boot_failed, parent_of(request.path) + " has stopped meanwhile"};
  if (actor->steps == request.steps || actor->state == ActorState::starting) return std::nullopt;
  if (actor->state == ActorState::up) return Outcome{};
  return Outcome{ExitCode::boot_failed, text_of(*actor)};
}

void ActorStarts::answer(Position request, const Outcome& outcome) {
  const Done done = std::move(request->done);
  pending_.erase(request);
  done(outcome);
}

void ActorStarts::stop() {
  is_stopping_ = true;
  while (!pending_.empty()) answer(pending_.begin(), stopping);
}

}  // namespace actord::app
