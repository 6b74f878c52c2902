// SPDX-License-Identifier: Apache-2.0
#include "system/crash_charges.hpp"

namespace actord::system {

void CrashCharges::add(std::string path, actor::CrashCharge charge) {
  auto shared = std::make_shared<const actor::CrashCharge>(std::move(charge));
  std::lock_guard lock(mutex_);
  charges_.insert_or_assign(std::move(path), std::move(shared));
}

actor::CrashChargePtr CrashCharges::take(std::string_view path) {
  std::lock_guard lock(mutex_);
  const auto found = charges_.find(path);
  if (found == charges_.end()) return {};
  actor::CrashChargePtr charge = found->second;
  if (!charge->is_quarantined) charges_.erase(found);
  return charge;
}

bool CrashCharges::release(std::string_view path) {
  std::lock_guard lock(mutex_);
  const auto found = charges_.find(path);
  if (found == charges_.end() || !found->second->is_quarantined) return false;
  charges_.erase(found);
  return true;
}

bool CrashCharges::is_quarantined(std::string_view path) const {
  std::lock_guard lock(mutex_);
  const auto found = charges_.find(path);
  return found != charges_.end() && found->second->is_quarantined;
}

}  // namespace actord::system
