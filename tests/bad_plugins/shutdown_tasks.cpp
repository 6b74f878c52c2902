// SPDX-License-Identifier: Apache-2.0
//
// An actor with the tasks of its config, "phase/what": done, slow, hangs, fails, stops, own-end.
// It logs each task that it is told to do.
#include <actord/actord.hpp>
#include <actord/coordinated_shutdown.hpp>

#include <chrono>

namespace shutdown_tasks {

struct Config {
  std::vector<std::string> tasks;
};
ACTORD_FIELDS(Config, tasks)

struct Finish {};
ACTORD_MESSAGE(Finish, "shutdown_tasks.Finish/1")

class Worker : public actord::Actor {
 public:
  using Config = shutdown_tasks::Config;
  explicit Worker(const Config& config) : config_(config) {}

  void work(actord::Context& ctx, const actord::ShutdownTask& task) {
    ctx.event(actord::Level::info, "shutdown_tasks.begins", "the task begins",
              {{"phase", task.phase}, {"task", task.name}, {"why", task.reason}});
    if (task.name == "done") return ctx.reply(actord::ShutdownTaskDone{});
    if (task.name == "fails") return ctx.reply_failure("the disk is full");
    if (task.name == "stops") return ctx.stop_self();
    asked_ = ctx.sender();
    if (task.name == "slow") ctx.start_timer("slow", std::chrono::milliseconds{300}, Finish{});
  }
  void finish(actord::Context& ctx, const Finish&) {
    ctx.event(actord::Level::info, "shutdown_tasks.ends", "the slow task ends");
    ctx.tell(asked_, actord::ShutdownTaskDone{});
  }
  using Receive = actord::Handlers<&Worker::work, &Worker::finish>;

 private:
  void pre_start(actord::Context& ctx) override {
    for (const std::string& each : config_.tasks) {
      const std::size_t slash = each.find('/');
      const std::string phase = each.substr(0, slash), task = each.substr(slash + 1);
      if (task == "own-end") actord::stop_on_shutdown(ctx, phase, task, ctx.self());
      else actord::on_shutdown(ctx, phase, task);
    }
  }
  void post_stop(actord::Context& ctx) override {
    ctx.event(actord::Level::info, "shutdown_tasks.stopped", "stopped");
  }

  const Config config_;
  actord::Ref asked_;
};

}  // namespace shutdown_tasks

ACTORD_PLUGIN("shutdown_tasks", "1.0.0", actord::Behaviours<shutdown_tasks::Worker>,
              actord::Messages<shutdown_tasks::Finish>)
