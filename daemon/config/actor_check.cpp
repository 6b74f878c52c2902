// SPDX-License-Identifier: Apache-2.0
#include "config/actor_check.hpp"

#include <algorithm>
#include <optional>

#include "actor/failure.hpp"
#include "actor/ref.hpp"
#include "loader/plugin_code.hpp"
#include "message/message_type.hpp"
#include "sdk/config_value.hpp"

namespace actord::config {

using hocon::Diagnostic;
using hocon::Value;
using message::view;

namespace {

/// Collects what validate() rejects, and the failure that it reports.
class Validation : public actord_errors {
 public:
  Validation(const settings::SoundActor& actor, hocon::Diagnostics& found)
      : actord_errors{&Validation::on_failure}, actor_(actor), found_(found) {}

  void reject(const Value& value, std::string_view reason) {
    const Value& at = value ? value : actor_.node->behaviour;
    const std::string subject = value ? value.path() : actor_.behaviour->name;
    found_.push_back(at.reject(subject + ": " + std::string{reason}));
  }

 private:
  static void on_failure(actord_errors* self, const actord_failure* failure) {
    auto& validation = *static_cast<Validation*>(self);
    std::string reason = "its config cannot be validated: " + std::string{view(failure->what)};
    if (failure->n_types != 0) reason += " (" + std::string{view(failure->types[0])} + ')';
    validation.reject({}, reason);
  }

  const settings::SoundActor& actor_;
  hocon::Diagnostics& found_;
};

bool is_within(Value value, const Value& outer) {
  for (; value; value = value.parent()) {
    if (value == outer) return true;
  }
  return false;
}

bool is_at_same_place(const Diagnostic& a, const Diagnostic& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

/// The configs of one tree as validate() reads them: a value that it rejects goes to the validation
/// that runs, and every ref leads to an actor that takes nothing.
class Validator {
 public:
  explicit Validator(const settings::Settings& settings)
      : reader_(
            settings.tree, [](std::string_view) { return actor::dead_letters; },
            [this](const Value& value, std::string_view reason) {
              running_->reject(value, reason);
            }) {}

  void validate(const settings::SoundActor& actor, const std::string& plugin_file,
                hocon::Diagnostics& found) {
    const actord_behaviour& table = actor.behaviour->table;
    if (table.validate == nullptr) return;
    running_.emplace(actor, found);
    std::optional<loader::PluginCode> code;
    if (!plugin_file.empty()) code.emplace(plugin_file);
    const std::size_t before = found.size();
    if (table.validate(reader_.value(actor.node->config), &*running_) != ACTORD_OK &&
        found.size() == before)
      running_->reject({}, "its config is rejected, without a reason");
  }

 private:
  std::optional<Validation> running_;
  sdk::ConfigReader reader_;
};

// ---- creation refused ---------------------------------------------------------------------------

struct Refusal {
  std::string reason;
  std::string content;
};

actord_status refuse(void*, actord_context*, actord_value, const void* refusal,
                     actord_errors* errors) {
  constexpr auto& types = actor::causes::config_error;
  actord_failure failure{};
  failure.struct_size = sizeof failure;
  failure.flags = ACTORD_STATIC_TYPES;
  failure.types = types.data();
  failure.n_types = types.size();
  const std::string& reason = static_cast<const Refusal*>(refusal)->reason;
  failure.what = {reason.data(), reason.size()};
  errors->report(errors, &failure);
  return ACTORD_FAILED;
}

std::string on_one_line(const hocon::Diagnostics& findings) {
  std::string text;
  for (const Diagnostic& each : findings) {
    text += text.empty() ? "" : "; ";
    if (!each.file.empty()) text += each.file + ':';
    for (const unsigned number : {each.line, each.column}) {
      if (number != 0) text += std::to_string(number) + ':';
    }
    text += (each.file.empty() ? "" : " ") + each.message;
  }
  return text;
}

}  // namespace

std::vector<ActorFindings> check_actors(
    const settings::Settings& settings, const std::vector<settings::SoundActor>& actors,
    const std::vector<Value>& unknown,
    const std::function<std::string(std::string_view plugin)>& file_of, const Onlooker& onlooker) {
  Validator validator(settings);
  std::vector<ActorFindings> all;
  for (const settings::SoundActor& actor : actors) {
    const Value& config = actor.node->config;
    const auto contains_unknown = [&](const Value& value) {
      return std::ranges::any_of(unknown,
                                 [&](const Value& secret) { return is_within(secret, value); });
    };
    std::vector<settings::Resource> resources =
        settings::resources_in(config, actor.behaviour->table);
    std::erase_if(resources, [&](const auto& each) { return contains_unknown(each.value); });
    ActorFindings of{actor.path, look_at(resources, settings.state_directory, onlooker)};
    hocon::Diagnostics rejected;
    if (!contains_unknown(config))
      validator.validate(actor, file_of(actor.behaviour->plugin), rejected);
    for (Diagnostic& each : rejected) {
      const auto is_known_already = [&](const Diagnostic& other) {
        return is_at_same_place(each, other);
      };
      if (std::ranges::none_of(of.found.wrong, is_known_already))
        of.found.wrong.push_back(std::move(each));
    }
    all.push_back(std::move(of));
  }
  return all;
}

void refuse_creation(actor::NodeSpec& actor, const hocon::Diagnostics& findings,
                     std::uint64_t attempt) {
  auto refusal = std::make_shared<Refusal>();
  refusal->reason = on_one_line(findings);
  refusal->content = actor.content;
  actor.content += "\nrefused " + std::to_string(attempt);
  actor.create = &refuse;
  actor.args = std::move(refusal);
}

bool is_refused(const actor::NodeSpec& actor) noexcept { return actor.create == &refuse; }

std::string_view configured_content(const actor::NodeSpec& actor) noexcept {
  return is_refused(actor) ? static_cast<const Refusal*>(actor.args.get())->content : actor.content;
}

}  // namespace actord::config
