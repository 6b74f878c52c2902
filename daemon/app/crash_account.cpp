// SPDX-License-Identifier: Apache-2.0
#include "app/crash_account.hpp"

#include <cerrno>
#include <filesystem>
#include <set>
#include <vector>

#include "app/crash_form.hpp"
#include "app/crash_record.hpp"
#include "config/json_forms.hpp"
#include "loader/elf_note.hpp"
#include "os/elf_symbols.hpp"
#include "os/files.hpp"
#include "settings/settings.hpp"
#include "sinks/wall_time.hpp"

namespace actord::app {

namespace fs = std::filesystem;
using config::text_in;
using log::Level;
using wire::Json;

namespace {

constexpr std::size_t plugin_size_max = std::size_t{1} << 30, ledger_size_max = 4 << 20;

/// The build id of a file. One without it is told by its time and its size, which an installation
/// changes.
std::string build_of(const std::string& file) {
  if (std::string id = os::elf_build_id(file); !id.empty()) return id;
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (error) return {};
  const auto time = fs::last_write_time(file, error).time_since_epoch().count();
  return error ? std::string{} : std::to_string(size) + '-' + std::to_string(time);
}

bool is_plugin(const std::string& file) {
  const auto bytes = os::map_file(file, plugin_size_max);
  return bytes && loader::read_elf_note(bytes->bytes()).ok();
}

/// A crash in a thread of a plugin's own names neither an actor nor a plugin. The innermost plugin
/// of the stack is the likely one.
void find_plugin(Json& crash) {
  if (crash.contains("actor") || crash.contains("plugin")) return;
  std::set<std::string> seen;
  for (const std::string& place : texts_in(crash.at("crash"), "places")) {
    const std::string file = file_of_place(place);
    if (!seen.insert(file).second || !is_plugin(file)) continue;
    crash["plugin"]["file"] = file;
    return;
  }
}

/// The fields of the event daemon.crash-found. The texts are those of `crash`, which outlives them.
class FoundFields {
 public:
  explicit FoundFields(const Json& crash) {
    const Json& about = crash.at("crash");
    add_text("crash.id", about, "id");
    add_text("crash.ts", crash, "ts");
    add_number("crash.pid", crash, "pid");
    for (const char* each : {"signal", "call", "address"}) add_text(each, crash, each);
    const Json &actor = object_in(crash, "actor"), &plugin = object_in(crash, "plugin");
    add_text("actor.path", actor, "path");
    add_number("actor.incarnation", actor, "incarnation");
    add_text("actor.behaviour", actor, "behaviour");
    add_text("message.type", object_in(crash, "message"), "type");
    add_text("plugin.name", plugin, "name");
    add_text("plugin.version", plugin, "version");
    add_text("plugin.file", plugin, "file");
    add_text("crash.charged", about, "charged");
    if (const auto stack = crash.find("stack"); stack != crash.end() && stack->is_array()) {
      for (const Json& each : *stack) {
        if (each.is_string()) stack_.push_back(each.get_ref<const std::string&>());
      }
      fields_.push_back({"stack", std::span<const std::string_view>(stack_)});
    }
  }
  void add(std::string_view key, std::string_view text) { fields_.push_back({key, text}); }
  std::span<const log::Field> fields() const noexcept { return fields_; }

 private:
  void add_text(std::string_view key, const Json& from, const char* name) {
    const auto found = from.find(name);
    if (found != from.end() && found->is_string())
      fields_.push_back({key, std::string_view(found->get_ref<const std::string&>())});
  }
  void add_number(std::string_view key, const Json& from, const char* name) {
    const auto found = from.find(name);
    if (found != from.end() && found->is_number_unsigned())
      fields_.push_back({key, found->get<std::uint64_t>()});
  }

  std::vector<log::Field> fields_;
  std::vector<std::string_view> stack_;
};

}  // namespace

CrashAccount::CrashAccount(log::Hub& hub, const settings::Settings& settings, CrashRecord& record)
    : hub_(hub),
      settings_(settings),
      record_(record),
      folder_(settings.state_directory + "/crash"),
      store_(folder_, static_cast<std::size_t>(settings.crashes.keep)),
      ledger_(&build_of) {
  read_ledger();
  take_crash();
  auto pending = store_.open_pending();
  if (!pending) {
    report(pending.error().what);
    return;
  }
  pending_ = std::move(pending).value();
  record_.keep_in(pending_.get());
}

CrashAccount::~CrashAccount() { record_.keep_in(-1); }

void CrashAccount::read_ledger() {
  const std::string path = folder_ + "/ledger.json";
  if (!os::exists(path)) return;
  const auto text = os::read_file(path, ledger_size_max);
  is_ledger_unread_ = !text;
  if (!text) return report(text.error().what + "; it is left as it is, and nothing is charged");
  if (!ledger_.read(*text)) report(path + " is damaged; what it says is forgotten in part");
}

void CrashAccount::take_crash() {
  auto pending = store_.take_pending();
  if (!pending) return report(pending.error().what);
  if (!pending->has_value()) return;
  Json& crash = **pending;
  find_plugin(crash);
  Json& about = crash["crash"];
  crash_ = text_in(about, "id");
  if (const auto culprit = ledger_.charge(crash, settings_.user, settings_.crashes)) {
    about["charged"] = culprit->name();
    write_ledger();
  }
  const auto kept = store_.keep(crash);
  FoundFields fields(crash);
  if (kept) fields.add("crash.file", *kept);
  hub_.shared().emit(Level::error, "daemon.crash-found", "the run before this one has crashed",
                     fields.fields());
  if (!kept) report(kept.error().what);
}

// On a full disk records and what is reserved make room for the ledger, because without the
// quarantine the next start crashes again.
void CrashAccount::write_ledger() {
  if (is_ledger_unread_) return;
  const std::string path = folder_ + "/ledger.json";
  const auto write = [&] {
    const auto made = os::make_private_directory(folder_);
    return made ? os::replace_private_file(path, ledger_.text()) : made;
  };
  auto written = write();
  if (!written && (written.error().number == ENOSPC || written.error().number == EDQUOT)) {
    store_.make_room(crash_);
    written = write();
  }
  if (!written) report(written.error().what);
}

void CrashAccount::report(const std::string& error) const {
  hub_.shared().emit(Level::warning, "daemon.crash-unrecorded",
                     "crashes of actord are not kept, or not known", {{"crash.error", error}});
}

void CrashAccount::charge(system::CrashCharges& charges) {
  for (auto& [path, charge] : ledger_.charges(settings_.user, sinks::system_clock_ns()))
    charges.add(std::move(path), std::move(charge));
}

void CrashAccount::on_ready() {
  bool has_changed = false;
  {
    std::lock_guard lock(mutex_);
    has_changed = ledger_.judge_all();
  }
  if (has_changed) write_ledger();
}

std::optional<actor::CrashCharge> CrashAccount::quarantine_of(
    const std::string& plugin_file) const {
  std::lock_guard lock(mutex_);
  return ledger_.quarantine_of(plugin_file);
}

bool CrashAccount::has_crashed(const std::string& plugin_file) const {
  std::lock_guard lock(mutex_);
  return ledger_.has_crashed(plugin_file);
}

void CrashAccount::release(const std::string& path, system::CrashCharges& charges) {
  {
    std::lock_guard lock(mutex_);
    if (!ledger_.release(path)) return;
  }
  charges.release(path);
  write_ledger();
}

void CrashAccount::on_stopped() {
  if (!os::exists(folder_ + "/ledger.json")) return;
  {
    std::lock_guard lock(mutex_);
    ledger_.forget_crashes();
  }
  write_ledger();
}

Json CrashAccount::list() const {
  Json crashes = Json::array();
  for (const Json& each : store_.list()) {
    const Json& about = each.at("crash");
    Json line = {{"id", text_in(about, "id")}, {"ts", text_in(each, "ts")}};
    for (const char* name : {"signal", "call", "actor", "plugin", "message"}) {
      if (const auto found = each.find(name); found != each.end()) line[name] = *found;
    }
    if (const std::string charged = text_in(about, "charged"); !charged.empty()) {
      line["charged"] = charged;
      line["is_quarantined"] = ledger_.is_quarantined(charged);
    }
    crashes.push_back(std::move(line));
  }
  return {{"crashes", std::move(crashes)}};
}

std::optional<Json> CrashAccount::find(const std::string& id) const {
  std::optional<Json> crash;
  if (!id.empty()) crash = store_.find(id);
  else if (std::vector<Json> all = store_.list(); !all.empty()) crash = std::move(all.back());
  if (!crash) return std::nullopt;
  Json& about = crash->at("crash");
  if (const std::string charged = text_in(about, "charged"); !charged.empty())
    about["is_quarantined"] = ledger_.is_quarantined(charged);
  return crash;
}

}  // namespace actord::app
