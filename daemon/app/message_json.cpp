// SPDX-License-Identifier: Apache-2.0
#include "app/message_json.hpp"

#include <cmath>
#include <vector>

#include "app/json_object.hpp"
#include "base/duration_text.hpp"
#include "hocon/source.hpp"
#include "message/data_values.hpp"
#include "message/masking_writer.hpp"
#include "message/report.hpp"
#include "sdk/config_value.hpp"
#include "settings/config_check.hpp"
#include "wire/frame.hpp"

namespace actord::app {

using message::view;
using wire::Json;

namespace {

// The one member of the object that the text becomes the value of.
constexpr std::string_view member = "message";
// An answer has members besides the message, and its texts grow when they are escaped.
constexpr std::size_t bytes_max = wire::text_size_max / 4;
constexpr std::size_t depth_max = wire::depth_max - 4;

/// Builds a Json of what a type's write() says.
class JsonWriter : public actord_writer {
 public:
  explicit JsonWriter(const PathOf& path_of)
      : actord_writer{
            sizeof(actord_writer),
            [](actord_writer* w) { of(w).put({}); },
            [](actord_writer* w, std::int32_t value) { of(w).put(value != 0); },
            [](actord_writer* w, std::int64_t value) { of(w).put(value); },
            [](actord_writer* w, std::uint64_t value) { of(w).put(value); },
            [](actord_writer* w, double value) { of(w).put_real(value); },
            [](actord_writer* w, actord_str t) { of(w).put_text(view(t)); },
            [](actord_writer* w, actord_ref r) { of(w).put_text(of(w).path_of_(r)); },
            [](actord_writer* w, std::int64_t ns) { of(w).put_text(base::duration_text(ns)); },
            [](actord_writer* w, std::size_t) { of(w).begin(Json::array()); },
            [](actord_writer* w, std::size_t) { of(w).begin(Json::object()); },
            [](actord_writer* w, actord_str k) { of(w).key_ = view(k); },
            [](actord_writer* w) { of(w).end(); },
            &message::write_data},
        path_of_(path_of) {}

  bool is_too_large() const noexcept { return is_too_large_; }
  Json take() { return std::move(root_); }

 private:
  static JsonWriter& of(actord_writer* writer) { return static_cast<JsonWriter&>(*writer); }

  // What does not fit is left out; then the whole is not used.
  Json* put(Json value, std::size_t size = sizeof(Json)) {
    bytes_ += size + key_.size();
    Json* const parent = open_.empty() ? nullptr : open_.back();
    is_too_large_ = is_too_large_ || bytes_ > bytes_max || open_.size() >= depth_max ||
                    (parent != nullptr && parent->is_object() &&
                     parent->size() >= wire::answer_object_members_max);
    if (is_too_large_) return nullptr;
    if (parent == nullptr) return &(root_ = std::move(value));
    if (parent->is_array()) return &parent->emplace_back(std::move(value));
    return &((*parent)[key_] = std::move(value));
  }
  void put_text(std::string_view t) { put(std::string{t.substr(0, bytes_max)}, t.size()); }
  void put_real(double value) {  // JSON has no infinity and no NaN
    if (std::isfinite(value)) put(value);
    else put_text(std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
  }
  void begin(Json empty) {
    Json* const opened = put(std::move(empty));
    if (opened == nullptr) ++left_out_;
    else open_.push_back(opened);
  }
  void end() {
    if (left_out_ != 0) --left_out_;
    else if (!open_.empty()) open_.pop_back();
  }

  const PathOf& path_of_;
  Json root_;
  std::vector<Json*> open_;  // lists and maps; only the innermost one grows, so they do not move
  std::string key_;
  std::size_t bytes_ = 0, left_out_ = 0;
  bool is_too_large_ = false;
};

}  // namespace

base::Result<std::unique_ptr<message::OwnedMessage>, UnreadMessage> read_message(
    message::TypeId id, const message::MessageType& type, const std::string& json,
    const FindActor& find) {
  // JSON is HOCON, but HOCON could include files and variables of the daemon.
  if (const auto object = read_object(json, "message"); !object)
    return UnreadMessage{object.error().what, {}};
  const std::string name{view(type.table->name)};
  const std::string refused = "this is no " + name;
  hocon::Source source;
  source.add_text(std::string{member}, std::string{member} + " = " + json);
  auto tree = source.resolve();
  if (!tree) return UnreadMessage{refused, std::move(tree).error()};
  const hocon::Value value = tree->root().member(member);
  settings::Findings findings(*tree);
  settings::check_message(findings, value, *type.table);
  hocon::Diagnostics wrong = findings.take_errors();
  if (!wrong.empty()) return UnreadMessage{refused, std::move(wrong)};
  const sdk::ConfigReader reader(*tree, find);
  auto message = std::make_unique<message::OwnedMessage>(id, type);
  message::FirstText errors;
  if (message->read(reader.value(value), errors) != ACTORD_OK)
    return UnreadMessage{refused + ": " + errors.text, {}};
  return message;
}

base::Result<Json> json_of(const message::MessageType& type, const void* message,
                           const PathOf& path_of) {
  JsonWriter writer(path_of);
  message::FirstText errors;
  if (message::write_masked(*type.table, message, writer, errors) != ACTORD_OK)
    return base::Error{std::string{view(type.table->name)} + " cannot be written: " + errors.text};
  if (writer.is_too_large())
    return base::Error{std::string{view(type.table->name)} + " does not fit into a reply of " +
                       std::to_string(bytes_max / 1024) + " KiB"};
  return writer.take();
}

}  // namespace actord::app
