// SPDX-License-Identifier: Apache-2.0
#include "sim/isolation_profile.hpp"

#include <map>
#include <set>

#include "link/loopback.hpp"
#include "sim/event_trace.hpp"
#include "sim/scan.hpp"
#include "sim/scenario.hpp"

namespace actord::sim {

namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::uint64_t steps_between_scans = 256;
constexpr std::size_t lodgers_max = 60;

using Fate = link::Loopback::Fate;

class Stay;
Stay* stay = nullptr;  // the run; an actor of a host has no arguments

/// What an actor does besides noting the message.
enum class Task : std::uint8_t {
  rest,
  tell,
  fail,
  crash,
  tell_and_crash,
  spawn,
  stash,
  timer,
  ask
};
constexpr std::uint64_t tasks = static_cast<std::uint64_t>(Task::ask) + 1;

struct Job {
  std::uint32_t number = 0;  // of Stay::jobs
  Task task = Task::rest;
};
struct Ping {
  std::uint32_t round = 0;
};
struct Query {
  std::string text;  // makes it a message that is packed
};
struct Found {
  std::string text;
};
ACTORD_ENUM(Task, rest, tell, fail, crash, tell_and_crash, spawn, stash, timer, ask)
ACTORD_MESSAGE(Job, "stay.Job/1", number, task)
ACTORD_MESSAGE(Ping, "stay.Ping/1", round)
ACTORD_MESSAGE(Query, "stay.Query/1", text)
ACTORD_MESSAGE(Found, "stay.Found/1", text)

/// An actor in a host process.
class Lodger : public Actor {
 public:
  explicit Lodger(Context& ctx);
  ~Lodger() override;

  void job(Context& ctx, const Job& job);
  void ping(Context& ctx, const Ping& ping);
  void query(Context& ctx, const Query& query) { ctx.reply(Found{query.text}); }
  void found(Context&, const Reply<Found>&) {}

  using Receive = Handlers<&Lodger::job, &Lodger::ping, &Lodger::query>;

 private:
  std::uint32_t stashed_ = 0;
};

/// A supervisor in actord.
class Keeper : public Actor {
 public:
  explicit Keeper(Context&) {}
  Directive decide(Context& ctx, const Failure& failure) override;
  void ping(Context& ctx, const Ping& ping);
  using Receive = Handlers<&Keeper::ping>;
};

const actord_plugin& stay_plugin() {
  return *plugin_table<Behaviours<Lodger, Keeper>, Messages<Job, Ping, Query, Found>>("stay", "1");
}

struct Broken : Error {
  using Error::Error;
};

/// One run.
class Stay {
 public:
  Stay(std::uint64_t seed, const RunOptions& options) : random_(mixed(seed, 24)), trace_(options) {
    stay = this;
    world_ = std::make_unique<SimWorld>(
        SimWorld::Options{.seed = mixed(seed, 25),
                          .workers = 1 + static_cast<unsigned>(random_.below(3)),
                          .slice_max = 1 + static_cast<std::uint32_t>(random_.below(6))},
        stay_plugin());
    hosts_ = std::make_unique<link::Loopback>(world_->system());
    world_->system().isolator = hosts_.get();
    auto added = link::IsolatedPlugin::add(world_->system(), stay_plugin(), *hosts_, {});
    ACTORD_ASSERT(added.ok());
    plugin_ = std::move(added).value();
    hosts_->use(stay_plugin(), *plugin_);
  }
  ~Stay() {
    world_.reset();  // before what its behaviours point to
    stay = nullptr;
  }

  Outcome run() {
    world_->start(tree());
    if (!world_->has_stopped()) act();
    calm();
    shut_down();
    hosts_->forget_dead();
    if (living != 0) findings.add(11, std::to_string(living) + " instances are left");
    return trace_.outcome(findings.first());
  }

  void saw(const char* what, std::uint64_t who, std::uint64_t detail = 0) {
    if (findings.empty()) trace_.add(what, who, detail);
  }

  // ---- for the actors ----
  std::uint32_t number_of(actor::Ref ref) {
    const auto [at, is_new] =
        numbers_.try_emplace(ref, static_cast<std::uint32_t>(lodgers_.size()));
    if (is_new) lodgers_.push_back({.ref = ref});
    return at->second;
  }
  bool has_room() const { return lodgers_.size() < lodgers_max && !is_calm_; }

  void begin(actor::Ref self, std::uint32_t number) {
    const std::uint32_t who = number_of(self);
    saw("job", who, number);
    Sent& sent = jobs_[number];
    if (sent.to != self) findings.add(29, "a job has another receiver");
    if (sent.is_set_aside) {
      sent.is_set_aside = false;
      return;
    }
    if (std::exchange(sent.is_begun, true))
      findings.add(16, "actor " + std::to_string(who) + " gets a message again");
    std::uint32_t& last = last_begun_[{sent.from, self}];
    if (number < last)
      findings.add(17,
                   "actor " + std::to_string(who) + " gets messages of one sender out of order");
    last = number;
  }
  void set_aside(std::uint32_t number) { jobs_[number].is_set_aside = true; }
  void pong(actor::Ref self, std::uint32_t round) { lodgers_[number_of(self)].answered = round; }

  Job job_for(actor::Ref from, actor::Ref to) {
    jobs_.push_back({.from = from, .to = to});
    const std::uint64_t drawn = random_.below(24);
    const Task task = drawn < tasks && !is_calm_ ? static_cast<Task>(drawn) : Task::rest;
    return {static_cast<std::uint32_t>(jobs_.size() - 1), task};
  }
  actor::Ref any_lodger() { return lodgers_[random_.below(lodgers_.size())].ref; }
  // What a lodger spawns lives where it lives.
  void crash(std::string path) {
    while (!groups_.contains(path)) path.resize(path.rfind('/'));
    saw("crash", 0);
    hosts_->kill({"stay", groups_[path]});
  }

  // A keeper judges. A WorkerCrash is told of an actor whose process has ended, and of no other.
  void judges(actor::Ref child, const Failure& failure) {
    const std::uint32_t who = number_of(child);
    const actor::Cell& cell = world_->cell(child);
    saw("judged", who, world_->cell(child).life.incarnation());
    Lodger_& it = lodgers_[who];
    if (!failure.is("actord::PeerCrash")) ++it.charged;
    const bool is_crash = failure.is<WorkerCrash>();
    const bool is_lost = !world_->is_alive(child) || cell.instance == nullptr ||
                         cell.props->behaviour.remoting->is_lost(cell.instance);
    if (is_crash && !is_lost && !is_together(child))
      findings.add(8, "actor " + std::to_string(who) + " fails for the end of a former process");
  }

  int living = 0;
  Findings findings;

 private:
  struct Lodger_ {
    actor::Ref ref = actor::nobody;
    std::uint32_t answered = 0;  // the round of the last ping
    std::int64_t charged = 0;    // failures that a limit counts
  };
  struct Sent {
    actor::Ref from, to;
    bool is_begun = false, is_set_aside = false;
  };
  struct KeeperPlan {
    bool is_together = false, may_stop = false;
    std::int64_t limit = -1;
  };

  actor::NodeSpec tree() {
    actor::NodeSpec user;
    user.options.strategy = actor::default_strategy();
    user.options.strategy->is_logging = false;
    const auto& known = world_->system().behaviours();
    const std::uint64_t keepers = 1 + random_.below(3), groups = 1 + random_.below(3);
    for (std::uint64_t k = 0; k < keepers; ++k) {
      actor::NodeSpec& keeper = user.children.emplace_back();
      keeper.name = "k" + std::to_string(k);
      keeper.behaviour = *known.find("stay/Keeper");
      keeper.options.isolation = actor::Isolation::thread;
      keeper.options.strategy = strategy_of(keepers_["/user/" + keeper.name]);
      for (std::uint64_t l = 0, n = 1 + random_.below(4); l < n; ++l)
        add_lodger(keeper, "/user/" + keeper.name, "l" + std::to_string(l), groups, 0);
    }
    return user;
  }
  void add_lodger(actor::NodeSpec& parent, const std::string& above, std::string name,
                  std::uint64_t groups, int depth) {
    actor::NodeSpec& node = parent.children.emplace_back();
    node.name = std::move(name);
    node.behaviour = *world_->system().behaviours().find("stay/Lodger");
    node.options.worker_group = "g" + std::to_string(random_.below(groups));
    KeeperPlan ignored;
    node.options.strategy = strategy_of(ignored);
    const std::string path = above + '/' + node.name;
    groups_[path] = node.options.worker_group;
    if (depth == 2 || random_.below(3) != 0) return;
    for (std::uint64_t i = 0, n = 1 + random_.below(2); i < n; ++i)
      add_lodger(node, path, "l" + std::to_string(i), groups, depth + 1);
  }
  actor::Strategy strategy_of(KeeperPlan& plan) {
    actor::Strategy strategy = actor::default_strategy();
    strategy.is_logging = false;
    strategy.asks_code_first = true;  // Keeper::decide() watches
    const std::uint64_t verdict = random_.below(8);
    using enum actor::Strategy::Otherwise;
    strategy.otherwise = verdict < 5 ? restart : verdict < 7 ? resume : stop;
    plan.may_stop = strategy.otherwise == stop;
    plan.is_together = random_.below(4) == 0;
    if (plan.is_together) strategy.kind = actor::Strategy::Kind::all_for_one;
    if (random_.below(3) == 0)
      strategy.restart_limit.max_restarts = plan.limit =
          1 + static_cast<std::int64_t>(random_.below(6));
    if (random_.below(4) == 0)
      strategy.backoff = actor::Backoff{.min_ns = ms, .max_ns = 8 * ms, .reset_after_ns = 4 * ms};
    return strategy;
  }
  const KeeperPlan* plan_above(actor::Ref lodger) const {
    const std::string path = world_->system().path(lodger);
    const auto found = keepers_.find(path.substr(0, path.rfind('/')));
    return found == keepers_.end() ? nullptr : &found->second;
  }
  bool is_together(actor::Ref lodger) const {
    const KeeperPlan* const plan = plan_above(lodger);
    return plan == nullptr || plan->is_together;
  }

  void act() {
    const std::uint64_t often = 2 + random_.below(60);  // one call of so many ends the process
    // Every end causes calls that may end the next process: without a limit it would never stop.
    hosts_->choose_fates_with([this, often, left = 50]() mutable {
      if (is_calm_ || left == 0 || random_.below(often) != 0) return Fate::turns;
      --left;
      const auto fate = static_cast<Fate>(1 + random_.below(3));
      saw("fate", static_cast<std::uint64_t>(fate));
      return fate;
    });
    for (std::uint64_t i = 0, n = 20 + random_.below(120); i < n && findings.empty(); ++i) {
      if (lodgers_.empty() || world_->has_stopped()) break;
      operate();
      for (std::uint64_t s = 0, steps = random_.below(12); s < steps && step(); ++s) {}
    }
    is_calm_ = true;
    hosts_->choose_fates_with({});
  }
  void operate() {
    const std::uint64_t drawn = random_.below(16);
    if (drawn == 0) return hosts_->kill({"stay", "g" + std::to_string(random_.below(3))});
    if (drawn == 1)
      return world_->simulator().advance(static_cast<std::int64_t>(random_.below(9)) * ms);
    const actor::Ref to = any_lodger();
    world_->tell(to, job_for(actor::nobody, to));
  }
  bool step() {
    if (!findings.empty() || !world_->step()) return false;
    if (++steps_ % steps_between_scans == 0) scan_running(*world_, findings);
    return findings.empty();
  }

  // Nothing fails any more: everything comes to rest, and every living actor answers.
  void calm() {
    is_calm_ = true;
    for (int i = 0; i < 1'000 && findings.empty(); ++i) {
      while (step()) {}
      const std::int64_t due = world_->simulator().timers().earliest_due();
      if (due == sched::TimerWheel::never || world_->has_stopped()) break;
      world_->simulator().skip_to(due);
    }
    if (!findings.empty() || world_->has_stopped()) return;
    scan_settled(*world_, findings);
    for (const Lodger_& each : lodgers_) world_->tell(each.ref, Ping{1});
    while (step()) {}
    for (std::uint32_t who = 0; who < lodgers_.size() && findings.empty(); ++who) check(who);
  }
  void check(std::uint32_t who) {
    const Lodger_& it = lodgers_[who];
    const bool is_alive = world_->is_alive(it.ref);
    if (is_alive && it.answered != 1)
      return findings.add(6, "actor " + std::to_string(who) + " lives and does not answer");
    if (is_alive) {
      for (const Sent& sent : jobs_) {
        if (sent.to == it.ref && sent.from == actor::nobody && !sent.is_begun)
          return findings.add(16, "a message of actor " + std::to_string(who) + " is lost");
      }
      return;
    }
    const KeeperPlan* const plan = died_below(it.ref);
    if (plan != nullptr && !plan->is_together && !plan->may_stop &&
        (plan->limit < 0 || it.charged <= plan->limit))
      findings.add(25, "actor " + std::to_string(who) + " is stopped within its limit");
  }
  // The keeper of a configured child that is gone: its path is that of the first of its name.
  const KeeperPlan* died_below(actor::Ref lodger) const {
    const auto found = paths_.find(lodger);
    if (found == paths_.end()) return nullptr;
    const auto keeper = keepers_.find(found->second.substr(0, found->second.rfind('/')));
    return keeper == keepers_.end() ? nullptr : &keeper->second;
  }

  void shut_down() {
    if (!world_->has_stopped()) world_->system().terminate();
    if (!world_->run_until_stopped()) findings.add(36, "the system does not stop");
    if (findings.empty()) scan_stopped(*world_, findings);
  }

 public:
  void moved_in(actor::Ref ref, std::string path) { paths_.try_emplace(ref, std::move(path)); }

 private:
  base::Random random_;
  EventTrace trace_;
  std::unique_ptr<link::Loopback> hosts_;
  std::unique_ptr<link::IsolatedPlugin> plugin_;
  std::unique_ptr<SimWorld> world_;
  std::map<std::string, KeeperPlan, std::less<>> keepers_;
  std::map<std::string, std::string, std::less<>> groups_;  // by path
  std::map<actor::Ref, std::uint32_t> numbers_;
  std::map<actor::Ref, std::string> paths_;
  std::vector<Lodger_> lodgers_;
  std::vector<Sent> jobs_;
  std::map<std::pair<actor::Ref, actor::Ref>, std::uint32_t> last_begun_;
  bool is_calm_ = false;
  std::uint64_t steps_ = 0;
};

Lodger::Lodger(Context& ctx) {
  stay->saw("moves in", stay->number_of(ctx.self().value));
  stay->moved_in(ctx.self().value, ctx.path(ctx.self()));
  ++stay->living;
}
Lodger::~Lodger() { --stay->living; }

void Lodger::job(Context& ctx, const Job& job) {
  stay->begin(ctx.self().value, job.number);
  const actor::Ref other = stay->any_lodger();
  const auto tell = [&] {
    if (stay->has_room()) ctx.tell(Ref{other}, stay->job_for(ctx.self().value, other));
  };
  switch (job.task) {
    case Task::rest: return;
    case Task::tell: return tell();
    case Task::fail: throw Broken("broken");
    case Task::tell_and_crash: tell(); [[fallthrough]];
    case Task::crash: return stay->crash(ctx.path(ctx.self()));
    case Task::spawn:
      if (stay->has_room()) ctx.spawn<Lodger>("");
      return;
    case Task::stash:
      if (++stashed_ % 4 == 0) return ctx.unstash_all();
      stay->set_aside(job.number);
      return ctx.stash();
    case Task::timer: return ctx.start_timer("ping", std::chrono::milliseconds{2}, Ping{});
    case Task::ask:
      return ctx.ask<&Lodger::found>(Ref{other}, Query{"where"}, std::chrono::milliseconds{5});
  }
}

void Lodger::ping(Context& ctx, const Ping& ping) {
  if (ping.round != 0) stay->pong(ctx.self().value, ping.round);
}

Directive Keeper::decide(Context& ctx, const Failure& failure) {
  stay->judges(ctx.sender().value, failure);
  return Directive::undecided;
}

void Keeper::ping(Context&, const Ping&) {}

Outcome play(std::uint64_t seed, const RunOptions& options) { return Stay(seed, options).run(); }

}  // namespace

const Profile isolation_profile{
    .name = "isolation",
    .about = "actors in host processes that end at any moment, by the loopback of the link",
    .play = play,
};

}  // namespace actord::sim
