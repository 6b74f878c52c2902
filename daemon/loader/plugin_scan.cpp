// SPDX-License-Identifier: Apache-2.0
//
// The process inherits the copy of the plugin's file, so that it tries what will be loaded; it
// needs no permission to read the file itself. It reads its request, a HOCON text, from standard
// input, after it has loaded the plugin, and answers with two lines of JSON. It writes the first
// one before it runs any code of the plugin, which may write whatever it likes.
#include "loader/plugin_scan.hpp"

#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/clock.hpp"
#include "hocon/render.hpp"
#include "hocon/source.hpp"
#include "loader/config_validator.hpp"
#include "loader/plugin_opening.hpp"
#include "loader/plugin_table.hpp"
#include "message/message_type.hpp"
#include "os/child_process.hpp"
#include "os/files.hpp"
#include "os/process.hpp"
#include "os/sandbox.hpp"
#include "os/watched_process.hpp"

namespace actord::loader {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t limit_ns = 5 * base::ns_per_s;
constexpr os::SandboxLimits sandbox_limits{.cpu_s = 2 * limit_ns / base::ns_per_s,
                                           .memory_bytes = std::uint64_t{4} << 30};
constexpr std::size_t answer_bytes_max = std::size_t{4} << 20;

/// `actord --scan-plugin FILE`, with the copy of that file as os::inherited_descriptor
constexpr std::string_view scan_option = "--scan-plugin";

constexpr std::string_view rebuild_help = "install what it needs, or rebuild it";

/// A member of an answer, which may be anything.
std::string text_of(const Json& json, const char* name) {
  if (!json.is_object()) return {};
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

// ---- the process that asks ----------------------------------------------------------------------

/// The two lines of an answer.
struct Answer {
  Json rights_left, result;
};

/// `subject` is what may keep the process from answering: "a static initialiser".
base::Result<Answer, Refusal> ask(const PluginImage& plugin, std::string_view request,
                                  const std::string& subject, int cancelled = -1) {
  const auto broken = [](std::string what) {
    return Refusal{Refusal::Kind::broken, std::move(what), std::string{rebuild_help}, {}};
  };
  const auto end = os::run_child({.executable = os::own_executable,
                                  .arguments = {std::string{scan_option}, plugin.file()},
                                  .input = request,
                                  .inherited = plugin.copy().descriptor(),
                                  .cancelled = cancelled,
                                  .output_bytes_max = answer_bytes_max,
                                  .limit_ns = limit_ns});
  if (!end)
    return Refusal{Refusal::Kind::refused,
                   "the process that tries it cannot be started: " + end.error().what,
                   "it needs memory, and a process more than now: TasksMax= of the unit",
                   {}};
  using Kind = os::ChildEnd::Kind;
  switch (end->kind) {
    case Kind::by_signal:
      return broken(subject + " ends the process by " + os::name_of_signal(end->number));
    case Kind::timed_out:
      return broken(subject + " has not ended after " + std::to_string(limit_ns / base::ns_per_s) +
                    " s");
    case Kind::too_much_output:
      return broken("it answers with more than " + std::to_string(answer_bytes_max >> 20) + " MiB");
    case Kind::cancelled:
      return Refusal{Refusal::Kind::refused, "it was not tried to the end", {}, {}};
    case Kind::exited: break;
  }
  const std::size_t line_end = end->output.find('\n');
  if (line_end == end->output.npos || line_end + 1 == end->output.size())
    return broken(subject + " ends the process with exit status " + std::to_string(end->number));
  Answer answer{Json::parse(end->output.substr(0, line_end), nullptr, false),
                Json::parse(end->output.substr(line_end + 1), nullptr, false)};
  if (!answer.rights_left.is_array() || !answer.result.is_object())
    return broken(subject + " answers in the place of actord");
  if (const auto found = answer.result.find("refused"); found != answer.result.end())
    return Refusal{Refusal::Kind::refused, text_of(*found, "what"), text_of(*found, "help"), {}};
  return answer;
}

std::string request_of(std::span<const ConfigToValidate> configs) {
  std::string text = "configs = [\n";
  for (const ConfigToValidate& each : configs) {
    text += "{ behaviour = ";
    hocon::append_json_string(text, each.behaviour);
    if (!each.config.empty()) text += ", config = " + each.config;
    text += " }\n";
  }
  return text + "]\n";
}

RejectedConfig rejected_config(const Json& json) {
  RejectedConfig rejected;
  rejected.reason = text_of(json, "reason");
  rejected.is_whole = !json.is_object() || !json.contains("path") || !json["path"].is_array();
  if (rejected.is_whole) return rejected;
  for (const Json& step : json["path"]) {
    if (step.is_string()) rejected.path.push_back({step.get<std::string>()});
    else if (step.is_number_unsigned()) rejected.path.push_back({{}, step.get<std::size_t>()});
  }
  return rejected;
}

// ---- the process that is asked ------------------------------------------------------------------

/// After a broken pipe the answer has no reader any more.
void write_line(int fd, const Json& json) {
  static_cast<void>(
      os::write_all(fd, json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n'));
}

std::string standard_input() {
  std::string text;
  char bytes[65536];
  for (ssize_t n = 0; (n = ::read(STDIN_FILENO, bytes, sizeof bytes)) > 0;)
    text.append(bytes, static_cast<std::size_t>(n));
  return text;
}

Json path_of(hocon::Value value, const hocon::Value& config) {
  Json path = Json::array();
  for (; value != config; value = value.parent()) {
    const hocon::Value parent = value.parent();
    if (!parent) return nullptr;
    if (!parent.is_array()) {
      path.push_back(value.key());
      continue;
    }
    std::size_t i = 0;
    while (i < parent.size() && !(parent.at(i).value == value)) ++i;
    path.push_back(i);
  }
  std::ranges::reverse(path);
  return path;
}

Json json_of(const std::vector<Rejection>& rejected, const hocon::Value& config) {
  Json list = Json::array();
  for (const Rejection& each : rejected) {
    list.push_back({{"reason", each.reason}});
    if (each.value) list.back()["path"] = path_of(each.value, config);
  }
  return list;
}

Json validated(const actord_plugin& plugin, const std::string& request) {
  hocon::Source source;
  source.add_text("request", request);
  const auto tree = source.resolve();
  Json lists = Json::array();
  if (!tree) return {{"validated", lists}};
  ConfigValidator validator(*tree);
  const std::span behaviours(plugin.behaviours, plugin.n_behaviours);
  const hocon::Value configs = tree->find("configs");
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const hocon::Value config = configs.at(i).value.member("config");
    const std::string_view name = configs.at(i).value.member("behaviour").text();
    const auto found = std::ranges::find(
        behaviours, name, [](const actord_behaviour* each) { return message::view(each->name); });
    lists.push_back(found == behaviours.end()
                        ? Json::array()
                        : json_of(validator.validate(**found, config), config));
  }
  return {{"validated", lists}};
}

}  // namespace

base::Result<PluginScan, Refusal> scan_plugin(const PluginImage& plugin, int cancelled) {
  auto answer = ask(plugin, {}, "it cannot be loaded: a static initialiser", cancelled);
  if (!answer) return answer.error();
  const auto found = answer->result.find("plugin");
  PluginScan scan{found != answer->result.end() ? PluginDescription::read(*found) : nullptr, {}};
  const std::string fault = scan.description != nullptr
                                ? table_fault(&scan.description->table())
                                : std::string{"it does not say what it declares"};
  if (!fault.empty()) return Refusal{Refusal::Kind::refused, fault, "rebuild it", {}};
  for (const Json& each : answer->rights_left) {
    if (each.is_string()) scan.rights_left.push_back(each.get<std::string>());
  }
  return scan;
}

base::Result<std::vector<std::vector<RejectedConfig>>, Refusal> validate_configs(
    const PluginImage& plugin, std::span<const ConfigToValidate> configs) {
  const auto answer = ask(plugin, request_of(configs), "its validate()");
  if (!answer) return answer.error();
  std::vector<std::vector<RejectedConfig>> all(configs.size());
  const auto lists = answer->result.find("validated");
  if (lists == answer->result.end() || !lists->is_array() || lists->size() != all.size())
    return Refusal{
        Refusal::Kind::refused, "its validate() was not called for every config", {}, {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const Json& each : (*lists)[i]) all[i].push_back(rejected_config(each));
  }
  return all;
}

void run_plugin_scan_if_asked(int argc, const char* const* argv) {
  if (argc != 3 || argv[1] != scan_option) return;
  const int output = os::take_standard_output();
  const std::string copy = "/proc/self/fd/" + std::to_string(os::inherited_descriptor);
  write_line(output, os::enter_sandbox(sandbox_limits));
  // Files below /proc/self belong to root as long as the process may have no core dump.
  os::permit_core_dumps(true);
  const auto plugin = open_plugin_copy(copy, argv[2]);
  os::permit_core_dumps(false);  // other processes of that user may not look into this one
  Json result;
  if (!plugin) {
    result["refused"] = {{"what", plugin.error().what}, {"help", plugin.error().help}};
  } else if (const std::string request = standard_input(); !request.empty()) {
    result = validated(**plugin, request);
  } else {
    result["plugin"] = PluginDescription::written(**plugin);
  }
  write_line(output, result);
  os::exit_at_once(0);
}

}  // namespace actord::loader
