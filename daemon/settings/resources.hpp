// SPDX-License-Identifier: Apache-2.0
//
// What the configs of actors name outside the configuration, by the declarations of their
// behaviours: folders, files, ports, URLs.
//
// Not here: whether these exist and may be used (config/resource_check.hpp).
#pragma once

#include <string>
#include <vector>

#include "schema/config_rules.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

struct Resource {
  const actord_config_key* declared = nullptr;  // as long as the plugin is loaded
  hocon::Value value;                           // what names it
  hocon::Value address;  // of a port: the value with its address; may be absent
};

/// The values in `config` that name a resource. Keys that are not written are left out: only the
/// behaviour knows their defaults. `config` may be absent.
std::vector<Resource> resources_in(const hocon::Value& config, const actord_behaviour& behaviour);

/// What is wrong with the text of an absolute URL; empty: nothing. It needs a scheme, one of those
/// that `key` lists, a host, and a port from 1 to 65535 if it has one. What follows the host is not
/// looked at.
std::string url_error(std::string_view text, const actord_config_key& key);

/// Whether the text is the name of a file, without a folder.
bool is_file_name(std::string_view text);

/// The values at `path` below `value`, such as "chaos.*.pin", with `*` for any element or member.
std::vector<hocon::Value> values_at(const hocon::Value& value, std::string_view path);

}  // namespace actord::settings
