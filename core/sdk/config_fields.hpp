// SPDX-License-Identifier: Apache-2.0
//
// The members of a described struct, from the type texts of plugin.h.
//
// Not here: the checks made against them (daemon/settings, testkit).
#pragma once

#include <actord/plugin.h>

#include <string>
#include <string_view>
#include <vector>

namespace actord::sdk {

struct ConfigField {
  std::string_view name, type;

  /// The name as an operator writes it, with hyphens.
  std::string written() const;
};

std::vector<ConfigField> fields_of(const actord_member* members, std::size_t count);
/// The fields of a struct type without its braces, "name:T,name:T". Commas inside nested types do
/// not separate fields.
std::vector<ConfigField> fields_of(std::string_view type);

}  // namespace actord::sdk
