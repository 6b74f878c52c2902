// SPDX-License-Identifier: Apache-2.0
//
// What an event costs the worker on which its actor runs: to encode it, to hand it to the journal,
// and to apply it when it is stored. The journal has a thread of its own, and its time is not in
// the figure.
#include <actord/actord.hpp>

#include <actord/persistent.hpp>
#include <ctime>

#include "disk_folder.hpp"
#include "journal/sqlite_store.hpp"
#include "rig.hpp"
#include "rows.hpp"

namespace actord::bench {

namespace {

constexpr std::size_t filed_bytes = 200;

std::int64_t thread_cpu_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

struct Archive {
  std::int64_t filed = 0;
};

// Files `count` events, or does everything but that, and signals how much of its worker's time that
// took. There is one worker.
class Clerk : public Persistent<Clerk, Archive> {
 public:
  Clerk(Finish* finish, std::int64_t count, bool persists)
      : finish_(finish), count_(count), persists_(persists), content_(filed_bytes, 'e') {}

  void on(Context& ctx, const Number& n) {
    if (n.value == 0) start_ns_ = thread_cpu_ns();
    if (n.value + 1 < count_) ctx.tell(ctx.self(), Number{n.value + 1});
    if (persists_) return persist_async(ctx, Filed{content_}, [this] { note(state().filed); });
    note(n.value + 1);
  }
  void apply(Archive& archive, const Filed&) { ++archive.filed; }

  using Events = actord::Events<Filed>;
  using Receive = Handlers<&Clerk::on>;

 private:
  void note(std::int64_t done) {
    if (done == count_) finish_->signal(thread_cpu_ns() - start_ns_);
  }

  Finish* finish_;
  std::int64_t count_;
  bool persists_;
  std::string content_;
  std::int64_t start_ns_ = 0;
};

double worker_ns(Rig& rig, std::int64_t count, bool persists) {
  Finish finish;
  rig.tell(rig.spawn<Clerk>(&finish, count, persists), 0);
  return static_cast<double>(finish.wait()) / static_cast<double>(count);
}

}  // namespace

Figures run_persist_worker(const Plan& plan) {
  const DiskFolder folder;
  Rig rig({.workers = 1,
           .store = std::make_shared<journal::SqliteStore>(
               journal::StoreOptions{.folder = folder.at("worker")})});
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const std::int64_t count = is_warm_up ? 2'000 : plan.length_or(200'000);
    std::vector<double> costs;
    for (int round = 0; round < (is_warm_up ? 1 : 5); ++round) {
      const double plain = worker_ns(rig, count, false);
      costs.push_back(worker_ns(rig, count, true) - plain);
    }
    return {{"persist_worker_ns", median(std::move(costs)), "ns"}};
  });
}

}  // namespace actord::bench
