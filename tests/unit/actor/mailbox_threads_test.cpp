// SPDX-License-Identifier: Apache-2.0
//
// Mailboxes under load by real threads: senders of messages and of system messages, workers that
// suspend, yield, pass on and die. All state that the workers share is plain memory, so that the
// thread sanitizer sees two workers in one cell. Blocks go through real pools, so that the address
// sanitizer sees a block used too late.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "actor/mailbox.hpp"
#include "base/depot.hpp"
#include "base/random.hpp"
#include "support/wait.hpp"

namespace actord::actor {

TEST_SUITE_BEGIN("actor/mailbox threads");

namespace {

constexpr std::uint64_t senders = 3, actors = 2;
enum Kind : std::uint32_t { message, passed_on, suspend, resume, terminate };

struct Mark {
  std::uint64_t sender, number;
};

struct Actor {
  MailboxWord word;
  SystemQueue system;
  std::atomic<std::uint32_t> generation{1};
  std::atomic<std::uint32_t> known{1};  // the tenant with the latest published ref
  // The members below belong to the owner.
  MailboxOwner inbox;
  int suspensions = 0;
  bool is_running = false;
  std::array<std::uint64_t, senders> last{};  // by sender: its last message to this tenant
};

class World {
 public:
  struct Plan {
    unsigned workers = 2;
    std::uint64_t messages = 4000;  // per sender
    int suspensions = 0;            // per suspender, of which there are two
    int deaths = 0;
    bool passes_on = false;
  };

  explicit World(const Plan& plan) : plan_(plan), depot_(64, std::size_t{64} << 20) {
    for (Actor& actor : actors_) {
      actor.system.open();
      actor.word.open();
      schedule(actor);
    }
  }

  void run() {
    const support::TimeLimit limit("the end of the senders and of the workers");
    std::vector<std::jthread> workers, outside;
    for (unsigned i = 0; i < plan_.workers; ++i) workers.emplace_back([this, i] { work(i); });
    for (std::uint64_t i = 0; i < senders; ++i) outside.emplace_back([this, i] { send(i); });
    for (std::size_t i = 0; i < actors && plan_.suspensions != 0; ++i) {
      outside.emplace_back([this, i] { suspend_and_resume(actors_[i]); });
    }
    if (plan_.deaths != 0) outside.emplace_back([this] { kill(); });
    outside.clear();
    {
      std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    wake_.notify_all();
    workers.clear();
  }

  void check() {
    CHECK(is_sane_);
    CHECK(sent_ == handled_ + dead_);
    CHECK(ordered_ == obeyed_ + refused_);
    CHECK(ready_.empty());
    {
      base::Pool pool(depot_);
      for (Actor& actor : actors_) {
        CHECK(actor.suspensions == 0);
        CHECK_FALSE(actor.system.has_mail());
        CHECK(actor.word.unpark_for_system());  // it was parked
        const auto give = [&](Envelope* block) { pool.give(block); };
        CHECK(actor.inbox.close(actor.word, give) == nullptr);
      }
    }
    CHECK(depot_.free_blocks() == depot_.carved());
  }

  std::uint64_t handled() const { return handled_; }
  std::uint64_t dead() const { return dead_; }

 private:
  // ---- outside
  void send(std::uint64_t sender) {
    base::Pool pool(depot_);
    base::Random random(sender);
    for (std::uint64_t i = 1; i <= plan_.messages; ++i) {
      tell(pool, actors_[random.below(actors)], message, {sender, i});
    }
  }
  // Each suspension has its release, so that all mail is read in the end. A death ends both.
  void suspend_and_resume(Actor& actor) {
    base::Pool pool(depot_);
    for (int i = 0; i < plan_.suspensions; ++i) {
      const std::uint32_t generation = actor.known;
      order(pool, actor, suspend, generation);
      std::this_thread::yield();
      order(pool, actor, resume, generation);
    }
  }
  void kill() {
    base::Pool pool(depot_);
    for (int i = 0; i < plan_.deaths; ++i) {
      Actor& actor = actors_[static_cast<std::size_t>(i) % actors];
      const std::uint32_t generation = actor.known;
      order(pool, actor, terminate, generation);
      while (actor.known == generation) std::this_thread::yield();
    }
  }

  // ---- ThreadState
  void tell(base::Pool& pool, Actor& actor, Kind kind, Mark mark) {
    const std::uint32_t generation = actor.known;
    ++sent_;
    if (actor.generation.load(base::relaxed) != generation) {
      ++dead_;
      return;
    }
    auto* const envelope = static_cast<Envelope*>(pool.take());
    envelope->type_and_flags = kind;
    envelope->target_generation = generation;
    std::memcpy(envelope->bytes, &mark, sizeof mark);
    switch (actor.word.push(envelope)) {
      case MailboxWord::Pushed::queued: return;
      case MailboxWord::Pushed::schedule: return schedule(actor);
      case MailboxWord::Pushed::closed: ++dead_, pool.give(envelope);
    }
  }
  void order(base::Pool& pool, Actor& actor, Kind kind, std::uint32_t generation) {
    auto* const envelope = static_cast<Envelope*>(pool.take());
    envelope->type_and_flags = kind;
    envelope->target_generation = generation;
    ++ordered_;
    if (!actor.system.push(envelope)) {
      ++refused_;
      return pool.give(envelope);
    }
    if (actor.word.unpark_for_system()) schedule(actor);
  }
  void schedule(Actor& actor) {
    {
      std::lock_guard lock(mutex_);
      if (std::ranges::find(ready_, &actor) != ready_.end()) is_sane_ = false;  // scheduled twice
      ready_.push_back(&actor);
    }
    wake_.notify_one();
  }

  // ---- workers
  void work(unsigned index) {
    base::Pool pool(depot_);
    base::Random random(100 + index);
    for (;;) {
      Actor* actor;
      {
        std::unique_lock lock(mutex_);
        if (ready_.empty()) ++idle_;
        if (is_over_ && idle_ == plan_.workers) wake_.notify_all();
        const auto is_done = [&] { return is_over_ && idle_ == plan_.workers; };
        const bool was_idle = ready_.empty();
        wake_.wait(lock, [&] { return !ready_.empty() || is_done(); });
        if (ready_.empty()) return;
        if (was_idle) --idle_;
        actor = ready_.front();
        ready_.pop_front();
      }
      activate(*actor, pool, random);
    }
  }

  // As Activation::run(), with slices that end anywhere.
  void activate(Actor& actor, base::Pool& pool, base::Random& random) {
    const auto give = [&](Envelope* block) { pool.give(block); };
    if (std::exchange(actor.is_running, true)) is_sane_ = false;
    for (;;) {
      if (actor.system.has_mail() && !obey(actor, pool)) return;
      if (actor.suspensions != 0) {
        actor.is_running = false;
        actor.inbox.park_suspended(actor.word);
        return look_again(actor);
      }
      Envelope* const envelope = actor.inbox.pop();
      if (envelope == nullptr) {
        if (actor.inbox.fetch(actor.word, give)) continue;
        actor.is_running = false;
        if (actor.inbox.park(actor.word, give)) return look_again(actor);
        actor.is_running = true;
        continue;
      }
      handle(actor, *envelope, pool);
      if (!actor.inbox.is_marker(envelope)) pool.give(envelope);
      if (random.chance(0.05)) {
        actor.is_running = false;
        return schedule(actor);
      }
    }
  }
  void look_again(Actor& actor) {
    if (actor.system.has_mail_after_park() && MailboxOwner::unpark(actor.word)) schedule(actor);
  }
  void handle(Actor& actor, const Envelope& envelope, base::Pool& pool) {
    if (envelope.target_generation != actor.generation.load(base::relaxed)) {
      ++dead_;
      return;
    }
    Mark mark;
    std::memcpy(&mark, envelope.bytes, sizeof mark);
    if (envelope.type_and_flags == message) {
      if (mark.number <= actor.last[mark.sender]) is_sane_ = false;  // out of order, or twice
      actor.last[mark.sender] = mark.number;
      if (plan_.passes_on && mark.number % 4 == 0) {
        tell(pool, mark.number % 8 == 0 ? actor : actors_[mark.number / 8 % actors], passed_on,
             mark);
      }
    }
    ++handled_;
  }
  bool obey(Actor& actor, base::Pool& pool) {
    for (Envelope* list = actor.system.take_all(); list != nullptr;) {
      Envelope* const envelope = std::exchange(list, list->next);
      const std::uint32_t kind = envelope->type_and_flags;
      const bool is_ours = envelope->target_generation == actor.generation.load(base::relaxed);
      pool.give(envelope);
      ++(is_ours ? obeyed_ : refused_);
      if (!is_ours) continue;
      if (kind == suspend) ++actor.suspensions;
      if (kind == resume) --actor.suspensions;
      if (kind != terminate) continue;
      refuse(list, pool);
      bury_and_replace(actor, pool);
      return false;
    }
    return true;
  }
  void refuse(Envelope* list, base::Pool& pool) {
    while (list != nullptr) {
      pool.give(std::exchange(list, list->next));
      ++refused_;
    }
  }
  // Ends one tenant and begins the next, as its parent would.
  void bury_and_replace(Actor& actor, base::Pool& pool) {
    const auto give = [&](Envelope* block) { pool.give(block); };
    for (Envelope* each = actor.inbox.close(actor.word, give); each != nullptr;) {
      pool.give(std::exchange(each, each->next));
      ++dead_;
    }
    refuse(actor.system.close(), pool);
    actor.suspensions = 0;
    actor.last = {};
    actor.is_running = false;
    actor.generation.fetch_add(1);
    actor.system.open();
    actor.word.open();
    schedule(actor);
    actor.known.fetch_add(1);
  }

  const Plan plan_;
  base::Depot depot_;
  std::array<Actor, actors> actors_;
  std::atomic<std::uint64_t> sent_{0}, handled_{0}, dead_{0}, ordered_{0}, obeyed_{0}, refused_{0};
  std::atomic<bool> is_sane_{true};

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Actor*> ready_;
  unsigned idle_ = 0;
  bool is_over_ = false;
};

}  // namespace

TEST_CASE("every message sent is handled once and in its sender's order") {
  World world({.messages = 10'000});
  world.run();
  world.check();
  CHECK(world.handled() == senders * 10'000);
}

TEST_CASE("messages that are passed on are handled too") {
  World world({.workers = 3, .passes_on = true});
  world.run();
  world.check();
  CHECK(world.handled() > senders * 4000);
  CHECK(world.dead() == 0);
}

TEST_CASE("suspending and resuming loses no message and schedules no cell twice") {
  World world({.suspensions = 3000, .passes_on = true});
  world.run();
  world.check();
  CHECK(world.dead() == 0);
}

TEST_CASE("each message ends once, handled or dead, however often actors die and are replaced") {
  World world({.workers = 3, .deaths = 500, .passes_on = true});
  world.run();
  world.check();
}

TEST_CASE("and while they are suspended as well") {
  World world({.workers = 3, .suspensions = 2000, .deaths = 300});
  world.run();
  world.check();
}

TEST_SUITE_END();

}  // namespace actord::actor
