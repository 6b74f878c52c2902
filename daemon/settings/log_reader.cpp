// SPDX-License-Identifier: Apache-2.0
#include "settings/log_reader.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/suggestion.hpp"
#include "os/local_socket.hpp"
#include "schema/known_words.hpp"
#include "schema/setting_codes.hpp"
#include "settings/state_directory.hpp"

namespace actord::settings {

using hocon::Value;
using schema::LogSinkType;

namespace {

/// A key that not every type of sink has.
struct PartialKey {
  std::string_view name;
  std::array<bool, 3> is_of;  // by LogSinkType
};
constexpr std::array<PartialKey, 5> partial_keys = {{{"format", {true, true, false}},
                                                     {"path", {true, false, false}},
                                                     {"rotate", {true, false, false}},
                                                     {"facility", {false, true, false}},
                                                     {"socket", {false, true, true}}}};

/// "file" or "syslog or journald": the types that have the key.
std::string types_with(const PartialKey& key) {
  std::string types;
  for (const auto& type : schema::log_sink_type_words) {
    if (!key.is_of[static_cast<std::size_t>(type.value)]) continue;
    types.append(types.empty() ? "" : " or ").append(type.word);
  }
  return types;
}

/// Adds an error for each key that a sink of this type does not have.
void reject_keys_of_others(const ObjectReader& sink, LogSinkType type) {
  const std::string_view word =
      std::ranges::find(schema::log_sink_type_words, type, &schema::Word<LogSinkType>::value)->word;
  for (const PartialKey& key : partial_keys) {
    const Value value = sink.object().member(key.name);
    if (!value || value.is_null() || key.is_of[static_cast<std::size_t>(type)]) continue;
    sink.findings().add(at_key(
        coded(schema::codes::conflict,
              value.reject(
                  "a sink of the type " + std::string{word} + " has no " + std::string{key.name},
                  "only the type " + types_with(key) + " has it; remove it, or " + "change " +
                      sink.object().path() + ".type")),
        key.name));
  }
}

void read_socket(ObjectReader& sink, std::string& path, const Settings& settings,
                 const ReadOptions& options) {
  const Value value = sink.take("socket");
  if (!value) return;
  path = read_path(sink.findings(), value, settings, options).value_or("");
  if (path.size() > os::socket_path_max)
    sink.findings().add(value.reject("the path of a socket has " + std::to_string(path.size()) +
                                         " bytes, and " + std::to_string(os::socket_path_max) +
                                         " are allowed: " + path,
                                     "move the socket to a shorter path"));
}

LogSinkSettings read_sink(ObjectReader sink, const Settings& settings, const ReadOptions& options) {
  LogSinkSettings out;
  // What the keys belong to is not known without a right type.
  const std::size_t errors = sink.findings().error_count();
  sink.read_word("type", out.type, schema::log_sink_type_words);
  const bool has_type = sink.take("type").exists() && sink.findings().error_count() == errors;
  if (out.type == LogSinkType::syslog) out.format = schema::LogFormat::console;
  sink.read_word("level", out.level, schema::log_level_words);
  sink.read_word("format", out.format, schema::sink_format_words);
  if (const Value path = sink.take("path"))
    out.path = read_path(sink.findings(), path, settings, options).value_or("");
  else if (has_type && out.type == LogSinkType::file)
    sink.findings().add(coded(schema::codes::needed,
                              sink.object().reject(std::string{sink.object().key()} + " needs path",
                                                   "a sink of the type file writes there: path = " +
                                                       std::string{sink.key("path").example})));
  ObjectReader rotate = sink.section("rotate");
  if (!is_off(rotate.take("size"))) rotate.read_size("size", out.rotate_bytes);
  rotate.read("keep", out.keep);
  rotate.finish();
  sink.read_word("facility", out.facility, schema::syslog_facility_words);
  read_socket(sink, out.socket, settings, options);
  if (has_type) reject_keys_of_others(sink, out.type);
  sink.finish();
  return out;
}

}  // namespace

void read_log(ObjectReader block, Settings& settings, const ReadOptions& options) {
  LogSettings& log = settings.log;
  block.read_word("level", log.level, schema::log_level_words);
  block.read_word("format", log.format, schema::log_format_words);
  block.read_word("output-level", log.output_level, schema::log_level_words);
  block.read("verbose", log.is_verbose);
  if (is_off(block.take("failure-burst"))) log.failure_burst = -1;
  else block.read("failure-burst", log.failure_burst);
  auto history_bytes = static_cast<std::int64_t>(log.history_bytes);
  block.read_size("history-size", history_bytes);
  log.history_bytes = static_cast<std::size_t>(history_bytes);
  ObjectReader sinks = block.section("sinks");
  for (const hocon::Member& member : sinks.take_all()) {
    log.sinks.push_back(
        read_sink({block.findings(), member.value, sinks.key("*")}, settings, options));
  }
  block.finish({{"files", "sinks"}});
}

}  // namespace actord::settings
