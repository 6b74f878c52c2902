// SPDX-License-Identifier: Apache-2.0

#include "listener.hpp"

#include <filesystem>

namespace data_store {
namespace {

using namespace std::chrono_literals;

void require(bool is_good, const char* rule) {
  if (!is_good) throw actord::Error(std::string{"data_store config: "} + rule);
}

bool is_range(const std::vector<std::int64_t>& values) {
  return values.empty() || (values.size() == 2 && values[0] <= values[1]);
}

}  // namespace

actord::Strategy Listener::supervision() {
  return actord::one_for_one().otherwise(actord::Directive::escalate);
}

Listener::Listener(const Config& config) : config_(config) {
  require(config.total >= 1, "total must be 1 or more");
  require(config.step >= 1 && config.step <= 1000, "step must be 1 to 1000");
  require(config.interval >= 1ms, "interval must be 1 ms or more");
  require(config.silence >= 1ms, "silence must be 1 ms or more");
  require(config.reconnect_after >= 1ms, "reconnect-after must be 1 ms or more");
  require(std::filesystem::path{config.file}.filename() == config.file && config.file != "." &&
              config.file != ".." && !config.file.empty(),
          "file must be a file name, without a folder");
  require(is_range(config.faults.fail_between), "faults.fail-between must be [] or [first, last]");
}

void Listener::pre_start(actord::Context& ctx) {
  const std::filesystem::path folder = std::filesystem::path{ctx.state_directory()} / "data_store";
  const actord::Ref worker = ctx.spawn<Worker>(
      "worker",
      WorkerSettings{
          .total = config_.total,
          .step = config_.step,
          .interval = config_.interval,
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
  ctx.event(actord::Level::info, "data_store.finished", "that is all: shutting down",
            {{"count", m.count}, {"saved", m.saved}});
  ctx.stop_self();
}

void Listener::silent(actord::Context& ctx, const actord::ReceiveTimeout& m) {
  ctx.event(actord::Level::error, "data_store.given_up",
            "no progress for too long: shutting down, the service is unavailable",
            {{"silence", m.after}, {"count", last_.count}, {"saved", last_.saved}});
  ctx.stop_self();
}

}  // namespace data_store
