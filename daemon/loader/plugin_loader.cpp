// SPDX-License-Identifier: Apache-2.0
#include "loader/plugin_loader.hpp"

#include <algorithm>

#include "loader/elf_note.hpp"
#include "loader/plugin_code.hpp"
#include "loader/plugin_opening.hpp"
#include "message/message_type.hpp"
#include "os/files.hpp"
#include "os/process.hpp"

namespace actord::loader {

namespace {

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

bool is_plugin_name(std::string_view name) {
  const auto is_letter_or_digit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !name.empty() && is_letter_or_digit(name.front()) &&
         std::ranges::all_of(name, [&](char c) {
           return is_letter_or_digit(c) ||
                  std::string_view{"_-+."}.find(c) != std::string_view::npos;
         });
}

/// All images that were opened in this process, also those whose loading has failed. They are kept
/// until it ends: the dynamic linker knows libraries by their paths, and would take an image with
/// the descriptor of an earlier one for that.
std::vector<PluginImagePtr>& opened_images() {
  static auto& images = *new std::vector<PluginImagePtr>;
  return images;
}

Refusal other_name(const std::string& file) {
  return refused(file, "its table names another plugin than its note", "rebuild it");
}

base::Result<PluginNote, Refusal> read_note(const PluginImage& image, std::string_view name) {
  const auto copy = image.copy().map();
  if (!copy) return unreadable(image.file(), copy.error());
  const auto text = read_elf_note(copy->bytes());
  if (!text) return with_file(image.file(), text.error());
  auto note = parse_note(*text);
  if (!note) return with_file(image.file(), note.error());
  if (const auto wrong = mismatch(*note, name)) return with_file(image.file(), *wrong);
  return note;
}

}  // namespace

base::Result<LoadedPlugin, Refusal> PluginLoader::load(std::string_view name, LoadMode mode) {
  auto plugin = examine(name);
  if (!plugin) return plugin.error();
  if (mode != LoadMode::start) {
    if (auto tried = try_out(*plugin); !tried) return std::move(tried).error();
  }
  if (mode != LoadMode::look) return open(std::move(plugin).value());
  return described(std::move(plugin).value());
}

LoadedPlugin PluginLoader::described(ExaminedPlugin plugin) {
  const actord_plugin* const table = &plugin.scan.description->table();
  return {table, std::move(plugin.note), std::move(plugin.image), std::move(plugin.scan)};
}

base::Result<ExaminedPlugin, Refusal> PluginLoader::examine(std::string_view name) const {
  const auto file = find(name);
  if (!file) return file.error();
  return examine(*file, name);
}

base::Result<ExaminedPlugin, Refusal> PluginLoader::examine_file(const std::string& file) const {
  const std::string name = plugin_name_of(file);
  if (name.empty())
    return refused(file, "its name is not that of a plugin's file",
                   "name it NAME.so, as its note names the plugin");
  return examine(file, name);
}

base::Result<ExaminedPlugin, Refusal> PluginLoader::examine(const std::string& file,
                                                            std::string_view name) const {
  const auto walked = os::walk(file);
  if (!walked) return unreadable(file, walked.error());
  if (auto refusal = why_not_trusted(*walked, trust_)) return *std::move(refusal);
  if (std::string why = why_withheld_ ? why_withheld_(walked->file) : ""; !why.empty())
    return Refusal{Refusal::Kind::withheld, std::move(why), {}, walked->file};
  const auto image = PluginImage::of(walked->file, name);
  if (!image) return image.error();
  auto note = read_note(**image, name);
  if (!note) return note.error();
  return ExaminedPlugin{std::move(note).value(), *image, {}};
}

base::Result<void, Refusal> PluginLoader::try_out(ExaminedPlugin& plugin, int cancelled) {
  auto scan = scan_plugin(*plugin.image, cancelled);
  if (!scan) return with_file(plugin.image->file(), scan.error());
  if (message::view(scan->description->table().name) != plugin.note.name)
    return other_name(plugin.image->file());
  plugin.scan = std::move(scan).value();
  return {};
}

/// A build that was opened before is opened again by the path it had then. The dynamic linker gives
/// the library that it has, so that a plugin whose attach fails at each reload is not mapped at
/// each.
base::Result<LoadedPlugin, Refusal> PluginLoader::open(ExaminedPlugin plugin) {
  std::vector<PluginImagePtr>& opened = opened_images();
  const auto known = std::ranges::find_if(opened, [&](const PluginImagePtr& each) {
    return each->file() == plugin.image->file() && each->has_content_of(*plugin.image);
  });
  if (known != opened.end()) plugin.image = *known;
  else opened.push_back(plugin.image);
  const std::string& file = plugin.image->file();
  const PluginCode code(file);
  const auto table = open_plugin(*plugin.image);
  if (!table) return with_file(file, table.error());
  if (message::view((*table)->name) != plugin.note.name) return other_name(file);
  return LoadedPlugin{*table, std::move(plugin.note), std::move(plugin.image),
                      std::move(plugin.scan)};
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

std::string plugin_name_of(std::string_view file) {
  constexpr std::string_view suffix = ".so";
  std::string_view name = file.substr(file.rfind('/') + 1);  // npos + 1 is 0
  if (!name.ends_with(suffix)) return {};
  name.remove_suffix(suffix.size());
  return is_plugin_name(name) ? std::string{name} : std::string{};
}

std::vector<std::string> default_plugin_folders() {
  const std::string beside = os::real_path(os::executable_folder() + "/../plugins");
  return {os::is_directory(beside) ? beside : "/usr/lib/actord/plugins"};
}

}  // namespace actord::loader
