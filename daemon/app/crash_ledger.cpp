// SPDX-License-Identifier: Apache-2.0
#include "app/crash_ledger.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "app/crash_form.hpp"
#include "base/tree_path.hpp"
#include "config/json_forms.hpp"

namespace actord::app {

using actor::CrashCharge;
using config::integer_in;
using config::text_in;
using wire::Json;

namespace {

// What a ledger remembers at most. Much more often no service manager starts a daemon.
constexpr std::size_t crashes_max = 1000;

// ---- the culprit --------------------------------------------------------------------------------

/// The deepest node at or above `path`.
CrashLedger::Culprit configured_at(const CrashLedger::Nodes& nodes, std::string_view path) {
  for (const settings::Node& node : nodes) {
    if (!base::is_at_or_below(path, node.path)) continue;
    // Behind a back-off supervisor the actor has its name once more.
    const std::string own = node.backoff ? node.path + '/' + node.name : node.path;
    CrashLedger::Culprit below = configured_at(node.children, path);
    if (!below.path.empty()) return below;
    return {base::is_at_or_below(path, own) ? own : node.path, node.path, {}};
  }
  return {};
}

/// The behaviour of the actor at `path`, its front; empty: it is not configured.
std::string behaviour_at(const CrashLedger::Nodes& nodes, const std::string& path) {
  for (const settings::Node& node : nodes) {
    if (node.path == path)
      return std::string{node.behaviour ? node.behaviour.text() : "actord/Supervisor"};
    if (base::is_at_or_below(path, node.path)) return behaviour_at(node.children, path);
  }
  return {};
}

/// A call in the stack: the file of its code, and that file's build id.
struct Place {
  std::string file, build_id;
};

/// The innermost call in a file that is, or ends with, `name`.
Place place_in(const Json& crash, const std::string& name) {
  const Json& about = object_in(crash, "crash");
  const std::vector<std::string> places = texts_in(about, "places");
  const std::vector<std::string> builds = texts_in(about, "build_ids");
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::string file = file_of_place(places[i]);
    if (file == name || file.ends_with('/' + name))
      return {std::move(file), i < builds.size() ? builds[i] : ""};
  }
  return {};
}

std::string text_of(const CrashLedger::Culprit& culprit, const Json& crash) {
  const std::string path = text_in(object_in(crash, "actor"), "path");
  const std::string message = text_in(object_in(crash, "message"), "type");
  const std::string call = text_in(crash, "call");
  const bool is_hang = object_in(crash, "crash").value("is_hang", false);
  std::string text = culprit.path.empty()   ? culprit.plugin_file
                     : path == culprit.path ? "it"
                                            : path;
  text += is_hang ? " has kept the watchdog waiting" : " has ended actord";
  if (!call.empty()) text += " by " + call;
  if (!message.empty()) text += " in its handler of " + message;
  return text + "; see actorctl crash show " + text_in(crash, "boot");
}

// ---- the file -----------------------------------------------------------------------------------

Json json_of(const CrashLedger::Entry& entry) {
  return {{"id", entry.id},
          {"path", entry.culprit.path},
          {"front", entry.culprit.front},
          {"plugin_file", entry.culprit.plugin_file},
          {"behaviour", entry.behaviour},
          {"signal", entry.signal},
          {"what", entry.what},
          {"message_type", entry.message_type},
          {"build", entry.build},
          {"wall_ns", entry.wall_ns},
          {"uptime_ns", entry.uptime_ns},
          {"is_judged", entry.is_judged}};
}

std::optional<CrashLedger::Entry> entry_of(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const auto judged = json.find("is_judged");
  CrashLedger::Entry entry{
      .id = text_in(json, "id"),
      .culprit = {text_in(json, "path"), text_in(json, "front"), text_in(json, "plugin_file")},
      .behaviour = text_in(json, "behaviour"),
      .signal = text_in(json, "signal"),
      .what = text_in(json, "what"),
      .message_type = text_in(json, "message_type"),
      .build = text_in(json, "build"),
      .wall_ns = integer_in(json, "wall_ns"),
      .uptime_ns = integer_in(json, "uptime_ns"),
      .is_judged = judged != json.end() && judged->is_boolean() && judged->get<bool>()};
  const bool is_whole = !entry.id.empty() && !entry.culprit.name().empty();
  return is_whole ? std::optional(std::move(entry)) : std::nullopt;
}

CrashCharge charge_of(const CrashLedger::Entry& entry, std::int64_t now_ns) {
  CrashCharge charge;
  charge.id = entry.id;
  charge.signal = entry.signal;
  charge.what = entry.what;
  charge.message_type = entry.message_type;
  charge.last = {std::max<std::int64_t>(now_ns - entry.wall_ns, 0), entry.uptime_ns};
  charge.is_judged = entry.is_judged;
  charge.behaviour = entry.behaviour;
  return charge;
}

}  // namespace

bool CrashLedger::read(std::string_view text) {
  const Json json = read_json(text);
  bool is_sound = json.is_object();
  const auto take = [&](const char* name, std::vector<Entry>& to, bool may_be_absent = false) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_array()) {
      is_sound &= may_be_absent && found == json.end();
      return;
    }
    for (const Json& each : *found) {
      auto entry = entry_of(each);
      is_sound &= entry.has_value();
      if (!entry) continue;
      const bool is_other_build =
          !entry->build.empty() && build_of_(entry->culprit.plugin_file) != entry->build;
      if (!is_other_build) to.push_back(*std::move(entry));
    }
  };
  take("crashes", crashes_);
  take("quarantined", quarantined_);
  take("builds", builds_, true);  // files of earlier versions have none
  return is_sound;
}

std::string CrashLedger::text() const {
  Json json = {
      {"crashes", Json::array()}, {"quarantined", Json::array()}, {"builds", Json::array()}};
  for (const Entry& each : crashes_) json["crashes"].push_back(json_of(each));
  for (const Entry& each : quarantined_) json["quarantined"].push_back(json_of(each));
  for (const Entry& each : builds_) json["builds"].push_back(json_of(each));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::optional<CrashLedger::Culprit> CrashLedger::culprit_of(const Json& crash, const Nodes& user) {
  const Json& about = object_in(crash, "crash");
  const bool is_hang = about.value("is_hang", false);
  if ((!about.value("is_own", true) && !is_hang) || about.value("is_ending", false))
    return std::nullopt;
  const Json& plugin = object_in(crash, "plugin");
  const std::string path = text_in(object_in(crash, "actor"), "path");
  Culprit culprit = configured_at(user, path);
  culprit.plugin_file = text_in(plugin, "file");
  if (culprit.plugin_file.empty())
    culprit.plugin_file = place_in(crash, text_in(plugin, "name") + ".so").file;
  const bool is_nothing = path.empty() ? culprit.plugin_file.empty() : culprit.path.empty();
  return is_nothing ? std::nullopt : std::optional(std::move(culprit));
}

std::optional<CrashLedger::Culprit> CrashLedger::charge(const Json& crash, const Nodes& user,
                                                        const settings::CrashSettings& rules) {
  auto culprit = culprit_of(crash, user);
  const Json& about = object_in(crash, "crash");
  if (!culprit) return std::nullopt;
  // The configuration may have changed since the crash.
  const Json& actor = object_in(crash, "actor");
  const bool is_itself = text_in(actor, "path") == culprit->path;
  Entry entry{
      .id = text_in(about, "id"),
      .culprit = *culprit,
      .behaviour = is_itself ? text_in(actor, "behaviour") : behaviour_at(user, culprit->front),
      .signal = about.value("is_hang", false) ? "Hang" : text_in(crash, "signal"),
      .what = text_of(*culprit, crash),
      .message_type = text_in(object_in(crash, "message"), "type"),
      .build = place_in(crash, culprit->plugin_file).build_id,
      .wall_ns = integer_in(about, "wall_ns"),
      .uptime_ns = integer_in(about, "uptime_ns")};
  const std::string present = build_of_(culprit->plugin_file);
  if (entry.build.empty()) entry.build = present;
  else if (entry.build != present) return std::nullopt;
  if (std::ranges::find(crashes_, entry.id, &Entry::id) != crashes_.end()) return culprit;
  crashes_.push_back(entry);
  if (crashes_.size() > crashes_max) crashes_.erase(crashes_.begin());
  if (!culprit->plugin_file.empty()) {
    std::erase_if(builds_, [&](const Entry& each) {
      return each.culprit.plugin_file == culprit->plugin_file;
    });
    builds_.push_back(entry);
    if (builds_.size() > crashes_max) builds_.erase(builds_.begin());
  }
  if ((rules.on_crash == schema::OnDaemonCrash::quarantine || is_too_often(entry, rules)) &&
      !is_quarantined(culprit->name()))
    quarantined_.push_back(std::move(entry));
  return culprit;
}

bool CrashLedger::is_too_often(const Entry& last, const settings::CrashSettings& rules) const {
  const auto limit = rules.quarantine_after;
  const auto count = std::ranges::count_if(crashes_, [&](const Entry& each) {
    return each.culprit.is_same(last.culprit) && each.wall_ns <= last.wall_ns &&
           each.wall_ns >= last.wall_ns - rules.within_ns;
  });
  return limit != 0 && count >= limit;
}

std::vector<std::pair<std::string, CrashCharge>> CrashLedger::charges(const Nodes& user,
                                                                      std::int64_t now_ns) const {
  std::map<std::string, CrashCharge> all;
  const auto holds = [&](const Entry& entry) {
    const bool is_of_actor = !entry.culprit.path.empty();
    return is_of_actor && behaviour_at(user, entry.culprit.front) == entry.behaviour;
  };
  for (const Entry& each : crashes_) {
    if (!holds(each)) continue;
    CrashCharge charge = charge_of(each, now_ns);
    CrashCharge& known = all[each.culprit.path];
    if (!known.id.empty()) {
      charge.earlier = std::move(known.earlier);
      charge.earlier.push_back(known.last);
    }
    known = std::move(charge);
  }
  for (const Entry& each : quarantined_) {
    if (!holds(each)) continue;
    all.erase(each.culprit.path);
    CrashCharge& charge = all[each.culprit.front] = charge_of(each, now_ns);
    charge.is_quarantined = true;
  }
  return {std::make_move_iterator(all.begin()), std::make_move_iterator(all.end())};
}

bool CrashLedger::judge_all() {
  bool has_changed = false;
  for (Entry& each : crashes_) has_changed |= !std::exchange(each.is_judged, true);
  return has_changed;
}

std::optional<CrashCharge> CrashLedger::quarantine_of(const std::string& plugin_file) const {
  for (const Entry& each : quarantined_) {
    if (!each.culprit.path.empty() || each.culprit.plugin_file != plugin_file) continue;
    if (!each.build.empty() && build_of_(plugin_file) != each.build) continue;
    CrashCharge charge = charge_of(each, each.wall_ns);
    charge.is_quarantined = true;
    return charge;
  }
  return std::nullopt;
}

bool CrashLedger::has_crashed(const std::string& plugin_file) const {
  return std::ranges::any_of(builds_, [&](const Entry& each) {
    return each.culprit.plugin_file == plugin_file &&
           (each.build.empty() || build_of_(plugin_file) == each.build);
  });
}

bool CrashLedger::is_quarantined(const std::string& name) const {
  return std::ranges::any_of(quarantined_, [&](const Entry& each) {
    if (each.culprit.name() != name) return false;
    return !each.culprit.path.empty() || quarantine_of(name).has_value();
  });
}

bool CrashLedger::release(std::string_view path) {
  const auto is_of = [&](const Entry& each) {
    return !each.culprit.path.empty() && each.culprit.front == path;
  };
  if (std::erase_if(quarantined_, is_of) == 0) return false;
  std::erase_if(crashes_, is_of);
  return true;
}

}  // namespace actord::app
