// SPDX-License-Identifier: Apache-2.0

#include "listener.hpp"

#include <filesystem>

namespace data_store {
namespace {

using namespace std::chrono_literals;

bool is_range(const std::vector<std::int64_t>& values) {
  return values.empty() || (values.size() == 2 && values[0] <= values[1]);
}

}  // namespace

std::vector<actord::About> FaultsConfig::about() {
  using C = FaultsConfig;
  return {
      actord::about(&C::fail_between).doc("[first, last]: values that cannot be saved; []: none."),
      actord::about(&C::unavailable).doc("Whether the file cannot be opened."),
  };
}

std::vector<actord::About> ListenerConfig::about() {
  using C = ListenerConfig;
  return {
      actord::about(&C::total).at_least(1).doc("The last count."),
      actord::about(&C::step).between(1, 1000).doc("The amount of each increment."),
      actord::about(&C::interval).at_least(1ms).doc("Time between two increments."),
      actord::about(&C::silence)
          .at_least(1ms)
          .doc("Time without progress after which the listener gives up."),
      actord::about(&C::reconnect_after)
          .at_least(1ms)
          .doc("Time from the stop of a storage to the next storage."),
      actord::about(&C::backlog).doc("Increments that may wait while there is no storage."),
      actord::about(&C::on_overflow).doc("What happens to further increments."),
      actord::about(&C::stored_in)
          .doc("What keeps the count: a file with faults on purpose, or the journal of actord."),
      actord::about(&C::file)
          .file()
          .writable()
          .in_state_directory("data_store")
          .doc("A file name within data_store/ of the state directory."),
  };
}

actord::Strategy Listener::supervision() {
  return actord::one_for_one().otherwise(actord::Directive::escalate);
}

void Listener::validate(const Config& config, actord::Findings& findings) {
  if (!is_range(config.faults.fail_between))
    findings.at(&Config::faults)
        .reject(&FaultsConfig::fail_between, "must be [] or [first, last], first not above last");
}

void Listener::pre_start(actord::Context& ctx) {
  const std::filesystem::path folder = std::filesystem::path{ctx.state_directory()} / "data_store";
  const actord::Ref worker = ctx.spawn<Worker>(
      "worker",
      WorkerSettings{
          .total = config_.total,
          .step = config_.step,
          .interval = config_.interval,
          .stored_in = config_.stored_in,
          .service = {.storage = {.file = (folder / config_.file).string(),
                                  .faults = {.fail_between = config_.faults.fail_between,
                                             .is_unavailable = config_.faults.unavailable}},
                      .reconnect_after = config_.reconnect_after,
                      .backlog_max = config_.backlog,
                      .on_overflow = config_.on_overflow}});
  ctx.receive_timeout(config_.silence);
  ctx.tell(worker, Start{});
}

void Listener::progress(actord::Context& ctx, const Progress& m) {
  last_ = m;
  ctx.event(actord::Level::info, "data_store.progress", "counting",
            {{"percent", m.percent}, {"count", m.count}, {"saved", m.saved}});
  if (m.saved < config_.total) return;
  ctx.event(actord::Level::info, "data_store.finished",
            "the count is complete: the data store stops",
            {{"count", m.count}, {"saved", m.saved}});
  ctx.stop_self();
}

void Listener::silent(actord::Context& ctx, const actord::ReceiveTimeout& m) {
  ctx.event(actord::Level::error, "data_store.given_up",
            "no progress within the time limit: the data store stops",
            {{"silence", m.after}, {"count", last_.count}, {"saved", last_.saved}});
  ctx.stop_self();
}

}  // namespace data_store
