// SPDX-License-Identifier: Apache-2.0
//
// What `actorctl plugin new` is asked for: the name of the plugin, and its messages. They are
// checked here, because each of them becomes a name in source code.
//
// Not here: the files that are made of it (plugin_project.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "ctl/field_type.hpp"

namespace actord::ctl {

struct FieldDraft {
  std::string name;
  FieldType type;
};

struct MessageDraft {
  std::string name;  // "Ping"
  std::vector<FieldDraft> fields;
};

struct PluginDraft {
  std::string name;  // "demo"
  bool is_in_c = false;
  std::vector<MessageDraft> messages;  // at least one
};

/// The name of the plugin's behaviour: "MyPlugin" for my_plugin.
std::string actor_name(std::string_view plugin);

/// Why there can be no such plugin.
struct DraftError {
  std::string what, help;
};

/// The name of a plugin as an author writes it, checked: it is a file, a namespace, and a target of
/// CMake.
base::Result<void, DraftError> check_plugin_name(std::string_view name);

/// Reads "Ping:int,more:text": a name, and types of fields, each behind a name; one field may have
/// only a type, and is called `value` then.
base::Result<MessageDraft, DraftError> read_message_draft(std::string_view written, bool in_c);

/// The plugin with these messages, as --message has them; "Ping:int" without any.
base::Result<PluginDraft, DraftError> read_plugin_draft(std::string_view name,
                                                        const std::vector<std::string>& messages,
                                                        bool in_c);

/// "PingPong" as "ping_pong".
std::string snake_case(std::string_view name);

}  // namespace actord::ctl
