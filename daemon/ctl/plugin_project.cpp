// SPDX-License-Identifier: Apache-2.0
#include "ctl/plugin_project.hpp"

#include <set>

#include "ctl/plugin_templates.hpp"
#include "ctl/text_template.hpp"
#include "os/child_program.hpp"
#include "os/files.hpp"
#include "os/process.hpp"

namespace actord::ctl {

namespace {

/// The texts with commas between them, all on one line, or each on a line of its own behind
/// `indent` blanks if they do not fit into `columns`.
std::string listed(const std::vector<std::string>& texts, std::size_t indent, std::size_t columns) {
  std::size_t size = 0;
  for (const std::string& each : texts) size += each.size() + 2;
  const std::string separator = size <= columns ? ", " : ",\n" + std::string(indent, ' ');
  std::string out;
  for (const std::string& each : texts) out.append(out.empty() ? "" : separator).append(each);
  return out;
}

/// A list for %if, with one element or none.
std::vector<TemplateScope> flag(bool is_set) { return std::vector<TemplateScope>(is_set ? 1 : 0); }

TemplateScope scope_of(const FieldDraft& field) {
  const FieldType& type = field.type;
  TemplateScope scope{{{"field", field.name},
                       {"type", type.cxx},
                       {"initial", type.initial},
                       {"boundary_type", type.boundary}},
                      {}};
  if (type.in_c == nullptr) return scope;
  const FieldTypeInC& c = *type.in_c;
  scope.values.insert({{"kind", std::string{c.kind}},
                       {"c_type", std::string{c.type}},
                       {"writer", std::string{c.writer}},
                       {"field_kind", "ACTORD_" + std::string{c.field}},
                       {"field_member", std::string{c.member}}});
  return scope;
}

/// ", {{"value", ping.value}}", the fields of a log event; empty if no field can be one.
std::string log_fields(const MessageDraft& message) {
  std::vector<std::string> fields;
  const std::string object = "message";
  for (const FieldDraft& each : message.fields) {
    if (each.type.is_loggable)
      fields.push_back("{\"" + each.name + "\", " + object + '.' + each.name + '}');
  }
  return fields.empty() ? std::string{} : ", {" + listed(fields, 17, 50) + '}';
}

TemplateScope scope_of(const MessageDraft& message) {
  TemplateScope scope;
  std::string fields;
  for (const FieldDraft& each : message.fields) {
    fields += ", " + each.name;
    scope.lists["field"].push_back(scope_of(each));
  }
  const std::string logged = log_fields(message);
  scope.lists["field"];
  scope.lists["fields"] = flag(!message.fields.empty());
  scope.lists["empty"] = flag(message.fields.empty());
  scope.values = {{"Message", message.name}, {"snake", snake_case(message.name)},
                  {"fields", fields},        {"n_fields", std::to_string(message.fields.size())},
                  {"log_fields", logged},    {"parameter", logged.empty() ? "" : " message"}};
  return scope;
}

/// The functions of a plugin in C that read a member: one for each kind that occurs.
std::vector<TemplateScope> readers_of(const PluginDraft& draft) {
  std::vector<TemplateScope> readers;
  std::set<std::string_view> kinds;
  const auto add = [&](const FieldTypeInC& type) {
    if (!kinds.insert(type.kind).second) return;
    readers.push_back({{{"kind", std::string{type.kind}},
                        {"c_type", std::string{type.type}},
                        {"wide", std::string{type.wide}},
                        {"function", std::string{type.reader}},
                        {"expected", std::string{type.expected}},
                        {"converted", std::string{type.converts}}},
                       {}});
  };
  add(*field_type("uint")->in_c);  // of the answer and the config
  for (const MessageDraft& message : draft.messages) {
    for (const FieldDraft& field : message.fields) add(*field.type.in_c);
  }
  return readers;
}

std::vector<TemplateScope> headers_of(const PluginDraft& draft) {
  std::set<std::string> names = {"cstdint"};
  for (const MessageDraft& message : draft.messages) {
    for (const FieldDraft& field : message.fields)
      names.insert(field.type.headers.begin(), field.type.headers.end());
  }
  std::vector<TemplateScope> headers;
  headers.reserve(names.size());
  for (const std::string& name : names) headers.push_back({{{"header", name}}, {}});
  return headers;
}

TemplateScope scope_of(const PluginDraft& draft) {
  TemplateScope scope;
  std::vector<std::string> handlers, types, tables;
  std::string ids;
  for (const MessageDraft& message : draft.messages) {
    const std::string snake = snake_case(message.name);
    handlers.push_back('&' + actor_name(draft.name) + "::on_" + snake);
    types.push_back(draft.name + "::" + message.name);
    tables.push_back("&type_of_" + snake);
    ids += ", " + snake + "_id";
    scope.lists["message"].push_back(scope_of(message));
  }
  types.push_back(draft.name + "::Answer");
  scope.lists["header"] = headers_of(draft);
  scope.lists["c"] = flag(draft.is_in_c);
  scope.lists["cxx"] = flag(!draft.is_in_c);
  if (draft.is_in_c) scope.lists["reader"] = readers_of(draft);
  scope.values = {{"name", draft.name},
                  {"Actor", actor_name(draft.name)},
                  {"first", draft.messages.front().name},
                  {"sample", sample_of(draft.messages.front())},
                  {"languages", draft.is_in_c ? "C CXX" : "CXX"},
                  {"macro", draft.is_in_c ? "ACTORD_NOTE" : "ACTORD_PLUGIN"},
                  {"source", draft.is_in_c ? draft.name + ".c"
                                           : draft.name + ".cpp " + draft.name + "_plugin.cpp"},
                  {"handlers", listed(handlers, 35, 60)},
                  {"message_types", listed(types, 31, 65)},
                  {"message_tables", listed(tables, 53, 42)},
                  {"ids", ids}};
  return scope;
}

}  // namespace

std::vector<std::string> new_build_options() {
  std::vector<std::string> options;
  const std::string tree = os::real_path(os::executable_folder() + "/..");
  if (os::exists(tree + "/actord-config.cmake")) options.push_back("-Dactord_DIR=" + tree);
  if (!os::environment_variable("CMAKE_GENERATOR") && os::is_installed("ninja"))
    options.insert(options.end(), {"-G", "Ninja"});
  return options;
}

std::string sample_of(const MessageDraft& message) {
  std::string json;
  for (const FieldDraft& each : message.fields) {
    if (each.type.sample.empty()) continue;
    json.append(json.empty() ? "" : ", ").append("\"" + each.name + "\": " + each.type.sample);
  }
  return '{' + json + '}';
}

std::vector<ProjectFile> project_files(const PluginDraft& draft) {
  const TemplateScope scope = scope_of(draft);
  std::vector<ProjectFile> files;
  const auto add = [&](std::string path, std::string_view text) {
    files.push_back({std::move(path), filled(text, scope)});
  };
  add("README.md", templates::readme_md);
  if (draft.is_in_c) {
    add(draft.name + ".c", templates::plugin_c);
    add(draft.name + "_test.cpp", templates::plugin_c_test_cpp);
  } else {
    add(draft.name + ".hpp", templates::plugin_hpp);
    add(draft.name + "_actor.hpp", templates::plugin_actor_hpp);
    add(draft.name + ".cpp", templates::plugin_cpp);
    add(draft.name + "_plugin.cpp", templates::plugin_parts_cpp);
    add(draft.name + "_test.cpp", templates::plugin_test_cpp);
  }
  add(draft.name + ".conf", templates::plugin_conf);
  add("CMakeLists.txt", templates::cmakelists_txt);
  add(".github/workflows/ci.yml", templates::ci_yml);
  add(".gitignore", templates::gitignore);
  return files;
}

}  // namespace actord::ctl
