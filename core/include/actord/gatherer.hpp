// SPDX-License-Identifier: Apache-2.0
//
// The actor that waits for the first of several answers, for the routers with the logics
// scatter_gather_first and tail_chopping.
#pragma once

#include <actord/actor.hpp>
#include <actord/context.hpp>

namespace actord::detail {

/// A helper of the router for one message: it sends the message to the routees, itself as the
/// sender, and the first message that comes back to the one who has sent the message, or who has
/// asked. A failure with which a routee answers is no answer.
class Gatherer : public Actor {
 public:
  static constexpr std::string_view name = "Gatherer";
  /// `interval` 0: all routees get the message at once; otherwise one after the other.
  Gatherer(std::vector<Ref> routees, std::chrono::nanoseconds within,
           std::chrono::nanoseconds interval)
      : left_(std::move(routees)), within_(within), interval_(interval) {}

  /// If no message comes, because the router has failed meanwhile.
  void pre_start(Context& ctx) override { ctx.start_timer("within", within_, GatherTimeout{}); }
  void give_up(Context& ctx, const GatherTimeout& /*tick*/) {
    if (is_ask_) {
      const std::string router = ctx.path(ctx.parent()), asker = ctx.path(asker_);
      ctx.reply_failure<AskTimeout>(
          asked_,
          "no routee has answered within " + std::to_string(within_.count() / 1'000'000) + " ms",
          {{"target", std::string_view{router}},
           {"sender", std::string_view{asker}},
           {"message_type", std::string_view{question_}},
           {"timeout", within_}});
    }
    ctx.stop_self();
  }
  void try_next(Context& ctx, const TryNextRoutee& /*tick*/) {
    awaits_question_ = true;
    ctx.unstash_all();
  }
  /// The question, or an answer.
  void gather(Context& ctx) {
    if (!std::exchange(awaits_question_, false)) {
      ctx.forward(asked_, ctx.sender());
      return ctx.stop_self();
    }
    asked_ = ctx.sender();
    asker_ = ctx.asker();
    is_ask_ = static_cast<bool>(asker_);
    question_ = ctx.message_type();
    if (interval_.count() == 0) {
      for (const Ref routee : left_) ctx.forward(routee, ctx.self());
      return;
    }
    const std::size_t chosen = ctx.random() % left_.size();
    ctx.forward(left_[chosen], ctx.self());
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(chosen));
    if (left_.empty()) return;
    ctx.stash();
    ctx.start_timer("next", interval_, TryNextRoutee{});
  }

  using Receive = Handlers<&Gatherer::give_up, &Gatherer::try_next, &Gatherer::gather>;

 private:
  std::vector<Ref> left_;
  const std::chrono::nanoseconds within_, interval_;
  Ref asked_, asker_;
  std::string question_;  // its type
  bool awaits_question_ = true;
  bool is_ask_ = false;
};

}  // namespace actord::detail
