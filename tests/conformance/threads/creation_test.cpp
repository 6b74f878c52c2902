// SPDX-License-Identifier: Apache-2.0
//
// Many actors and many creators at once: items 115 and 141, and 109 during shutdown.
#include <array>
#include <barrier>
#include <thread>
#include <vector>

#include "crew.hpp"

namespace actord::conformance {

namespace {

class Settler : public Actor {
 public:
  explicit Settler(Census* census) : member_(*census) {}
  using Receive = Handlers<>;

 private:
  const Census::Member member_;
};

class Swimmer : public Actor {
 public:
  explicit Swimmer(Census* census) : member_(*census) {}
  void leave(Context& ctx, const Go& /*go*/) { ctx.stop_self(); }
  using Receive = Handlers<&Swimmer::leave>;

 private:
  const Census::Member member_;
};

/// Creates `go.n` actors at once, tells each to stop, and signals when the last one has.
class Wave : public Actor {
 public:
  Wave(Census* census, support::Latch* ebbed) : census_(*census), ebbed_(*ebbed) {}

  void rise(Context& ctx, const Go& go) {
    swimming_ = go.n;
    for (std::int64_t i = 0; i < go.n; ++i) {
      const Ref swimmer = ctx.spawn<Swimmer>("", &census_);
      ctx.watch(swimmer);
      ctx.tell(swimmer, Go{});
    }
  }
  void fall(const Terminated& /*notice*/) {
    if (--swimming_ == 0) ebbed_.count_down();
  }
  using Receive = Handlers<&Wave::rise, &Wave::fall>;

 private:
  Census& census_;
  support::Latch& ebbed_;
  std::int64_t swimming_ = 0;
};

}  // namespace

TEST_CASE("109 on real workers: refused once, creation is refused for good, and nothing lives on") {
  constexpr int creators = 4, before_the_end = 50, after_a_refusal = 20;
  Census census;
  Crew crew;
  support::Latch all_are_at_it(creators);
  std::vector<std::vector<actor::Ref>> created(creators);
  std::atomic<int> wrongly_created{0};
  std::vector<std::jthread> threads;
  for (int t = 0; t < creators; ++t) {
    threads.emplace_back([&, t] {
      const auto create = [&, t](std::size_t i) {
        return crew.try_spawn<Settler>("by-" + std::to_string(t) + "-" + std::to_string(i),
                                       &census);
      };
      std::vector<actor::Ref>& mine = created[static_cast<std::size_t>(t)];
      for (auto one = create(0); one.ok(); one = create(mine.size())) {
        mine.push_back(*one);
        if (mine.size() == before_the_end) all_are_at_it.count_down();
      }
      for (std::size_t i = 0; i < after_a_refusal; ++i) {
        if (create(mine.size() + i).ok()) ++wrongly_created;
      }
    });
  }
  all_are_at_it.wait("the actors of every creator");
  crew.terminate();
  {
    const support::TimeLimit limit("the refusal of every creator");
    threads.clear();  // joins them
  }
  crew.end();
  CHECK(wrongly_created == 0);
  CHECK(census.alive() == 0);
  for (const auto& mine : created) {
    CHECK(mine.size() >= before_the_end);
    for (const actor::Ref ref : mine)
      CHECK(crew.system().find(crew.system().path(ref)) == actor::nobody);
  }
  CHECK_FALSE(crew.try_spawn<Settler>("late", &census).ok());
}

TEST_CASE("115 on real workers: three waves of 50 000 actors come and go") {
  Census census;
  constexpr std::chrono::minutes wave_limit{3};  // a wave is much work under a sanitizer
  std::array<support::Latch, 3> waves{support::Latch{1}, support::Latch{1}, support::Latch{1}};
  Crew crew;
  for (support::Latch& ebbed : waves) {
    const actor::Ref sea = crew.spawn<Wave>(std::string{}, &census, &ebbed);
    crew.tell(sea, Go{50'000});
    ebbed.wait("the end of the last actor of the wave", wave_limit);
    CHECK(census.alive() == 0);
    crew.stop(sea);
  }
  crew.end();
  CHECK(census.alive() == 0);
}

TEST_CASE("141 on real workers: of four threads that create the same name exactly one wins") {
  constexpr int creators = 4, names = 200;
  Census census;
  Crew crew;
  std::barrier round(creators);
  std::vector<std::vector<actor::Ref>> won(creators);
  std::vector<std::jthread> threads;
  for (int t = 0; t < creators; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < names; ++i) {
        round.arrive_and_wait();
        const auto one = crew.try_spawn<Settler>("name-" + std::to_string(i), &census);
        won[static_cast<std::size_t>(t)].push_back(one.ok() ? *one : actor::nobody);
      }
    });
  }
  {
    const support::TimeLimit limit("the last round of every creator");
    threads.clear();  // joins them
  }
  // A creation returns before a worker has made the instance.
  support::wait_until([&] { return census.alive() >= names; }, "the instance of every winner");
  CHECK(census.alive() == names);
  for (std::size_t i = 0; i < names; ++i) {
    std::vector<actor::Ref> winners;
    for (const auto& of_thread : won) {
      if (of_thread[i] != actor::nobody) winners.push_back(of_thread[i]);
    }
    REQUIRE(winners.size() == 1);
    CHECK(crew.system().find("/user/name-" + std::to_string(i)) == winners.front());
  }
}

}  // namespace actord::conformance
