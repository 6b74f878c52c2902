// SPDX-License-Identifier: Apache-2.0
//
// The configured actors that are charged with crashes of earlier processes, by their paths.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "actor/crash_charge.hpp"
#include "base/sync.hpp"

namespace actord::system {

/// Threads: any.
class CrashCharges {
 public:
  using ByPath = std::map<std::string, actor::CrashCharge, std::less<>>;

  /// Replaces a charge that the actor has.
  void add(std::string path, actor::CrashCharge charge);
  /// The actors whose plugins are not loaded, and which must not start for that. Replaces those
  /// that were withheld before.
  void withhold(ByPath actors);
  /// The charge of the actor at `path`, which is about to start; null: none. It holds for one start
  /// only, but a quarantine lasts until release(), and one of a plugin until withhold().
  actor::CrashChargePtr take(std::string_view path);
  /// Ends the quarantine of the actor at `path`. False: it has none, or its plugin is not loaded.
  bool release(std::string_view path);
  bool is_quarantined(std::string_view path) const;
  bool is_withheld(std::string_view path) const;

 private:
  mutable base::Mutex mutex_;
  std::map<std::string, actor::CrashChargePtr, std::less<>> charges_, withheld_;
};

}  // namespace actord::system
