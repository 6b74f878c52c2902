// SPDX-License-Identifier: Apache-2.0
#include "config/actor_check.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "actor/failure.hpp"
#include "loader/config_validator.hpp"
#include "loader/plugin_code.hpp"
#include "loader/plugin_scan.hpp"
#include "message/message_type.hpp"
#include "settings/content.hpp"

namespace actord::config {

using hocon::Diagnostic;
using hocon::Value;
using message::view;

namespace {

bool is_within(Value value, const Value& outer) {
  for (; value; value = value.parent()) {
    if (value == outer) return true;
  }
  return false;
}

bool is_at_same_place(const Diagnostic& a, const Diagnostic& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

/// The value that a scan has rejected; absent: the config as a whole.
Value value_at(Value value, const loader::RejectedConfig& rejected) {
  if (rejected.is_whole) return {};
  for (const loader::ConfigStep& step : rejected.path) {
    if (value.is_array() && step.key.empty())
      value = step.position < value.size() ? value.at(step.position).value : Value{};
    else value = value.member(step.key);
    if (!value) break;
  }
  return value;
}

/// Runs the function validate() of behaviours, each in the process where its plugin is.
class Validation {
 public:
  Validation(const settings::Settings& settings, const FindPlugin& find_plugin)
      : validator_(settings.tree), find_plugin_(find_plugin) {}

  /// `found` outlives finish().
  void add(const settings::SoundActor& actor, hocon::Diagnostics& found) {
    if (actor.behaviour->table.validate == nullptr) return;
    const PluginPlace plugin = find_plugin_(actor.behaviour->plugin);
    if (plugin.is_only_described) {
      Jobs& jobs = elsewhere_[plugin.image->file()];
      jobs.image = plugin.image;
      return jobs.list.push_back({&actor, &found});
    }
    std::optional<loader::PluginCode> code;
    if (plugin.image) code.emplace(plugin.image->file());
    for (const loader::Rejection& each :
         validator_.validate(actor.behaviour->table, actor.node->config))
      reject({&actor, &found}, each.value, each.reason);
  }

  void finish() {
    for (const auto& [file, of_plugin] : elsewhere_) {
      const std::vector<Job>& jobs = of_plugin.list;
      std::vector<loader::ConfigToValidate> configs;
      for (const Job& job : jobs)
        configs.push_back({std::string{view(job.actor->behaviour->table.name)},
                           settings::canonical_text(job.actor->node->config)});
      const auto rejected = loader::validate_configs(*of_plugin.image, configs);
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (!rejected) {
          reject(jobs[i], {}, "its config cannot be validated: " + rejected.error().what);
          continue;
        }
        for (const loader::RejectedConfig& each : (*rejected)[i])
          reject(jobs[i], value_at(jobs[i].actor->node->config, each), each.reason);
      }
    }
  }

 private:
  struct Job {
    const settings::SoundActor* actor;
    hocon::Diagnostics* found;
  };
  struct Jobs {
    loader::PluginImagePtr image;
    std::vector<Job> list;
  };

  static void reject(const Job& job, const Value& value, const std::string& reason) {
    const Value& at = value ? value : job.actor->node->behaviour;
    const std::string subject = value ? value.path() : job.actor->behaviour->name;
    job.found->push_back(at.reject(subject + ": " + reason));
  }

  loader::ConfigValidator validator_;
  const FindPlugin& find_plugin_;
  std::map<std::string, Jobs> elsewhere_;  // by the plugin's file
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

std::vector<ActorFindings> check_actors(const settings::Settings& settings,
                                        const std::vector<settings::SoundActor>& actors,
                                        const std::vector<Value>& unknown,
                                        const FindPlugin& find_plugin, const Onlooker& onlooker) {
  std::vector<ActorFindings> all;
  std::vector<hocon::Diagnostics> rejected(actors.size());
  Validation validation(settings, find_plugin);
  for (std::size_t i = 0; i < actors.size(); ++i) {
    const settings::SoundActor& actor = actors[i];
    const Value& config = actor.node->config;
    const auto contains_unknown = [&](const Value& value) {
      return std::ranges::any_of(unknown,
                                 [&](const Value& secret) { return is_within(secret, value); });
    };
    std::vector<settings::Resource> resources =
        settings::resources_in(config, actor.behaviour->table);
    std::erase_if(resources, [&](const auto& each) { return contains_unknown(each.value); });
    all.push_back({actor.path, look_at(resources, settings.state_directory, onlooker)});
    if (!contains_unknown(config)) validation.add(actor, rejected[i]);
  }
  validation.finish();
  for (std::size_t i = 0; i < actors.size(); ++i) {
    hocon::Diagnostics& wrong = all[i].found.wrong;
    for (Diagnostic& each : rejected[i]) {
      const auto is_known_already = [&](const Diagnostic& other) {
        return is_at_same_place(each, other);
      };
      if (std::ranges::none_of(wrong, is_known_already)) wrong.push_back(std::move(each));
    }
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
