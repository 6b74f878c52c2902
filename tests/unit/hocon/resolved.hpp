// SPDX-License-Identifier: Apache-2.0
//
// The results that the cases of this folder compare: a text's value as one line of JSON, or its
// finding.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <string_view>

#include "hocon/render.hpp"
#include "hocon/source.hpp"

namespace actord::hocon::test {

/// A text, and what its resolution must give.
struct Row {
  const char* text;
  const char* expected;
};

/// The finding as "line:column: message".
inline std::string brief(const Diagnostic& finding) {
  return std::to_string(finding.line) + ":" + std::to_string(finding.column) + ": " +
         finding.message;
}

/// The JSON of the resolved source, or its first finding.
inline std::string resolved(Source& source) {
  const auto tree = source.resolve();
  return tree ? render_json(tree->root(), false) : brief(tree.error().front());
}

inline std::string resolved(std::string_view text,
                            const std::map<std::string, std::string>& environment = {}) {
  Source source;
  source.set_environment([environment](std::string_view name) -> std::optional<std::string> {
    const auto found = environment.find(std::string(name));
    return found == environment.end() ? std::nullopt : std::optional(found->second);
  });
  source.add_text("t", std::string(text));
  return resolved(source);
}

template <std::size_t Count>
void check(const Row (&rows)[Count]) {
  for (const Row& row : rows) {
    CAPTURE(std::string(row.text));
    CHECK(resolved(row.text) == row.expected);
  }
}

}  // namespace actord::hocon::test
