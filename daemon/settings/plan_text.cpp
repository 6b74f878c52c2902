// SPDX-License-Identifier: Apache-2.0
#include "settings/plan.hpp"

namespace actord::settings {

std::string text_of(const Step& step) {
  std::string text{name_of(step.action)};
  text += ' ' + step.subject;
  if (!step.key.empty()) text += ' ' + step.key;
  if (!step.from.empty() && !step.to.empty()) text += ": " + step.from + " → " + step.to;
  else if (!step.to.empty()) text += ": " + step.to;
  else if (!step.from.empty()) text += ": no longer " + step.from;
  if (!step.origin.empty()) text += " (" + step.origin + ')';
  if (!step.note.empty()) text += "; " + step.note;
  return text;
}

std::string text_of(const Plan& plan) {
  if (plan.is_empty()) return "unchanged\n";
  std::string text;
  for (const Step& step : plan.steps) text += text_of(step) + '\n';
  return text;
}

}  // namespace actord::settings
