// SPDX-License-Identifier: Apache-2.0
//
// The storage actor: keeps counts in an SQLite file, and fails whenever reading or saving fails. It
// has no state that its next incarnation could not read from the file.
#pragma once

#include <actord/actord.hpp>

#include <optional>
#include <string>

#include "count_file.hpp"
#include "store_messages.hpp"

namespace data_store {

struct StorageSettings {
  std::string file;
  StorageFaults faults;
};

/// Its handlers block: run it on a dispatcher for blocking actors.
class Storage : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Keeps counts in an SQLite file, and may fail.";

  explicit Storage(const StorageSettings& settings) : settings_(settings) {}

  // get() and store() throw StorageException.
  Entry get(const Get& m);
  Stored store(const Store& m);

  using Receive = actord::Handlers<&Storage::get, &Storage::store>;

 private:
  void pre_start(actord::Context& ctx) override;
  void pre_restart(actord::Context& ctx, const actord::Failure& reason) override;

  StorageSettings settings_;
  std::optional<CountFile> file_;  // opened in pre_start
};

}  // namespace data_store
