// SPDX-License-Identifier: Apache-2.0
//
// The verbs of AdminVerbs about dead letters: deadletters.list, deadletters.show,
// deadletters.replay, deadletters.drop.
#include "app/admin_verbs.hpp"
#include "app/verb_arguments.hpp"
#include "config/json_forms.hpp"

namespace actord::app {

using config::text_in;

void AdminVerbs::list_letters(const Received& from) {
  UndeliveredMessages::Filter filter;
  filter.after = number_in(from.arguments, "after");
  if (const std::string path = text_in(from.arguments, "path"); !path.empty()) filter.path = path;
  filter.reason = text_in(from.arguments, "reason");
  reply_with(from.responder, config::ExitCode::ok, {}, letters_.list(filter));
}

void AdminVerbs::show_letter(const Received& from) {
  letters_.show(text_in(from.arguments, "id"), answering(from.responder));
}

void AdminVerbs::replay_letter(const Received& from) {
  letters_.replay(text_in(from.arguments, "id"), text_in(from.arguments, "path"),
                  answering(from.responder));
}

void AdminVerbs::drop_letter(const Received& from) {
  letters_.drop(text_in(from.arguments, "id"), answering(from.responder));
}

}  // namespace actord::app
