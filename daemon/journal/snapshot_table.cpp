// SPDX-License-Identifier: Apache-2.0
#include "journal/snapshot_table.hpp"

namespace actord::journal {

SnapshotTable::SnapshotTable(Database& database, TypeNames& types)
    : database_(database),
      types_(types),
      insert_(database, "INSERT INTO snapshots VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"),
      replace_(database, "DELETE FROM snapshots WHERE id = ?1 AND sequence = ?2"),
      prune_(database,
             "DELETE FROM snapshots WHERE id = ?1 AND sequence <= (SELECT sequence FROM snapshots "
             "WHERE id = ?1 ORDER BY sequence DESC LIMIT 1 OFFSET ?2)"),
      newest_(database, "SELECT * FROM snapshots WHERE id = ?1 ORDER BY sequence DESC"),
      count_(database, "SELECT count(*) FROM snapshots WHERE id = ?1"),
      drop_(database, "DELETE FROM snapshots WHERE id = ?1"),
      all_(database, "SELECT * FROM snapshots WHERE number > ?1 ORDER BY number LIMIT ?2") {}

void SnapshotTable::insert(const History& history, const persist::Entry& snapshot,
                           std::int64_t now_ns, std::int64_t row, std::size_t keep) {
  run(replace_, history.number, snapshot.sequence);
  run(insert_, row, history.number, snapshot.sequence, now_ns, types_.number_of(snapshot.type),
      Blob{snapshot.content},
      std::int64_t{
          entry_checksum(history.checksum, snapshot.sequence, snapshot.type, snapshot.content)});
  run(prune_, history.number, static_cast<std::int64_t>(keep));
}

SnapshotTable::Found SnapshotTable::newest(const History& history) {
  Found found;
  Query query(newest_, history.number);
  while (query.next()) {
    const std::uint64_t sequence = query.unsigned_number(2);
    const std::string* type = types_.name_of(query.number(4));
    const std::string_view content = query.bytes(5);
    if (type != nullptr &&
        entry_checksum(history.checksum, sequence, *type, content) == query.number(6)) {
      found.snapshot = {sequence, query.number(3), *type, std::string{content}};
      return found;
    }
    if (!found.passed_over.empty()) found.passed_over += "; ";
    found.passed_over += "the snapshot of \"" + history.id + "\" at event " +
                         std::to_string(sequence) + " in the journal " + database_.path() +
                         " is not as it was written";
  }
  return found;
}

std::uint64_t SnapshotTable::count(const History& history) {
  Query query(count_, history.number);
  return query.next() ? query.unsigned_number(0) : 0;
}

void SnapshotTable::drop(const History& history) { run(drop_, history.number); }

std::uint64_t SnapshotTable::check(Histories& histories, std::int64_t& after, std::size_t limit,
                                   std::vector<std::string>& damages) {
  std::uint64_t count = 0;
  Query query(all_, after, static_cast<std::int64_t>(limit));
  for (; query.next(); ++count) {
    after = query.number(0);
    const History* history = histories.numbered(query.number(1));
    const std::string* type = types_.name_of(query.number(4));
    const std::uint64_t sequence = query.unsigned_number(2);
    if (history != nullptr && type != nullptr &&
        entry_checksum(history->checksum, sequence, *type, query.bytes(5)) == query.number(6))
      continue;
    damages.push_back("the snapshot of \"" + (history == nullptr ? "" : history->id) +
                      "\" at event " + std::to_string(sequence) + " is not as it was written");
  }
  return count;
}

}  // namespace actord::journal
