// SPDX-License-Identifier: Apache-2.0
#include "config/runtime.hpp"

#include <algorithm>
#include <unordered_map>

#include "config/actor_check.hpp"
#include "config/configuration.hpp"
#include "config/isolation.hpp"
#include "config/journal_opening.hpp"
#include "config/plugin_secrets.hpp"
#include "config/trust_rule.hpp"
#include "loader/plugin_code.hpp"
#include "message/message_type.hpp"
#include "pattern/construction.hpp"
#include "sched/thread_executor.hpp"
#include "sdk/config_value.hpp"
#include "sdk/host_table.hpp"
#include "settings/readable_part.hpp"
#include "settings/secret_values.hpp"
#include "system/actor_system.hpp"

namespace actord::config {

namespace {

std::vector<std::string> plugin_folders(const Configuration& configuration) {
  std::vector<std::string> folders = configuration.options.plugin_path;
  std::vector<std::string> others = configuration.settings.plugin_path;
  if (others.empty()) others = loader::default_plugin_folders();
  for (std::string& other : others) {
    if (std::ranges::find(folders, other) == folders.end()) folders.push_back(std::move(other));
  }
  return folders;
}

/// The node of a path such as /user/a/b below `user`; null if there is none.
template <class Node>
Node* node_at(Node& user, std::string_view path) {
  constexpr std::string_view above = "/user";
  if (!path.starts_with(above)) return nullptr;
  path.remove_prefix(above.size());
  Node* node = &user;
  while (node != nullptr && !path.empty()) {
    path.remove_prefix(1);  // the slash
    const std::string_view name = path.substr(0, path.find('/'));
    path.remove_prefix(name.size());
    Node* next = nullptr;
    for (Node& child : node->children) {
      if (child.name == name) next = &child;
    }
    node = next;
  }
  return node;
}

/// All nodes below `node`, which has the path `path`, by their paths.
template <class Node>
void add_by_path(Node& node, const std::string& path,
                 std::unordered_map<std::string, Node*>& by_path) {
  for (Node& child : node.children) {
    std::string below = path + '/' + child.name;
    add_by_path(child, below, by_path);
    by_path.emplace(std::move(below), &child);
  }
}

template <class Node>
std::unordered_map<std::string, Node*> nodes_by_path(Node* user) {
  std::unordered_map<std::string, Node*> by_path;
  if (user != nullptr) add_by_path(*user, "/user", by_path);
  return by_path;
}

ExitCode exit_code_of(loader::Refusal::Kind kind) {
  switch (kind) {
    case loader::Refusal::Kind::missing: return ExitCode::config_wrong;
    case loader::Refusal::Kind::not_permitted: return ExitCode::not_permitted;
    case loader::Refusal::Kind::refused:
    case loader::Refusal::Kind::broken:
    case loader::Refusal::Kind::changing:
    case loader::Refusal::Kind::withheld: break;
  }
  return ExitCode::plugin_refused;
}

/// The finding points to the value that names the plugin first.
BootError refusal_error(const loader::Refusal& refusal, const settings::WantedPlugin& wanted) {
  std::string what = refusal.what;
  if (!refusal.file.empty()) {
    what = "plugin \"" + wanted.name + "\" is refused: " + refusal.file + ": " + what;
  }
  if (!wanted.named_by.exists()) return boot_error(exit_code_of(refusal.kind), what, refusal.help);
  const hocon::Diagnostics findings{wanted.named_by.reject(what, refusal.help)};
  return boot_error(exit_code_of(refusal.kind), findings);
}

/// A plugin was tried out in a process that has kept more rights than it should have.
hocon::Diagnostic scan_remark(const settings::WantedPlugin& wanted, const std::string& why) {
  const std::string text =
      "the process that tries out the plugin \"" + wanted.name + "\" keeps rights: " + why;
  hocon::Diagnostic remark;
  if (wanted.named_by.exists()) remark = wanted.named_by.warn(text);
  remark.message = text;
  remark.warning = remark.remark = true;
  return remark;
}

hocon::Diagnostic quarantine_warning(const settings::WantedPlugin& wanted,
                                     const actor::CrashCharge& charge) {
  const std::string text =
      "the plugin \"" + wanted.name + "\" is in quarantine and is not loaded: " + charge.what;
  constexpr std::string_view help =
      "put another build of its file there, then reload or restart actord";
  hocon::Diagnostic warning;
  if (wanted.named_by.exists()) warning = wanted.named_by.warn(text, std::string{help});
  warning.message = text;
  warning.help = help;
  warning.warning = true;
  return warning;
}

/// Receives what a plugin reports on detach, when no actor is left to fail with it.
struct DetachError : actord_errors {
  DetachError() {
    report = [](actord_errors* self, const actord_failure* failure) {
      static_cast<DetachError*>(self)->what = message::view(failure->what);
    };
  }
  std::string what;
};

/// Adds the paths of the running actors below `node` that have no running child. `node` is at
/// `path`.
void collect_leaves(const system::ActorSystem& actors, const actor::NodeSpec& node,
                    const std::string& path, std::vector<std::string>& leaves) {
  for (const actor::NodeSpec& child : node.children) {
    const std::string below = path + '/' + child.name;
    const std::size_t before = leaves.size();
    collect_leaves(actors, child, below, leaves);
    if (leaves.size() == before && actors.find(below) != actor::nobody) leaves.push_back(below);
  }
}

/// The secrets of which only a placeholder may be known: all, if one cannot be fetched, or is a
/// credential that a check by hand cannot read. A copy of it may stand anywhere in the tree.
std::vector<hocon::Value> unknown_secrets(const hocon::Tree& tree,
                                          const hocon::SecretFindings& secrets) {
  const auto is_placeholder = [](const hocon::Diagnostic& warning) {
    return warning.code == hocon::codes::no_credentials;
  };
  const bool are_known =
      secrets.unfetched.empty() && std::ranges::none_of(tree.warnings(), is_placeholder);
  return are_known ? std::vector<hocon::Value>{} : settings::secrets_in(tree);
}

}  // namespace

Runtime::Runtime(const Configuration& configuration, log::Hub& hub, std::uint64_t boot_id)
    : hub_(hub),
      loader_(plugin_folders(configuration), plugin_trust(configuration)),
      executor_(std::make_unique<sched::ThreadExecutor>()) {
  system::SystemSettings of_system = settings::system_settings(configuration.settings, boot_id);
  of_system.journal = journal_settings(configuration, hub);
  system_ = std::make_unique<system::ActorSystem>(std::move(of_system), *executor_, hub,
                                                  sdk::host_table());
  ACTORD_ASSERT(system_->behaviours().add(pattern::plugin()).ok());
  isolation_ = std::make_unique<Isolation>(*system_, hub);
  isolation_->find_plugins_with([this](std::string_view name) -> Isolation::Plugin {
    const std::lock_guard locked(plugins_mutex_);
    const Plugin* const found = plugin(name);
    return found != nullptr ? Isolation::Plugin{found->table, found->image} : Isolation::Plugin{};
  });
  system_->isolator = &isolation_->in_effect();
}

Runtime::~Runtime() = default;

void Runtime::respect_quarantine(QuarantineOf quarantine_of) {
  quarantine_of_ = std::move(quarantine_of);
  loader_.ask_before_loading([this](const std::string& file) {
    const auto charge = quarantine_of_(file);
    return charge ? charge->what : std::string{};
  });
}

std::vector<Runtime::LoadFailure> Runtime::load_plugins(const settings::Settings& settings,
                                                        loader::LoadMode mode) {
  std::vector<LoadFailure> failures;
  for (const settings::WantedPlugin& wanted : settings::plugins_wanted(settings)) {
    if (auto error = load(wanted, mode)) failures.push_back({wanted.name, *std::move(error)});
  }
  return failures;
}

base::Result<BuiltSnapshot, BootError> Runtime::build_snapshot(const ConfigDraft& draft, Use use,
                                                               const Onlooker& onlooker) {
  const Configuration& configuration = draft.configuration;
  BootErrors errors;
  std::optional<settings::Settings> part;
  const hocon::Diagnostics& wrong = draft.errors;
  if (!wrong.empty()) part = settings::readable_part(configuration.settings);
  const auto settings = [&]() -> const settings::Settings& {
    return part ? *part : configuration.settings;
  };
  isolation_->draft(settings());
  const bool is_start = use == Use::attach && !snapshot_;
  const auto mode = use == Use::look ? loader::LoadMode::look
                    : is_start       ? loader::LoadMode::start
                                     : loader::LoadMode::reload;
  std::vector<std::string> absent;
  for (LoadFailure& each : load_plugins(settings(), mode)) {
    errors.add(std::move(each.error));
    absent.push_back(std::move(each.plugin));
  }
  if (!absent.empty()) part = settings::part_without_plugins(absent, settings());
  if (use == Use::attach && errors.empty() && wrong.empty()) {
    if (auto error = attach_plugins(settings())) return *std::move(error);
  }
  const hocon::SecretFindings secrets = fetch_plugin_secrets(configuration, system_->behaviours());
  if (!wrong.empty()) errors.add(boot_error(ExitCode::config_wrong, wrong));
  if (!secrets.errors.empty()) errors.add(boot_error(ExitCode::config_wrong, secrets.errors));

  const auto reader = std::make_shared<sdk::ConfigReader>(
      settings().tree, [this](std::string_view path) { return system_->find(path); });
  std::vector<settings::SoundActor> sound;
  std::set<std::string, std::less<>> withheld;
  for (const auto& each : withheld_) withheld.insert(each.first);
  auto bound = settings::bind(settings(), system_->behaviours(), *reader, &sound, withheld);
  const FindPlugin find_plugin = [this](std::string_view name) -> PluginPlace {
    const Plugin* const found = plugin(name);
    if (found == nullptr) return {};
    return {found->image, found->description != nullptr};
  };
  BuiltSnapshot result;
  const bool may_refuse = is_start && settings().on_boot_failure == schema::OnBootFailure::degrade;
  judge(check_actors(settings(), sound, unknown_secrets(settings().tree, secrets), find_plugin,
                     onlooker),
        may_refuse, bound ? &bound->user : nullptr, errors, result);
  if (!bound) {
    hocon::Diagnostics unbound = std::move(bound).error();
    settings::drop_findings_at(secrets.unfetched, unbound);
    if (!unbound.empty()) errors.add(boot_error(ExitCode::config_wrong, unbound));
  }
  if (!errors.empty()) return errors.combined();
  auto built = system_->build_snapshot(
      {std::move(bound->user), std::move(bound->deployments), reader, &isolation_->drafted()});
  if (!built) return boot_error(ExitCode::config_wrong, built.error().what);
  result.snapshot = std::move(*built);
  if (use == Use::attach) withhold(bound->withheld);
  result.warnings.insert(result.warnings.begin(), bound->warnings.begin(), bound->warnings.end());
  result.warnings.insert(result.warnings.end(), remarks_.begin(), remarks_.end());
  remarks_.clear();
  return result;
}

/// None of these actors is running: their plugins are not loaded.
void Runtime::withhold(const std::vector<settings::Bound::Withheld>& actors) {
  system::CrashCharges::ByPath charges;
  for (const settings::Bound::Withheld& each : actors) {
    actor::CrashCharge& charge = charges[each.path] = withheld_.find(each.plugin)->second;
    charge.behaviour = each.behaviour;
  }
  system_->crash_charges().withhold(std::move(charges));
}

/// Sorts the findings about actors into errors and warnings. `user` is null if the configuration
/// has other errors; then all findings are errors.
void Runtime::judge(std::vector<ActorFindings> all, bool may_refuse, actor::NodeSpec* user,
                    BootErrors& errors, BuiltSnapshot& built) {
  ++attempts_;
  const auto warn = [&](hocon::Diagnostics& findings) {
    for (hocon::Diagnostic& each : findings) {
      each.warning = true;
      built.warnings.push_back(std::move(each));
    }
  };
  const auto nodes = nodes_by_path(user);
  const auto former = nodes_by_path(&this->user());
  const auto at = [](const auto& by_path, const std::string& path) {
    const auto found = by_path.find(path);
    return found != by_path.end() ? found->second : nullptr;
  };
  for (ActorFindings& of : all) {
    warn(of.found.warnings);
    actor::NodeSpec* const node = at(nodes, of.path);
    const actor::NodeSpec* const was = at(former, of.path);
    const bool was_refused = was != nullptr && is_refused(*was);
    const bool is_same = was != nullptr && node != nullptr && was->behaviour == node->behaviour &&
                         configured_content(*was) == node->content;
    if (was_refused && node != nullptr) built.retries.push_back({of.path, node->origin});
    if (!of.has_errors()) continue;
    if (node != nullptr && (may_refuse || (is_same && was_refused))) {
      hocon::Diagnostics reasons = of.found.wrong;
      reasons.insert(reasons.end(), of.found.forbidden.begin(), of.found.forbidden.end());
      refuse_creation(*node, reasons, attempts_);
    } else if (!is_same) {
      if (!of.found.wrong.empty()) errors.add(boot_error(ExitCode::config_wrong, of.found.wrong));
      if (!of.found.forbidden.empty())
        errors.add(boot_error(ExitCode::not_permitted, of.found.forbidden));
      continue;
    }
    warn(of.found.wrong);
    warn(of.found.forbidden);
  }
}

Runtime::Plugin* Runtime::plugin(std::string_view name) {
  const auto known = std::ranges::find(plugins_, name, [](const Plugin& each) {
    return each.is_retired ? std::string_view{} : message::view(each.table->name);
  });
  return known != plugins_.end() ? &*known : nullptr;
}

std::optional<BootError> Runtime::load(const settings::WantedPlugin& wanted,
                                       loader::LoadMode mode) {
  if (plugin(wanted.name) != nullptr) return std::nullopt;
  // Its code is described by a process that tries it, as if it were only looked at.
  const bool is_hosted = isolation_->drafted().is_only_hosted(wanted.name);
  const auto loaded = loader_.load(wanted.name, is_hosted ? loader::LoadMode::look : mode);
  withheld_.erase(wanted.name);
  if (!loaded && loaded.error().kind == loader::Refusal::Kind::withheld) {
    if (auto charge = quarantine_of_(loaded.error().file)) {
      remarks_.push_back(quarantine_warning(wanted, *charge));
      withheld_.emplace(wanted.name, *std::move(charge));
      return std::nullopt;
    }
  }
  if (!loaded) return refusal_error(loaded.error(), wanted);
  if (const auto added = add(*loaded, mode, is_hosted); !added)
    return boot_error(ExitCode::plugin_refused, loaded->image->file() + ": " + added.error().what);
  for (const std::string& each : loaded->scan.rights_left)
    remarks_.push_back(scan_remark(wanted, each));
  return std::nullopt;
}

base::Result<void> Runtime::add(const loader::LoadedPlugin& loaded, loader::LoadMode mode,
                                bool is_hosted) {
  const actord_plugin& table = *loaded.table;
  auto known = is_hosted ? isolation_->add({loaded.table, loaded.image})
                         : system_->behaviours().add(table, loaded.image->file());
  if (!known) return known;
  {
    const std::lock_guard locked(plugins_mutex_);
    const auto before = std::ranges::find(plugins_, &table, &Plugin::table);
    if (before != plugins_.end()) {
      before->is_retired = false;
    } else {
      // A build that was retired no longer keeps the ids of its extensions.
      system_->extensions().forget(loaded.note.name);
      plugins_.push_back({&table, loaded.image, false, nullptr});
    }
    if (mode == loader::LoadMode::look || is_hosted)
      plugins_.back().description = loaded.scan.description;
    plugins_.back().is_hosted = is_hosted;
  }
  std::vector<std::string_view> behaviours;
  for (std::size_t i = 0; i < table.n_behaviours; ++i)
    behaviours.push_back(message::view(table.behaviours[i]->name));
  hub_.shared().audit(log::Level::info, "plugin.loaded", "plugin loaded",
                      {{"plugin.name", loaded.note.name},
                       {"plugin.version", loaded.note.version},
                       {"plugin.file", loaded.image->file()},
                       {"plugin.behaviours", std::span<const std::string_view>(behaviours)}});
  return {};
}

base::Result<void, loader::Refusal> Runtime::adopt(loader::ExaminedPlugin plugin) {
  const std::string name = plugin.note.name, file = plugin.image->file();
  if (this->plugin(name) != nullptr) return {};  // a reload has come first
  const auto refused = [&](const std::string& what) {
    return loader::Refusal{loader::Refusal::Kind::refused, what, "tell the author of the plugin",
                           file};
  };
  const bool is_hosted = isolation_->in_effect().is_only_hosted(name);
  const auto loaded = is_hosted ? base::Result<loader::LoadedPlugin, loader::Refusal>(
                                      loader::PluginLoader::described(std::move(plugin)))
                                : loader_.open(std::move(plugin));
  if (!loaded) return loaded.error();
  if (const auto added = add(*loaded, loader::LoadMode::reload, is_hosted); !added)
    return refused(added.error().what);
  const auto attached = attach(*this->plugin(name));
  if (attached) return {};
  retire(name);
  return refused(attached.error().what);
}

bool Runtime::retire(std::string_view name) {
  Plugin* const found = plugin(name);
  if (found == nullptr) return false;
  system_->behaviours().retire(name);
  isolation_->forget(name);
  {
    const std::lock_guard locked(plugins_mutex_);
    found->is_retired = true;
  }
  hub_.shared().audit(log::Level::info, "plugin.retired",
                      "no more actors of the plugin are created",
                      {{"plugin.name", name},
                       {"plugin.version", message::view(found->table->version)},
                       {"plugin.file", found->image->file()}});
  return true;
}

std::vector<Runtime::LoadedPlugin> Runtime::loaded_plugins() const {
  const std::lock_guard locked(plugins_mutex_);
  std::vector<LoadedPlugin> all;
  for (const Plugin& each : plugins_) {
    if (each.description && !each.is_hosted) continue;
    all.push_back({std::string{message::view(each.table->name)},
                   std::string{message::view(each.table->version)}, each.image, each.table,
                   each.is_retired});
  }
  return all;
}

std::optional<BootError> Runtime::attach_plugins(const settings::Settings& settings) {
  for (const settings::WantedPlugin& wanted : settings::plugins_wanted(settings)) {
    Plugin* const found = plugin(wanted.name);
    if (found == nullptr || found->is_attached) continue;
    if (const auto attached = attach(*found); !attached)
      return boot_error(ExitCode::plugin_refused,
                        found->image->file() + ": " + attached.error().what);
  }
  return std::nullopt;
}

base::Result<void> Runtime::attach(Plugin& plugin) {
  if (plugin.is_attached || plugin.is_hosted) return {};
  const loader::PluginCode code(plugin.image->file());
  auto attached = system_->attach_plugin(*plugin.table);
  plugin.is_attached = attached.ok();
  return attached;
}

void Runtime::start(actor::ConfigSnapshotPtr snapshot, system::SystemListener listener) {
  snapshot_ = snapshot;
  isolation_->take_effect();
  system_->start(std::move(snapshot), std::move(listener));
}

actor::ReconfigurationPtr Runtime::reconfigure(actor::ConfigSnapshotPtr snapshot,
                                               const system::LiveSettings& live, bool is_forced,
                                               std::function<void()> on_done) {
  snapshot_ = snapshot;
  isolation_->take_effect();
  system_->set_live(live);
  return system_->reconfigure(std::move(snapshot), is_forced, std::move(on_done));
}

void Runtime::detach_plugins() {
  isolation_->end();
  if (system_) {  // what is kept of plugins ends before them
    system_->system_actors().close();
    system_->dead_letter_box().set_bytes_max(0);
  }
  for (; !plugins_.empty(); plugins_.pop_back()) {
    const actord_plugin& plugin = *plugins_.back().table;
    if (!plugins_.back().is_attached) continue;
    DetachError error;
    const loader::PluginCode code(plugins_.back().image->file(), loader::PluginCode::Phase::detach);
    if (plugin.detach == nullptr || plugin.detach(&error) == ACTORD_OK) continue;
    hub_.shared().audit(
        log::Level::error, "plugin.detach-failed", "the plugin's detach failed",
        {{"plugin.name", message::view(plugin.name)}, {"failure.message", error.what}});
  }
}

const actor::NodeSpec& Runtime::user() const {
  static const actor::NodeSpec none;
  return snapshot_ ? snapshot_->user() : none;
}

std::string Runtime::origin_of(std::string_view path) const {
  const actor::NodeSpec* const node = node_at(user(), path);
  return node != nullptr ? node->origin : std::string{};
}

std::vector<std::string> Runtime::running_leaves() const {
  std::vector<std::string> leaves;
  collect_leaves(*system_, user(), "/user", leaves);
  if (!leaves.empty()) return leaves;
  for (const actor::Ref ref : system_->select("/system/*")) {
    if (std::string path = system_->path(ref); path != "/system/log")
      leaves.push_back(std::move(path));
  }
  return leaves;
}

}  // namespace actord::config
