// SPDX-License-Identifier: Apache-2.0
//
// How a definition comes upon the ones before it.
//
// An object literal upon an object literal is merged at once, field by field: nothing that a
// substitution may turn out to be can come between them. Everything else is laid upon the stack of
// its field and left to the resolver.
#pragma once

#include <memory_resource>
#include <span>
#include <string_view>

#include "hocon/node.hpp"

namespace actord::hocon {

/// Defines `path` below `target` as `value`, with objects made for the elements on the way, whose
/// place is `key`.
void define(ObjectLiteral& target, std::span<const std::string_view> path, Node* value,
            const SourceSpan& key, std::pmr::memory_resource* arena);

}  // namespace actord::hocon
