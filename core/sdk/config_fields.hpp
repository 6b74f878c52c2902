// SPDX-License-Identifier: Apache-2.0
//
// The members of a described struct, as plugin.h spells them in words.
//
// Not here: what is checked against them (daemon/settings, testkit).
#pragma once

#include <actord/plugin.h>

#include <string>
#include <string_view>
#include <vector>

namespace actord::sdk {

struct ConfigField {
  std::string_view name, type;

  /// As an operator writes it: with hyphens.
  std::string written() const;
};

std::vector<ConfigField> fields_of(const actord_member* members, std::size_t count);
/// Of a struct's type without its braces, "name:T,name:T", with nested commas left alone.
std::vector<ConfigField> fields_of(std::string_view type);

}  // namespace actord::sdk
