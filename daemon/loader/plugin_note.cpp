// SPDX-License-Identifier: Apache-2.0
#include "loader/plugin_note.hpp"

#include <actord/plugin.h>

#include <algorithm>
#include <charconv>

namespace actord::loader {

namespace {

constexpr std::string_view host_sanitizer = ACTORD_SANITIZER;

Refusal refused(std::string what, std::string help) {
  return {Refusal::Kind::refused, std::move(what), std::move(help), {}};
}

Refusal damaged(std::string_view why) {
  return refused("its note is damaged: " + std::string{why},
                 "rebuild it with this daemon's <actord/plugin.h>");
}

bool parse_abi(std::string_view text, PluginNote& note) {
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, note.abi_major);
  if (major.ec != std::errc{} || major.ptr == end || *major.ptr != '.') return false;
  const auto minor = std::from_chars(major.ptr + 1, end, note.abi_minor);
  return minor.ec == std::errc{} && minor.ptr == end && note.abi_major >= 0 && note.abi_minor >= 0;
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

std::string sanitizer_name(std::string_view name) {
  return name == "none" ? "without a sanitizer" : "with the " + std::string{name} + " sanitizer";
}

}  // namespace

base::Result<PluginNote, Refusal> parse_note(std::string_view text) {
  if (!is_printable(text)) return damaged("it holds more than printable ASCII");
  PluginNote note;
  bool has_abi = false;
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos)
      return damaged("'" + std::string{pair} + "' is not a pair");
    const std::string_view key = pair.substr(0, equals), value = pair.substr(equals + 1);
    if (key == "name") note.name = value;
    else if (key == "version") note.version = value;
    else if (key == "cc") note.compiler = value;
    else if (key == "stdlib") note.standard_library = value;
    else if (key == "san") note.sanitizer = value;
    else if (key == "abi" && !(has_abi = parse_abi(value, note)))
      return damaged("abi is not a number");
  }
  if (note.name.empty()) return damaged("it has no name");
  if (!has_abi) return damaged("it has no abi");
  return note;
}

std::optional<Refusal> mismatch(const PluginNote& note, std::string_view file_name) {
  if (note.name != file_name) {
    return refused("its note says that it is plugin \"" + note.name + "\", its file name says \"" +
                       std::string{file_name} + '"',
                   "name the file " + note.name + ".so, and write \"" + note.name +
                       "/…\" in the configuration");
  }
  if (note.abi_major != ACTORD_ABI_MAJOR) {
    return refused("abi differs: it was built for plugin interface " +
                       std::to_string(note.abi_major) + '.' + std::to_string(note.abi_minor) +
                       ", and this daemon has " ACTORD_TEXT_OF(ACTORD_ABI_MAJOR) "." ACTORD_TEXT_OF(
                           ACTORD_ABI_MINOR),
                   "rebuild it with this daemon's headers, or run the daemon it was built for");
  }
  if (note.sanitizer != host_sanitizer) {
    return refused("san differs: it was built " + sanitizer_name(note.sanitizer) +
                       ", and this daemon " + sanitizer_name(host_sanitizer),
                   "build both with the same -fsanitize=");
  }
  return std::nullopt;
}

}  // namespace actord::loader
