// SPDX-License-Identifier: Apache-2.0
#include "settings/shown_secrets.hpp"

#include "schema/setting_codes.hpp"

namespace actord::settings {

// Recursion is bounded by the nesting of the tree.
void reject_shown_secrets(Findings& findings, const hocon::Value& value,
                          const schema::SettingKey& key) {
  if (!value || key.is_secret || key.type == schema::Type::object) return;
  if (!value.is_object() && !value.is_array()) {
    if (!value.is_secret()) return;
    return findings.add(
        coded(schema::codes::shown_secret,
              value.reject(
                  "a secret may not be used here: it would be shown in logs",
                  "write the value itself; only the config of a behaviour may contain secrets")));
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    const hocon::Member member = value.at(i);
    const bool is_element = value.is_array() || key.type == schema::Type::list;
    const schema::SettingKey* const inner = is_element ? &key : key.member(member.key);
    if (inner != nullptr) reject_shown_secrets(findings, member.value, *inner);
  }
}

}  // namespace actord::settings
