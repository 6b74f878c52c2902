// SPDX-License-Identifier: Apache-2.0
//
// The verbs of AdminVerbs about the journal of persistent actors: journal.list, journal.show,
// journal.verify, journal.compact, journal.drop, journal.status.
#include "app/admin_verbs.hpp"
#include "app/journal_desk.hpp"
#include "app/verb_arguments.hpp"
#include "config/json_forms.hpp"

namespace actord::app {

using config::text_in;

void AdminVerbs::list_journal(const Received& from) {
  parts_.journal.list(text_in(from.arguments, "after"), text_in(from.arguments, "prefix"),
                      number_in(from.arguments, "most"), telling_all(from.responder));
}

void AdminVerbs::show_journal(const Received& from) {
  parts_.journal.show(text_in(from.arguments, "id"), number_in(from.arguments, "from"),
                      number_in(from.arguments, "most"), telling_all(from.responder));
}

void AdminVerbs::verify_journal(const Received& from) {
  const admin::Responder responder = from.responder;
  parts_.journal.verify([responder] { return responder.is_wanted(); },
                        [responder](wire::Json now) { responder.progress(std::move(now)); },
                        answering(responder));
}

void AdminVerbs::compact_journal(const Received& from) {
  const admin::Responder responder = from.responder;
  parts_.journal.compact([responder] { return responder.is_wanted(); },
                         [responder](wire::Json now) { responder.progress(std::move(now)); },
                         answering(responder));
}

void AdminVerbs::drop_journal(const Received& from) {
  parts_.journal.drop(text_in(from.arguments, "id"), answering(from.responder));
}

void AdminVerbs::tell_journal(const Received& from) {
  parts_.journal.tell_status(answering(from.responder));
}

ActorQuestions::Done AdminVerbs::telling_all(const admin::Responder& responder) const {
  return [this, responder](const ActorQuestions::Outcome& outcome) {
    reply_with(responder, outcome.status, outcome.reason, outcome.result);
  };
}

}  // namespace actord::app
