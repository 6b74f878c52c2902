// SPDX-License-Identifier: Apache-2.0

#include "store_worker.hpp"

#include <algorithm>
#include <cmath>

#include "journal_counter.hpp"

namespace data_store {
namespace {

using namespace std::chrono_literals;
// A command may wait in the backlog while there is no storage; a late answer to a question is of no
// use.
constexpr auto command_timeout = 1h;
constexpr auto question_timeout = 5s;
constexpr std::string_view service_name = "counter-service";

}  // namespace

actord::Strategy Worker::supervision() {
  return actord::one_for_one()
      .on<ServiceUnavailable>(actord::Directive::stop)
      .otherwise(actord::Directive::escalate);
}

Worker::Worker(actord::Context& ctx, const WorkerSettings& settings)
    : settings_(settings),
      service_(settings.stored_in == StoredIn::journal
                   ? spawn_journal_counter(ctx, service_name, settings.service.reconnect_after)
                   : ctx.spawn<CounterService>(std::string{service_name}, settings.service)) {
  ctx.watch(service_);
}

void Worker::start(actord::Context& ctx, const Start&) {
  if (listener_) return;
  listener_ = ctx.sender();
  ctx.start_timer("do", 0ns, Do{}, settings_.interval);
}

// Sends no increments before the first answer with a count. Unanswered increments are included in
// the calculation, so that the count never exceeds the total.
void Worker::work(actord::Context& ctx, const Do&) {
  if (count_) {
    const std::int64_t missing = settings_.total - *count_ - unanswered_;
    const std::int64_t now = std::clamp<std::int64_t>(missing, 0, settings_.step);
    for (std::int64_t i = 0; i < now; ++i)
      ctx.ask<&Worker::incremented>(service_, Increment{1}, command_timeout);
    unanswered_ += now;
  }
  ctx.ask<&Worker::counted>(service_, GetCurrentCount{}, question_timeout);
}

void Worker::incremented(actord::Context& ctx, const actord::Reply<CurrentCount>& reply) {
  --unanswered_;
  if (reply) {
    count_ = reply->count;
    return;
  }
  const actord::Failure failure = reply.failure();
  if (!failure.is<ServiceUnavailable>()) return;  // the service has stopped: terminated() logs it
  ctx.event(actord::Level::warning, "data_store.refused", failure.what(),
            {{"refused", ++refused_},
             {"backlog", failure.detail_as<std::uint64_t>("backlog").value_or(0)}});
}

void Worker::counted(actord::Context& ctx, const actord::Reply<CurrentCount>& reply) {
  if (!reply) return;  // no progress: the listener notices that
  count_ = reply->count;
  const double share = static_cast<double>(reply->saved) / static_cast<double>(settings_.total);
  const double percent = std::round(std::min(share, 1.0) * 1000) / 10;
  ctx.tell(listener_, Progress{reply->count, reply->saved, percent});
}

void Worker::terminated(actord::Context& ctx, const actord::Terminated& m) {
  ctx.cancel_timer("do");
  ctx.event(actord::Level::error, "data_store.service_lost", "the counter service has stopped",
            {{"reason", m.reason}});
}

}  // namespace data_store
