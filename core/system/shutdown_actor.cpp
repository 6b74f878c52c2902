// SPDX-License-Identifier: Apache-2.0
#include "system/shutdown_actor.hpp"

#include <algorithm>

#include "base/counted.hpp"
#include "base/duration_text.hpp"
#include "log/event_fields.hpp"
#include "system/actor_system.hpp"

namespace actord::system {

namespace {

constexpr std::string_view failed = "failed", timed_out = "timeout", late = "late";

ActorSystem& system_of(Context& ctx) { return ActorSystem::of(ctx.c().system); }

void log_phase(ActorSystem& system, const ShutdownRun::Step& step, const std::string& reason) {
  const std::string tasks = base::counted(step.tasks.size(), "task");
  if (step.kind == ShutdownRun::Step::Kind::skip)
    return system.log.shared().emit(
        log::Level::info, "shutdown.phase-skipped",
        "a phase is disabled by the configuration: " + tasks + " skipped",
        {{"shutdown.phase", step.phase->name}, {"shutdown.tasks", step.tasks.size()}});
  system.log.shared().emit(log::Level::info, "shutdown.phase",
                           "a phase of the shutdown begins with " + tasks,
                           {{"shutdown.phase", step.phase->name},
                            {"shutdown.tasks", step.tasks.size()},
                            {"shutdown.timeout", std::chrono::nanoseconds{step.phase->timeout_ns}},
                            {"reason", reason}});
}

struct TaskFault {
  std::string_view fault, type, text;
};

// A task that has not done what it was there for.
void log_fault(ActorSystem& system, const PhaseTask& task, const TaskFault& fault) {
  const std::string path = system.path(task.actor);
  std::vector<log::Field> fields{{"shutdown.phase", task.phase},
                                 {"shutdown.task", task.name},
                                 {"actor.path", path},
                                 {"shutdown.fault", fault.fault}};
  if (!fault.type.empty()) {
    fields.push_back({"failure.type", fault.type});
    fields.push_back({"failure.message", fault.text});
  }
  system.log.shared().emit(log::Level::warning, "shutdown.task-failed",
                           fault.fault == timed_out ? "a task of the shutdown took too long"
                           : fault.fault == late    ? "a task was added to a phase that is over"
                                                    : "a task of the shutdown failed",
                           fields);
}

}  // namespace

// ---- one task -----------------------------------------------------------------------------------

void PhaseTaskRunner::pre_start(Context& ctx) {
  if (order_.is_end)
    return ctx.graceful_stop<&PhaseTaskRunner::stopped>(order_.actor, order_.timeout);
  ctx.ask<&PhaseTaskRunner::answered>(order_.actor, ShutdownTask{order_.message}, order_.timeout);
}

void PhaseTaskRunner::answered(Context& ctx, const Reply<ShutdownTaskDone>& reply) {
  if (reply) return report(ctx, nullptr);
  const Failure failure = reply.failure();
  // An actor that has ended has nothing left to do.
  report(ctx, failure.is<NoRecipient>() ? nullptr : &failure);
}

void PhaseTaskRunner::stopped(Context& ctx, const Reply<Terminated>& reply) {
  if (reply) return report(ctx, nullptr);
  const Failure failure = reply.failure();
  report(ctx, &failure);
}

void PhaseTaskRunner::report(Context& ctx, const Failure* failure) const {
  detail::ShutdownTaskEnded notice{order_.number, {}, {}, {}};
  if (failure != nullptr) {
    notice.fault = failure->is<AskTimeout>() ? timed_out : failed;
    notice.type = failure->type();
    notice.text = failure->what();
  }
  ctx.tell(ctx.parent(), std::move(notice));
  ctx.stop_self();
}

// ---- all tasks ----------------------------------------------------------------------------------

Shutdown::Shutdown(Context& ctx) : run_(system_of(ctx).shutdown_run()) {}

void Shutdown::add(Context& ctx, const detail::AddShutdownTask& request) {
  const Ref actor = request.actor;
  const auto added = run_.add(request.phase, request.name, actor.value, request.is_end);
  if (!added) return ctx.reply_failure<ShutdownTaskRefused>(added.error().what);
  if (*added == ShutdownRun::Added::late)
    log_fault(system_of(ctx), {0, request.phase, request.name, actor.value, request.is_end},
              {late, {}, {}});
  else if (watched_.insert(actor.value).second)
    ctx.watch_with(actor, detail::ShutdownPartyEnded{actor});
  if (ctx.asker()) ctx.reply(detail::ShutdownTaskAdded{});
}

void Shutdown::party_ended(Context& ctx, const detail::ShutdownPartyEnded& notice) {
  watched_.erase(notice.who.value);
  for (const PhaseTask& task : run_.forget(notice.who.value)) end(ctx, task.number, false);
}

void Shutdown::run(Context& ctx, const detail::RunShutdown& order) {
  if (run_.begin(order.reason, order.from)) return go_on(ctx);
  if (run_.is_over()) system_of(ctx).shutdown_is_over(run_.outcome());
}

void Shutdown::task_ended(Context& ctx, const detail::ShutdownTaskEnded& notice) {
  const std::optional<PhaseTask> task = run_.running(notice.number);
  if (!task) return;  // its actor has ended
  if (!notice.fault.empty())
    log_fault(system_of(ctx), *task, {notice.fault, notice.type, notice.text});
  end(ctx, notice.number, !notice.fault.empty());
}

void Shutdown::end(Context& ctx, std::uint64_t number, bool is_failure) {
  if (run_.end(number, is_failure)) go_on(ctx);
}

void Shutdown::go_on(Context& ctx) {
  ActorSystem& system = system_of(ctx);
  for (ShutdownRun::Step step = run_.next(); step.phase != nullptr; step = run_.next()) {
    log_phase(system, step, run_.reason());
    if (step.kind == ShutdownRun::Step::Kind::run) return start_tasks(ctx, step);
  }
  if (const std::string& phase = run_.outcome().aborted_in; !phase.empty())
    system.log.shared().emit(
        log::Level::error, "shutdown.aborted",
        "a phase with recover = off has failed: no further one runs, and the actors are stopped",
        {{"shutdown.phase", phase}, {"reason", run_.reason()}});
  system.shutdown_is_over(run_.outcome());
}

void Shutdown::start_tasks(Context& ctx, const ShutdownRun::Step& step) {
  system_of(ctx).shutdown_phase_begins(*step.phase, step.tasks.size());
  for (const PhaseTask& task : step.tasks)
    ctx.spawn<PhaseTaskRunner>({},
                               PhaseTaskOrder{task.number,
                                              {task.actor},
                                              task.is_end,
                                              {task.phase, task.name, run_.reason()},
                                              std::chrono::nanoseconds{step.phase->timeout_ns}});
}

// ---- the way to it ------------------------------------------------------------------------------

void pass_to_shutdown(Context& ctx) {
  const std::optional<Child> running = ctx.child("shutdown");
  if (running) return ctx.forward(running->ref);
  system_of(ctx).note_shutdown_tasks();
  ctx.forward(ctx.spawn<Shutdown>("shutdown"));
}

base::Result<void> ActorSystem::add_shutdown_task(actor::ThreadState& thread,
                                                  std::string_view phase, std::string_view name,
                                                  actor::Ref actor, bool is_end) {
  const auto added = shutdown_run_.add(phase, name, actor, is_end);
  if (!added) return added.error();
  note_shutdown_tasks();
  detail::AddShutdownTask notice{std::string{phase}, std::string{name}, Ref{actor}, is_end};
  thread.tell(find("/system"), types.find("actord.AddShutdownTask/1"), &notice, actor);
  return {};
}

void ActorSystem::begin_shutdown(std::string_view reason, std::string_view from) {
  if (is_terminating() || !has_shutdown_tasks()) return shutdown_is_over({std::string{reason}, {}});
  detail::RunShutdown order{std::string{reason}, std::string{from}};
  tell(find("/system"), types.find("actord.RunShutdown/1"), &order);
}

void ActorSystem::shutdown_phase_begins(const ShutdownPhase& phase, std::size_t tasks) {
  if (listener_.on_shutdown_phase) listener_.on_shutdown_phase(phase, tasks);
}

void ActorSystem::shutdown_is_over(const ShutdownOutcome& outcome) {
  if (listener_.on_shutdown_over) listener_.on_shutdown_over(outcome);
}

}  // namespace actord::system
