// SPDX-License-Identifier: Apache-2.0
//
// The named actors by path. An actor is listed from its spawn until its parent has been notified
// of its end. Any thread.
//
// Not here: actors with generated names, and the addresses "/", "/deadLetters" and
// "/bubble-walker", which ActorSystem::find() knows.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "actor/cell_pool.hpp"
#include "base/sync.hpp"

namespace actord::system {

class Directory {
 public:
  /// `cells` are those of the listed actors.
  explicit Directory(const actor::CellPool& cells) : cells_(cells) {}

  /// Lists an actor that has not ended, under a path that no other actor has.
  void add(std::string path, actor::Ref ref);
  /// Removes the entry of a listed path.
  void remove(const std::string& path);
  /// The same without the path. Searches all entries, and allocates nothing.
  void remove(actor::Ref ref);

  /// `nobody` if the path is not listed.
  actor::Ref find(std::string_view path) const;
  /// The actors with a path that matches `pattern`, in the order of their paths.
  std::vector<actor::Ref> select(std::string_view pattern) const;

 private:
  const actor::CellPool& cells_;
  mutable base::SharedMutex mutex_;
  std::unordered_map<std::string, actor::Ref> by_path_;
};

}  // namespace actord::system
