// SPDX-License-Identifier: Apache-2.0
//
// The schema as JSON Schema (draft 2020-12), for editors and other tools. It describes a
// configuration after its substitutions, in the form that `actorctl config render` prints.
//
// Not here: rules beyond JSON Schema, such as keys that exclude each other, and null, which
// removes an inherited value.
#pragma once

#include <string>
#include <string_view>

namespace actord::schema {

inline constexpr std::string_view json_schema_draft =
    "https://json-schema.org/draft/2020-12/schema";
/// A duration, as an ECMAScript pattern.
inline constexpr std::string_view duration_form =
    "^[+-]?[0-9.]+([eE][+-]?[0-9]+)?\\s*(ns|nano(s|second|seconds)?|us|micro(s|second|seconds)?|"
    "ms|milli(s|second|seconds)?|s|seconds?|m|minutes?|h|hours?|d|days?)?$";
/// A size in bytes, as an ECMAScript pattern.
inline constexpr std::string_view size_form =
    "^[0-9.]+\\s*([kKMGTPEZY]i?B?|[kMGTPEZY]B|bytes?|B|(kilo|mega|giga|tera|peta|exa)bytes?|"
    "(kibi|mebi|gibi|tebi|pebi|exbi)bytes?)?$";

/// The schema of the whole configuration, indented, with a newline at its end. It has two keywords
/// of our own: x-reload (when a change takes effect) and x-range (the accepted values as text).
std::string json_schema();

}  // namespace actord::schema
