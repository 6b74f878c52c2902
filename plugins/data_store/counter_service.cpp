// SPDX-License-Identifier: Apache-2.0

#include "counter_service.hpp"

#include "store_counter.hpp"

namespace data_store {
namespace {

using namespace std::chrono_literals;
constexpr std::string_view key = "counter";

}  // namespace

// If the file cannot be opened, the creation of the storage fails with an InitializationFailure,
// which a rule for StorageException does not match.
actord::Strategy CounterService::supervision() {
  return actord::one_for_one({.max_restarts = 3, .within = 5s})
      .on<StorageException>(actord::Directive::restart)
      .on<actord::InitializationFailure>(actord::Directive::restart)
      .otherwise(actord::Directive::escalate);
}

void CounterService::pre_start(actord::Context& ctx) { connect(ctx); }

// The service is connected when the storage has answered: one that cannot open its file never does.
void CounterService::connect(actord::Context& ctx) {
  storage_ = ctx.spawn<Storage>("storage", settings_.storage);
  ctx.watch(storage_);
  ctx.tell(storage_, Get{std::string{key}});
}

void CounterService::entry(actord::Context& ctx, const Entry& m) {
  if (ctx.sender() != storage_) return;  // a storage that has stopped meanwhile
  if (!counter_) {
    counter_ = ctx.spawn<Counter>("counter", m.key, m.value);
    ctx.event(actord::Level::info, "data_store.counting",
              "the count continues from the saved value", {{"count", m.value}});
  }
  is_connected_ = true;
  ctx.event(actord::Level::info, "data_store.connected", "the storage is connected",
            {{"saved", m.value}, {"backlog", backlog_}});
  ctx.tell(counter_, UseStorage{storage_});
  backlog_ = 0;
  ctx.unstash_all();
}

void CounterService::terminated(actord::Context& ctx, const actord::Terminated& m) {
  if (m.who != storage_) return;
  storage_ = {};
  is_connected_ = false;
  lost_at_ = ctx.now();
  ctx.event(actord::Level::warning, "data_store.storage_lost",
            "the storage has stopped; a new one is created later",
            {{"reason", m.reason}, {"reconnect_after", settings_.reconnect_after}});
  if (counter_) ctx.tell(counter_, UseStorage{});
  ctx.start_timer("reconnect", settings_.reconnect_after, Reconnect{});
}

void CounterService::reconnect(actord::Context& ctx, const Reconnect&) {
  ctx.event(actord::Level::info, "data_store.reconnect", "creating a new storage",
            {{"away", ctx.now() - lost_at_}, {"backlog", backlog_}});
  connect(ctx);
}

// ---- commands and questions ---------------------------------------------------------------------

void CounterService::increment(actord::Context& ctx, const Increment&) {
  if (is_connected_) return ctx.forward(counter_);
  if (backlog_ == settings_.backlog_max) return refuse(ctx);
  ++backlog_;
  ctx.stash();
}

void CounterService::refuse(actord::Context& ctx) {
  constexpr const char* what = "there is no storage and the backlog is full";
  ctx.reply_failure<ServiceUnavailable>(what, {{"backlog", backlog_}});
  if (settings_.on_overflow == OnOverflow::fail)
    throw ServiceUnavailable(what, {{"backlog", backlog_}});
}

void CounterService::current(actord::Context& ctx, const GetCurrentCount&) {
  if (counter_) return ctx.forward(counter_);
  ctx.reply_failure<ServiceUnavailable>("the count is not known yet", {{"backlog", backlog_}});
}

}  // namespace data_store
