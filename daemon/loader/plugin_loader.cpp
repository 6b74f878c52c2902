// SPDX-License-Identifier: Apache-2.0
#include "loader/plugin_loader.hpp"

#include <cerrno>

#include "loader/elf_note.hpp"
#include "loader/plugin_code.hpp"
#include "message/message_type.hpp"
#include "os/files.hpp"
#include "os/process.hpp"

namespace actord::loader {

namespace {

constexpr std::size_t file_size_max = std::size_t{1} << 30;

Refusal refused(const std::string& file, std::string_view what, std::string_view help) {
  return {Refusal::Kind::refused, std::string{what}, std::string{help}, file};
}

Refusal with_file(const std::string& file, Refusal refusal) {
  refusal.file = file;
  return refusal;
}

Refusal unreadable(const std::string& file, const os::SystemError& error) {
  Refusal refusal = refused(file, error.what, {});
  if (error.is_not_permitted()) refusal.kind = Refusal::Kind::not_permitted;
  return refusal;
}

base::Result<PluginNote, Refusal> read_note(const std::string& file, std::string_view name) {
  const auto bytes = os::map_file(file, file_size_max);
  if (!bytes) return unreadable(file, bytes.error());
  const auto text = read_elf_note(bytes->bytes());
  if (!text) return with_file(file, text.error());
  auto note = parse_note(*text);
  if (!note) return with_file(file, note.error());
  if (const auto wrong = mismatch(*note, name)) return with_file(file, *wrong);
  return note;
}

}  // namespace

base::Result<LoadedPlugin, Refusal> PluginLoader::load(std::string_view name, LoadMode mode) const {
  const auto file = find_trusted(name);
  if (!file) return file.error();
  if (std::string why = why_withheld_ ? why_withheld_(*file) : ""; !why.empty())
    return Refusal{Refusal::Kind::withheld, std::move(why), {}, *file};
  auto note = read_note(*file, name);
  if (!note) return note.error();

  LoadedPlugin loaded{nullptr, std::move(*note), *file, {}};
  if (mode != LoadMode::start) {
    auto scan = scan_plugin(*file);
    if (!scan) return with_file(*file, scan.error());
    loaded.scan = std::move(*scan);
  }
  if (mode == LoadMode::look) {
    loaded.table = &loaded.scan.description->table();
  } else {
    const PluginCode code(*file);
    const auto table = open_plugin(*file);
    if (!table) return with_file(*file, table.error());
    loaded.table = *table;
  }
  if (message::view(loaded.table->name) != name)
    return refused(*file, "its table names another plugin than its note", "rebuild it");
  return loaded;
}

base::Result<std::string, Refusal> PluginLoader::find_trusted(std::string_view name) const {
  const auto found = find(name);
  if (!found) return found.error();
  auto walked = os::walk(*found);
  if (!walked) return unreadable(*found, walked.error());
  if (auto refusal = why_not_trusted(*walked, trust_)) return *std::move(refusal);
  return std::move(walked->file);
}

base::Result<std::string, Refusal> PluginLoader::find(std::string_view name) const {
  std::string looked_in;
  for (const std::string& folder : folders_) {
    std::string file = folder + '/' + std::string{name} + ".so";
    if (os::exists(file)) return file;
    looked_in += (looked_in.empty() ? "" : ", ") + folder;
  }
  return Refusal{Refusal::Kind::missing,
                 "there is no plugin \"" + std::string{name} + "\": no file " + std::string{name} +
                     ".so in " + (looked_in.empty() ? "any folder" : looked_in),
                 "put the file there, or name its folder in plugins.path or with --plugin-path",
                 {}};
}

std::vector<std::string> default_plugin_folders() {
  const std::string beside = os::real_path(os::executable_folder() + "/../plugins");
  return {os::is_directory(beside) ? beside : "/usr/lib/actord/plugins"};
}

}  // namespace actord::loader
