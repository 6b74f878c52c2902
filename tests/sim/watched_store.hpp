// SPDX-License-Identifier: Apache-2.0
//
// The store of the profiles `journal` and `companions`: one in memory that fails when a run wants
// it, and that knows every event which it has ever had, also those that are deleted, but for those
// that are dropped.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "persist/memory_store.hpp"

namespace actord::sim {

/// Its events have a member `mark`, a number; it is 0 for those that have none.
class WatchedStore final : public persist::Store {
 public:
  using Point = persist::MemoryStore::Point;
  using Marks = std::vector<std::uint32_t>;

  explicit WatchedStore(std::size_t keep) : store_(keep) {}

  /// Asked at each point; see MemoryStore.
  void fail_at(persist::MemoryStore::FaultAt fault_at);
  /// Called for each event once the store has it for good.
  void on_written(std::function<void(std::string_view id, std::uint32_t mark)> call) {
    on_written_ = std::move(call);
  }

  /// Called for each snapshot that is to be written.
  void on_snapshot(std::function<void(std::string_view id, std::uint64_t sequence)> call) {
    on_snapshot_ = std::move(call);
  }

  /// The marks of all events of the id, in their order, without those that are 0.
  const Marks& marks(std::string_view id) const;
  bool has(std::string_view id, std::uint32_t mark) const;

  persist::StoreResult<void> write(std::span<const persist::Write> group,
                                   std::int64_t now_ns) override;
  persist::StoreResult<persist::Beginning> look(std::string_view id) override {
    return store_.look(id);
  }
  persist::StoreResult<std::vector<persist::StoredEntry>> read(std::string_view id,
                                                               std::uint64_t from,
                                                               persist::ReadLimit limit) override {
    return store_.read(id, from, limit);
  }
  persist::StoreResult<std::vector<persist::IdFacts>> list(std::string_view after,
                                                           std::size_t limit) override {
    return store_.list(after, limit);
  }
  persist::StoreResult<std::vector<persist::StoredEntry>> samples(std::size_t limit) override {
    return store_.samples(limit);
  }
  persist::StoreResult<persist::DropStep> drop(std::string_view id) override;

 private:
  persist::MemoryStore store_;
  bool is_written_ = false;  // the group, although the call fails
  std::function<void(std::string_view, std::uint32_t)> on_written_;
  std::function<void(std::string_view, std::uint64_t)> on_snapshot_;
  std::map<std::string, Marks, std::less<>> marks_;
};

}  // namespace actord::sim
