// SPDX-License-Identifier: Apache-2.0
//
// The count as a persistent actor: the journal of actord keeps it, instead of counter service and
// storage. It is stopped if the journal fails, so that a back-off supervisor is in front of it.
#pragma once

#include <actord/actord.hpp>

#include <actord/persistent.hpp>

#include <string>

#include "store_messages.hpp"

namespace data_store {

struct Counted {  // the state, and its snapshot
  std::int64_t count = 0;
};
ACTORD_MESSAGE(Counted, "data_store.Counted/1", count)

/// The event.
struct Incremented {
  std::int64_t by = 0;
};
ACTORD_MESSAGE(Incremented, "data_store.Incremented/1", by)

class JournalCounter : public actord::Persistent<JournalCounter, Counted> {
 public:
  static constexpr std::string_view doc = "Counts, and the journal keeps the count.";

  explicit JournalCounter(std::string key) : key_(std::move(key)) {}

  void recovery_completed(actord::Context& ctx) override;
  /// Answers when the event is stored.
  void increment(actord::Context& ctx, const Increment& m);
  CurrentCount current(const GetCurrentCount& m) const;

  void apply(Counted& counted, const Incremented& event) { counted.count += event.by; }

  using Events = actord::Events<Incremented>;
  using Receive = actord::Handlers<&JournalCounter::increment, &JournalCounter::current>;

 private:
  std::string key_;
};

/// Creates the counter behind a back-off supervisor, which refuses commands while there is none.
actord::Ref spawn_journal_counter(actord::Context& ctx, std::string_view name,
                                  std::chrono::nanoseconds reconnect_after);

}  // namespace data_store
