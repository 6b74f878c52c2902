// SPDX-License-Identifier: Apache-2.0
//
// Tests of actors without a daemon: a whole actor system in the thread of the test, with a clock
// that only the test moves. Link `actord::testkit`. It works with any test framework that reports
// exceptions.
//
//   actord::testkit::TestSystem system;
//   system.use(actord_plugin_v1());                    // the plugin, compiled into the test
//   const actord::Ref shop = system.spawn<shop::Shop>("shop");
//   actord::testkit::Probe customer = system.probe("customer");
//   customer.send(shop, shop::Order{"tea", 2});
//   CHECK(customer.expect<shop::Done>().by == shop);
//   system.advance(5s);                                // virtual time: at once
//   system.expect_event("actor.restarted", {{"actor.path", "/user/shop/clerk"}});
//
// A seed decides in which order actors run, and all random numbers: with the same seed a test
// always runs the same way.
#pragma once

#include <actord/actord.hpp>
#include <actord/circuit_breaker.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace actord::testkit {

using Duration = std::chrono::nanoseconds;

/// Thrown if an expectation is not met. The text names what was expected and what came instead.
class Unmet : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One log event.
struct Event {
  Duration at{};  // time on the clock of the system
  Level level{};
  std::string name;  // "actor.restarted"
  std::string text;
  std::map<std::string, std::string, std::less<>> fields;  // by key; durations in ns

  /// The value of a field; empty if there is no such field.
  std::string_view field(std::string_view key) const;
};

/// Where an injected failure happens.
enum class Moment {
  constructor,   // before the constructor
  pre_start,     // before the hook; also after a restart, unless post_restart is overridden
  message,       // instead of the handler
  pre_restart,   // before the hook
  post_restart,  // before the hook
  post_stop      // before the hook; not if an override of pre_restart calls it
};

/// A failure to inject: with {.path = "/user/shop/clerk", .after = 2} the actor fails on its third
/// message.
struct Fault {
  std::string path;  // path of the actor; it need not exist yet
  Moment moment = Moment::message;
  std::string_view message = {};  // actord::message_name<M>: only on an M; empty: on any message
  std::uint32_t after = 0;        // how often the moment passes without a failure first
  std::uint32_t times = 1;        // how often the actor fails then
};

/// Settings for the actors whose paths match a pattern, as in actord.actor.deployment.
struct Deployment {
  std::string pattern;                // "/user/shop/*"
  std::int64_t mailbox_capacity = 0;  // messages; 0: no limit
  std::int64_t stash_capacity = 0;    // messages; 0: that of the class, else of the system
  // As in actord.conf(5). Empty: drop-new; and messages are taken as they came.
  std::string overflow = {};
  Duration push_timeout = {};
  std::vector<std::string> priority = {};
  std::optional<std::vector<std::string>> control = {};
  // on-failure { message = redeliver, max-attempts = N }; 0: a message on which an actor fails is
  // dropped.
  std::uint32_t max_attempts = 0;
  std::optional<bool> ask_fails_with_handler = {};  // none: as Options says
};

/// How much a plugin may have at once, as in actord.plugins.limits; 0: no limit.
struct PluginLimits {
  std::int64_t actors = 0, timers = 0, asks = 0;
};

/// The options of a TestSystem.
struct Options {
  std::uint64_t seed = 1;
  unsigned workers = 2;                // simulated workers
  Level level = Level::debug;          // less severe events are not kept
  std::optional<Strategy> guardian{};  // the strategy of /user; none: the default strategy
  std::string state_directory = ".";
  std::vector<Deployment> deployments{};  // the first that matches a path applies
  std::int64_t stash_capacity = 0;        // of actors for which nothing else sets one; 0: no limit
  bool ask_fails_with_handler = true;     // of actors for which no deployment says it
  // The actors of the plugins that are used live in host processes, as with isolation = process:
  // what they send and get is encoded. The process is this one, so that a debugger sees them. No
  // failures can be injected then.
  bool is_isolated = false;
  std::map<std::string, PluginLimits> plugin_limits{};  // by the name of the plugin
  std::int64_t dead_letters_logged = -1;  // lines before dead letters are silent; -1: no limit
  std::uint64_t max_turns = 1'000'000;    // of one run(): then the actors do not come to rest
  // of those that actors share, by name; "default" is for all that are not named
  std::map<std::string, CircuitBreakerOptions> circuit_breakers{};
};

class TestSystem;

/// An actor of the test. It keeps the messages that it gets until the test asks for them. A copy of
/// a Probe is the same actor. A Probe must not be used after the end of its system.
class Probe {
 public:
  /// The address of the probe.
  Ref ref() const noexcept;

  /// Sends a message with the probe as its sender, then run()s the system.
  template <class M>
  void send(Ref to, M message) {
    send(to, detail::listed_type_id<M>(), &message);
  }
  /// Takes the next message, which must be an M. Waits for it, at most `within` of virtual time.
  /// Throws Unmet.
  template <class M>
  M expect(Duration within = {}) {
    return std::move(*static_cast<M*>(take(detail::listed_type_id<M>(), within, false)));
  }
  /// The same, but drops the messages of other types before it.
  template <class M>
  M expect_among_others(Duration within = {}) {
    return std::move(*static_cast<M*>(take(detail::listed_type_id<M>(), within, true)));
  }
  /// Asks for an Answer, run()s the system and returns the answer. Waits for it, at most `within`
  /// of virtual time, which is the timeout of the ask. Throws Unmet, also if the answer is a
  /// failure.
  template <class Answer, class M>
  Answer ask(Ref to, M question, Duration within = std::chrono::seconds{5}) {
    return std::move(*static_cast<Answer*>(
        ask(to, detail::listed_type_id<M>(), &question, detail::listed_type_id<Answer>(), within)));
  }
  /// Throws Unmet if a message waits, or comes within `during` of virtual time.
  void expect_none(Duration during = {});
  /// run()s the system. Returns the number of messages that the test has not taken yet.
  std::size_t waiting() const;
  /// The sender of the message that was taken last; empty if it had none; for an ask a ref that
  /// takes one answer.
  Ref sender() const noexcept;

  /// The probe watches `whom`, and gets a Terminated.
  void watch(Ref whom);
  /// The probe no longer watches `whom`.
  void unwatch(Ref whom);
  /// Takes the next message, which must be the Terminated of `whom`. Throws Unmet.
  Terminated expect_terminated(Ref whom, Duration within = {});

  /// From now on the probe answers each M instead of keeping it: `answer` takes const M& and
  /// returns a message.
  template <Message M, class Answer>
  void answer(Answer answer) {
    set_answer(detail::listed_type_id<M>(),
               [answer = std::move(answer)](actord_context& context, const void* message) mutable {
                 auto reply = answer(*static_cast<const M*>(message));
                 context.host->reply(&context, detail::listed_type_id<decltype(reply)>(), &reply);
               });
  }

  /// For the library.
  struct State;

 private:
  friend class TestSystem;
  using Answering = std::function<void(actord_context&, const void*)>;

  explicit Probe(std::shared_ptr<State> state) : state_(std::move(state)) {}
  void send(Ref to, actord_type_id type, void* message);
  void* take(actord_type_id type, Duration within, bool skips_others);
  void* ask(Ref to, actord_type_id type, void* question, actord_type_id answer, Duration within);
  void set_answer(actord_type_id type, Answering answering);

  std::shared_ptr<State> state_;
};

/// An actor system on the thread of the test. Actors run only during run(), step(), advance() and
/// the functions that say so. The destructor stops all actors in order.
///
/// A process has at most one TestSystem at a time, because a plugin knows one host only.
class TestSystem {
 public:
  /// Actors are started with the first call that needs them.
  explicit TestSystem(Options options = {});
  ~TestSystem();
  TestSystem(const TestSystem&) = delete;
  TestSystem& operator=(const TestSystem&) = delete;

  // ---- plugins and actors ----

  /// Adds a plugin, before the first actor. Throws Error if the plugin is refused.
  void use(const actord_plugin* plugin);
  /// Adds a plugin of the test: system.use<Behaviours<Mine>, Messages<Ask, Answer>>(). Only
  /// messages that a plugin lists can be sent; a class need not be listed to be spawned.
  template <class... Parts>
    requires(sizeof...(Parts) != 0)
  void use() {
    use(plugin_table<Parts...>("test", "1"));
  }

  /// Creates a child of /user, constructed from (Context&, args…) or (args…), and run()s the
  /// system. Throws Error if there can be no such actor. An exception of the constructor is no
  /// error of spawn(): it is the actor's failure.
  template <std::derived_from<Actor> A, class... Args>
  Ref spawn(std::string name, Args&&... args) {
    return spawn(std::move(name), detail::props_of<A>(std::forward<Args>(args)...));
  }
  /// Creates a child of /user from "plugin/Behaviour" and run()s the system. `config` is HOCON:
  /// "workers = 3, mode = fast". Throws Error also for a bad config.
  Ref spawn(std::string name, std::string_view behaviour, std::string_view config = {});
  /// Creates a probe at /user/name.
  Probe probe(std::string name);
  /// Stops an actor, when the system runs next.
  void stop(Ref whom);
  /// Stops the whole system as SIGTERM does: the phases of the shutdown, with their tasks, then all
  /// actors. False if an actor did not stop.
  bool shut_down();

  // ---- messages and time ----

  /// Sends a message. It stays in the mailbox until the system runs.
  template <class M>
  void tell(Ref to, M message, Ref sender = {}) {
    tell(to, detail::listed_type_id<M>(), &message, sender);
  }
  /// tell() and run().
  template <class M>
  void send(Ref to, M message, Ref sender = {}) {
    tell(to, std::move(message), sender);
    run();
  }
  /// Runs all actors until nothing is left to do. Time stands still. Throws Unmet after
  /// Options::max_turns turns, and says which actors send to each other. So do all functions that
  /// run the system.
  void run();
  /// Runs one actor for one turn. False if no actor has anything to do.
  bool step();
  /// Moves the clock, and runs actors and timers on the way.
  void advance(Duration duration);
  /// The time on the clock of the system.
  Duration now() const;

  // ---- the state of the system ----

  /// The actor at that path; empty if there is none.
  Ref find(std::string_view path) const;
  /// As System::path().
  std::string path(Ref ref) const;
  /// Whether the actor exists and has not stopped.
  bool is_alive(Ref ref) const;
  /// How often the actor was restarted.
  std::uint32_t restarts(Ref ref) const;

  /// Returns the first event of that name with these fields that no earlier call has returned.
  /// Waits for it, at most `within` of virtual time. Throws Unmet.
  Event expect_event(std::string_view name, std::initializer_list<Field> fields = {},
                     Duration within = {});
  /// run()s the system. Throws Unmet if there is an event of that name with these fields that no
  /// expect_event() has returned.
  void expect_no_event(std::string_view name, std::initializer_list<Field> fields = {});
  /// All events of that name since the last forget_events(); all events if the name is empty.
  std::vector<Event> events(std::string_view name = {});
  /// Drops all events so far.
  void forget_events();

  // ---- faults ----

  /// The actor will fail as if an E had been thrown at that moment.
  template <class E>
  void fail(Fault fault, std::string what = "injected") {
    fail(std::move(fault), detail::chain_of(typeid(E)), std::move(what));
  }
  /// The same, on the next message of the actor.
  template <class E>
  void fail_next(Ref actor, std::string what = "injected") {
    fail<E>({.path = path(actor)}, std::move(what));
  }
  /// The number of injected failures that have not happened yet.
  std::size_t faults_left() const;

 private:
  friend class Probe;
  struct Parts;

  Ref spawn(std::string name, const actord_props& props);
  void tell(Ref to, actord_type_id type, void* message, Ref sender);
  Ref spawn_here(std::string name, const actord_props& props);  // not in a host process
  void fail(Fault fault, const detail::TypeChain& cause, std::string what);

  std::unique_ptr<Parts> parts_;
};

}  // namespace actord::testkit
