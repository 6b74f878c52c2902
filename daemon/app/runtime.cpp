// SPDX-License-Identifier: Apache-2.0
#include "app/runtime.hpp"

#include "message/message_type.hpp"
#include "pattern/configured_backoff.hpp"
#include "sdk/host_table.hpp"

namespace actord::app {

namespace {

std::vector<std::string> plugin_folders(const Configuration& configuration) {
  std::vector<std::string> folders = configuration.options.plugin_path;
  const std::vector<std::string>& configured = configuration.settings.plugin_path;
  folders.insert(folders.end(), configured.begin(), configured.end());
  return folders.empty() ? loader::default_plugin_folders() : folders;
}

/// The node of a path such as /user/a/b below `user`; null if there is none.
const actor::NodeSpec* node_at(const actor::NodeSpec& user, std::string_view path) {
  constexpr std::string_view above = "/user";
  if (!path.starts_with(above)) return nullptr;
  path.remove_prefix(above.size());
  const actor::NodeSpec* node = &user;
  while (node != nullptr && !path.empty()) {
    path.remove_prefix(1);  // the slash
    const std::string_view name = path.substr(0, path.find('/'));
    path.remove_prefix(name.size());
    const actor::NodeSpec* next = nullptr;
    for (const actor::NodeSpec& child : node->children) {
      if (child.name == name) next = &child;
    }
    node = next;
  }
  return node;
}

ExitCode exit_code_of(loader::Refusal::Kind kind) {
  switch (kind) {
    case loader::Refusal::Kind::missing: return ExitCode::config_wrong;
    case loader::Refusal::Kind::not_permitted: return ExitCode::not_permitted;
    case loader::Refusal::Kind::refused: break;
  }
  return ExitCode::plugin_refused;
}

/// The finding stands where the configuration names the plugin first.
BootError refusal_error(const loader::Refusal& refusal, const settings::WantedPlugin& wanted) {
  std::string what = refusal.what;
  if (!refusal.file.empty()) {
    what = "plugin \"" + wanted.name + "\" is refused: " + refusal.file + ": " + what;
  }
  if (!wanted.named_by.exists()) return boot_error(exit_code_of(refusal.kind), what, refusal.help);
  return boot_error(exit_code_of(refusal.kind), {wanted.named_by.reject(what, refusal.help)});
}

/// What a plugin reports when no actor is left to fail with it.
struct LastWords : actord_errors {
  LastWords() {
    report = [](actord_errors* self, const actord_failure* failure) {
      static_cast<LastWords*>(self)->what = message::view(failure->what);
    };
  }
  std::string what;
};

std::size_t count(const std::vector<actor::NodeSpec>& nodes) {
  std::size_t n = nodes.size();
  for (const actor::NodeSpec& node : nodes) n += count(node.children);
  return n;
}

/// The living leaves below `node`, which is at `path`.
void collect_leaves(const system::ActorSystem& actors, const actor::NodeSpec& node,
                    const std::string& path, std::vector<std::string>& leaves) {
  for (const actor::NodeSpec& child : node.children) {
    const std::string below = path + '/' + child.name;
    const std::size_t before = leaves.size();
    collect_leaves(actors, child, below, leaves);
    if (leaves.size() == before && actors.find(below) != actor::nobody) leaves.push_back(below);
  }
}

}  // namespace

Runtime::Runtime(const Configuration& configuration, log::Hub& hub, std::uint64_t boot_id)
    : configuration_(configuration),
      hub_(hub),
      loader_(plugin_folders(configuration)),
      reader_(configuration.settings.tree) {
  system_ = std::make_unique<system::ActorSystem>(
      settings::system_settings(configuration.settings, boot_id), executor_, hub,
      sdk::host_table());
  ACTORD_ASSERT(system_->behaviours().add(pattern::plugin()).ok());
  reader_.set_find([this](std::string_view path) { return system_->find(path); });
}

base::Result<bool, BootError> Runtime::load_plugins(Use use) {
  for (const settings::WantedPlugin& wanted : settings::plugins_wanted(configuration_.settings)) {
    if (auto loaded = load(wanted, use); !loaded) return loaded;
  }
  return true;
}

base::Result<bool, BootError> Runtime::load(const settings::WantedPlugin& wanted, Use use) {
  const auto loaded = loader_.load(wanted.name);
  if (!loaded) return refusal_error(loaded.error(), wanted);
  const auto added = use == Use::attach ? system_->add_plugin(*loaded->table)
                                        : system_->behaviours().add(*loaded->table);
  if (!added) {
    return boot_error(ExitCode::plugin_refused, loaded->file + ": " + added.error().what);
  }
  if (use == Use::attach) attached_.push_back(loaded->table);
  std::vector<std::string_view> behaviours;
  for (std::size_t i = 0; i < loaded->table->n_behaviours; ++i) {
    behaviours.push_back(message::view(loaded->table->behaviours[i]->name));
  }
  hub_.shared().emit(log::Level::info, "plugin.loaded", "the plugin is loaded",
                     {{"plugin.name", loaded->note.name},
                      {"plugin.version", loaded->note.version},
                      {"plugin.file", loaded->file},
                      {"plugin.behaviours", std::span<const std::string_view>(behaviours)}});
  return true;
}

base::Result<bool, BootError> Runtime::bind() {
  auto bound = settings::bind(configuration_.settings, system_->behaviours(), reader_);
  if (!bound) return boot_error(ExitCode::config_wrong, bound.error());
  bound_ = std::move(*bound);
  if (const auto set = system_->set_path_rules(bound_.rules); !set) {
    return boot_error(ExitCode::config_wrong, set.error().what);
  }
  return true;
}

void Runtime::start(system::Milestones milestones) {
  system_->start(bound_.user, std::move(milestones));
}

void Runtime::detach_plugins() {
  for (; !attached_.empty(); attached_.pop_back()) {
    const actord_plugin& plugin = *attached_.back();
    LastWords words;
    if (plugin.detach == nullptr || plugin.detach(&words) == ACTORD_OK) continue;
    hub_.shared().emit(
        log::Level::error, "plugin.detach-failed", "the plugin did not end cleanly",
        {{"plugin.name", message::view(plugin.name)}, {"failure.message", words.what}});
  }
}

std::string Runtime::origin_of(std::string_view path) const {
  const actor::NodeSpec* const node = node_at(bound_.user, path);
  return node != nullptr ? node->origin : std::string{};
}

std::vector<std::string> Runtime::last_configured_actors() const {
  std::vector<std::string> leaves;
  collect_leaves(*system_, bound_.user, "/user", leaves);
  return leaves;
}

std::size_t Runtime::configured_actors() const { return count(bound_.user.children); }

}  // namespace actord::app
