// SPDX-License-Identifier: Apache-2.0
//
// Takes any bytes as a configuration, which is parsed, resolved, rendered and read as every type.
//
// The input is the file /main.conf. A line `%% NAME` begins another part: a file /NAME, or, by
// name, `%% layer` (a file upon the main one), `%% set` (an override a line), `%% string`
// (PATH=TEXT a line) and `%% env` (NAME=TEXT a line). The values below `s` are secret, and so is
// the value `s` of each member of `a`. `late` is declared secret after the tree is resolved.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hocon/source.hpp"
#include "memory_files.hpp"
#include "property.hpp"
#include "tree_properties.hpp"

namespace {

namespace hocon = actord::hocon;

struct Assignment {
  std::string_view name, text;
};

struct Parts {
  std::vector<std::string_view> overrides;
  std::vector<Assignment> strings, variables;
  bool has_layer = false;
};

std::string_view take_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  return line;
}

Assignment split(std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return {line, {}};
  return {line.substr(0, equals), line.substr(equals + 1)};
}

void add_part(Parts& parts, std::string_view name, std::string_view text) {
  const bool lines = name == "set" || name == "string" || name == "env";
  if (name == "layer") parts.has_layer = true;
  if (!lines) actord::fuzz::memory_files().emplace('/' + std::string(name), text);
  while (lines && !text.empty()) {
    const std::string_view line = take_line(text);
    if (name == "set") parts.overrides.push_back(line);
    else (name == "env" ? parts.variables : parts.strings).push_back(split(line));
  }
}

Parts take_apart(std::string_view input) {
  constexpr std::string_view header = "%% ";
  Parts parts;
  std::string_view name = "main.conf";
  while (true) {
    const std::size_t next = input.starts_with(header) ? 0 : input.find("\n%% ");
    const bool last = next == std::string_view::npos;
    const std::size_t end = last ? input.size() : next + (next == 0 ? 0 : 1);
    add_part(parts, name, input.substr(0, end));
    if (last) return parts;
    input.remove_prefix(input.starts_with(header) ? 0 : next + 1);
    input.remove_prefix(header.size());
    name = take_line(input);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (actord::fuzz::can_forge_secret_prefix(input)) return 0;
  actord::fuzz::memory_files().clear();
  const Parts parts = take_apart(input);
  const hocon::Limits limits = actord::fuzz::small_limits();
  hocon::Source source(limits);
  source.set_secrets({"s.*", "a.*.s"}, &actord::fuzz::fetch);
  source.set_environment([&](std::string_view name) -> std::optional<std::string> {
    for (const Assignment& variable : parts.variables) {
      if (variable.name == name) return std::string(variable.text);
    }
    return std::nullopt;
  });
  const auto main_file = source.add_file("/main.conf");
  if (parts.has_layer) static_cast<void>(source.add_file("/layer"));
  for (const std::string_view line : parts.overrides) source.add_override(line);
  for (const auto& [path, text] : parts.strings) source.add_string(path, text, "environment");
  if (!main_file) {
    actord::fuzz::must(!format(main_file.error().diagnostic).empty(), "a missing file is reported");
    return 0;
  }
  actord::fuzz::check_resolved(source, limits);
  return 0;
}
