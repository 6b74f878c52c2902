// SPDX-License-Identifier: Apache-2.0
#include "app/quarantined_messages.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "app/crash_form.hpp"
#include "app/message_json.hpp"
#include "app/numbered_page.hpp"
#include "base/tree_path.hpp"
#include "config/json_forms.hpp"
#include "message/packed_message.hpp"
#include "sinks/stack_names.hpp"
#include "sinks/wall_time.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

using config::integer_in;
using config::text_in;
using system::QuarantinedMessage;
using system::QuarantinedMessagePtr;
using wire::Json;

namespace {

constexpr const char* form = "actord.quarantine/1";
constexpr std::string_view not_kept =
    "the message is kept in memory; once the folder can be written again, replay or drop it";
constexpr std::string_view not_read =
    "the file is left as it is: mend it and restart actord, or remove it";

Json causes_json(const QuarantinedMessage& message) {
  Json causes = Json::array();
  for (const auto& [type, what] : message.causes)
    causes.push_back({{"type", type}, {"message", what}});
  return causes;
}

}  // namespace

QuarantinedMessages::QuarantinedMessages(os::EventLoop& loop, log::Hub& hub,
                                         const sinks::SecretMask& mask, ActorQuestions& questions,
                                         system::ActorSystem& actors, std::string folder)
    : loop_(loop),
      hub_(hub),
      mask_(mask),
      questions_(questions),
      actors_(actors),
      folder_(std::move(folder)),
      wall_offset_ns_(
          std::chrono::nanoseconds{std::chrono::system_clock::now().time_since_epoch()}.count() -
          actors.now_ns()) {}

void QuarantinedMessages::report(const std::string& error, std::string_view help) const {
  hub_.shared().emit(log::Level::error, "quarantine.failed",
                     "a file of the quarantine of messages cannot be used",
                     {{"quarantine.error", error}, {"help", help}});
}

// ---- the files ----------------------------------------------------------------------------------

void QuarantinedMessages::open() {
  std::vector<std::shared_ptr<QuarantinedMessage>> found;
  for (const std::string& id : folder_.ids()) {
    auto message = restored(id);
    if (message) found.push_back(*std::move(message));
    else report(message.error().what, not_read);
  }
  std::ranges::stable_sort(found, {}, [](const auto& each) { return each->at_ns; });
  for (auto& each : found) actors_.message_quarantine().restore(std::move(each));
  try {
    thread_.start();
  } catch (const std::system_error& error) {
    report(folder_.path() + ": there is no thread that could write it: " + error.what(), not_kept);
  }
}

base::Result<std::shared_ptr<QuarantinedMessage>> QuarantinedMessages::restored(
    const std::string& id) const {
  const auto text = folder_.read(id);
  if (!text) return text.error();
  const Json json = Json::parse(*text, nullptr, false);
  auto message = std::make_shared<QuarantinedMessage>();
  message->id = text_in(json, "id");
  message->at_ns = integer_in(json, "wall_ns");
  message->path = text_in(json, "recipient");
  message->type = text_in(json, "type");
  if (text_in(json, "form") != form || message->id != id || message->path.empty() ||
      message->type.empty() || message->at_ns <= 0)
    return base::Error{folder_.path_of(id) + " is damaged: it is no message of the quarantine"};
  message->sender_path = text_in(json, "sender");
  message->incarnation = static_cast<std::uint32_t>(integer_in(json, "incarnation"));
  message->attempts = static_cast<std::uint32_t>(integer_in(json, "attempts"));
  const Json& failure = object_in(json, "failure");
  message->failure_id = text_in(failure, "id");
  message->phase = text_in(failure, "phase");
  message->stack = texts_in(failure, "stack");
  const auto causes = failure.find("causes");
  for (const Json& each : causes != failure.end() && causes->is_array() ? *causes : Json::array())
    message->causes.push_back({text_in(each, "type"), text_in(each, "message")});
  if (message->causes.empty()) message->causes.emplace_back();
  if (const auto content = json.find("message"); content != json.end())
    message->content = content->dump(-1, ' ', false, Json::error_handler_t::replace);
  message->left_out = text_in(json, "left_out");
  message->bytes = text->size();
  return message;
}

// It may have been sent again or dropped already.
void QuarantinedMessages::keep(const QuarantinedMessage& message) {
  if (!thread_.is_started() || actors_.message_quarantine().find(message.id) == nullptr) return;
  os::post(thread_.loop(), [this, id = message.id, content = file_of(message)] {
    if (const auto written = folder_.write(id, content); !written)
      report(written.error().what, not_kept);
  });
}

void QuarantinedMessages::close() {
  thread_.stop([] {});
}

Json QuarantinedMessages::file_of(const QuarantinedMessage& message) const {
  Json file = whole_json_of(message);
  mask_texts(file, mask_);
  file["form"] = form;
  file["wall_ns"] = came_at(message);
  if (message.message == nullptr) return file;
  const auto content = file.find("message");
  std::string missing =
      content != file.end()
          ? missing_in(content->dump(-1, ' ', false, Json::error_handler_t::replace),
                       *message.message)
          : text_in(file, "left_out");
  if (!missing.empty()) file["left_out"] = std::move(missing);
  return file;
}

auto QuarantinedMessages::read(message::TypeId type, const std::string& content) const {
  return read_message(type, actors_.types.at(type), content,
                      [this](std::string_view at) { return actors_.find(at); });
}

// What comes of the text must be the same message.
std::string QuarantinedMessages::missing_in(const std::string& content,
                                            const message::OwnedMessage& message) const {
  const auto again = read(message.id(), content);
  if (!again) return again.error().what;
  const actord_message_type& table = *message.type().table;
  if (message::pack_of(table, (*again)->content()) == message::pack_of(table, message.content()))
    return {};
  return "a member is secret, names an actor that has ended, or has bytes that are no text";
}

// ---- what it is ---------------------------------------------------------------------------------

std::int64_t QuarantinedMessages::came_at(const QuarantinedMessage& message) const {
  return message.message == nullptr ? message.at_ns : message.at_ns + wall_offset_ns_;
}

Json QuarantinedMessages::json_of(const QuarantinedMessage& message) const {
  Json json = {{"id", message.id},
               {"ts", sinks::utc_text(came_at(message))},
               {"type", message.type},
               {"recipient", message.path},
               {"attempts", message.attempts},
               {"cause", message.causes.front().type}};
  if (!message.sender_path.empty()) json["sender"] = message.sender_path;
  return json;
}

Json QuarantinedMessages::whole_json_of(const QuarantinedMessage& message) const {
  Json json = json_of(message);
  Json stack = Json::array();
  for (const std::string& each : message.stack) stack.push_back(sinks::name_of_call(each));
  json["incarnation"] = message.incarnation;
  json["failure"] = {{"id", message.failure_id},
                     {"phase", message.phase},
                     {"causes", causes_json(message)},
                     {"stack", std::move(stack)}};
  if (!message.left_out.empty()) json["left_out"] = message.left_out;
  if (message.message == nullptr) {
    if (!message.content.empty()) json["message"] = Json::parse(message.content, nullptr, false);
    return json;
  }
  auto content = app::json_of(message.message->type(), message.message->content(),
                              [this](actord_ref ref) { return actors_.path(ref); });
  if (content) json["message"] = *std::move(content);
  else json["left_out"] = content.error().what;
  return json;
}

Json QuarantinedMessages::list(std::uint64_t after, const std::string& path) const {
  return numbered_page(
      actors_.message_quarantine().all(), "messages", after,
      [&](const QuarantinedMessage& each) { return base::is_at_or_below(each.path, path); },
      [this](const QuarantinedMessage& each) { return json_of(each); });
}

QuarantinedMessagePtr QuarantinedMessages::find(const std::string& id, const Done& done) const {
  QuarantinedMessagePtr found = actors_.message_quarantine().find(id);
  if (found == nullptr)
    done(ActorQuestions::refused("there is no message " + id + " in the quarantine",
                                 "actorctl quarantine list shows those that are there"));
  return found;
}

void QuarantinedMessages::show(const std::string& id, const Done& done) const {
  const QuarantinedMessagePtr message = find(id, done);
  if (message != nullptr) done({0, {}, whole_json_of(*message)});
}

// ---- away from here -----------------------------------------------------------------------------

void QuarantinedMessages::replay(const std::string& id, const std::string& to, const Done& done) {
  const QuarantinedMessagePtr message = find(id, done);
  if (message == nullptr) return;
  if (message->message == nullptr && (!message->left_out.empty() || message->content.empty()))
    return done(ActorQuestions::refused(
        "the message " + id +
            " was left by an earlier run of actord, and not all of it is there: " +
            message->left_out,
        "send what it should have been by actorctl tell, and drop it"));
  const std::string path = to.empty() ? message->path : to;
  questions_.find_taker(path, message->type, ActorQuestions::patience, done,
                        [this, id, path, done](actor::Ref whom, message::TypeId) {
                          // While the actor was asked, the message may have been sent.
                          const QuarantinedMessagePtr still = find(id, done);
                          if (still != nullptr) send(*still, whom, path, done);
                        });
}

void QuarantinedMessages::send(const QuarantinedMessage& message, actor::Ref whom,
                               const std::string& path, const Done& done) {
  actor::Ref sender = actors_.cells.is_living(message.sender) ? message.sender : actor::nobody;
  if (sender == actor::nobody && !message.sender_path.empty())
    sender = actors_.find(message.sender_path);
  const auto tell = [&](const message::OwnedMessage& content) {
    if (!actors_.try_tell(whom, content.id(), content.content(), sender))
      return done(questions_.no_room(whom));
    forget(message.id, path, "sent", done);
  };
  if (message.message != nullptr) return tell(*message.message);
  const auto content = read(actors_.types.find(message.type), message.content);
  if (content) return tell(**content);
  ActorQuestions::Outcome unread = ActorQuestions::refused(
      "the message " + message.id + " cannot be read any more: " + content.error().what,
      "send what it should have been by actorctl tell, and drop it");
  if (!content.error().findings.empty())
    unread.result["findings"] = config::json_of(content.error().findings);
  done(unread);
}

void QuarantinedMessages::drop(const std::string& id, const Done& done) {
  const QuarantinedMessagePtr message = find(id, done);
  if (message != nullptr) forget(id, message->path, "dropped", done);
}

// A process that is killed before the file is away finds the message again.
void QuarantinedMessages::forget(const std::string& id, const std::string& path,
                                 const char* outcome, const Done& done) {
  actors_.message_quarantine().remove(id);
  const ActorQuestions::Outcome over{0, {}, {{"path", path}, {"outcome", outcome}}};
  if (!thread_.is_started()) return done(over);
  os::post(thread_.loop(), [this, id, over, done] {
    const auto removed = folder_.remove(id);
    if (!removed)
      report(removed.error().what, "remove it, or the message is there again after a restart");
    os::post(loop_, [over, done] { done(over); });
  });
}

}  // namespace actord::app
