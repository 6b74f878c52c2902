// SPDX-License-Identifier: Apache-2.0
//
// A plan as JSON. actorctl prints and the daemon sends the same form. Members may be added but are
// never renamed.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "settings/plan.hpp"

namespace actord::settings {

/// {"steps":[{"action":"re-strategy","subject":"/user/x","key":...,"from":...,"to":...,
/// "origin":"file:line","note":...}]}; empty members are left out. No steps: unchanged.
nlohmann::ordered_json json_of(const Plan& plan);
/// The reverse of json_of(). Elements that are not steps are skipped.
Plan plan_of(const nlohmann::ordered_json& json);

}  // namespace actord::settings
