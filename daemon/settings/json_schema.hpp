// SPDX-License-Identifier: Apache-2.0
//
// The schema as JSON Schema (draft 2020-12), for editors and for checks outside of actord. It
// describes a configuration after its substitutions, as `actorctl config render` prints it.
//
// Not here: what only a reader can tell, such as two keys that exclude each other; and null, which
// takes an inherited value away.
#pragma once

#include <string>
#include <string_view>

namespace actord::settings {

inline constexpr std::string_view json_schema_draft =
    "https://json-schema.org/draft/2020-12/schema";
/// What a duration looks like, as an ECMAScript pattern.
inline constexpr std::string_view duration_form =
    "^[+-]?[0-9.]+([eE][+-]?[0-9]+)?\\s*(ns|nano(s|second|seconds)?|us|micro(s|second|seconds)?|"
    "ms|milli(s|second|seconds)?|s|seconds?|m|minutes?|h|hours?|d|days?)?$";
/// What a size in bytes looks like.
inline constexpr std::string_view size_form =
    "^[0-9.]+\\s*([kKMGTPEZY]i?B?|[kMGTPEZY]B|bytes?|B|(kilo|mega|giga|tera|peta|exa)bytes?|"
    "(kibi|mebi|gibi|tebi|pebi|exbi)bytes?)?$";

/// The whole configuration, indented, with a newline at its end. Standard keywords, and two of our
/// own: x-reload (when a change holds) and x-range (what is taken, in words).
std::string json_schema();

}  // namespace actord::settings
