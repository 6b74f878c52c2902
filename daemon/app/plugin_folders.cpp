// SPDX-License-Identifier: Apache-2.0
#include "app/plugin_folders.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "app/background_reader.hpp"
#include "base/clock.hpp"
#include "config/configuration.hpp"
#include "config/runtime.hpp"
#include "log/hub.hpp"
#include "message/message_type.hpp"
#include "settings/settings.hpp"

namespace actord::app {

using log::Level;
using schema::PluginAutoload;
using wire::Json;

namespace {

std::vector<std::string> behaviours_of(const actord_plugin& plugin) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < plugin.n_behaviours; ++i)
    names.emplace_back(message::view(plugin.behaviours[i]->name));
  return names;
}

std::string state_for(loader::Refusal::Kind kind) {
  switch (kind) {
    case loader::Refusal::Kind::broken: return "broken";
    case loader::Refusal::Kind::withheld: return "quarantine";
    default: return "rejected";
  }
}

/// The paths of the configured actors that are of the plugin.
void collect_users(const std::vector<settings::Node>& nodes, const std::string& above,
                   const std::string& prefix, std::vector<std::string>& users) {
  for (const settings::Node& node : nodes) {
    const std::string path = above + '/' + node.name;
    if (node.behaviour && node.behaviour.text().starts_with(prefix)) users.push_back(path);
    collect_users(node.children, path, prefix, users);
  }
}

std::vector<std::string> users_of(const std::string& name, const settings::Settings& settings) {
  std::vector<std::string> users;
  const std::string prefix = name + '/';
  const hocon::Value& guardian = settings.guardian.value;
  if (!settings.guardian.strategy && guardian && guardian.text().starts_with(prefix))
    users.emplace_back("the strategy of /user");
  collect_users(settings.user, "/user", prefix, users);
  return users;
}

std::string listed(const std::vector<std::string>& texts) {
  constexpr std::size_t shown_max = 10;
  std::string list;
  for (std::size_t i = 0; i < std::min(texts.size(), shown_max); ++i)
    list += (i == 0 ? "" : ", ") + texts[i];
  if (texts.size() > shown_max)
    list += " and " + std::to_string(texts.size() - shown_max) + " more";
  return list;
}

/// The plugin of that name that is loaded and not retired.
std::optional<config::Runtime::LoadedPlugin> loaded(const config::Runtime& runtime,
                                                    std::string_view name) {
  for (config::Runtime::LoadedPlugin& each : runtime.loaded_plugins()) {
    if (each.name == name && !each.is_retired) return std::move(each);
  }
  return std::nullopt;
}

}  // namespace

PluginFolders::PluginFolders(os::EventLoop& loop, log::Hub& hub, config::Runtime& runtime,
                             BackgroundReader& reader)
    : hub_(hub),
      runtime_(runtime),
      reader_(reader),
      trials_(loop, runtime),
      quiet_(loop),
      watch_(loop, {[this](std::string_view file) { on_file(file); },
                    [this] { scan(When::while_running); },
                    [this](const std::string& folder, const os::SystemError& error) {
                      hub_.shared().emit(
                          Level::warning, "plugin.unwatched", "a folder of plugins is not watched",
                          {{"folder", folder},
                           {"error", error.what},
                           {"help",
                            "raise fs.inotify.max_user_watches and max_user_instances "
                            "with sysctl, if they are the reason."}});
                    }}) {}

void PluginFolders::begin(PluginAutoload autoload) {
  has_begun_ = true;
  apply(autoload);
}

void PluginFolders::apply(PluginAutoload autoload) {
  if (!has_begun_ || is_stopping_) return;
  for (const auto& [name, each] : known_) {
    if (!each.is_newer && loaded(runtime_, name)) look(name, When::while_running, {});
  }
  if (autoload == autoload_) return;
  const When when = autoload_ == PluginAutoload::off ? When::at_start : When::while_running;
  autoload_ = autoload;
  settled_.clear();
  watch_.watch(autoload == PluginAutoload::off ? std::vector<std::string>{}
                                               : runtime_.loader().folders());
  if (autoload != PluginAutoload::off) scan(when);
}

void PluginFolders::stop() {
  is_stopping_ = true;
  quiet_.cancel();
  watch_.watch({});
  trials_.stop();
}

// ---- what changes -------------------------------------------------------------------------------

void PluginFolders::scan(When when) {
  trials_.list_names([this, when](const std::vector<std::string>& names) {
    for (const std::string& name : names) look(name, when, {});
  });
}

void PluginFolders::on_file(std::string_view file) {
  const std::string name = loader::plugin_name_of(file);
  if (name.empty()) return;
  settled_.touch(name, base::monotonic_ns());
  arm();
}

void PluginFolders::arm() {
  const auto next_ns = settled_.next_ns();
  if (!next_ns || is_stopping_) return;
  quiet_.start(std::chrono::nanoseconds{*next_ns - base::monotonic_ns()}, [this] { on_settled(); });
}

void PluginFolders::on_settled() {
  for (const std::string& name : settled_.take(base::monotonic_ns()))
    look(name, When::while_running, {});
  arm();
}

void PluginFolders::look(const std::string& name, When when, std::function<void()> then) {
  const auto known = known_.find(name);
  const bool may_skip = known != known_.end() && known->second.state != "quarantine" &&
                        (known->second.state != "verified" || autoload_ != PluginAutoload::on);
  trials_.judge(name, may_skip ? known->second.content : 0,
                [this, when, then = std::move(then)](Verdict verdict) {
                  on_verdict(std::move(verdict), when, then);
                });
}

/// `then` is called when all is told.
void PluginFolders::on_verdict(Verdict verdict, When when, const std::function<void()>& then) {
  // The file was changed meanwhile, maybe while it was read, and is looked at again soon.
  if (settled_.contains(verdict.name) && !then) return;
  switch (verdict.kind) {
    case Verdict::Kind::absent:
    case Verdict::Kind::as_loaded: known_.erase(verdict.name); break;
    case Verdict::Kind::unchanged: break;
    case Verdict::Kind::refused: on_refused(verdict); break;
    case Verdict::Kind::sound: return on_sound(std::move(verdict), when, then);
  }
  if (then) then();
}

void PluginFolders::on_refused(const Verdict& verdict) {
  if (is_stopping_) return;
  const loader::Refusal& refusal = verdict.refusal;
  if (refusal.kind == loader::Refusal::Kind::changing) {  // its writer will tell of its end, or not
    settled_.touch(verdict.name, base::monotonic_ns());
    return arm();
  }
  Known now{.state = state_for(refusal.kind),
            .file = refusal.file.empty() ? verdict.file : refusal.file,
            .version = verdict.version,
            .reason = refusal.what,
            .help = refusal.help,
            .content = verdict.content,
            .is_newer = loaded(runtime_, verdict.name).has_value()};
  if (now.state == "quarantine")
    now.help = "put another build of its file there, then reload or restart actord";
  refuse(verdict.name, std::move(now));
}

void PluginFolders::refuse(const std::string& name, Known now) {
  const auto before = known_.find(name);
  const bool is_told = before != known_.end() && before->second.state == now.state &&
                       before->second.reason == now.reason && before->second.content == now.content;
  if (!is_told) {
    const bool is_broken = now.state == "broken";
    hub_.shared().emit(Level::warning, is_broken ? "plugin.broken" : "plugin.rejected",
                       "the plugin \"" + name + "\" is not loaded: " + now.file + ": " + now.reason,
                       {{"plugin.name", name},
                        {"plugin.file", now.file},
                        {"reason", now.reason},
                        {"help", now.help}});
  }
  known_.insert_or_assign(name, std::move(now));
}

void PluginFolders::on_sound(Verdict verdict, When when, const std::function<void()>& then) {
  const std::string name = verdict.name;
  const actord_plugin& table = verdict.plugin->scan.description->table();
  Known now{.state = "verified",
            .file = verdict.file,
            .version = verdict.version,
            .behaviours = behaviours_of(table),
            .content = verdict.content,
            .is_newer = loaded(runtime_, name).has_value()};
  const std::vector<std::string_view> behaviours(now.behaviours.begin(), now.behaviours.end());
  if (const auto of = loaded(runtime_, name)) {
    hub_.shared().emit(
        Level::info, "plugin.discovered",
        "another build of the plugin lies there; it takes effect at the next start of actord",
        {{"plugin.name", name},
         {"plugin.version", now.version},
         {"plugin.file", now.file},
         {"loaded.version", of->version}});
  } else if (autoload_ == PluginAutoload::on && !is_retired(name)) {
    known_.insert_or_assign(name, now);
    return adopt(*std::move(verdict.plugin), [this, name, now, then](const auto* refusal) {
      if (refusal != nullptr) {
        Known wrong = now;
        wrong.state = "rejected";
        wrong.reason = refusal->what;
        wrong.help = refusal->help;
        refuse(name, std::move(wrong));
      }
      if (then) then();
    });
  } else {
    hub_.shared().emit(when == When::at_start ? Level::debug : Level::info, "plugin.verified",
                       "the plugin can be loaded",
                       {{"plugin.name", name},
                        {"plugin.version", now.version},
                        {"plugin.file", now.file},
                        {"plugin.behaviours", std::span<const std::string_view>(behaviours)}});
  }
  known_.insert_or_assign(name, std::move(now));
  if (then) then();
}

void PluginFolders::adopt(loader::ExaminedPlugin plugin,
                          const std::function<void(const loader::Refusal*)>& done) {
  const auto held = std::make_shared<loader::ExaminedPlugin>(std::move(plugin));
  const auto refusal = std::make_shared<std::optional<loader::Refusal>>();
  reader_.use_runtime(
      [this, held, refusal] {
        auto adopted = runtime_.adopt(std::move(*held));
        if (!adopted) *refusal = std::move(adopted).error();
      },
      [this, refusal, done, name = held->note.name](const BackgroundReader::ReadResult& read) {
        if (read.error && !*refusal)
          *refusal = loader::Refusal{loader::Refusal::Kind::refused, read.error->reason, {}, {}};
        if (!*refusal) known_.erase(name);
        done(*refusal ? &**refusal : nullptr);
      });
}

// ---- orders -------------------------------------------------------------------------------------

void PluginFolders::rescan(const Done& done) {
  trials_.list_names([this, done](const std::vector<std::string>& names) {
    // What was known of a file ends with it.
    std::erase_if(known_,
                  [&](const auto& each) { return !std::ranges::binary_search(names, each.first); });
    const auto left = std::make_shared<std::size_t>(names.size());
    const auto tell = [this, done] { done({.json = list()}); };
    if (names.empty()) return tell();
    for (const std::string& name : names) {
      look(name, When::while_running, [left, tell] {
        if (--*left == 0) tell();
      });
    }
  });
}

void PluginFolders::load(const std::string& name, const Done& done) {
  if (loaded(runtime_, name)) return done({.json = json_of(name)});
  if (name.empty() || loader::plugin_name_of(name + ".so") != name)
    return done({config::ExitCode::command_line,
                 "that is no name of a plugin: \"" + name + '"',
                 {{"help", "it is the name of a file in a folder of plugins, without .so"}}});
  trials_.judge(name, 0, [this, name, done](Verdict verdict) {
    if (verdict.kind == Verdict::Kind::absent)
      return done(outcome_of(runtime_.loader().find(name).error()));
    if (verdict.kind == Verdict::Kind::refused) {
      on_refused(verdict);
      return done(outcome_of(verdict.refusal));
    }
    if (verdict.kind != Verdict::Kind::sound) return done({.json = json_of(name)});
    adopt(*std::move(verdict.plugin), [this, name, done](const loader::Refusal* refusal) {
      if (refusal != nullptr) return done(outcome_of(*refusal));
      done({.json = json_of(name)});
    });
  });
}

void PluginFolders::retire(const std::string& name, const config::Configuration& running,
                           const Done& done) {
  if (!loaded(runtime_, name))
    return done({config::ExitCode::command_line,
                 "no plugin \"" + name + "\" is loaded",
                 {{"help", "actorctl plugin list has the plugins"}}});
  if (const auto users = users_of(name, running.settings); !users.empty())
    return done({config::ExitCode::command_line,
                 "the configuration needs the plugin " + name + " for " + listed(users),
                 {{"help", "take them out of the configuration and reload, then retire it"},
                  {"needed_by", users}}});
  if (const auto users = extension_users(name); !users.empty())
    return done({config::ExitCode::command_line,
                 "the plugin " + name + " is in use: " + listed(users),
                 {{"help", "retire these plugins first, or restart actord"}, {"used_by", users}}});
  reader_.use_runtime([this, name] { runtime_.retire(name); },
                      [this, name, done](const BackgroundReader::ReadResult& read) {
                        if (read.error) return done({read.error->code, read.error->reason});
                        done({.json = json_of(name)});
                      });
}

/// "shop.prices/1 by the plugin till", for each other plugin that calls an extension of it.
std::vector<std::string> PluginFolders::extension_users(const std::string& name) const {
  std::vector<std::string> users;
  for (const system::Extension& each : runtime_.actors().extensions().all()) {
    if (each.publisher != name) continue;
    for (const std::string& user : each.users) {
      if (user != name && loaded(runtime_, user))
        users.push_back(each.id + " by the plugin " + user);
    }
  }
  return users;
}

PluginFolders::Outcome PluginFolders::outcome_of(const loader::Refusal& refusal) const {
  using Kind = loader::Refusal::Kind;
  Outcome outcome{refusal.kind == Kind::missing         ? config::ExitCode::command_line
                  : refusal.kind == Kind::not_permitted ? config::ExitCode::not_permitted
                                                        : config::ExitCode::plugin_refused,
                  refusal.file.empty() ? refusal.what : refusal.file + ": " + refusal.what};
  if (!refusal.help.empty()) outcome.json["help"] = refusal.help;
  return outcome;
}

// ---- what is known ------------------------------------------------------------------------------

/// An operator has retired a build of it, so that it is loaded only by order.
bool PluginFolders::is_retired(std::string_view name) const {
  return std::ranges::any_of(runtime_.loaded_plugins(), [&](const auto& each) {
    return each.name == name && each.is_retired;
  });
}

Json PluginFolders::json_of(const std::string& name) const {
  Json last = Json::object();
  const Json all = list();
  for (const Json& each : all.at("plugins")) {
    if (each.at("name") == name) last = each;
  }
  return last;
}

Json PluginFolders::list() const {
  std::multimap<std::string, Json> plugins, others;
  std::set<std::string> running;
  for (const config::Runtime::LoadedPlugin& each : runtime_.loaded_plugins()) {
    Json line = {{"name", each.name},
                 {"state", each.is_retired ? "retired" : "loaded"},
                 {"version", each.version},
                 {"behaviours", behaviours_of(*each.table)},
                 {"file", each.image->file()}};
    const auto newer = known_.find(each.name);
    if (!each.is_retired) running.insert(each.name);
    if (newer != known_.end() && newer->second.is_newer && !each.is_retired) {
      line["newer"] = {{"version", newer->second.version}, {"state", newer->second.state}};
      if (!newer->second.reason.empty()) line["newer"]["reason"] = newer->second.reason;
    }
    plugins.emplace(each.name, std::move(line));
  }
  for (const auto& [name, each] : known_) {
    if (running.contains(name)) continue;
    Json line = {{"name", name},
                 {"state", each.state},
                 {"version", each.version},
                 {"behaviours", each.behaviours},
                 {"file", each.file}};
    if (!each.reason.empty()) line["reason"] = each.reason;
    if (!each.help.empty()) line["help"] = each.help;
    others.emplace(name, std::move(line));
  }
  Json all = Json::array();
  for (auto* const part : {&plugins, &others}) {
    for (auto& [name, line] : *part) all.push_back(std::move(line));
  }
  return {{"plugins", std::move(all)}};
}

}  // namespace actord::app
