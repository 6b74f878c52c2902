// SPDX-License-Identifier: Apache-2.0
#include "config/journal_opening.hpp"

#include <chrono>

#include "base/clock.hpp"
#include "journal/sqlite_store.hpp"

namespace actord::config {

namespace {

journal::StoreOptions store_options(const Configuration& configuration) {
  const settings::PersistenceSettings& wanted = configuration.settings.persistence;
  journal::StoreOptions options;
  options.folder = wanted.folder;
  options.survives_power_loss = wanted.durability == schema::Durability::power;
  options.keep_snapshots = static_cast<std::size_t>(wanted.snapshots_kept);
  options.accepts_loss = configuration.options.accepts_journal_loss;
  return options;
}

void tell(log::Hub& hub, const std::string& folder, const journal::Opened& opened) {
  hub.shared().emit(
      opened.lost_rows == 0 ? log::Level::info : log::Level::warning, "journal.opened",
      opened.notice.empty() ? std::string_view{"the journal of persistent actors is open"}
                            : std::string_view{"the journal is open without its lost end"},
      {{"journal.path", folder},
       {"journal.rows", static_cast<std::uint64_t>(opened.last_row)},
       {"journal.lost-rows", static_cast<std::uint64_t>(opened.lost_rows)}});
}

std::int64_t wall_clock_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

system::JournalSettings journal_settings(const Configuration& configuration, log::Hub& hub) {
  system::JournalSettings out;
  out.now_ns = &wall_clock_ns;
  out.tidy_after_ns = base::ns_per_s;
  out.open_store = [options = store_options(configuration),
                    &hub]() -> persist::StoreResult<std::shared_ptr<persist::Store>> {
    if (options.folder.empty())
      return persist::StoreError{persist::Fault::io,
                                 "there is no place for the journal: set actord.state-dir or "
                                 "actord.persistence.journal.path"};
    auto store = std::make_shared<journal::SqliteStore>(options);
    const auto opened = store->open();
    if (!opened) return opened.error();
    tell(hub, options.folder, *opened);
    return std::shared_ptr<persist::Store>(std::move(store));
  };
  return out;
}

}  // namespace actord::config
