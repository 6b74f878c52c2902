// SPDX-License-Identifier: Apache-2.0
#include "system/directory.hpp"

#include <map>
#include <utility>

#include "actor/path.hpp"
#include "base/assert.hpp"

namespace actord::system {

void Directory::add(std::string path, actor::Ref ref) {
  std::lock_guard lock(mutex_);
  ACTORD_ASSERT(cells_.ref_of(cells_.at(actor::index_of(ref))) == ref);  // the ref is current
  ACTORD_ASSERT(by_path_.emplace(std::move(path), ref).second);          // a path has one owner
}

void Directory::remove(const std::string& path) {
  std::lock_guard lock(mutex_);
  ACTORD_ASSERT(by_path_.erase(path) == 1);
}

void Directory::remove(actor::Ref ref) {
  std::lock_guard lock(mutex_);
  const auto is_its = [&](const auto& entry) { return entry.second == ref; };
  ACTORD_ASSERT(std::erase_if(by_path_, is_its) == 1);
}

actor::Ref Directory::find(std::string_view path) const {
  std::shared_lock lock(mutex_);
  const auto found = by_path_.find(std::string{path});
  return found == by_path_.end() ? actor::nobody : found->second;
}

std::vector<actor::Ref> Directory::select(std::string_view pattern) const {
  std::map<std::string_view, actor::Ref> found;
  std::shared_lock lock(mutex_);
  for (const auto& [path, ref] : by_path_) {
    if (actor::path_matches(pattern, path)) found.emplace(path, ref);
  }
  std::vector<actor::Ref> refs;
  for (const auto& [path, ref] : found) refs.push_back(ref);
  return refs;
}

}  // namespace actord::system
