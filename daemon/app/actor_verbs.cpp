// SPDX-License-Identifier: Apache-2.0
//
// The verbs of AdminVerbs about one actor: actor.inspect, actor.tree, actor.tell, actor.ask,
// actor.start, actor.spawn, and the orders.
#include "app/actor_orders.hpp"
#include "app/actor_spawns.hpp"
#include "app/actor_starts.hpp"
#include "app/admin_verbs.hpp"
#include "app/crash_account.hpp"
#include "app/reload.hpp"
#include "app/reply_size.hpp"
#include "app/verb_arguments.hpp"
#include "config/configuration.hpp"
#include "config/json_forms.hpp"
#include "config/runtime.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

using config::text_in;
using wire::Json;

ActorQuestions::Done AdminVerbs::answering(const admin::Responder& responder) const {
  return [this, responder](const ActorQuestions::Outcome& outcome) {
    Json result = outcome.result;
    for (auto& [name, value] : result.items()) {
      if (name != "message") cut_texts(value);  // an answer is whole, or it is none
    }
    reply_with(responder, outcome.status, outcome.reason, std::move(result));
  };
}

// ---- questions ----------------------------------------------------------------------------------

void AdminVerbs::inspect(const Received& from) {
  parts_.questions.inspect(text_in(from.arguments, "path"), answering(from.responder));
}

void AdminVerbs::show_tree(const Received& from) {
  const auto levels = static_cast<unsigned>(number_in(from.arguments, "levels"));
  parts_.questions.tree(text_in(from.arguments, "path"), levels, answering(from.responder));
}

// ---- messages -----------------------------------------------------------------------------------

namespace {

ActorQuestions::Message message_in(const Json& arguments) {
  return {text_in(arguments, "type"), text_in(arguments, "message"),
          text_in(arguments, "traceparent")};
}

}  // namespace

void AdminVerbs::tell(const Received& from) {
  parts_.questions.tell(text_in(from.arguments, "path"), message_in(from.arguments),
                        answering(from.responder));
}

void AdminVerbs::ask(const Received& from) {
  parts_.questions.ask(text_in(from.arguments, "path"), message_in(from.arguments),
                       timeout_in(from.arguments), answering(from.responder));
}

// ---- orders -------------------------------------------------------------------------------------

void AdminVerbs::start(const Received& from) {
  const std::string path = text_in(from.arguments, "path");
  const admin::Responder responder = from.responder;
  parts_.crashes.release(path, parts_.runtime.actors().crash_charges());
  parts_.starts.start(path, [this, responder, path](const ActorStarts::Outcome& outcome) {
    Json result = {{"path", path}};
    if (outcome.code == config::ExitCode::ok)
      result["outcome"] = outcome.was_running ? "running" : "started";
    if (!outcome.help.empty()) result["help"] = outcome.help;
    cut_texts(result);
    reply_with(responder, outcome.code, outcome.reason, std::move(result));
  });
}

void AdminVerbs::spawn(const Received& from) {
  const ActorSpawns::Wish wish{text_in(from.arguments, "behaviour"),
                               text_in(from.arguments, "name"), text_in(from.arguments, "config")};
  if (flag_in(from.arguments, "persist"))
    return parts_.spawns.prepare_file(wish, parts_.reloader.running(), answering(from.responder));
  parts_.spawns.spawn(wish, answering(from.responder));
}

void AdminVerbs::stop(const Received& from) {
  parts_.orders.stop(text_in(from.arguments, "path"), timeout_in(from.arguments),
                     answering(from.responder));
}

void AdminVerbs::kill(const Received& from) {
  parts_.orders.kill(text_in(from.arguments, "path"), answering(from.responder));
}

void AdminVerbs::suspend(const Received& from) {
  parts_.orders.suspend(text_in(from.arguments, "path"), timeout_in(from.arguments),
                        answering(from.responder));
}

void AdminVerbs::resume(const Received& from) {
  parts_.orders.resume(text_in(from.arguments, "path"), timeout_in(from.arguments),
                       answering(from.responder));
}

void AdminVerbs::trace(const Received& from) {
  parts_.orders.trace(text_in(from.arguments, "path"), number_in(from.arguments, "count"),
                      timeout_in(from.arguments), answering(from.responder));
}

void AdminVerbs::restart(const Received& from) {
  const std::string reason = text_in(from.arguments, "reason");
  parts_.orders.restart(text_in(from.arguments, "path"),
                        reason.empty() ? "ordered by " + from.peer.text() : reason,
                        timeout_in(from.arguments), answering(from.responder));
}

}  // namespace actord::app
