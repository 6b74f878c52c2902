// SPDX-License-Identifier: Apache-2.0
//
// The actor that the companions of the matrix ask: "/user/top/boss/store".
#pragma once

#include "matrix.hpp"

namespace actord::conformance::matrix {

/// Answers each question 10 ms later, so that a failure of the asker comes first. It refuses those
/// with a number below 1.
class Store : public Actor {
 public:
  static constexpr std::string_view name = "Store";
  explicit Store(Scene* scene) : scene_(*scene) {}
  void question(Context& ctx, const Question& question) {
    scene_.at(Place::target);
    askers_[question.n] = ctx.sender();
    ctx.start_timer(std::to_string(question.n), 10ms, Answer{question.n});
  }
  void answer(Context& ctx, const Answer& due) {
    if (due.n > 0) ctx.tell(askers_[due.n], due);
    else ctx.reply_failure<Error>(askers_[due.n], "refused");
  }
  using Receive = Handlers<&Store::question, &Store::answer>;

  /// Creates it, unless it is there.
  static void open(Scene& it) {
    if (!it.test.find("/user/top/boss/store"))
      it.spawn_below_boss([&](Context& ctx) { return ctx.spawn<Store>("store", &it); });
  }
  static Ref find(Context& ctx) { return ctx.find("/user/top/boss/store"); }

 private:
  Scene& scene_;
  std::map<int, Ref> askers_;
};

}  // namespace actord::conformance::matrix
