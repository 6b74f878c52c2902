// SPDX-License-Identifier: Apache-2.0
//
// The verbs of AdminVerbs about the quarantine of messages: quarantine.list, quarantine.show,
// quarantine.replay, quarantine.drop.
#include "app/admin_verbs.hpp"
#include "app/quarantined_messages.hpp"
#include "app/verb_arguments.hpp"
#include "config/json_forms.hpp"

namespace actord::app {

using config::text_in;

void AdminVerbs::list_quarantined(const Received& from) {
  const std::string path = text_in(from.arguments, "path");
  reply_with(
      from.responder, config::ExitCode::ok, {},
      parts_.quarantined.list(number_in(from.arguments, "after"), path.empty() ? "/" : path));
}

void AdminVerbs::show_quarantined(const Received& from) {
  parts_.quarantined.show(text_in(from.arguments, "id"), answering(from.responder));
}

void AdminVerbs::replay_quarantined(const Received& from) {
  parts_.quarantined.replay(text_in(from.arguments, "id"), text_in(from.arguments, "path"),
                            answering(from.responder));
}

void AdminVerbs::drop_quarantined(const Received& from) {
  parts_.quarantined.drop(text_in(from.arguments, "id"), answering(from.responder));
}

}  // namespace actord::app
