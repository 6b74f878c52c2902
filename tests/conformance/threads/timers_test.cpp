// SPDX-License-Identifier: Apache-2.0
//
// Delayed messages on the timers of many workers, some of them cancelled: item 163.
#include <vector>

#include "crew.hpp"

namespace actord::conformance {

namespace {

constexpr std::int64_t planners = 16, each = 400;

struct Diary {
  support::Latch full{planners};
  std::atomic<int> early{0}, again{0};
};

/// Sends itself delayed messages and cancels every other one, if it is not late. `n` of a Count is
/// the number, `sender` the time at which it is due.
class Planner : public Actor {
 public:
  explicit Planner(Diary* diary) : diary_(*diary), has_come_(each, false) {}

  void plan(Context& ctx, const Go&) {
    std::vector<std::uint64_t> ids;
    for (std::int64_t i = 0; i < each; ++i) {
      const std::chrono::nanoseconds delay{static_cast<std::int64_t>(ctx.random() % 5'000'000)};
      const std::int64_t due = (ctx.now() + delay).count();
      ids.push_back(ctx.schedule_once(delay, ctx.self(), Count{due, i}));
    }
    for (std::size_t i = 0; i < ids.size(); i += 2) {
      if (ctx.system().cancel(ids[i])) ++ended_;
      if (ctx.system().cancel(ids[i])) ++diary_.again;
    }
    finish();
  }
  void look(Context& ctx, const Count& count) {
    if (ctx.now().count() < count.sender) ++diary_.early;
    const auto n = static_cast<std::size_t>(count.n);
    if (has_come_[n]) ++diary_.again;
    has_come_[n] = true;
    ++ended_;
    finish();
  }
  using Receive = Handlers<&Planner::plan, &Planner::look>;

 private:
  void finish() {
    if (ended_ == each) diary_.full.count_down();
  }

  Diary& diary_;
  std::vector<bool> has_come_;
  std::int64_t ended_ = 0;
};

/// Asks the other one again and again. The other one does not answer every time.
class Doubter : public Actor {
 public:
  Doubter(support::Latch* done, std::atomic<int>* wrong) : done_(*done), wrong_(*wrong) {}

  void begin(Context& ctx, const Go& go) {
    if (go.n != 0) other_ = Ref{static_cast<std::uint64_t>(go.n)};
    ctx.ask<&Doubter::hear>(other_, Count{asked_, 0}, std::chrono::milliseconds{1});
  }
  void answer(Context& ctx, const Count& count) {
    if (count.sender % 16 != 0) ctx.reply(Count{count.sender, 1});
  }
  void hear(Context& ctx, const Reply<Count>& reply) {
    if (reply && reply->sender != asked_) ++wrong_;
    if (++asked_ == 300) return done_.count_down();
    begin(ctx, {});
  }
  using Receive = Handlers<&Doubter::begin, &Doubter::answer>;

 private:
  support::Latch& done_;
  std::atomic<int>& wrong_;
  Ref other_;
  std::int64_t asked_ = 0;
};

}  // namespace

TEST_CASE(
    "163 on real workers: a message for later comes once and never early, or is cancelled once") {
  Diary diary;
  Crew crew;
  std::vector<actor::Ref> all;
  for (std::int64_t i = 0; i < planners; ++i)
    all.push_back(crew.spawn<Planner>("planner-" + std::to_string(i), &diary));
  for (const actor::Ref planner : all) crew.tell(planner, Go{});
  diary.full.wait("the last delayed message");
  crew.end();
  CHECK(diary.early == 0);
  CHECK(diary.again == 0);
}

TEST_CASE("of asks that are answered and asks that are not, each has one end") {
  constexpr int doubters = 12;
  std::atomic<int> wrong{0};
  support::Latch done{doubters};
  Crew crew;
  std::vector<actor::Ref> all;
  for (int i = 0; i < doubters; ++i)
    all.push_back(crew.spawn<Doubter>("doubter-" + std::to_string(i), &done, &wrong));
  for (std::size_t i = 0; i < all.size(); ++i)
    crew.tell(all[i], Go{static_cast<std::int64_t>(all[(i + 1) % all.size()])});
  done.wait("the end of the last ask");
  crew.end();
  CHECK(wrong == 0);
}

}  // namespace actord::conformance
