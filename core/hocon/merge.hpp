// SPDX-License-Identifier: Apache-2.0
//
// Adds a definition on top of the older definitions of a key.
//
// Two object literals are merged at once, field by field, because no substitution can come between
// them. Every other definition is pushed on the stack of its field and left to the resolver.
#pragma once

#include <memory_resource>
#include <span>
#include <string_view>

#include "hocon/node.hpp"

namespace actord::hocon {

/// Defines `path` below `target` as `value`. Objects on the way are created as needed, with `key`
/// as their place.
void define(ObjectLiteral& target, std::span<const std::string_view> path, Node* value,
            const SourceSpan& key, std::pmr::memory_resource* arena);

}  // namespace actord::hocon
