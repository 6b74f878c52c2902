// SPDX-License-Identifier: Apache-2.0
//
// Messages to and from JSON, for any type of any plugin: both ways go through the functions of the
// message's own type, so that the field list of the type is the format.
//
// A duration is a text with its unit, the ref of an actor is its path, and a member that the type
// calls secret is "…".
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "hocon/diagnostic.hpp"
#include "message/owned_message.hpp"
#include "message/type_registry.hpp"
#include "wire/control_message.hpp"

namespace actord::app {

/// Why a text is no message of its type.
struct UnreadMessage {
  std::string what;             // one sentence
  hocon::Diagnostics findings;  // what is wrong, and where in the text
};

/// Returns the living actor at a path, or 0.
using FindActor = std::function<actord_ref(std::string_view path)>;
/// Returns the path of an actor.
using PathOf = std::function<std::string(actord_ref)>;

/// Reads the members of a message of that type from the text of a JSON object. A member that is
/// absent keeps its default; one that the type does not have is an error.
base::Result<std::unique_ptr<message::OwnedMessage>, UnreadMessage> read_message(
    message::TypeId id, const message::MessageType& type, const std::string& json,
    const FindActor& find);

/// The message as JSON. Fails if it would not fit into a reply, or if the type's own write() fails.
base::Result<wire::Json> json_of(const message::MessageType& type, const void* message,
                                 const PathOf& path_of);

}  // namespace actord::app
