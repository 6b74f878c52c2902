// SPDX-License-Identifier: Apache-2.0
#include "sim/journal_profile.hpp"

#include <actord/actord.hpp>

#include <actord/at_least_once.hpp>
#include <actord/backoff_supervisor.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "actor/order.hpp"
#include "pattern/construction.hpp"
#include "sim/event_trace.hpp"
#include "sim/scan.hpp"
#include "sim/scenario.hpp"
#include "sim/watched_store.hpp"

namespace actord::sim {

namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::uint64_t steps_between_scans = 256;

class Archive;
Archive* archive = nullptr;  // the run; what is restarted has no arguments

/// What a ledger does besides noting the message.
enum class Task : std::uint8_t {
  rest,
  enter,
  enter_async,
  enter_several,
  enter_and_defer,
  enter_and_fail,
  fail_when_entered,
  fail,
  reject,
  snapshot,
  remove,
  send,
};
constexpr std::uint64_t tasks = static_cast<std::uint64_t>(Task::send) + 1;
ACTORD_ENUM(Task, rest, enter, enter_async, enter_several, enter_and_defer, enter_and_fail,
            fail_when_entered, fail, reject, snapshot, remove, send)

struct Job {
  Task task = Task::rest;
};
struct Audit {
  std::uint32_t round = 0;
};
struct Parcel {
  DeliveryId delivery;
  std::uint32_t mark = 0;
};
// The events. A mark is the number of an event among all of a run.
struct Entered {
  std::uint32_t mark = 0;
};
struct Sent {
  std::uint32_t mark = 0;
  std::string to;
};
struct Received {
  std::uint32_t mark = 0;
  DeliveryId delivery;
};
struct Loan {  // cannot be stored
  Ref who;
};
struct Marks {
  std::vector<std::uint32_t> all;
  DeliveryLog deliveries;
};
ACTORD_MESSAGE(Job, "archive.Job/1", task)
ACTORD_MESSAGE(Audit, "archive.Audit/1", round)
ACTORD_MESSAGE(Parcel, "archive.Parcel/1", delivery, mark)
ACTORD_MESSAGE(Entered, "archive.Entered/1", mark)
ACTORD_MESSAGE(Sent, "archive.Sent/1", mark, to)
ACTORD_MESSAGE(Received, "archive.Received/1", mark, delivery)
ACTORD_MESSAGE(Loan, "archive.Loan/1", who)
ACTORD_MESSAGE(Marks, "archive.Marks/1", all, deliveries)

class Ledger : public AtLeastOnce<Ledger, Marks> {
 public:
  explicit Ledger(Context& ctx);
  ~Ledger() override;

  void recovery_completed(Context& ctx) override;
  void persist_rejected(Context&, const PersistRejection&) override { ++rejected_; }
  Redelivery redelivery() const override {
    return {.first = std::chrono::milliseconds{2}, .longest = std::chrono::milliseconds{16}};
  }
  void delivery_unconfirmed(Context&, const UnconfirmedDelivery&) override {}

  void apply(Marks& marks, const Entered& event) { marks.all.push_back(event.mark); }
  void apply(Marks& marks, const Sent& event) {
    marks.all.push_back(event.mark);
    deliver(event.to, [mark = event.mark](const DeliveryId& id) { return Parcel{id, mark}; });
  }
  void apply(Marks& marks, const Received& event) {
    marks.all.push_back(event.mark);
    marks.deliveries.add(event.delivery);
  }
  void apply(Marks&, const Loan&) {}

  void job(Context& ctx, const Job& job);
  void audit(Context& ctx, const Audit& audit);
  void parcel(Context& ctx, const Parcel& parcel);

  using Events = actord::Events<Entered, Sent, Received, Loan>;
  using Receive = Delivering<&Ledger::job, &Ledger::audit, &Ledger::parcel>;

 private:
  void begin_message(Context& ctx);
  void enter(Context& ctx, bool fails_then = false);

  const std::string path_;
  std::uint32_t waits_for_ = 0;  // events that must be stored before the next message
  std::uint32_t rejected_ = 0;
};

const actord_plugin& archive_plugin() {
  return *plugin_table<Behaviours<Ledger>,
                       Messages<Job, Audit, Parcel, Entered, Sent, Received, Loan, Marks>>(
      "archive", "1");
}

struct Broken : Error {
  using Error::Error;
};

/// One run: several systems with one store, the last of which is left in peace.
class Archive {
 public:
  Archive(std::uint64_t seed, const RunOptions& options)
      : seed_(seed),
        random_(mixed(seed, 26)),
        trace_(options),
        store_(std::make_shared<WatchedStore>(1 + random_.below(3))) {
    archive = this;
    store_->fail_at([this](WatchedStore::Point point) { return fault_at(point); });
    store_->on_written([this](std::string_view id, std::uint32_t mark) { written(id, mark); });
    ledgers_ = 1 + random_.below(4);
  }
  ~Archive() {
    world_.reset();  // before what its behaviours point to
    archive = nullptr;
  }

  Outcome run() {
    for (std::uint64_t left = 1 + random_.below(3); left != 0 && findings.empty(); --left) {
      boot();
      act();
      const bool is_last = left == 1;
      if (is_last || random_.below(3) == 0) calm();
      else is_cut_ = true;
      shut_down();
      is_calm_ = is_cut_ = false;
    }
    if (findings.empty()) {
      is_calm_ = true;
      boot();
      calm();
      shut_down();
    }
    return trace_.outcome(findings.first());
  }

  void saw(const char* what, std::uint64_t who, std::uint64_t detail = 0) {
    if (findings.empty()) trace_.add(what, who, detail);
  }

  // ---- for the ledgers ----
  void begins(const std::string& path) {
    saw("begins", number_of(path));
    if (++living_[path] != 1) findings.add(11, path + " has two instances");
  }
  void ends(const std::string& path) {
    saw("ends", number_of(path));
    --living_[path];
  }
  // What a ledger has once it has recovered, and whenever it waits for nothing, is what is stored.
  void compare(const std::string& path, const Marks& state, const char* when) {
    saw(when, number_of(path), state.all.size());
    if (state.all != store_->marks(path))
      findings.add(44, path + " has " + std::to_string(state.all.size()) + " events when " + when +
                           ", of which " + std::to_string(store_->marks(path).size()) +
                           " are stored, or has them in another order");
  }
  void handles(const std::string& path, std::uint32_t waits_for, bool is_recovering) {
    saw("message", number_of(path), waits_for);
    if (waits_for != 0) findings.add(46, path + " handles a message before its events are stored");
    if (is_recovering) findings.add(46, path + " handles a message while it recovers");
  }
  std::uint32_t new_mark() { return ++marks_; }
  void fails_with(std::uint32_t mark) { taken_back_.insert(mark); }
  void follows(const std::string& path, std::uint32_t mark) {
    saw("stored", number_of(path), mark);
    if (!store_->has(path, mark))
      findings.add(45, "what follows event " + std::to_string(mark) + " of " + path +
                           " has run, and it is not stored");
  }
  void answered(const std::string& path, std::uint32_t round) { answers_[path] = round; }
  std::string another_than(const std::string& path) {
    const std::string other = path_of(random_.below(ledgers_));
    return other == path ? std::string{} : other;
  }
  bool fails() { return !is_calm_ && random_.below(8) == 0; }

  Findings findings;

 private:
  static std::string path_of(std::uint64_t number) {
    return "/user/s" + std::to_string(number) + "/ledger";
  }
  static std::uint64_t number_of(std::string_view path) {
    return static_cast<std::uint64_t>(path[std::string_view{"/user/s"}.size()] - '0');
  }

  void boot() {
    saw("boot", 0);
    world_ = std::make_unique<SimWorld>(
        SimWorld::Options{
            .seed = mixed(seed_, 27, ++boots_),
            .workers = 1 + static_cast<unsigned>(random_.below(3)),
            .slice_max = 1 + static_cast<std::uint32_t>(random_.below(6)),
            .store = store_,
            .journal = {.recovery_timeout_ns =
                            static_cast<std::int64_t>(4 + random_.below(40)) * ms,
                        .recovering_max = 1 + random_.below(3),
                        .snapshot_every = random_.below(3) == 0 ? 1 + random_.below(6) : 0,
                        .deletes_events = random_.below(2) == 0,
                        .group_events_max = 1 + random_.below(8),
                        .small_recovery_bytes = random_.below(2) * 64}},
        archive_plugin());
    ACTORD_ASSERT(world_->system().add_plugin(pattern::plugin()).ok());
    world_->start({});
    for (std::uint64_t i = 0; i < ledgers_; ++i) {
      const auto verdict = random_.below(4);
      Strategy strategy = one_for_one().otherwise(verdict < 2    ? Directive::restart
                                                  : verdict == 2 ? Directive::resume
                                                                 : Directive::stop);
      world_->request<BackoffSupervisor<Ledger>>(
          "s" + std::to_string(i),
          BackoffOptions::on_stop(std::chrono::milliseconds{1}, std::chrono::milliseconds{8})
              .auto_reset(std::chrono::milliseconds{4})
              .strategy(std::move(strategy)),
          std::string{"ledger"});
    }
    world_->run();
  }

  std::optional<persist::StoreError> fault_at(WatchedStore::Point point) {
    using persist::Fault;
    if (is_cut_) return persist::StoreError{Fault::io, "the power is off"};
    if (is_calm_ || faults_ == 0 || random_.below(faults_) != 0) return {};
    saw("fault", static_cast<std::uint64_t>(point));
    if (point != WatchedStore::Point::write) return persist::StoreError{Fault::io, "an error"};
    constexpr Fault faults[] = {Fault::io, Fault::full, Fault::read_only};
    return persist::StoreError{faults[random_.below(3)], "an error"};
  }
  void written(std::string_view id, std::uint32_t mark) {
    saw("written", number_of(id), mark);
    if (std::ranges::count(store_->marks(id), mark) != 1)
      findings.add(44, "event " + std::to_string(mark) + " is stored twice");
    if (taken_back_.contains(mark))
      findings.add(47, "event " + std::to_string(mark) + " of a handler that failed is stored");
  }

  void act() {
    faults_ = random_.below(4) == 0 ? 0 : 2 + random_.below(40);
    for (std::uint64_t i = 0, n = 10 + random_.below(60); i < n && findings.empty(); ++i) {
      operate();
      for (std::uint64_t s = 0, steps = random_.below(12); s < steps && step(); ++s) {}
    }
  }
  void operate() {
    const std::uint64_t drawn = random_.below(16);
    if (drawn == 0) return pause_journal();
    if (drawn < 3)
      return world_->simulator().advance(static_cast<std::int64_t>(random_.below(9)) * ms);
    const std::string path = path_of(random_.below(ledgers_));
    const Ref ledger{world_->system().find(path)};
    if (!ledger) return;
    if (drawn == 3 && random_.below(4) == 0) return world_->stop(ledger.value);
    if (drawn == 4 && random_.below(2) == 0) return restart(ledger.value);
    world_->tell(ledger.value, Job{static_cast<Task>(random_.below(tasks))});
  }
  // As by an operator: whatever the ledger waits for.
  void restart(actor::Ref ledger) {
    using actor::Order;
    base::IntrusivePtr<Order> order(new Order(Order::Kind::restart, "by order", {}));
    world_->system().send_system(ledger, actor::SystemMessage::order(std::move(order)));
  }
  // A medium that hangs. Time may pass meanwhile, and recoveries take too long.
  void pause_journal() {
    const actor::Ref journal = world_->system().find("/system/journal");
    if (journal == actor::nobody) return;
    is_paused_ = !is_paused_;
    world_->system().send_system(
        journal, is_paused_ ? actor::SystemMessage::suspend() : actor::SystemMessage::resume());
  }
  bool step() {
    if (!findings.empty() || !world_->step()) return false;
    // The scan takes a suspension that no failure accounts for as an error.
    if (++steps_ % steps_between_scans == 0 && !is_paused_) scan_running(*world_, findings);
    return findings.empty();
  }

  // Nothing fails any more: every ledger is there again, has what is stored, and what was sent has
  // arrived.
  void calm() {
    is_calm_ = true;
    if (is_paused_) pause_journal();
    settle();
    if (!findings.empty()) return;
    scan_settled(*world_, findings);
    ++rounds_;
    for (std::uint64_t i = 0; i < ledgers_; ++i)
      world_->tell(world_->system().find(path_of(i)), Audit{rounds_});
    settle();
    for (std::uint64_t i = 0; i < ledgers_ && findings.empty(); ++i)
      if (answers_[path_of(i)] != rounds_)
        findings.add(6, path_of(i) + " does not answer, although nothing fails any more");
  }
  void settle() {
    for (int i = 0; i < 10'000 && findings.empty(); ++i) {
      while (step()) {}
      const std::int64_t due = world_->simulator().timers().earliest_due();
      if (due == sched::TimerWheel::never) return;
      world_->simulator().skip_to(due);
    }
    if (findings.empty()) findings.add(6, "the system does not come to rest");
  }

  void shut_down() {
    if (is_paused_) pause_journal();
    world_->system().terminate();
    if (!world_->run_until_stopped()) findings.add(36, "the system does not stop");
    if (findings.empty()) scan_stopped(*world_, findings);
    world_.reset();
    for (const auto& [path, living] : living_)
      if (living != 0) findings.add(11, "an instance of " + path + " is left");
  }

 public:
  // ---- what has arrived ----
  void sent(std::uint32_t mark, const std::string& to) { parcels_[mark] = to; }
  void check_parcels_of(const Marks& sender) {
    for (const auto& [mark, to] : parcels_) {
      if (std::ranges::count(sender.all, mark) == 0) continue;
      if (std::ranges::count(store_->marks(to), mark) != 1)
        findings.add(48, "parcel " + std::to_string(mark) + " was not received once by " + to);
    }
  }

 private:
  const std::uint64_t seed_;
  base::Random random_;
  EventTrace trace_;
  const std::shared_ptr<WatchedStore> store_;
  std::unique_ptr<SimWorld> world_;
  std::uint64_t ledgers_ = 0;
  std::uint64_t faults_ = 0;  // one call of so many fails; 0: none
  std::uint32_t marks_ = 0, rounds_ = 0;
  std::set<std::uint32_t> taken_back_;
  std::map<std::uint32_t, std::string> parcels_;  // the receivers by mark
  std::map<std::string, int> living_;
  std::map<std::string, std::uint32_t> answers_;
  bool is_calm_ = false, is_cut_ = false, is_paused_ = false;
  std::uint64_t boots_ = 0, steps_ = 0;
};

Ledger::Ledger(Context& ctx) : path_(ctx.path(ctx.self())) { archive->begins(path_); }
Ledger::~Ledger() { archive->ends(path_); }

void Ledger::recovery_completed(Context& /*ctx*/) { archive->compare(path_, state(), "recovered"); }

void Ledger::begin_message(Context& ctx) {
  archive->handles(path_, waits_for_, is_recovering(ctx));
}

void Ledger::enter(Context& ctx, bool fails_then) {
  ++waits_for_;
  persist(ctx, Entered{archive->new_mark()}, [this, fails_then](const Entered& event) {
    --waits_for_;
    archive->follows(path_, event.mark);
    if (fails_then) throw Broken("after an event");
  });
}

void Ledger::job(Context& ctx, const Job& job) {
  begin_message(ctx);
  switch (job.task) {
    case Task::rest: return;
    case Task::enter: return enter(ctx);
    case Task::enter_async:
      return persist_async(ctx, Entered{archive->new_mark()},
                           [this](const Entered& event) { archive->follows(path_, event.mark); });
    case Task::enter_several:
      enter(ctx);
      enter(ctx);
      return enter(ctx);
    case Task::enter_and_defer: {
      enter(ctx);
      return defer(ctx, [this] {
        if (waits_for_ != 0) archive->findings.add(46, path_ + " does deferred work too early");
      });
    }
    case Task::enter_and_fail: {
      const std::uint32_t mark = archive->new_mark();
      archive->fails_with(mark);
      persist(ctx, Entered{mark}, [this, mark] { archive->follows(path_, mark); });
      throw Broken("with an event");
    }
    case Task::fail_when_entered: return enter(ctx, true);
    case Task::fail: throw Broken("broken");
    case Task::reject: {
      const std::uint32_t before = rejected_;
      persist(ctx, Loan{ctx.self()});
      if (rejected_ == before) archive->findings.add(45, path_ + " is not told of a rejection");
      return;
    }
    case Task::snapshot: return save_snapshot(ctx);
    case Task::remove: return delete_events(ctx, sequence(ctx));
    case Task::send: {
      const std::string to = archive->another_than(path_);
      if (to.empty()) return;
      ++waits_for_;
      const std::uint32_t mark = archive->new_mark();
      archive->sent(mark, to);
      return persist(ctx, Sent{mark, to}, [this](const Sent& event) {
        --waits_for_;
        archive->follows(path_, event.mark);
      });
    }
  }
}

void Ledger::audit(Context& ctx, const Audit& audit) {
  begin_message(ctx);
  archive->compare(path_, state(), "audited");
  if (unconfirmed() != 0)
    archive->findings.add(48, path_ + " has parcels that nobody has confirmed");
  archive->check_parcels_of(state());
  archive->answered(path_, audit.round);
}

void Ledger::parcel(Context& ctx, const Parcel& parcel) {
  begin_message(ctx);
  if (archive->fails()) throw Broken("for a parcel");
  if (state().deliveries.has(parcel.delivery)) return confirm_delivery(ctx, parcel.delivery);
  ++waits_for_;
  persist(ctx, Received{parcel.mark, parcel.delivery}, [this](Context& c, const Received& event) {
    --waits_for_;
    archive->follows(path_, event.mark);
    if (!archive->fails()) confirm_delivery(c, event.delivery);
  });
}

Outcome play(std::uint64_t seed, const RunOptions& options) { return Archive(seed, options).run(); }

}  // namespace

const Profile journal_profile{
    .name = "journal",
    .about = "persistent actors on a store that fails, through systems that end at any moment",
    .play = play,
};

}  // namespace actord::sim
