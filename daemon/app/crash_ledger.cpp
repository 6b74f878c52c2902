// SPDX-License-Identifier: Apache-2.0
#include "app/crash_ledger.hpp"

#include <algorithm>
#include <map>

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

const Json& object_in(const Json& json, const char* name) {
  static const Json none = Json::object();
  const auto found = json.find(name);
  return found != json.end() && found->is_object() ? *found : none;
}

// ---- the culprit --------------------------------------------------------------------------------

/// The deepest node at or above `path`.
CrashLedger::Culprit configured_at(const std::vector<settings::Node>& nodes,
                                   std::string_view path) {
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

/// The file of a place such as "/usr/lib/x.so+0x12f0".
std::string file_of(const Json& place) {
  if (!place.is_string()) return {};
  const auto text = place.get<std::string>();
  return text.substr(0, text.rfind("+0x"));
}

/// The first file in the stack with this name; any, if that is empty.
std::string file_in_stack(const Json& crash, const std::string& name) {
  const Json& about = object_in(crash, "crash");
  const auto places = about.find("places");
  if (places == about.end() || !places->is_array()) return {};
  for (const Json& place : *places) {
    std::string file = file_of(place);
    if (file.ends_with('/' + name)) return file;
  }
  return {};
}

std::string text_of(const CrashLedger::Culprit& culprit, const Json& crash) {
  const Json& actor = object_in(crash, "actor");
  const std::string path = text_in(actor, "path"), at = text_in(crash, "ts");
  const std::string message = text_in(object_in(crash, "message"), "type");
  const std::string call = text_in(crash, "call"), signal = text_in(crash, "signal");
  const bool is_hang = object_in(crash, "crash").value("is_hang", false);
  std::string text = (culprit.path.empty() ? culprit.plugin_file : path) + " has ended actord by " +
                     (is_hang          ? "not returning"
                      : signal.empty() ? call
                                       : signal);
  if (!message.empty()) text += " in its handler of " + message;
  return text + ", at " + at + "; see actorctl crash show " + text_in(crash, "boot");
}

// ---- the file -----------------------------------------------------------------------------------

Json json_of(const CrashLedger::Entry& entry) {
  return {{"id", entry.id},
          {"path", entry.culprit.path},
          {"front", entry.culprit.front},
          {"plugin_file", entry.culprit.plugin_file},
          {"signal", entry.signal},
          {"what", entry.what},
          {"message_type", entry.message_type},
          {"build", entry.build},
          {"wall_ns", entry.wall_ns},
          {"uptime_ns", entry.uptime_ns}};
}

std::optional<CrashLedger::Entry> entry_of(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  CrashLedger::Entry entry{
      .id = text_in(json, "id"),
      .culprit = {text_in(json, "path"), text_in(json, "front"), text_in(json, "plugin_file")},
      .signal = text_in(json, "signal"),
      .what = text_in(json, "what"),
      .message_type = text_in(json, "message_type"),
      .build = text_in(json, "build"),
      .wall_ns = integer_in(json, "wall_ns"),
      .uptime_ns = integer_in(json, "uptime_ns")};
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
  return charge;
}

}  // namespace

bool CrashLedger::read(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  const auto take = [&](const char* name, std::vector<Entry>& to) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_array()) return false;
    for (const Json& each : *found) {
      auto entry = entry_of(each);
      if (!entry) return false;
      const bool is_other_build =
          !entry->build.empty() && build_of_(entry->culprit.plugin_file) != entry->build;
      if (!is_other_build) to.push_back(*std::move(entry));
    }
    return true;
  };
  return json.is_object() && take("crashes", crashes_) && take("quarantined", quarantined_);
}

std::string CrashLedger::text() const {
  Json json = {{"crashes", Json::array()}, {"quarantined", Json::array()}};
  for (const Entry& each : crashes_) json["crashes"].push_back(json_of(each));
  for (const Entry& each : quarantined_) json["quarantined"].push_back(json_of(each));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::optional<CrashLedger::Culprit> CrashLedger::culprit_of(
    const Json& crash, const std::vector<settings::Node>& user) {
  const Json& about = object_in(crash, "crash");
  const bool is_hang = about.value("is_hang", false);
  if ((!about.value("is_own", true) && !is_hang) || about.value("is_ending", false))
    return std::nullopt;
  const Json& plugin = object_in(crash, "plugin");
  const std::string name = text_in(plugin, "name");
  Culprit culprit = configured_at(user, text_in(object_in(crash, "actor"), "path"));
  culprit.plugin_file = text_in(plugin, "file");
  if (culprit.plugin_file.empty() && !name.empty())
    culprit.plugin_file = file_in_stack(crash, name + ".so");
  if (culprit.name().empty()) return std::nullopt;
  return culprit;
}

bool CrashLedger::charge(const Json& crash, Culprit culprit, const settings::CrashSettings& rules) {
  const Json& about = object_in(crash, "crash");
  const std::string id = text_in(about, "id");
  const auto is_in = [&](const std::vector<Entry>& entries) {
    return std::ranges::any_of(entries,
                               [&](const Entry& each) { return each.culprit.is_same(culprit); });
  };
  if (std::ranges::find(crashes_, id, &Entry::id) == crashes_.end()) {
    Entry& entry = crashes_.emplace_back();
    entry.id = id;
    entry.signal = about.value("is_hang", false) ? "Hang" : text_in(crash, "signal");
    entry.what = text_of(culprit, crash);
    entry.message_type = text_in(object_in(crash, "message"), "type");
    entry.build = culprit.plugin_file.empty() ? "" : build_of_(culprit.plugin_file);
    entry.wall_ns = integer_in(about, "wall_ns");
    entry.uptime_ns = integer_in(about, "uptime_ns");
    entry.culprit = culprit;
    if (crashes_.size() > crashes_max) crashes_.erase(crashes_.begin());
    const auto limit = static_cast<std::size_t>(rules.quarantine_after);
    const bool is_too_often =
        limit != 0 && crashes_within(culprit, entry.wall_ns - rules.within_ns) >= limit;
    if ((rules.on_crash == schema::OnDaemonCrash::quarantine || is_too_often) &&
        !is_in(quarantined_))
      quarantined_.push_back(entry);
  }
  return is_in(quarantined_);
}

std::size_t CrashLedger::crashes_within(const Culprit& culprit, std::int64_t since_ns) const {
  return static_cast<std::size_t>(std::ranges::count_if(crashes_, [&](const Entry& each) {
    return each.culprit.is_same(culprit) && each.wall_ns >= since_ns;
  }));
}

std::vector<std::pair<std::string, CrashCharge>> CrashLedger::charges(std::string_view unjudged,
                                                                      std::int64_t now_ns) const {
  std::map<std::string, CrashCharge> all;
  for (const Entry& each : crashes_) {
    if (each.culprit.path.empty()) continue;
    CrashCharge charge = charge_of(each, now_ns);
    charge.is_judged = each.id != unjudged;
    CrashCharge& known = all[each.culprit.path];
    if (!known.id.empty()) {
      charge.earlier = std::move(known.earlier);
      charge.earlier.push_back(known.last);
    }
    known = std::move(charge);
  }
  for (const Entry& each : quarantined_) {
    if (each.culprit.path.empty()) continue;
    all.erase(each.culprit.path);
    CrashCharge& charge = all[each.culprit.front] = charge_of(each, now_ns);
    charge.is_quarantined = true;
  }
  return {std::make_move_iterator(all.begin()), std::make_move_iterator(all.end())};
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

bool CrashLedger::release(std::string_view path) {
  const auto is_of = [&](const Entry& each) {
    return !each.culprit.path.empty() && each.culprit.front == path;
  };
  if (std::erase_if(quarantined_, is_of) == 0) return false;
  std::erase_if(crashes_, is_of);
  return true;
}

}  // namespace actord::app
