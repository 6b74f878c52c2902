// SPDX-License-Identifier: Apache-2.0
//
// The verbs of AdminVerbs about crashes of actord: crash.list, crash.show.
#include "app/admin_verbs.hpp"
#include "app/crash_account.hpp"
#include "app/reply_size.hpp"
#include "config/json_forms.hpp"

namespace actord::app {

using config::text_in;

void AdminVerbs::list_crashes(const Received& from) {
  wire::Json crashes = parts_.crashes.list();
  cut_list(crashes, "crashes");
  reply_with(from.responder, config::ExitCode::ok, {}, std::move(crashes));
}

void AdminVerbs::show_crash(const Received& from) {
  const std::string id = text_in(from.arguments, "id");
  auto crash = parts_.crashes.find(id);
  if (!crash && id.empty())
    return reply_with(from.responder, config::ExitCode::command_line, "no crash of actord is known",
                      {});
  if (!crash)
    return reply_with(from.responder, config::ExitCode::command_line,
                      "no crash with the id " + id + " is kept",
                      {{"help", "actorctl crash list has the ids"}});
  reply_with(from.responder, config::ExitCode::ok, {}, *std::move(crash));
}

}  // namespace actord::app
