// SPDX-License-Identifier: Apache-2.0
//
// The base of the conformance cases: an actor that follows the script of a test and records its
// life, and a simulated world that is audited at its end.
//
// The number of a case is that of the item of core/actor/supervision.md that it shows.
#pragma once

#include <doctest/doctest.h>

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "testkit/world.hpp"

namespace actord::conformance {

using namespace std::chrono_literals;

inline constexpr std::int64_t ms = 1'000'000;  // in nanoseconds

struct Act {  // run the test's action with this number
  std::uint64_t number = 0;
};
struct Note {  // recorded as "got n"
  int n = 0;
};
struct Question {
  int n = 0;
};
struct Answer {  // recorded as "answer n"
  int n = 0;
};
struct Letter {  // carried by failures
  std::string text;
};
struct BackgroundMessage {  // recorded as "background message"; no activity
  static constexpr std::uint32_t message_flags = ACTORD_NO_ACTIVITY;
};
struct Signal {  // a control message, recorded as "signal n"
  int n = 0;
  static constexpr std::uint32_t message_flags = ACTORD_CONTROL;
};
ACTORD_MESSAGE(Act, "play.Act/1", number)
ACTORD_MESSAGE(Note, "play.Note/1", n)
ACTORD_MESSAGE(Question, "play.Question/1", n)
ACTORD_MESSAGE(Answer, "play.Answer/1", n)
ACTORD_MESSAGE(Letter, "play.Letter/1", text)
ACTORD_MESSAGE(BackgroundMessage, "play.BackgroundMessage/1")
ACTORD_MESSAGE(Signal, "play.Signal/1", n)

// Causes named after the directive that by_name() gives them.
struct Resuming : Error {
  using Error::Error;
};
struct Restarting : Error {
  using Error::Error;
};
struct Stopping : Error {
  using Error::Error;
};
struct Escalating : Error {
  using Error::Error;
};

class SeededTest;
class ScriptedActor;

/// What an actor does besides recording its life; an empty hook does what every actor does.
struct Script {
  using Hook = std::function<void(ScriptedActor&, Context&)>;
  using RestartHook = std::function<void(ScriptedActor&, Context&, const Failure&)>;

  Hook construct = {};
  Hook pre_start = {};
  Hook post_stop = {};
  RestartHook pre_restart = {};
  RestartHook post_restart = {};
  std::function<Directive(ScriptedActor&, Context&, const Failure&)> decide = {};
  std::function<void(ScriptedActor&, Context&, Ref)> child_terminated = {};
  std::function<void(ScriptedActor&, Context&, const Terminated&)> terminated = {};
  std::function<void(ScriptedActor&, Context&, const Question&)> question = {};
  bool keeps_children = false;  // in pre_restart
};

/// Scripts by the name of their actor.
using Scripts = std::map<std::string, Script>;
/// The script of the actor that is being constructed; an empty script if there is none of its name.
Script script_for(Context& ctx, const Scripts& scripts);

class ScriptedActor : public Actor {
 public:
  ScriptedActor(Context& ctx, SeededTest* test, const Script& script);
  ~ScriptedActor() override;

  void pre_start(Context& ctx) override;
  void post_stop(Context& ctx) override;
  void pre_restart(Context& ctx, const Failure& reason) override;
  void post_restart(Context& ctx, const Failure& reason) override;
  Directive decide(Context& ctx, const Failure& failure) override;
  void child_terminated(Context& ctx, Ref child) override;

  void act(Context& ctx, const Act& order);
  void note(const Note& note);
  void question(Context& ctx, const Question& question);
  void answer(const Answer& answer);
  void terminated(Context& ctx, const Terminated& notice);
  void receive_timeout(const ReceiveTimeout& timeout);
  void background_message(const BackgroundMessage& background_message);
  void signal(const Signal& signal);
  void asked(Context& ctx, const Reply<Answer>& reply);
  void set_aside(Context& ctx, const Note& note);

  struct Busy : Handlers<&ScriptedActor::act, &ScriptedActor::set_aside> {
    static constexpr std::string_view name = "busy";
  };
  using Receive =
      Handlers<&ScriptedActor::act, &ScriptedActor::note, &ScriptedActor::question,
               &ScriptedActor::answer, &ScriptedActor::terminated, &ScriptedActor::receive_timeout,
               &ScriptedActor::background_message, &ScriptedActor::signal>;
  using States = actord::States<Busy>;

  /// Adds an entry to the record, under the actor's name.
  void record(std::string what);
  SeededTest& test() { return test_; }
  int number() const { return number_; }

  int value = 0;  // state that a restart loses

 private:
  SeededTest& test_;
  const Script script_;
  const std::string name_;
  const int number_;  // of the instance, from 0
};

/// Has no handler for Terminated, and so has a death pact with each actor that it watches.
class Bound : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  using Receive = Handlers<&ScriptedActor::act, &ScriptedActor::note>;
  using States = actord::States<>;
};

/// An actor that judges its children by `strategy`.
template <auto strategy, class Base = ScriptedActor>
class Boss : public Base {
 public:
  using Base::Base;
  static constexpr std::string_view name = "Boss";
  static Strategy supervision() { return strategy(); }
};

/// Decides each cause as its name says, and others by default.
inline Strategy by_name() {
  return one_for_one()
      .on<Resuming>(Directive::resume)
      .on<Restarting>(Directive::restart)
      .on<Stopping>(Directive::stop)
      .on<Escalating>(Directive::escalate)
      .with_default_decider();
}
using Judge = Boss<&by_name>;

/// One world with one seed.
class SeededTest {
 public:
  struct Setup {
    testkit::World::Options options = {};
    /// Path rules, the guardian's strategy and configured children (`user`).
    std::function<void(SeededTest&)> before_start = {};
  };

  SeededTest(std::uint64_t seed, const Setup& setup);
  /// Shuts the system down in order, and checks what must hold after that in every case.
  void end();

  // ---- doing ----
  template <class A = ScriptedActor>
  Ref spawn(std::string name, Script script = {}) {
    return {world.spawn<A>(std::move(name), this, std::move(script))};
  }
  /// A child of `parent`; a null reference if it is refused.
  template <class A = ScriptedActor>
  Ref spawn_under(Ref parent, std::string name, Script script = {}) {
    Ref child;
    perform(parent,
            [&](ScriptedActor&, Context& ctx) { child = ctx.spawn<A>(name, this, script); });
    return child;
  }
  /// Sends the actor something to do; perform() also runs the world.
  void queue(Ref whom, Script::Hook what);
  void perform(Ref whom, Script::Hook what);
  template <class E>
  void queue_failure(Ref whom, std::string what = "boom") {
    queue(whom, [what](ScriptedActor&, Context&) { throw E(what); });
  }
  template <class E>
  void fail(Ref whom, std::string what = "boom") {
    queue_failure<E>(whom, std::move(what));
    world.run();
  }
  void note(Ref whom, int n) { world.tell(whom.value, Note{n}); }
  void watch(Ref watcher, Ref whom) {
    perform(watcher, [whom](ScriptedActor&, Context& ctx) { ctx.watch(whom); });
  }
  void stop(Ref whom) { world.stop(whom.value); }
  /// As its parent would: it handles no messages, and they wait. Both run the world.
  void suspend(Ref whom) { world.send_system(whom.value, actor::SystemMessage::suspend()); }
  void resume(Ref whom) { world.send_system(whom.value, actor::SystemMessage::resume()); }
  /// All dead letters from now on.
  const std::vector<DeadLetter>& read_dead_letters();
  /// Does not run the world.
  void send_system(Ref whom, const actor::SystemMessage& message) {
    world.system().send_system(whom.value, message);
  }
  void act(std::uint64_t number, ScriptedActor& actor, Context& ctx) { acts_[number](actor, ctx); }

  // ---- looking ----
  /// The records of all actors of this name, in order: "new 0, pre_start 0, got 7".
  std::string life_of(std::string_view name) const;
  /// How often "name what" was recorded.
  int count(std::string_view entry) const;
  /// Whether these were recorded in this order, with any entries in between.
  bool came_in_order(std::initializer_list<std::string_view> entries) const;
  /// The children of an actor, with the helpers that its code does not see.
  std::vector<Ref> children_and_helpers(Ref of);
  /// The state of a living actor; empty if it does not answer.
  std::optional<int> value(Ref whom);
  bool answers(Ref whom) { return value(whom).has_value(); }
  bool is_alive(Ref whom) const { return world.is_alive(whom.value); }
  const actor::Cell& cell(Ref whom) { return world.system().cells.at(actor::index_of(whom.value)); }
  /// Steps until the condition holds; false if the world came to rest before.
  bool step_until(const std::function<bool()>& holds);
  /// Advances the time until there is an actor at `path`. Returns by how much, in nanoseconds, or
  /// -1 if none comes.
  std::int64_t advance_until_found(std::string_view path);
  Ref find(std::string_view path) const { return {world.find(path)}; }
  std::string name_of(Ref ref) const;

  actor::NodeSpec user;
  std::vector<actor::Deployment> deployments;
  testkit::World world;

  // ---- for scripted actors ----
  void enter(Ref who, const std::string& name) { names_[who.value] = name; }
  int next_number(const std::string& name) { return born_[name]++; }
  void record(const std::string& who, std::string what) { record_.emplace_back(who, what); }
  int living = 0;
  std::vector<DeadLetter> dead_letters;

 private:
  std::deque<Script::Hook> acts_;
  std::vector<std::pair<std::string, std::string>> record_;
  std::map<std::uint64_t, std::string> names_;
  std::map<std::string, int> born_;
};

/// Runs the case in worlds of several seeds, and audits each world.
void under_seeds(const std::function<void(SeededTest&)>& scene,
                 const SeededTest::Setup& setup = {});

/// Decides on every failure of a child with `directive`; the second form counts the decisions.
inline Script deciding(Directive directive) {
  return {.decide = [directive](ScriptedActor&, Context&, const Failure&) { return directive; }};
}
inline Script deciding(Directive directive, int& decisions) {
  return {.decide = [directive, &decisions](ScriptedActor&, Context&, const Failure&) {
    ++decisions;
    return directive;
  }};
}
/// The children survive a restart.
inline Script keeping_children(Script script = {}) {
  script.keeps_children = true;
  return script;
}
/// The record that `watcher` makes when it receives the Terminated of `target`.
inline std::string ended(std::string_view watcher, std::string_view target,
                         std::string_view reason) {
  return std::string{watcher} + " terminated " + std::string{target} + " confirmed " +
         std::string{reason};
}

}  // namespace actord::conformance
