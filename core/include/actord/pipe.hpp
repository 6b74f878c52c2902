// SPDX-License-Identifier: Apache-2.0
//
// ctx.pipe(): work that blocks, done elsewhere, with its result coming back as the answer to an
// ask.
#pragma once

#include <actord/trampolines.hpp>

namespace actord {
namespace detail {

/// A child of the actor that asked, so that what it began ends with its incarnation; a thread of
/// its own while it works; gone when it has answered.
template <class Work>
class PipeWorker : public Actor {
 public:
  static constexpr std::string_view name = "PipeWorker";
  explicit PipeWorker(const Work& work) : work_(work) {}

  void perform(Context& ctx, const Perform& /*order*/) {
    ReplyErrors errors(ctx.c());
    static_cast<void>(guarded(&errors, [&] { ctx.reply(work_()); }));
    ctx.stop_self();
  }

  using Receive = Handlers<&PipeWorker::perform>;

 private:
  // What the work throws is the answer, not the worker's failure.
  struct ReplyErrors : actord_errors {
    explicit ReplyErrors(actord_context& c_) : actord_errors{&send}, c(c_) {}
    static void send(actord_errors* self, const actord_failure* failure) {
      actord_context& c = static_cast<ReplyErrors*>(self)->c;
      c.host->reply_failure(&c, failure);
    }
    actord_context& c;
  };

  Work work_;
};

}  // namespace detail

template <auto OnReply, class Work>
void Context::pipe(Work work, Duration timeout) {
  using Answer = typename detail::ReplyFormOf<OnReply>::Message;
  static_assert(std::is_same_v<std::invoke_result_t<Work&>, Answer>,
                "the work returns the message that the handler takes a Reply of");
  const Ref worker = spawn_on<detail::PipeWorker<Work>>({}, "blocking-io", std::move(work));
  ask<OnReply>(worker, detail::Perform{}, timeout);
}

}  // namespace actord
