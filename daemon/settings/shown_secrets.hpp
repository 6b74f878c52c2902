// SPDX-License-Identifier: Apache-2.0
//
// Secrets at keys whose values are shown: in log lines, in messages, in answers to actorctl.
//
// That is every key of actord itself. Secrets are for the configs of behaviours, which nobody but
// the plugin reads.
#pragma once

#include "hocon/tree.hpp"
#include "settings/findings.hpp"
#include "settings/schema.hpp"

namespace actord::settings {

/// An error for each secret in `value`, which is what the configuration says of `key`.
void refuse_shown_secrets(Findings& findings, const hocon::Value& value, const SettingKey& key);

}  // namespace actord::settings
