// SPDX-License-Identifier: Apache-2.0
//
// Finds secrets at keys whose values are shown in log lines, in messages or in answers to
// actorctl.
//
// All keys of actord itself are shown. Secrets are allowed only in the configs of behaviours,
// which only the plugin reads.
#pragma once

#include "hocon/tree.hpp"
#include "schema/schema.hpp"
#include "settings/findings.hpp"

namespace actord::settings {

/// Adds an error for each secret in `value`, the value of `key`.
void reject_shown_secrets(Findings& findings, const hocon::Value& value,
                          const schema::SettingKey& key);

}  // namespace actord::settings
