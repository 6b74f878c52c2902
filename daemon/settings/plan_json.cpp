// SPDX-License-Identifier: Apache-2.0
#include "settings/plan_json.hpp"

#include <nlohmann/json.hpp>

namespace actord::settings {

using Json = nlohmann::ordered_json;

nlohmann::ordered_json json_of(const Plan& plan) {
  Json steps = Json::array();
  for (const Step& step : plan.steps) {
    Json json = {{"action", name_of(step.action)}, {"subject", step.subject}};
    const auto put = [&](const char* name, const std::string& text) {
      if (!text.empty()) json[name] = text;
    };
    put("key", step.key);
    put("from", step.from);
    put("to", step.to);
    put("origin", step.origin);
    put("note", step.note);
    steps.push_back(std::move(json));
  }
  return {{"steps", std::move(steps)}};
}

Plan plan_of(const Json& json) {
  using Action = Step::Action;
  Plan plan;
  const auto steps = json.find("steps");
  if (steps == json.end()) return plan;
  for (const Json& each : *steps) {
    const auto text = [&](const char* name) {
      const auto found = each.find(name);
      return found != each.end() && found->is_string() ? found->get<std::string>() : std::string{};
    };
    for (const Action action : {Action::create, Action::stop, Action::restart, Action::replace,
                                Action::re_strategy, Action::live, Action::needs_restart}) {
      if (name_of(action) != text("action")) continue;
      plan.steps.push_back({action, text("subject"), text("key"), text("from"), text("to"),
                            text("origin"), text("note")});
    }
  }
  return plan;
}

}  // namespace actord::settings
