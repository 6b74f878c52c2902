// SPDX-License-Identifier: Apache-2.0
//
// Context::pipe(): runs work that blocks on another thread, and delivers the result as the answer
// to an ask.
#pragma once

#include <actord/trampolines.hpp>

namespace actord {
namespace detail {

/// The actor that runs the work, on a thread of the blocking-io dispatcher: a helper of the actor
/// that called pipe(), so that a restart of that actor stops it. It stops when it has answered.
template <class Work>
class PipeWorker : public Actor {
 public:
  static constexpr std::string_view name = "PipeWorker";
  PipeWorker(const Work& work, std::chrono::nanoseconds timeout) : work_(work), timeout_(timeout) {}

  /// If no order comes, because the plugin has as many asks as it may, no actor waits for the work.
  void pre_start(Context& ctx) override { ctx.receive_timeout(timeout_); }
  void give_up(Context& ctx, const ReceiveTimeout& /*silence*/) { ctx.stop_self(); }
  void perform(Context& ctx, const Perform& /*order*/) {
    ReplyErrors errors(ctx.c());
    static_cast<void>(guarded(&errors, [&] { ctx.reply(work_()); }));
    ctx.stop_self();
  }

  using Receive = Handlers<&PipeWorker::perform, &PipeWorker::give_up>;

 private:
  // Answers the ask with the exception of the work, instead of failing the worker.
  struct ReplyErrors : actord_errors {
    explicit ReplyErrors(actord_context& c_) : actord_errors{&send}, c(c_) {}
    static void send(actord_errors* self, const actord_failure* failure) {
      actord_context& c = static_cast<ReplyErrors*>(self)->c;
      c.host->reply_failure(&c, failure);
    }
    actord_context& c;
  };

  Work work_;
  std::chrono::nanoseconds timeout_;
};

}  // namespace detail

template <auto OnReply, class Work>
void Context::pipe(Work work, Duration timeout) {
  using Answer = typename detail::ReplyFormOf<OnReply>::Message;
  static_assert(std::is_same_v<std::invoke_result_t<Work&>, Answer>,
                "the work returns the message that the handler takes a Reply of");
  detail::check_ask(timeout);  // before the worker exists
  const Ref worker =
      spawn_helper<detail::PipeWorker<Work>>("blocking-io", std::move(work), timeout);
  ask<OnReply>(worker, detail::Perform{}, timeout);
}

}  // namespace actord
