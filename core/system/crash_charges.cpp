// SPDX-License-Identifier: Apache-2.0
#include "system/crash_charges.hpp"

namespace actord::system {

using actor::CrashCharge;

void CrashCharges::add(std::string path, CrashCharge charge) {
  auto shared = std::make_shared<const CrashCharge>(std::move(charge));
  std::lock_guard lock(mutex_);
  charges_.insert_or_assign(std::move(path), std::move(shared));
}

void CrashCharges::withhold(ByPath actors) {
  std::map<std::string, actor::CrashChargePtr, std::less<>> withheld;
  for (auto& [path, charge] : actors)
    withheld.emplace(path, std::make_shared<const CrashCharge>(std::move(charge)));
  std::lock_guard lock(mutex_);
  withheld_ = std::move(withheld);
}

actor::CrashChargePtr CrashCharges::take(std::string_view path) {
  std::lock_guard lock(mutex_);
  if (const auto found = withheld_.find(path); found != withheld_.end()) return found->second;
  const auto found = charges_.find(path);
  if (found == charges_.end()) return {};
  actor::CrashChargePtr charge = found->second;
  if (!charge->is_quarantined) charges_.erase(found);
  return charge;
}

bool CrashCharges::release(std::string_view path) {
  std::lock_guard lock(mutex_);
  const auto found = charges_.find(path);
  const bool is_in = found != charges_.end() && found->second->is_quarantined;
  if (is_in) charges_.erase(found);
  return is_in && !withheld_.contains(path);
}

bool CrashCharges::is_quarantined(std::string_view path) const {
  std::lock_guard lock(mutex_);
  const auto found = charges_.find(path);
  return withheld_.contains(path) || (found != charges_.end() && found->second->is_quarantined);
}

bool CrashCharges::is_withheld(std::string_view path) const {
  std::lock_guard lock(mutex_);
  return withheld_.contains(path);
}

}  // namespace actord::system
