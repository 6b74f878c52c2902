// SPDX-License-Identifier: Apache-2.0
//
// The actor that a configuration names: it runs a program of Savina and checks and logs the result.
#pragma once

#include <deque>
#include <string>

#include "savina_messages.hpp"

namespace savina {

/// The base of programs and of masters. A run in which an actor has failed has no result: whatever
/// fails, the program fails.
class Escalating : public actord::Actor {
 public:
  static actord::Strategy supervision() {
    return actord::one_for_one().otherwise(actord::Directive::escalate);
  }
};

/// Runs a program when it starts, and again for each Run. The actors of a run are below a master,
/// which is a child of the program and sends it a Finished. Each run has a master of its own:
/// messages of an earlier run never reach a later one.
///
/// A Master is an Escalating actor with a Config and
///   static constexpr std::string_view program = "ThreadRing";     the name of the behaviour
///   static constexpr std::string_view doc = "…";
///   static std::int64_t expected(const Config& config);           the result, without actors
/// and, like any behaviour with a Config, a validate() if it needs one.
template <class Master>
class Program : public Escalating {
 public:
  using Config = typename Master::Config;
  static constexpr std::string_view name = Master::program;
  static constexpr std::string_view doc = Master::doc;

  static void validate(const Config& config, actord::Findings& findings) {
    if constexpr (requires { Master::validate(config, findings); })
      Master::validate(config, findings);
  }

  explicit Program(const Config& config) : config_(config) {}

  void run(actord::Context& ctx, const Run&) {
    askers_.push_back(ctx.sender());
    begin_next(ctx);
  }

  // Throws WrongResult.
  void finished(actord::Context& ctx, const Finished& m) {
    if (!master_ || ctx.sender() != master_)  // an operator, or the master before a restart
      return ctx.reply_failure("only the master of a run tells that it has finished");
    const std::chrono::duration<double, std::milli> time = ctx.now() - started_;
    has_finished_ = true;
    ctx.cancel_timer("deadline");
    ctx.stop(master_);
    if (const std::int64_t expected = Master::expected(config_); m.result != expected) {
      fail_askers(ctx, "the result is wrong");
      throw WrongResult("the result of a program is wrong",
                        {{"program", name}, {"result", m.result}, {"expected", expected}});
    }
    ctx.event(actord::Level::info, "savina.finished", "a program has ended with the right result",
              {{"savina.program", name},
               {"savina.result", m.result},
               {"savina.messages", m.messages},
               {"savina.milliseconds", time.count()}});
    if (asker_) ctx.tell(asker_, Result{std::string{name}, m.result, m.messages, time.count()});
    asker_ = {};
  }

  // The next run begins when all actors of the last one have stopped. Throws Unfinished.
  void master_stopped(actord::Context& ctx, const actord::Terminated& m) {
    if (m.who != master_) return;
    master_ = {};
    if (!has_finished_) throw Unfinished("the master of a run was stopped", {{"program", name}});
    begin_next(ctx);
  }

  void overdue(actord::Context& ctx, const Deadline&) {
    if (has_finished_ || ctx.now() - started_ < config_.deadline)  // from an operator
      return ctx.reply_failure("the deadline of the run has not passed");
    ctx.fail<Unfinished>("a run has not ended before its deadline", {{"program", name}});
  }

  using Receive = actord::Handlers<&Program::run, &Program::finished, &Program::master_stopped,
                                   &Program::overdue>;

 private:
  void pre_start(actord::Context& ctx) override { begin(ctx); }

  void pre_restart(actord::Context& ctx, const actord::Failure& reason) override {
    fail_askers(ctx, reason.what());
    Actor::pre_restart(ctx, reason);
  }

  void post_stop(actord::Context& ctx) override { fail_askers(ctx, "the program was stopped"); }

  void begin_next(actord::Context& ctx) {
    if (master_ || askers_.empty()) return;
    asker_ = askers_.front();
    askers_.pop_front();
    begin(ctx);
  }

  void begin(actord::Context& ctx) {
    has_finished_ = false;
    started_ = ctx.now();
    ctx.start_timer("deadline", config_.deadline, Deadline{});
    master_ = ctx.spawn<Master>("run-" + std::to_string(++runs_), config_);
    ctx.watch(master_);
  }

  // Also those whose run has not begun: a program whose result is always wrong begins none of them.
  void fail_askers(actord::Context& ctx, std::string_view why) {
    askers_.push_front(std::exchange(asker_, {}));
    for (const actord::Ref asker : std::exchange(askers_, {}))
      if (asker) ctx.reply_failure<Unfinished>(asker, why, {{"program", name}});
  }

  const Config config_;
  std::uint64_t runs_ = 0;
  actord::Ref master_;  // empty: no run
  actord::Ref asker_;   // of the run; empty: it began by itself, or by a Run without a sender
  std::deque<actord::Ref> askers_;  // of the next runs
  bool has_finished_ = false;
  std::chrono::nanoseconds started_{};
};

}  // namespace savina
