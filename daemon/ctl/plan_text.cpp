// SPDX-License-Identifier: Apache-2.0
#include "ctl/plan_text.hpp"

#include "settings/plan_json.hpp"

namespace actord::ctl {

std::string plan_text(const wire::Json& plan) {
  const settings::Plan read = settings::plan_of(plan);
  if (read.is_empty()) return {};
  std::string text = settings::text_of(read);
  if (const auto beyond = plan.find("steps_left_out"); beyond != plan.end())
    text += "... and " + beyond->dump() + " more\n";
  return text;
}

}  // namespace actord::ctl
