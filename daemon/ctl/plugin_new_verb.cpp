// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <ostream>

#include "ctl/json_output.hpp"
#include "ctl/plugin_project.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"
#include "os/files.hpp"

namespace actord::ctl {

namespace fs = std::filesystem;

namespace {

Failure system_failure(const std::string& doing, int number) {
  const os::SystemError error = os::system_error(doing, number);
  return {error.is_not_permitted() ? Exit::not_permitted : Exit::operating_system, error.what};
}

/// Why nothing can be written into the folder.
std::optional<Failure> why_not(const std::string& folder) {
  if (!os::exists(folder)) return std::nullopt;
  if (!os::is_directory(folder))
    return Failure{Exit::operating_system, folder + " exists, and is no folder",
                   "choose another NAME, or another folder with --dir"};
  const auto names = os::names_in(folder);
  if (!names) return system_failure("cannot look into " + folder, names.error().number);
  if (names->empty()) return std::nullopt;
  return Failure{Exit::operating_system, folder + " is not empty: nothing is written over",
                 "choose another NAME, or another folder with --dir"};
}

std::optional<Failure> write_file(const fs::path& path, const std::string& content) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) return system_failure("cannot create " + path.parent_path().string(), error.value());
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (!file) return system_failure("cannot write " + path.string(), errno);
  return std::nullopt;
}

/// All files, or none.
std::optional<Failure> write_files(const fs::path& folder, const std::vector<ProjectFile>& files) {
  const bool is_new = !fs::exists(folder);
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto failure = write_file(folder / files[i].path, files[i].content);
    if (!failure) continue;
    std::error_code ignored;
    for (std::size_t written = 0; written <= i; ++written)
      fs::remove(folder / files[written].path, ignored);
    if (is_new) fs::remove_all(folder, ignored);
    return failure;
  }
  return std::nullopt;
}

std::vector<std::string> next_commands(const PluginDraft& draft, const std::string& folder) {
  const MessageDraft& first = draft.messages.front();
  std::string configure = "cmake -B build";
  for (const std::string& each : new_build_options()) configure += ' ' + each;
  return {"cd " + folder, configure + " && cmake --build build",
          "ctest --test-dir build --output-on-failure",
          "actord --config " + draft.name + ".conf --plugin-path build",
          "actorctl ask /user/" + draft.name + ' ' + draft.name + '.' + first.name + "/1 '" +
              sample_of(first) + '\''};
}

void print(const Call& call, const PluginDraft& draft, const std::string& folder,
           const std::vector<ProjectFile>& files) {
  const std::vector<std::string> commands = next_commands(draft, folder);
  if (call.is_json()) {
    wire::Json paths = wire::Json::array();
    for (const ProjectFile& each : files) paths.push_back(each.path);
    return print_json(
        call.out,
        {{"name", draft.name}, {"folder", folder}, {"files", paths}, {"commands", commands}});
  }
  call.out << "plugin " << draft.name << " in " << folder << '\n';
  for (const ProjectFile& each : files) call.out << "  " << each.path << '\n';
  call.out << "next\n";
  for (const std::string& each : commands) call.out << "  " << each << '\n';
  call.out << "or, to see each change at once\n  actorctl plugin dev " << folder << '\n';
}

Exit make(const Call& call) {
  const std::string& name = call.operands.front();
  const auto draft = read_plugin_draft(name, call.values("message"), call.has("c"));
  if (!draft) return report_failure(call, {Exit::usage, draft.error().what, draft.error().help});
  const std::string folder = call.value("dir", name);
  if (const auto failure = why_not(folder)) return report_failure(call, *failure);
  const std::vector<ProjectFile> files = project_files(*draft);
  if (const auto failure = write_files(folder, files)) return report_failure(call, *failure);
  print(call, *draft, folder, files);
  return Exit::ok;
}

}  // namespace

Verb plugin_new_verb() {
  return {.group = "plugin",
          .name = "new",
          .summary = "write the files of a new plugin",
          .description =
              "Writes a folder with a plugin that builds, passes its tests and runs: one actor\n"
              "with a config, messages, their answer and a failure; tests; a configuration; the\n"
              "build by CMake; a README; and a workflow for the CI of GitHub. A folder that is\n"
              "not empty is left as it is, and the exit status is 71.\n"
              "\n"
              "--message has the name of a message and its fields, each with its type. A single\n"
              "field may be a type alone; it is called value. The types are bool, int, uint,\n"
              "double, text, duration, ref, bytes, float, int8 to uint64, list<T>, map<T> and\n"
              "optional<T>; in C only those of a fixed size, without bytes and the smaller\n"
              "numbers.\n"
              "\n"
              "  actorctl plugin new demo\n"
              "  actorctl plugin new shop --message Order:sku:text,count:int --message List\n"
              "  actorctl plugin new counter --c --dir src/counter",
          .operands = {{.name = "NAME"}},
          .options = {{.name = "message",
                       .letter = 'm',
                       .takes = Takes::text,
                       .argument = "MESSAGE",
                       .help = "a message that the actor answers: NAME[:[FIELD:]TYPE,...]; may be\n"
                               "repeated; default: Ping:int",
                       .repeats = true},
                      {.name = "c",
                       .help = "write it in C, over actord/plugin.h; the tests are in C++"},
                      {.name = "dir",
                       .takes = Takes::folder,
                       .argument = "DIR",
                       .help = "write into this folder; default: NAME"},
                      output_option()},
          .run = &make};
}

}  // namespace actord::ctl
