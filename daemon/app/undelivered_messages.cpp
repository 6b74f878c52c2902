// SPDX-License-Identifier: Apache-2.0
#include "app/undelivered_messages.hpp"

#include <charconv>
#include <chrono>

#include "app/message_json.hpp"
#include "app/numbered_page.hpp"
#include "base/tree_path.hpp"
#include "config/json_forms.hpp"
#include "message/masking_writer.hpp"
#include "sinks/wall_time.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

using system::KeptLetter;
using system::KeptLetterPtr;
using wire::Json;

namespace {

std::string_view type_name(const KeptLetter& letter) {
  return message::view(letter.message.type().table->name);
}

}  // namespace

std::string UndeliveredMessages::id_of(const KeptLetter& letter) const {
  std::string run = actors_.failure_id_prefix;
  if (run.ends_with('-')) run.pop_back();
  return run + '.' + std::to_string(letter.number);
}

Json UndeliveredMessages::json_of(const KeptLetter& letter) const {
  const auto age = std::chrono::nanoseconds{actors_.now_ns() - letter.at_ns};
  const auto at = std::chrono::system_clock::now() - age;
  Json json = {{"id", id_of(letter)},
               {"ts", sinks::utc_text(std::chrono::nanoseconds{at.time_since_epoch()}.count())},
               {"reason", name_of(letter.reason)},
               {"type", type_name(letter)},
               {"recipient", letter.recipient_path}};
  if (!letter.sender_path.empty()) json["sender"] = letter.sender_path;
  return json;
}

Json UndeliveredMessages::list(const Filter& filter) const {
  return numbered_page(
      actors_.dead_letter_box().all(), "letters", filter.after,
      [&](const KeptLetter& each) {
        return base::is_at_or_below(each.recipient_path, filter.path) &&
               (filter.reason.empty() || filter.reason == name_of(each.reason));
      },
      [this](const KeptLetter& each) { return json_of(each); });
}

KeptLetterPtr UndeliveredMessages::find(const std::string& id, const Done& done) const {
  const std::size_t dot = id.find('.');
  std::uint64_t number = 0;
  if (dot != id.npos) std::from_chars(id.data() + dot + 1, id.data() + id.size(), number);
  const KeptLetterPtr found = actors_.dead_letter_box().find(number);
  if (found != nullptr && id_of(*found) == id) return found;
  done(ActorQuestions::refused(
      "there is no dead letter " + id,
      "actorctl deadletters list shows those that are kept; older ones make room "
      "(actord.dead-letters.history-size), and a restart of actord forgets them"));
  return nullptr;
}

void UndeliveredMessages::show(const std::string& id, const Done& done) const {
  const KeptLetterPtr letter = find(id, done);
  if (letter == nullptr) return;
  auto content = app::json_of(letter->message.type(), letter->message.content(),
                              [this](actord_ref ref) { return actors_.path(ref); });
  if (!content) return done({ActorQuestions::busy, content.error().what});
  Json result = json_of(*letter);
  result["message"] = *std::move(content);
  done({0, {}, std::move(result)});
}

void UndeliveredMessages::replay(const std::string& id, const std::string& to, const Done& done) {
  const KeptLetterPtr letter = find(id, done);
  if (letter == nullptr) return;
  const std::string path = to.empty() ? letter->recipient_path : to;
  questions_.find_taker(
      path, std::string{type_name(*letter)}, ActorQuestions::patience, done,
      [this, id, path, number = letter->number, done](actor::Ref whom, message::TypeId type) {
        // While the actor was asked, the letter may have made room or have been sent.
        const KeptLetterPtr still = find(id, done);
        if (still == nullptr) return;
        const actor::Ref sender =
            actors_.cells.is_living(still->sender) ? still->sender : actor::nobody;
        if (!actors_.try_tell(whom, type, still->message.content(), sender))
          return done(questions_.no_room(whom));
        actors_.dead_letter_box().remove(number);
        done({0, {}, {{"path", path}, {"outcome", "sent"}}});
      });
}

void UndeliveredMessages::drop(const std::string& id, const Done& done) {
  const KeptLetterPtr letter = find(id, done);
  if (letter == nullptr) return;
  actors_.dead_letter_box().remove(letter->number);
  done({0, {}, {{"path", letter->recipient_path}, {"outcome", "dropped"}}});
}

}  // namespace actord::app
