// SPDX-License-Identifier: Apache-2.0
//
// The tables that the host reads: behaviours with their hooks and strategies, and the plugin as a
// whole.
#include <doctest/doctest.h>

#include "unit/sdk/fake_host.hpp"
#include "unit/sdk/fake_values.hpp"

using namespace std::chrono_literals;
using fake::Node;
using fake::text;

namespace zoo {

struct Feed {
  int amount = 0;
};
ACTORD_MESSAGE(Feed, "zoo.Feed/1", amount)

struct Tick {
  static constexpr std::uint32_t message_flags = ACTORD_NO_ACTIVITY;
};
ACTORD_MESSAGE(Tick, "zoo.Tick/1")

struct CageConfig {
  actord::Required<std::string> name;
  int places = 2;
};
ACTORD_FIELDS(CageConfig, name, places)

struct Escaped : actord::Error {
  using Error::Error;
};

int alive = 0;  // living instances
struct Counted {
  Counted() { ++alive; }
  ~Counted() { --alive; }
};

class Cage : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Holds animals.";
  using Config = CageConfig;
  static actord::Strategy supervision() {
    return actord::all_for_one({.max_restarts = 3, .within = 1min})
        .on<std::runtime_error>(actord::Directive::restart)
        .on<actord::InitializationFailure>(actord::Directive::restart, actord::Level::info)
        .on("other::Timeout", actord::Directive::resume)
        .backoff({.min = 1s, .max = 30s, .capacity = 5})
        .silent();
  }
  explicit Cage(const Config& config) : name_(config.name), places_(config.places) {
    if (places_ > 100) throw actord::Error("too many places", {{"places", places_}});
  }
  void feed(const Feed&) {}
  using Receive = actord::Handlers<&Cage::feed>;

  std::string name_;
  int places_;
  Counted counted_;

 private:
  void post_stop(actord::Context&) override {
    throw std::logic_error("locked");
  }  // private on purpose
  actord::Directive decide(actord::Context& ctx, const actord::Failure& failure) override {
    if (failure.is<actord::Killed>()) ctx.fail("the keeper failed");
    return actord::Directive::stop;
  }
};

/// Overrides nothing, and needs no arguments.
class Plain : public actord::Actor {
 public:
  static constexpr std::string_view name = "Simple";
  void tick(actord::Context&, const Tick&) {}
  using Receive = actord::Handlers<&Plain::tick>;
};

class Hooked : public Plain {
 public:
  static constexpr std::string_view name = "Hooked";
  void pre_restart(actord::Context& ctx, const actord::Failure& reason) override {
    why_ = reason.what();
    Actor::pre_restart(ctx, reason);
  }
  void post_stop(actord::Context& ctx) override { ctx.log(actord::Level::info, "bye"); }
  void log_failure(actord::Context&, const actord::Failure&, actord::Directive d) override {
    directive_ = d;
  }
  void child_terminated(actord::Context&, actord::Ref child) override { child_ = child; }

  std::string why_;
  actord::Directive directive_{};
  actord::Ref child_;
};

/// Fails in its constructor, without a throw.
class StillBorn : public actord::Actor {
 public:
  explicit StillBorn(actord::Context& ctx) { ctx.fail("no"); }
  void tick(const Tick&) {}
  using Receive = actord::Handlers<&StillBorn::tick>;
  Counted counted_;
};

class NeedsArguments : public actord::Actor {
 public:
  explicit NeedsArguments(int) {}
  void tick(const Tick&) {}
  using Receive = actord::Handlers<&NeedsArguments::tick>;
};

struct First {
  virtual ~First() = default;
  int filler = 0;
};
class WrongOrder : public First, public actord::Actor {
 public:
  void tick(const Tick&) {}
  using Receive = actord::Handlers<&WrongOrder::tick>;
  Counted counted_;
};

template <class T>
class Box : public actord::Actor {
 public:
  void tick(const Tick&) {}
  using Receive = actord::Handlers<&Box::tick>;
};

struct Patient {
  static constexpr std::string_view doc = "Restarts for ever.";
  static actord::Strategy supervision() {
    return actord::one_for_one().otherwise(actord::Directive::restart);
  }
  static actord::Directive decide(const actord::Failure& failure) {
    if (failure.is<actord::Killed>()) throw std::runtime_error("cannot tell");
    return failure.is_foreign() ? actord::Directive::escalate : actord::Directive::undecided;
  }
};

struct Zoo {
  static constexpr std::string_view doc = "Animals.";
  static constexpr std::uint64_t flags = ACTORD_HAS_THREADS;
  static void attach(actord::System system) { system.log(actord::Level::info, "opened"); }
  static void detach() { throw std::runtime_error("somebody is still inside"); }
};

const actord_plugin* plugin() {
  return actord::plugin_table<actord::Messages<Feed, Tick>, actord::Failures<Escaped, int>,
                              actord::Behaviours<Cage, Plain, Hooked>,
                              actord::Configurators<Patient>, actord::Module<Zoo>>("zoo", "2.1.0");
}

actord_failure killed() {
  return actord::detail::plain_failure(actord::detail::chain_of(typeid(actord::Killed)), "killed");
}

}  // namespace zoo

using actord::detail::behaviour_table;

TEST_SUITE_BEGIN("sdk/behaviour_table");

TEST_CASE("a behaviour goes by its class, without the namespace, or by the name it chose") {
  CHECK(text(behaviour_table<zoo::Cage>()->name) == "Cage");
  CHECK(text(behaviour_table<zoo::Plain>()->name) == "Simple");
  CHECK(text(behaviour_table<zoo::Box<zoo::Feed>>()->name) == "Box<zoo::Feed>");
  CHECK(text(behaviour_table<zoo::Cage>()->doc) == "Holds animals.");
  CHECK(behaviour_table<zoo::Cage>()->size == sizeof(zoo::Cage));
}

TEST_CASE("a hook that is not overridden is a null entry; a private override is an entry") {
  const actord_behaviour& plain = *behaviour_table<zoo::Plain>();
  CHECK_FALSE((plain.pre_start || plain.post_stop || plain.pre_restart || plain.post_restart ||
               plain.decide || plain.log_failure || plain.child_terminated));
  const actord_behaviour& cage = *behaviour_table<zoo::Cage>();
  CHECK(static_cast<bool>(cage.post_stop));
  CHECK(static_cast<bool>(cage.decide));
  CHECK_FALSE(static_cast<bool>(cage.pre_restart));
}

TEST_CASE("a strategy is given to the host as data") {
  const actord_strategy& s = *behaviour_table<zoo::Cage>()->strategy;
  CHECK(s.kind == ACTORD_ALL_FOR_ONE);
  CHECK(s.max_restarts == 3);
  CHECK(s.within_ns == 60'000'000'000);
  REQUIRE(s.n_rules == 3);
  CHECK(text(s.rules[0].type) == "std::runtime_error");
  CHECK(s.rules[0].directive == ACTORD_RESTART);
  CHECK(s.rules[0].level == -1);
  CHECK(text(s.rules[1].type) == "actord::InitializationFailure");
  CHECK(s.rules[1].level == ACTORD_INFO);
  CHECK(text(s.rules[2].type) == "other::Timeout");
  CHECK(s.otherwise == ACTORD_ESCALATE);
  CHECK(s.is_logging == 0);
  REQUIRE(s.backoff != nullptr);
  CHECK(s.backoff->max_ns == 30'000'000'000);
  CHECK(s.backoff->random_factor == 0.2);
  CHECK(s.backoff->capacity == 5);
}

TEST_CASE(
    "a strategy without rules leaves judging to the default decider, unless it says otherwise") {
  CHECK(actord::StrategyTable{actord::one_for_one({.max_restarts = 1})}.c()->otherwise ==
        ACTORD_UNDECIDED);
  CHECK(actord::StrategyTable{actord::one_for_one().otherwise(actord::Directive::stop)}
            .c()
            ->otherwise == ACTORD_STOP);
  CHECK(actord::StrategyTable{
            actord::one_for_one().on<int>(actord::Directive::stop).with_default_decider()}
            .c()
            ->otherwise == ACTORD_UNDECIDED);
  CHECK(static_cast<bool>(behaviour_table<zoo::Plain>()->strategy) == false);
}

TEST_CASE("a behaviour is built from its config") {
  fake::Host host;
  fake::Instance cage(behaviour_table<zoo::Cage>());
  const Node config = Node::map({{"name", Node::of("lions")}});
  REQUIRE(cage.create(host, config.value()) == ACTORD_OK);
  CHECK(static_cast<zoo::Cage*>(cage.self())->name_ == "lions");
  CHECK(static_cast<zoo::Cage*>(cage.self())->places_ == 2);
}

TEST_CASE("a bad config is rejected where it stands, and nothing is built") {
  fake::Host host;
  fake::Instance cage(behaviour_table<zoo::Cage>());
  const Node config = Node::map({{"name", Node::of("lions")}, {"places", Node::of("few")}});
  CHECK(cage.create(host, config.value()) == ACTORD_FAILED);
  CHECK(fake::complaint() == "expected an integer from -2147483648 to 2147483647");
  CHECK(zoo::alive == 0);
}

TEST_CASE("no config at all is a failure if something is required") {
  fake::Host host;
  fake::Instance cage(behaviour_table<zoo::Cage>());
  CHECK(cage.create(host) == ACTORD_FAILED);
  CHECK(host.errors.what == "config needs name, and there is none");
}

TEST_CASE("a constructor that throws is a failure with its details") {
  fake::Host host;
  fake::Instance cage(behaviour_table<zoo::Cage>());
  const Node config = Node::map({{"name", Node::of("lions")}, {"places", Node::of(101)}});
  CHECK(cage.create(host, config.value()) == ACTORD_FAILED);
  CHECK(host.errors.details == " places=101");
  CHECK(zoo::alive == 0);
}

TEST_CASE("a constructor that fails without a throw leaves nothing behind") {
  fake::Host host;
  fake::Instance born(behaviour_table<zoo::StillBorn>());
  CHECK(born.create(host) == ACTORD_FAILED);
  CHECK(host.errors.reports == 1);
  CHECK(zoo::alive == 0);
}

TEST_CASE("a class that cannot be built from config says so") {
  fake::Host host;
  CHECK(fake::Instance(behaviour_table<zoo::NeedsArguments>()).create(host) == ACTORD_FAILED);
  CHECK(host.errors.what == "can only be spawned from code: its constructor takes arguments");
}

TEST_CASE("a class whose first base is not Actor is refused at its creation") {
  fake::Host host;
  CHECK(fake::Instance(behaviour_table<zoo::WrongOrder>()).create(host) == ACTORD_FAILED);
  CHECK(host.errors.what == "actord::Actor must be the first base of zoo::WrongOrder");
  CHECK(zoo::alive == 0);
}

TEST_CASE("hooks reach their overrides, and defaults are made of public calls") {
  fake::Host host;
  const actord_behaviour& table = *behaviour_table<zoo::Hooked>();
  fake::Instance hooked(&table);
  REQUIRE(hooked.create(host) == ACTORD_OK);
  auto& actor = *static_cast<zoo::Hooked*>(hooked.self());
  const actord_failure reason = zoo::killed();
  CHECK(table.pre_restart(hooked.self(), &host.context, &reason, &host.errors) == ACTORD_OK);
  CHECK(actor.why_ == "killed");
  CHECK(host.cell.calls == std::vector<std::string>{"stop_children", "log 2  bye"});
  CHECK(table.log_failure(hooked.self(), &host.context, &reason, ACTORD_ESCALATE, &host.errors) ==
        ACTORD_OK);
  CHECK(actor.directive_ == actord::Directive::escalate);
  CHECK(table.child_terminated(hooked.self(), &host.context, 8, &host.errors) == ACTORD_OK);
  CHECK(actor.child_ == actord::Ref{8});
}

TEST_CASE("a hook that fails is reported") {
  fake::Host host;
  const actord_behaviour& table = *behaviour_table<zoo::Cage>();
  fake::Instance cage(&table);
  const Node config = Node::map({{"name", Node::of("lions")}});
  REQUIRE(cage.create(host, config.value()) == ACTORD_OK);
  CHECK(table.post_stop(cage.self(), &host.context, &host.errors) == ACTORD_FAILED);
  CHECK(host.errors.what == "locked");
  actord_directive directive = ACTORD_UNDECIDED;
  const actord_failure failure = zoo::killed();
  CHECK(table.decide(cage.self(), &host.context, &failure, &directive, &host.errors) ==
        ACTORD_FAILED);
  CHECK(host.errors.what == "the keeper failed");
}

TEST_CASE("a handler of a base class is called on the heir") {
  fake::Host host;
  fake::list(zoo::plugin());
  fake::Instance hooked(behaviour_table<zoo::Hooked>());
  REQUIRE(hooked.create(host) == ACTORD_OK);
  CHECK(hooked.receive(host, zoo::Tick{}) == ACTORD_OK);
}

TEST_CASE("a plugin lists its parts in any order, and imports the built-in messages") {
  const actord_plugin& p = *zoo::plugin();
  CHECK(text(p.name) == "zoo");
  CHECK(text(p.version) == "2.1.0");
  CHECK(text(p.doc) == "Animals.");
  CHECK(p.flags == ACTORD_HAS_THREADS);
  CHECK(p.abi_major == ACTORD_ABI_MAJOR);
  CHECK(p.n_behaviours == 3);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < p.n_messages; ++i) names.push_back(text(p.messages[i]->name));
  CHECK(names == std::vector<std::string>{"zoo.Feed/1", "zoo.Tick/1"});
  std::vector<std::string> imports;
  for (std::size_t i = 0; i < p.n_imports; ++i) imports.push_back(text(p.imports[i].name));
  for (const char* builtin :
       {"actord.Terminated/1", "actord.ReceiveTimeout/1", "actord.PoisonPill/1", "actord.Kill/1",
        "actord.DeadLetter/1", "actord.Unhandled/1", "actord.GetCurrentChild/1"}) {
    CAPTURE(builtin);
    CHECK(std::count(imports.begin(), imports.end(), builtin) == 1);
  }
  CHECK((p.messages[1]->flags & ACTORD_NO_ACTIVITY) != 0);
}

TEST_CASE("a plugin declares its failures with their bases, and without a list none") {
  const actord_plugin& p = *zoo::plugin();
  const auto names = [](const actord_type_chain& chain) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < chain.n_types; ++i) all.push_back(text(chain.types[i]));
    return all;
  };
  REQUIRE(p.n_failures == 2);
  CHECK(names(p.failures[0]) == std::vector<std::string>{"zoo::Escaped", "actord::Error",
                                                         "std::runtime_error", "std::exception"});
  CHECK(names(p.failures[1]) == std::vector<std::string>{"int", "actord::ForeignException"});
  CHECK(actord::plugin_table<actord::Messages<zoo::Feed>>("plain", "1")->n_failures == 0);
}

TEST_CASE("a configurator has a strategy under a name, and may decide in code") {
  REQUIRE(zoo::plugin()->n_configurators == 1);
  const actord_configurator& c = *zoo::plugin()->configurators[0];
  CHECK(text(c.name) == "Patient");
  CHECK(text(c.doc) == "Restarts for ever.");
  CHECK(c.strategy->otherwise == ACTORD_RESTART);
  fake::Errors errors;
  actord_directive directive = ACTORD_STOP;
  const actord_failure killed = zoo::killed();
  CHECK(c.decide(&killed, &directive, &errors) == ACTORD_FAILED);
  CHECK(errors.what == "cannot tell");
  const actord_failure foreign =
      actord::detail::plain_failure(actord::detail::chain_of(typeid(int)), "int");
  CHECK(c.decide(&foreign, &directive, &errors) == ACTORD_OK);
  CHECK(directive == ACTORD_ESCALATE);
}

TEST_CASE("a module hears of attach and detach") {
  fake::Host host;
  const actord_plugin& p = *zoo::plugin();
  CHECK(p.attach(&host.table, host.context.system, &host.errors) == ACTORD_OK);
  CHECK(host.last() == "system_log 2  opened");
  CHECK(p.detach(&host.errors) == ACTORD_FAILED);
  CHECK(host.errors.what == "somebody is still inside");
}

TEST_SUITE_END();
