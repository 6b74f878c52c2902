// SPDX-License-Identifier: Apache-2.0

#include "journal_counter.hpp"

#include <actord/backoff_supervisor.hpp>

#include "store_causes.hpp"

namespace data_store {

void JournalCounter::recovery_completed(actord::Context& ctx) {
  ctx.event(actord::Level::info, "data_store.counting", "the count continues from the saved value",
            {{"count", state().count}});
}

void JournalCounter::increment(actord::Context& ctx, const Increment& m) {
  persist(ctx, Incremented{m.by}, [this](actord::Context& c) { c.reply(current({})); });
}

CurrentCount JournalCounter::current(const GetCurrentCount&) const {
  return {key_, state().count, state().count};
}

actord::Ref spawn_journal_counter(actord::Context& ctx, std::string_view name,
                                  std::chrono::nanoseconds reconnect_after) {
  const auto refuse = [](actord::Context& c) {
    c.reply_failure<ServiceUnavailable>("the journal has failed", {{"backlog", 0}});
  };
  return ctx.spawn<actord::BackoffSupervisor<JournalCounter>>(
      name,
      actord::BackoffOptions::on_stop(reconnect_after, reconnect_after * 8).while_down(refuse),
      "counter", std::string{"counter"});
}

}  // namespace data_store
