// SPDX-License-Identifier: Apache-2.0
//
// The rows of events: written, read with their checks, and deleted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "journal/database.hpp"
#include "journal/histories.hpp"

namespace actord::journal {

/// The names of message types, which the rows have as numbers. Throws Failure.
class TypeNames {
 public:
  explicit TypeNames(Database& database);

  /// Its number; it gets one if it has none.
  std::int64_t number_of(std::string_view name);
  /// Null: there is no such type.
  const std::string* name_of(std::int64_t number);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };

  Database& database_;
  Statement insert_;
  std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> numbers_;
  const std::pair<const std::string, std::int64_t>* last_ = nullptr;  // that was asked for
  std::unordered_map<std::int64_t, std::string> names_;
};

class EventTable {
 public:
  EventTable(Database& database, TypeNames& types, Histories& histories);

  /// Writes the events behind `last_row`, which moves on. Throws Failure, as do all below.
  void insert(History& history, std::span<const persist::Entry> events, std::int64_t now_ns,
              std::int64_t& last_row);
  /// Deletes the events up to that one. False: there are none.
  bool erase(History& history, std::uint64_t to);
  std::vector<persist::StoredEntry> read(History& history, std::uint64_t from,
                                         persist::ReadLimit limit);
  /// Notes the events of the rows behind `mark` in the histories, and returns the last row.
  std::int64_t read_behind(std::int64_t mark);

  /// A row that is checked by itself.
  struct Row {
    std::int64_t number = 0, id = 0;
    std::uint64_t sequence = 0;
    std::size_t bytes = 0;
    std::string damage;  // empty: it is as it was written
  };
  /// Calls `visit` with each row from `from` to `to`, `limit` at most.
  template <class Visit>
  void scan(std::int64_t from, std::int64_t to, std::size_t limit, Visit visit) {
    Query query(scan_, from, to, static_cast<std::int64_t>(limit));
    while (query.next()) visit(checked(query));
  }

 private:
  Row checked(Query& query);
  [[noreturn]] void damaged(const History& history, std::uint64_t sequence, std::int64_t row,
                            const char* how, bool concerns_id = true) const;

  Database& database_;
  TypeNames& types_;
  Histories& histories_;
  Statement insert_, erase_, read_, scan_;
};

}  // namespace actord::journal
