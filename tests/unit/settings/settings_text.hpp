// SPDX-License-Identifier: Apache-2.0
//
// Settings from texts, as the tests of this folder need them.
#pragma once

#include <string>

#include "hocon/source.hpp"
#include "schema/reference.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// The layers as in actord: reference.conf, then test.conf with `text`, then `overrides`.
inline base::Result<hocon::Tree, hocon::Diagnostics> tree_of(
    const std::string& text, const std::vector<std::string>& overrides = {}) {
  hocon::Source source;
  source.add_text(std::string{schema::reference_name}, std::string{schema::reference_text()});
  source.add_text("test.conf", text);
  for (const std::string& each : overrides) source.add_override(each);
  return source.resolve();
}

/// An environment with HOME only, so that no test depends on its user.
inline ReadOptions lonely() {
  ReadOptions options;
  options.environment = [](std::string_view name) -> std::optional<std::string> {
    if (name == "HOME") return "/srv/home";
    return std::nullopt;
  };
  options.working_directory = "/srv/here";
  return options;
}

inline base::Result<Settings, hocon::Diagnostics> try_read(
    const std::string& text, const std::vector<std::string>& overrides = {}) {
  auto tree = tree_of(text, overrides);
  if (!tree) return std::move(tree).error();
  return read_settings(*tree, lonely());
}

/// The errors of a result that should have none.
template <class T>
std::string errors_of(const base::Result<T, hocon::Diagnostics>& result) {
  return result ? std::string{} : hocon::format(result.error());
}

/// The settings of a text that must be right.
inline Settings read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  auto settings = try_read(text, overrides);
  INFO(errors_of(settings));
  REQUIRE(settings.ok());
  return std::move(*settings);
}

/// All errors of a text that must be wrong, as an operator sees them.
inline std::string errors(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const auto settings = try_read(text, overrides);
  REQUIRE_FALSE(settings.ok());
  return hocon::format(settings.error());
}

inline std::string warnings(const std::string& text) { return hocon::format(read(text).warnings); }

inline bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace actord::settings

/// `text` contains `part`; otherwise both are shown.
#define CHECK_HAS(text, part)                     \
  do {                                            \
    const std::string whole_ = (text);            \
    CAPTURE(whole_);                              \
    CHECK(::actord::settings::has(whole_, part)); \
  } while (false)
