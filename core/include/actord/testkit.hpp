// SPDX-License-Identifier: Apache-2.0
//
// Tests of actors without a daemon, a clock or a thread: a whole system inside the test, driven by
// it. Link `actord::testkit`; any framework that reports exceptions will do.
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
// One seed decides every choice that threads would leave to chance: the same test runs the same way
// each time, and with another seed another way.
#pragma once

#include <actord/actord.hpp>

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

/// What was expected did not come. The text tells what was expected, and what came instead.
class Unmet : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One line of the log.
struct Event {
  Duration at{};  // on the clock of the system
  Level level{};
  std::string name;  // "actor.restarted"
  std::string text;
  std::map<std::string, std::string, std::less<>> fields;  // "actor.path", durations in ns

  /// Empty if there is no such field.
  std::string_view field(std::string_view key) const;
};

/// When an injected fault strikes.
enum class Moment {
  constructor,   // before it is entered
  pre_start,     // before the hook; also after a restart, unless post_restart is overridden
  message,       // before its handler: what the message would do does not happen
  pre_restart,   // before the hook
  post_restart,  // before the hook
  post_stop      // before the hook; not where an overridden pre_restart calls it
};

/// An actor that is to fail: {.path = "/user/shop/clerk", .after = 2} fails on its third message.
struct Fault {
  std::string path;  // of the actor, which need not exist yet
  Moment moment = Moment::message;
  std::string_view message = {};  // actord::message_name<M>: only on those; empty: on any
  std::uint32_t after = 0;        // so often it goes well first
  std::uint32_t times = 1;        // then it fails so often
};

struct Options {
  std::uint64_t seed = 1;
  unsigned workers = 2;                // that the one thread plays
  Level level = Level::debug;          // events below it are not kept
  std::optional<Strategy> guardian{};  // judges what the test spawns; none: the default strategy
  std::string state_directory = ".";
};

class TestSystem;

/// An actor of the test's own, that keeps what it is sent until the test asks. Copies are the same
/// actor; none outlives its system.
class Probe {
 public:
  Ref ref() const noexcept;

  /// As its sender; then everything runs until nothing is left to do.
  template <Message M>
  void send(Ref to, M message) {
    send(to, detail::listed_type_id<M>(), &message);
  }
  /// The next message must be an M. It may take `within` of virtual time to come. Throws Unmet.
  template <Message M>
  M expect(Duration within = {}) {
    return std::move(*static_cast<M*>(take(detail::listed_type_id<M>(), within, false)));
  }
  /// The next M; what came before it is dropped.
  template <Message M>
  M expect_among_others(Duration within = {}) {
    return std::move(*static_cast<M*>(take(detail::listed_type_id<M>(), within, true)));
  }
  /// Nothing waits, and nothing comes during that time. Throws Unmet.
  void expect_none(Duration during = {});
  /// Messages that the test has not asked for yet.
  std::size_t waiting() const;
  /// Of the message that was taken last.
  Ref sender() const noexcept;

  /// The probe watches `whom`, and gets a Terminated.
  void watch(Ref whom);
  void unwatch(Ref whom);
  /// The next message tells that `whom`, which is being watched, has stopped. Throws Unmet.
  Terminated expect_terminated(Ref whom, Duration within = {});

  /// From now on an M is answered instead of kept: answer takes const M& and returns a message.
  template <Message M, class Answer>
  void answer(Answer answer) {
    set_answer(detail::listed_type_id<M>(),
               [answer = std::move(answer)](actord_context& context, const void* message) mutable {
                 auto reply = answer(*static_cast<const M*>(message));
                 context.host->reply(&context, detail::listed_type_id<decltype(reply)>(), &reply);
               });
  }

  /// Behind it; for the library.
  struct State;

 private:
  friend class TestSystem;
  using Answering = std::function<void(actord_context&, const void*)>;

  explicit Probe(std::shared_ptr<State> state) : state_(std::move(state)) {}
  void send(Ref to, actord_type_id type, void* message);
  void* take(actord_type_id type, Duration within, bool skips_others);
  void set_answer(actord_type_id type, Answering answering);

  std::shared_ptr<State> state_;
};

/// One system on the thread of the test. Messages go from one to the other only in run(), step(),
/// advance() and in what says that it runs. Destroyed, it stops all actors in order.
///
/// One at a time in a process: plugins know one host only.
class TestSystem {
 public:
  explicit TestSystem(Options options = {});
  ~TestSystem();
  TestSystem(const TestSystem&) = delete;
  TestSystem& operator=(const TestSystem&) = delete;

  // ---- what is in it ----

  /// Before the first actor. Throws Error if the plugin is refused.
  void use(const actord_plugin* plugin);
  /// The test's own: system.use<Behaviours<Mine>, Messages<Ask, Answer>>(). Only messages that a
  /// plugin lists can be sent; actors may be spawned without being listed.
  template <class... Parts>
    requires(sizeof...(Parts) != 0)
  void use() {
    use(plugin_table<Parts...>("test", "1"));
  }

  /// A child of /user, constructed from (Context&, args…) or (args…), and run until nothing is left
  /// to do. Throws Error if it cannot be created; a constructor that throws is the actor's failure.
  template <std::derived_from<Actor> A, class... Args>
  Ref spawn(std::string name, Args&&... args) {
    return spawn(std::move(name), detail::props_of<A>(std::forward<Args>(args)...));
  }
  /// "plugin/Behaviour" with its `config`, which is HOCON: "workers = 3, mode = fast".
  Ref spawn(std::string name, std::string_view behaviour, std::string_view config = {});
  /// At /user/name.
  Probe probe(std::string name);
  void stop(Ref whom);
  /// Everything, in order. False if somebody did not stop; then no test should pass.
  bool shut_down();

  // ---- messages and time ----

  /// It lies in the mailbox until the system runs.
  template <Message M>
  void tell(Ref to, M message, Ref sender = {}) {
    tell(to, detail::listed_type_id<M>(), &message, sender);
  }
  /// tell() and run().
  template <Message M>
  void send(Ref to, M message, Ref sender = {}) {
    tell(to, std::move(message), sender);
    run();
  }
  /// Until nothing is left to do; time stands still.
  void run();
  /// One turn of one actor; false if there was none to be had.
  bool step();
  /// Time passes, and everything happens that it brings.
  void advance(Duration duration);
  Duration now() const;

  // ---- looking ----

  /// Nobody if nobody lives there.
  Ref find(std::string_view path) const;
  std::string path(Ref ref) const;
  bool is_alive(Ref ref) const;
  /// How often it was restarted.
  std::uint32_t restarts(Ref ref) const;

  /// The first event of that name with these fields that no earlier call has answered with; it may
  /// take `within` of virtual time to come. Throws Unmet.
  Event expect_event(std::string_view name, std::initializer_list<Field> fields = {},
                     Duration within = {});
  /// There is none of that name with these fields, but for those that were expected. Throws Unmet.
  void expect_no_event(std::string_view name, std::initializer_list<Field> fields = {});
  /// All of that name, or all there are, since the last forget_events().
  std::vector<Event> events(std::string_view name = {});
  void forget_events();

  // ---- faults ----

  /// The actor fails as if an E had been thrown there.
  template <class E>
  void fail(Fault fault, std::string what = "injected") {
    fail(std::move(fault), detail::chain_of(typeid(E)), std::move(what));
  }
  /// On the next message that it would handle.
  template <class E>
  void fail_next(Ref actor, std::string what = "injected") {
    fail<E>({.path = path(actor)}, std::move(what));
  }
  /// Failures that are still to come.
  std::size_t faults_left() const;

 private:
  friend class Probe;
  struct Parts;

  Ref spawn(std::string name, const actord_props& props);
  void tell(Ref to, actord_type_id type, void* message, Ref sender);
  void fail(Fault fault, const detail::TypeChain& cause, std::string what);

  std::unique_ptr<Parts> parts_;
};

}  // namespace actord::testkit
