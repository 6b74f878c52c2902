// SPDX-License-Identifier: Apache-2.0
//
// A plan as JSON, as actorctl prints it and the daemon sends it: members are added, never renamed.
#pragma once

#include <nlohmann/json.hpp>

#include "settings/plan.hpp"

namespace actord::settings {

/// {"steps":[{"action":"re-strategy","subject":"/user/x","key":...,"from":...,"to":...,
/// "origin":"file:line","note":...}]}; what is empty is left out. No steps: unchanged.
nlohmann::ordered_json json_of(const Plan& plan);
/// The way back; what is no step is left out.
Plan plan_of(const nlohmann::ordered_json& json);

}  // namespace actord::settings
