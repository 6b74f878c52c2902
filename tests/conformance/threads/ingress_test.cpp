// SPDX-License-Identifier: Apache-2.0
//
// Threads outside the system that send faster than actors receive (core/decisions/0005).
#include <thread>
#include <vector>

#include "crew.hpp"
#include "sdk/host_table.hpp"

namespace actord::conformance {

namespace {

constexpr std::size_t limit = std::size_t{1} << 20;

/// Begins to count when it is let go. Until then it blocks its worker, which no actor should do; of
/// eight workers one can be spared.
class Sluggard : public Actor {
 public:
  Sluggard(support::Latch* go, std::atomic<std::int64_t>* received)
      : go_(*go), received_(*received) {}

  void begin(const Go&) { go_.wait("the refusal of every sender"); }
  void count(const Count&) { ++received_; }
  using Receive = Handlers<&Sluggard::begin, &Sluggard::count>;

 private:
  support::Latch& go_;
  std::atomic<std::int64_t>& received_;
};

}  // namespace

TEST_CASE("a thread outside gets an error when too much waits, and what was accepted arrives") {
  constexpr int threads = 4;
  support::Latch go{1};
  std::atomic<std::int64_t> received{0}, accepted{0};
  std::atomic<int> changed{0};
  Crew crew;
  system::LiveSettings live = crew.system().settings().live;
  live.message_memory_max = limit;
  crew.system().set_live(live);
  const Ref sluggard{crew.spawn<Sluggard>("sluggard", &go, &received)};
  crew.tell(sluggard.value, Go{});
  const System outside(sdk::host_table(), reinterpret_cast<actord_system*>(&crew.system()));

  // Each sender sends until it is refused. Then the sluggard is let go and makes room, and the
  // senders succeed.
  support::Latch refused{threads};
  std::vector<std::jthread> senders;
  for (std::int64_t t = 0; t < threads; ++t) {
    senders.emplace_back([&, t] {
      Count count{t, 7};
      while (outside.try_tell(sluggard, count)) ++accepted;
      if (count.n != 7) ++changed;
      refused.count_down();
      go.wait("the refusal of every sender");
      support::wait_until([&] { return outside.try_tell(sluggard, count); }, "room for a message");
      ++accepted;
    });
  }
  refused.wait("the refusal of every sender");
  // The limit is exceeded by at most what the threads hold in reserve.
  CHECK(crew.system().envelopes.bytes_in_use() < 2 * limit);
  crew.tell(sluggard.value, Count{0, 0});  // tell() is never refused
  go.count_down();
  senders.clear();
  const std::int64_t sent = accepted + 1;
  support::wait_until([&] { return received >= sent; }, "the last message that was accepted");
  crew.end();
  CHECK(changed == 0);
  CHECK(accepted > static_cast<std::int64_t>(limit / sizeof(message::Envelope)));
  CHECK(received == sent);
}

}  // namespace actord::conformance
