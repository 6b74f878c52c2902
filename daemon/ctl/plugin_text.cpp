// SPDX-License-Identifier: Apache-2.0
#include "ctl/plugin_text.hpp"

#include <ostream>
#include <set>
#include <string>

#include "base/counted.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/text_table.hpp"

namespace actord::ctl {

using wire::Json;
using Form = MemberShape::Form;

namespace {

std::string joined(const Json& texts, std::string_view prefix = {}) {
  std::string list;
  for (const Json& each : texts)
    list.append(list.empty() ? "" : " ").append(prefix).append(each.get<std::string>());
  return list;
}

/// "newer file 1.1.0 waits", or why a newer file is no good, or why it is not loaded.
std::string note_on(const Json& plugin) {
  if (plugin.contains("newer")) {
    const std::string reason = text_at(plugin, "newer.reason");
    if (!reason.empty()) return "the newer file is " + text_at(plugin, "newer.state");
    return "newer file waits: " + text_at(plugin, "newer.version");
  }
  return text_at(plugin, "reason");
}

/// The behaviours as spawn takes them.
std::string behaviours_of(const Json& plugin) {
  return joined(plugin.at("behaviours"), text_at(plugin, "name") + '/');
}

void print_line(std::ostream& out, int indent, const std::string& name, const std::string& text) {
  std::string line(static_cast<std::size_t>(indent), ' ');
  line += name;
  if (!text.empty()) line.append(line.size() < 26 ? 26 - line.size() : 2, ' ').append(text);
  out << line << '\n';
}

void print_behaviours(std::ostream& out, const Json& summary) {
  if (summary.at("behaviours").empty()) return;
  out << "behaviours\n";
  for (const Json& each : summary.at("behaviours")) {
    print_line(out, 2, text_at(summary, "name") + '/' + text_at(each, "name"),
               text_at(each, "doc"));
    if (!each.at("handles").empty()) print_line(out, 4, "handles", joined(each.at("handles")));
    for (const Json& key : each.at("config")) {
      std::string text = text_at(key, "type");
      if (const std::string value = text_at(key, "default"); !value.empty())
        text += ", default " + value;
      if (const std::string doc = text_at(key, "doc"); !doc.empty()) text += ": " + doc;
      print_line(out, 4, "config." + text_at(key, "key"), text);
    }
  }
}

void print_messages(std::ostream& out, const Json& summary) {
  if (summary.at("messages").empty()) return;
  out << "messages\n";
  for (const Json& each : summary.at("messages")) {
    std::string members;
    for (const Json& member : each.at("members"))
      members +=
          (members.empty() ? "" : ", ") + text_at(member, "name") + ": " + text_at(member, "type");
    print_line(out, 2, text_at(each, "type"), members);
  }
}

void print_names(std::ostream& out, const Json& summary, const char* name) {
  if (summary.at(name).empty()) return;
  out << name << '\n';
  for (const Json& each : summary.at(name)) out << "  " << each.get<std::string>() << '\n';
}

}  // namespace

const std::vector<MemberShape>& plugin_members() {
  static const std::vector<MemberShape> members = {
      {"name", Form::text, {}, true},
      {"state", Form::text, {}, true},
      {"version", Form::text, {}, true},
      {"behaviours", Form::texts, {}, true},
      {"file", Form::text, {}, true},
      {"reason"},
      {"help"},
      {"newer", Form::object, {{"version"}, {"state"}, {"reason"}}}};
  return members;
}

const AnswerShape& plugin_list_shape() {
  static const AnswerShape shape = {{"plugins", Form::objects, plugin_members(), true},
                                    {"plugins_left_out", Form::number}};
  return shape;
}

const AnswerShape& plugin_summary_shape() {
  static const AnswerShape shape = {
      {"name", Form::text, {}, true},
      {"version", Form::text, {}, true},
      {"doc"},
      {"interface"},
      {"file"},
      {"behaviours",
       Form::objects,
       {{"name", Form::text, {}, true},
        {"doc"},
        {"handles", Form::texts, {}, true},
        {"config", Form::objects, {{"key"}, {"type"}, {"doc"}, {"default"}}, true}},
       true},
      {"messages",
       Form::objects,
       {{"type"}, {"members", Form::objects, {{"name"}, {"type"}}, true}},
       true},
      {"failures", Form::texts, {}, true},
      {"strategies", Form::texts, {}, true}};
  return shape;
}

void print_plugins(const Call& call, const Json& answer) {
  const Json& plugins = answer.at("plugins");
  if (const auto more = answer.find("plugins_left_out"); more != answer.end())
    call.err << "actorctl: " << *more << " more are left out, which are not loaded\n";
  if (call.is_json()) {
    for (const Json& each : plugins) call.out << json_text(each) << '\n';
    return;
  }
  if (call.is_names()) {
    std::set<std::string> names;
    for (const Json& each : plugins) names.insert(text_at(each, "name"));
    for (const std::string& each : names) call.out << each << '\n';
    return;
  }
  if (plugins.empty()) {
    call.err << "no plugin is loaded, and none was found\n";
    return;
  }
  std::vector<TextTable::Column> columns = {{"NAME"}, {"VERSION"}, {"STATE"}, {"BEHAVIOURS"}};
  if (call.is_wide()) columns.push_back({"FILE"});
  columns.push_back({"NOTE"});
  TextTable table(std::move(columns));
  for (const Json& each : plugins) {
    std::vector<std::string> cells = {text_at(each, "name"), text_at(each, "version"),
                                      text_at(each, "state"), behaviours_of(each)};
    if (call.is_wide()) cells.push_back(text_at(each, "file"));
    cells.push_back(note_on(each));
    table.add(std::move(cells));
  }
  table.print(call.out);
}

std::string plugin_line(const Json& plugin) {
  const std::string behaviours = behaviours_of(plugin);
  return text_at(plugin, "name") + ' ' + text_at(plugin, "version") + " is " +
         text_at(plugin, "state") + (behaviours.empty() ? "" : ": " + behaviours);
}

void print_plugin_summary(std::ostream& out, const Json& summary) {
  print_line(out, 0, text_at(summary, "name") + ' ' + text_at(summary, "version"),
             text_at(summary, "doc"));
  print_line(out, 0, "file", text_at(summary, "file"));
  print_line(out, 0, "interface", text_at(summary, "interface"));
  print_behaviours(out, summary);
  print_messages(out, summary);
  print_names(out, summary, "failures");
  print_names(out, summary, "strategies");
}

}  // namespace actord::ctl
