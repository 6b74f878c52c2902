// SPDX-License-Identifier: Apache-2.0
//
// Holds actors and plugins to account for crashes of actord: finds at the start that the process
// before has crashed, tells the log, charges the culprit, and makes ready for a crash of this
// process.
//
// Not here: what the crashing process does (crash_record.hpp), the records (crash_store.hpp), the
// rules (crash_ledger.hpp), and what the supervisor makes of it (supervision.md 179k).
#pragma once

#include <optional>
#include <string>

#include "app/crash_ledger.hpp"
#include "app/crash_store.hpp"
#include "base/sync.hpp"
#include "log/hub.hpp"
#include "os/descriptor.hpp"
#include "system/crash_charges.hpp"

namespace actord::settings {
struct Settings;
}  // namespace actord::settings

namespace actord::app {

class CrashRecord;

/// Threads: only the event loop's, except for quarantine_of() and has_crashed(). What cannot be
/// written or read is logged as event `daemon.crash-unrecorded`, and the start goes on.
class CrashAccount {
 public:
  /// All arguments outlive this object. The state directory exists and is locked.
  CrashAccount(log::Hub& hub, const settings::Settings& settings, CrashRecord& record);
  ~CrashAccount();
  CrashAccount(const CrashAccount&) = delete;
  CrashAccount& operator=(const CrashAccount&) = delete;

  /// Whether the process before has crashed.
  bool has_found() const noexcept { return !crash_.empty(); }
  /// Before the actors start.
  void charge(system::CrashCharges& charges);
  /// The actors have started.
  void on_ready();
  /// Why the plugin with that file is not loaded; nullopt: it may be. Threads: any.
  std::optional<actor::CrashCharge> quarantine_of(const std::string& plugin_file) const;
  /// Whether the build of the plugin with that file has crashed actord. Threads: any.
  bool has_crashed(const std::string& plugin_file) const;
  /// An operator starts the actor at `path`: its quarantine is over. `charges` as above.
  void release(const std::string& path, system::CrashCharges& charges);
  /// actord has been stopped, and was asked to.
  void on_stopped();

  /// The crashes that are kept, and what is in quarantine:
  /// {"crashes":[{"id","ts","signal" or "call","actor","plugin","charged","is_quarantined"}]}
  wire::Json list() const;
  /// The whole record; the last one if `id` is empty. nullopt: there is none.
  std::optional<wire::Json> find(const std::string& id) const;

 private:
  void take_crash();
  void read_ledger();
  void write_ledger();
  void report(const std::string& error) const;

  log::Hub& hub_;
  const settings::Settings& settings_;
  CrashRecord& record_;
  const std::string folder_;
  const CrashStore store_;
  // Held while the ledger changes, and by quarantine_of(): only the event loop changes it.
  mutable base::Mutex mutex_;
  CrashLedger ledger_;
  bool is_ledger_unread_ = false;  // its file is there, and is not replaced
  std::string crash_;              // the id of the crash before this start; empty: there was none
  os::Descriptor pending_;
};

}  // namespace actord::app
