// SPDX-License-Identifier: Apache-2.0
//
// Uses a template of each public header, so that a header that leaves out what its templates need
// does not compile when it comes first (CMakeLists.txt).
#include <actord/actord.hpp>
#include <actord/at_least_once.hpp>
#include <actord/backoff_supervisor.hpp>
#include <actord/circuit_breaker.hpp>
#include <actord/closure_actor.hpp>
#include <actord/coordinated_shutdown.hpp>
#include <actord/persistent.hpp>
#include <actord/persistent_state_machine.hpp>
#include <actord/rate_limiter.hpp>
#include <actord/retry.hpp>
#include <actord/router.hpp>
#include <actord/shared_circuit_breaker.hpp>
#include <actord/state_machine.hpp>

namespace all {

using namespace std::chrono_literals;

struct Work {
  int n = 0;
};
ACTORD_MESSAGE(Work, "all.Work/1", n)
struct Parcel {
  actord::DeliveryId delivery;
};
ACTORD_MESSAGE(Parcel, "all.Parcel/1", delivery)

class Hand : public actord::Actor {
 public:
  Work work(const Work& work) { return work; }
  using Receive = actord::Handlers<&Hand::work>;
};

class Store : public actord::Persistent<Store, Work> {
 public:
  void work(actord::Context& ctx, const Work& work) {
    persist(ctx, work, [](actord::Context& c, const Work& event) { c.reply(Work{event}); });
    defer(ctx, [] {});
    save_snapshot(ctx);
  }
  void apply(Work& state, const Work& event) { state.n += event.n; }
  using Events = actord::Events<Work>;
  using Receive = actord::Handlers<&Store::work>;
};

class Keeper : public actord::DurableState<Keeper, Work> {
 public:
  void work(actord::Context& ctx, const Work& work) { store(ctx, work); }
  using Receive = actord::Handlers<&Keeper::work>;
};

class Post : public actord::AtLeastOnce<Post, Work> {
 public:
  void work(actord::Context& ctx, const Work& work) { persist(ctx, work); }
  void apply(Work&, const Work&) {
    deliver("/user/store", [](const actord::DeliveryId& id) { return Parcel{id}; });
  }
  using Events = actord::Events<Work>;
  using Receive = Delivering<&Post::work>;
};

enum class Lamp { off, on };
ACTORD_ENUM(Lamp, off, on)

class Switch : public actord::StateMachine<Switch, Lamp> {
 public:
  Switch() : StateMachine(Lamp::off) {}
  Next work(const Work&) { return go_to<Lamp::on>(); }
  using Receive = When<Lamp::off, &Switch::work>;
  using States = actord::States<When<Lamp::on, &Switch::work>>;
};

class Gate : public actord::PersistentStateMachine<Gate, Lamp, Work> {
 public:
  Gate() : PersistentStateMachine(Lamp::off) { state_timeout(Lamp::on, 1s); }
  Next work(const Work& work) {
    return go_to<Lamp::on>().persisting(Work{work}).replying(Work{}).then([] {});
  }
  Next close(const actord::StateTimeout&) { return go_to<Lamp::off>(); }
  void apply(Work& data, const Work& event) { data.n += event.n; }
  static constexpr std::string_view stored_as = "all.Gate/1";
  using Events = actord::Events<Work>;
  using Receive = When<Lamp::off, &Gate::work>;
  using States = actord::States<When<Lamp::on, &Gate::close>>;
};

class Boss : public actord::Actor {
 public:
  explicit Boss(actord::Context& ctx) : limiter_(actord::RateLimiterOptions{}) {
    router_ = ctx.spawn_router<Hand>("pool", actord::pool(2).scatter_gather_first(1s));
    ctx.spawn<actord::BackoffSupervisor<Hand>>("slow", actord::BackoffOptions::on_stop(1s, 2s),
                                               "hand");
    ctx.spawn<actord::ClosureActor>("closures", actord::Closures{}.on<Work>([](const Work&) {}));
    actord::on_shutdown(ctx, actord::phases::service_stop, "end");
  }
  void work(actord::Context& ctx, const Work& work) {
    if (!limiter_.try_take(ctx)) return;
    ctx.pipe<&Boss::done>([] { return Work{}; }, 1s);
    actord::retry_ask<&Boss::done>(ctx, router_, work, 1s);
    actord::ask_through<&Boss::breaker_, &Boss::done>(*this, ctx, router_, work, 1s);
    actord::ask_through<&Boss::shared_, &Boss::done>(*this, ctx, router_, work, 1s);
    ctx.select("/user/*").tell(work);
  }
  void done(const actord::Reply<Work>&) {}
  actord::ShutdownTaskDone end(const actord::ShutdownTask&) { return {}; }
  using Receive = actord::Handlers<&Boss::work, &Boss::end>;

 private:
  actord::Ref router_;
  actord::RateLimiter limiter_;
  actord::CircuitBreaker breaker_{"one", {}};
  actord::SharedCircuitBreaker shared_{"all"};
};

}  // namespace all

ACTORD_PLUGIN("all", "1.0.0",
              actord::Behaviours<all::Hand, all::Store, all::Keeper, all::Post, all::Switch,
                                 all::Gate, all::Boss>,
              actord::Messages<all::Work, all::Parcel, all::Gate::Stored>)
