// SPDX-License-Identifier: Apache-2.0
//
// State machines: item 180m.
#include "actor/inspection.hpp"
#include "state_onlooker.hpp"

namespace actord::conformance {

namespace {

// ---- a lock with a code -------------------------------------------------------------------------

enum class LockState { locked, open, broken };
ACTORD_ENUM(LockState, locked, open, broken)

/// The lock of the guide of Akka. Everything that it notices goes into `seen`.
class Lock : public StateMachine<Lock, LockState, std::string> {
 public:
  Lock(Seen* seen, std::string code)
      : StateMachine(LockState::locked), seen_(*seen), code_(std::move(code)) {}

  Next digit(const Note& digit) {
    std::string entered = data() + std::to_string(digit.n);
    if (entered.size() < code_.size()) return stay().using_data(std::move(entered));
    if (entered != code_) return stay().using_data({});
    return go_to<LockState::open>().using_data({}).for_max(1s);
  }
  Next relock(const StateTimeout& /*timeout*/) { return go_to<LockState::locked>(); }
  Answer hello(const Question& question) { return {question.n}; }
  Next obey(Context& ctx, const Letter& letter) {
    if (letter.text == "break") return go_to(LockState::broken).replying(Answer{9});
    if (letter.text == "throw") throw Restarting("as told");
    if (letter.text == "resume") throw Resuming("as told");
    if (letter.text == "stop me") {
      ctx.stop_self();
      return stay();
    }
    if (letter.text == "bye") return stop(StopReason::shutdown());
    if (letter.text == "fail") return stop(StopReason::failure("jammed")).using_data("rust");
    return stop().using_data(letter.text).replying(Answer{1}).replying(Answer{2});
  }
  void other(Context& ctx) { seen_.push_back("other " + std::string{ctx.message_type()}); }

  void on_transition(Context& /*ctx*/, LockState from, LockState to) override {
    seen_.push_back(detail::state_text(from) + " -> " + detail::state_text(to));
  }
  void on_termination(Context& ctx, const StopReason& reason) override {
    constexpr std::array names{"normal", "shutdown", "failure"};
    std::string line = names[static_cast<std::size_t>(reason.kind)];
    if (!reason.cause.empty()) line += " (" + reason.cause + ")";
    seen_.push_back(line + " in " + detail::state_text(state()) + " with '" + data() + "'");
    CHECK_FALSE(ctx.has_timer("named"));
    CHECK_FALSE(ctx.has_timer(detail::state_timeout_key));
  }

  using Receive = When<LockState::locked, &Lock::digit, &Lock::hello, &Lock::obey>;
  using States = actord::States<When<LockState::open, &Lock::relock, &Lock::obey>>;
  using WhenUnhandled = Handlers<&Lock::other>;

 private:
  Seen& seen_;
  const std::string code_;
};

struct LockScene {
  explicit LockScene(SeededTest& test_) : test(test_) {
    test.perform(test.spawn<Judge>(""), [this](ScriptedActor&, Context& ctx) {
      lock = ctx.spawn<Lock>("lock", &seen, std::string{"33221"});
    });
  }

  ~LockScene() { test.stop(lock); }  // what it sees is kept here
  LockScene(const LockScene&) = delete;
  LockScene& operator=(const LockScene&) = delete;

  void enter(std::initializer_list<int> digits) {
    for (const int digit : digits) test.note(lock, digit);
    test.world.run();
  }
  void tell(std::string text) { test.world.send(lock.value, Letter{std::move(text)}); }

  SeededTest& test;
  Seen seen;
  Ref lock;
};

}  // namespace

TEST_CASE("180m a state machine goes from state to state, and back at its state timeout") {
  under_seeds([](SeededTest& test) {
    LockScene scene(test);
    Seen told;
    const actor::Ref onlooker = test.world.spawn<Onlooker>("onlooker", &told);
    test.world.send(scene.lock.value, SubscribeTransitions{Ref{onlooker}});
    scene.enter({3, 3, 2, 2, 2});
    CHECK(scene.seen == Seen{"locked -> locked"});
    scene.enter({3, 3, 2, 2, 1});
    CHECK(scene.seen.back() == "locked -> open");
    test.world.advance(999ms);
    CHECK(scene.seen.back() == "locked -> open");
    test.world.advance(1ms);
    CHECK(scene.seen.back() == "open -> locked");
    CHECK(told == Seen{"is locked", "locked -> open", "open -> locked"});
    test.world.send(scene.lock.value, Answer{1});
    CHECK(scene.seen.back() == "other play.Answer/1");
    test.world.send(scene.lock.value, Question{5}, onlooker);
    CHECK(told.back() == "answer 5");
    scene.tell("bye");
    CHECK(scene.seen.back() == "shutdown in locked with ''");
    CHECK_FALSE(test.is_alive(scene.lock));
  });
}

TEST_CASE("180m a handler for all other messages belongs to every state without one") {
  under_seeds([](SeededTest& test) {
    LockScene scene(test);
    scene.enter({3, 3, 2, 2, 1, 7});
    CHECK(scene.seen.back() == "other play.Note/1");
  });
}

TEST_CASE("180m an unknown next state is an error and a stop, and nothing is replied") {
  under_seeds([](SeededTest& test) {
    LockScene scene(test);
    Seen told;
    const actor::Ref onlooker = test.world.spawn<Onlooker>("onlooker", &told);
    test.world.send(scene.lock.value, SubscribeTransitions{}, onlooker);
    test.world.forget_events();
    test.world.send(scene.lock.value, Letter{"break"}, onlooker);
    CHECK(scene.seen.back() == "failure (the next state broken does not exist) in locked with ''");
    CHECK(told == Seen{"is locked"});
    CHECK_FALSE(test.is_alive(scene.lock));
    int lines = 0;
    for (const testkit::SeenEvent& event : test.world.events()) {
      if (event.level != log::Level::error) continue;
      ++lines;
      CHECK(event.field("actor.path").ends_with("/lock"));
      CHECK(event.text == "a state machine ends with a failure");
      CHECK(event.field("cause") == "the next state broken does not exist");
      CHECK(event.field("state") == "locked");
    }
    CHECK(lines == 1);
  });
}

TEST_CASE("180m the termination handler is told why the machine ends, with its last data") {
  under_seeds([](SeededTest& test) {
    const auto errors = [&] {
      return std::ranges::count(test.world.events(), log::Level::error, &testkit::SeenEvent::level);
    };
    {
      LockScene scene(test);
      Seen told;
      const actor::Ref onlooker = test.world.spawn<Onlooker>("onlooker", &told);
      test.world.send(scene.lock.value, Letter{"pigdog"}, onlooker);
      CHECK(scene.seen.back() == "normal in locked with 'pigdog'");
      CHECK(told == Seen{"answer 1", "answer 2"});
      test.world.stop(onlooker);
    }
    {
      LockScene scene(test);
      test.stop(scene.lock);
      CHECK(scene.seen.back() == "shutdown in locked with ''");
    }
    CHECK(errors() == 0);
    LockScene scene(test);
    scene.tell("fail");
    CHECK(scene.seen.back() == "failure (jammed) in locked with 'rust'");
    CHECK(scene.seen.size() == 2);
    CHECK(errors() == 1);
  });
}

TEST_CASE("180m a restart is a shutdown, and begins with the initial state and data") {
  under_seeds([](SeededTest& test) {
    LockScene scene(test);
    Seen told;
    const actor::Ref onlooker = test.world.spawn<Onlooker>("onlooker", &told);
    test.world.send(scene.lock.value, SubscribeTransitions{Ref{onlooker}});
    scene.enter({3, 3, 2, 2, 1});
    scene.tell("throw");
    CHECK(scene.seen == Seen{"locked -> locked", "locked -> open", "shutdown in open with ''",
                             "locked -> locked"});
    CHECK(test.world.simulator().timers().size() == 0);
    scene.enter({3});
    scene.tell("throw");
    scene.enter({3, 3, 2, 2, 1});
    CHECK(scene.seen.back() == "locked -> open");
    CHECK(told == Seen{"is locked", "locked -> open"});  // the subscription has ended
    test.world.send(scene.lock.value, SubscribeTransitions{Ref{onlooker}});
    test.world.advance(1s);
    CHECK(told.back() == "open -> locked");
  });
}

TEST_CASE("180m the state timeout ends with the machine, and no message of it is a dead letter") {
  under_seeds([](SeededTest& test) {
    LockScene scene(test);
    const auto& letters = test.read_dead_letters();
    scene.enter({3, 3, 2, 2, 1});
    scene.tell("stop me");
    CHECK(scene.seen.back() == "shutdown in open with ''");
    CHECK(test.world.simulator().timers().size() == 0);
    test.world.advance(2s);
    CHECK(letters.empty());
  });
}

TEST_CASE("180m a machine that is resumed after a failure is in the state that it was in") {
  under_seeds([](SeededTest& test) {
    LockScene scene(test);
    scene.enter({3, 3, 2, 2, 1});
    scene.tell("resume");
    CHECK(scene.seen.back() == "locked -> open");
    test.world.advance(1s);
    CHECK(scene.seen.back() == "open -> locked");
  });
}

TEST_CASE("180m an inspection tells the state and what it takes") {
  under_seeds([](SeededTest& test) {
    LockScene scene(test);
    const auto inspect = [&] {
      base::IntrusivePtr<actor::Inspection> answer(
          new actor::Inspection([](actor::Inspection::Outcome) {}));
      test.world.system().inspect(scene.lock.value, answer);
      test.world.run();
      return answer;
    };
    CHECK(inspect()->named_state == "locked");
    CHECK(std::ranges::count(inspect()->takes, "play.Note/1") == 1);
    CHECK(inspect()->timers.empty());
    scene.enter({3, 3, 2, 2, 1});
    const auto open = inspect();
    CHECK(open->named_state == "open");
    CHECK(std::ranges::count(open->takes, "play.Note/1") == 0);
    CHECK(std::ranges::count(open->takes_later, "play.Note/1") == 1);
    REQUIRE(open->timers.size() == 1);
    CHECK(open->timers[0].key == "actord.state-timeout");
  });
}

// ---- timeouts and timers ------------------------------------------------------------------------

namespace {

enum class Phase { initial, timed, once, again, often, cancels, mixed, after_mixed };
ACTORD_ENUM(Phase, initial, timed, once, again, often, cancels, mixed, after_mixed)

constexpr int tick = 1, tock = 2;

/// Uses timers in every way that Akka tests. A Letter names the next state; a Question cancels; a
/// Note is a timer's message, or one from outside.
class Timed : public StateMachine<Timed, Phase, int> {
 public:
  explicit Timed(Seen* seen) : StateMachine(Phase::initial), seen_(*seen) {
    state_timeout(Phase::timed, 800ms);
  }

  Next begin(Context& ctx, const Letter& letter) {
    if (letter.text == "timed") return go_to<Phase::timed>();
    if (letter.text == "timed for ever") return go_to<Phase::timed>().for_max(forever);
    if (letter.text == "once") ctx.start_timer("tester", 500ms, Note{tick});
    if (letter.text == "once") return go_to<Phase::once>();
    if (letter.text == "again") return go_to<Phase::again>();
    if (letter.text == "cancels") return go_to<Phase::cancels>();
    if (letter.text == "mixed") return go_to<Phase::mixed>();
    ctx.start_timer("tester", 100ms, Note{tick}, 100ms);
    return go_to<Phase::often>().using_data(4);
  }
  Next back(const StateTimeout& /*timeout*/) {
    see("timeout");
    return go_to<Phase::initial>();
  }
  Answer stays_timed(const Question& question) { return {question.n}; }
  Next cancelled(Context& ctx, const Act& /*order*/) {
    ctx.cancel_timer("named");
    return go_to<Phase::initial>().replying(Answer{7});
  }
  Next once(const Note& note) {
    see(note);
    return go_to<Phase::initial>();
  }
  Next again(Context& ctx, const Note& note) {
    see(note);
    if (note.n == tock) return go_to<Phase::initial>();
    ctx.start_timer("blah", 500ms, Note{tock});
    return stay();
  }
  Next often(Context& ctx, const Note& note) {
    see(note);
    if (data() > 0) return stay().using_data(data() - 1);
    ctx.cancel_timer("tester");
    return go_to<Phase::initial>();
  }
  void cancels(Context& ctx, const Note& note) {
    see(note);
    if (note.n == tick) ctx.start_timer("named", 1ms, Note{tock});
  }
  void start_anew(Context& ctx, const Question& /*question*/) {
    ctx.cancel_timer("named");
    ctx.start_timer("named", 500ms, Note{tock});
  }
  Next mixed(Context& ctx, const Note& note) {
    see(note);
    if (note.n == tock) return go_to<Phase::after_mixed>();
    ctx.start_timer("named", 1ms, Note{tock});
    return stay().for_max(1ms);
  }

  void on_transition(Context& ctx, Phase from, Phase to) override {
    if (from == to) return;
    see(detail::state_text(from) + " -> " + detail::state_text(to));
    if (to == Phase::again) ctx.start_timer("blah", 500ms, Note{tick});
  }

  using Receive = When<Phase::initial, &Timed::begin>;
  using States =
      actord::States<When<Phase::timed, &Timed::back, &Timed::stays_timed>,
                     When<Phase::once, &Timed::once>, When<Phase::again, &Timed::again>,
                     When<Phase::often, &Timed::often>,
                     When<Phase::cancels, &Timed::cancels, &Timed::start_anew>,
                     When<Phase::mixed, &Timed::mixed>, When<Phase::after_mixed, &Timed::back>>;
  using WhenUnhandled = Handlers<&Timed::cancelled>;

 private:
  void see(const Note& note) { see(note.n == tick ? "tick" : "tock"); }
  void see(std::string what) { seen_.push_back(std::move(what)); }

  Seen& seen_;
};

struct TimedScene {
  explicit TimedScene(SeededTest& test_)
      : test(test_), machine{test.world.spawn<Timed>("machine", &seen)} {}

  void begin(std::string what) { test.world.send(machine.value, Letter{std::move(what)}); }
  void advance(std::chrono::nanoseconds time, const Seen& expected) {
    seen.clear();
    test.world.advance(time);
    CHECK(seen == expected);
  }

  SeededTest& test;
  Seen seen;
  Ref machine;
};

}  // namespace

TEST_CASE("180m a state timeout comes once, when no message has come for that long") {
  under_seeds([](SeededTest& test) {
    TimedScene scene(test);
    scene.begin("timed");
    CHECK(scene.seen == Seen{"initial -> timed"});
    scene.advance(700ms, {});
    test.world.send(scene.machine.value, Question{1});
    scene.advance(799ms, {});
    scene.advance(1ms, {"timeout", "timed -> initial"});
    scene.advance(10s, {});
  });
}

TEST_CASE("180m a message that the state does not handle leaves the state timeout alone") {
  under_seeds([](SeededTest& test) {
    TimedScene scene(test);
    scene.begin("timed");
    scene.advance(700ms, {});
    test.world.send(scene.machine.value, Letter{"not now"});
    CHECK(test.world.events("message.unhandled").size() == 1);
    scene.advance(100ms, {"timeout", "timed -> initial"});
  });
}

TEST_CASE("180m a transition ends the state timeout, and for_max replaces it until a message") {
  under_seeds([](SeededTest& test) {
    TimedScene scene(test);
    scene.begin("timed");
    test.world.send(scene.machine.value, Act{});
    CHECK(scene.seen == Seen{"initial -> timed", "timed -> initial"});
    CHECK(test.world.simulator().timers().size() == 0);
    scene.advance(10s, {});
    scene.begin("timed for ever");
    scene.advance(10s, {});
    test.world.send(scene.machine.value, Question{1});
    scene.advance(800ms, {"timeout", "timed -> initial"});
  });
}

TEST_CASE("180m named timers tick once, again from a transition and a handler, or repeatedly") {
  under_seeds([](SeededTest& test) {
    TimedScene scene(test);
    scene.begin("once");
    scene.advance(500ms, {"tick", "once -> initial"});
    scene.begin("again");
    scene.advance(500ms, {"tick"});
    scene.advance(500ms, {"tock", "again -> initial"});
    scene.begin("often");
    scene.advance(499ms, {"tick", "tick", "tick", "tick"});
    scene.advance(1ms, {"tick", "often -> initial"});
    scene.advance(10s, {});
  });
}

TEST_CASE("180m a timer that is cancelled says nothing, also if its message waits already") {
  under_seeds([](SeededTest& test) {
    TimedScene scene(test);
    scene.begin("cancels");
    test.world.send(scene.machine.value, Note{tick});
    CHECK(scene.seen.back() == "tick");
    test.world.send_system(scene.machine.value, actor::SystemMessage::suspend());
    test.world.tell(scene.machine.value, Question{});
    scene.advance(10ms, {});  // the timer's message is queued behind the question
    test.world.send_system(scene.machine.value, actor::SystemMessage::resume());
    scene.advance(499ms, {});
    scene.advance(1ms, {"tock"});
    test.world.send(scene.machine.value, Act{});
    CHECK(test.world.simulator().timers().size() == 0);
  });
}

TEST_CASE("180m a state timeout that waits behind a timer's message is void if that one comes") {
  under_seeds([](SeededTest& test) {
    TimedScene scene(test);
    scene.begin("mixed");
    test.note(scene.machine, tick);
    test.world.run();
    test.world.send_system(scene.machine.value, actor::SystemMessage::suspend());
    scene.advance(200ms, {});
    test.world.send_system(scene.machine.value, actor::SystemMessage::resume());
    CHECK(scene.seen == Seen{"tock", "mixed -> after_mixed"});
    scene.advance(10s, {});
  });
}

// ---- transitions --------------------------------------------------------------------------------

namespace {

enum class Half { zero, one };
ACTORD_ENUM(Half, zero, one)

/// Sees the data before and after each transition. A Question goes to the other state, a Note stays
/// or goes to the same state, and an Act asks whether there is next data now.
class Halves : public StateMachine<Halves, Half, int> {
 public:
  explicit Halves(Seen* seen) : StateMachine(Half::zero), seen_(*seen) {}

  Next to_one(const Question& /*question*/) { return go_to<Half::one>().using_data(1); }
  Next to_zero(const Question& question) { return go_to<Half::zero>().using_data(question.n); }
  Next same(const Note& note) {
    if (note.n == 0) return stay().using_data(5);
    return go_to(state()).using_data(data() + 1);
  }
  Next transformed(const Answer& answer) {  // makes a transition of what another handler returns
    Next next = same(Note{answer.n});
    return answer.n == 0 ? go_to<Half::one>() : std::move(next);
  }
  void peek(const Act& /*order*/) { seen_.push_back(std::to_string(next_data())); }
  Answer count(const Letter& /*letter*/) { return {static_cast<int>(subscribers().size())}; }
  void ask(Context& ctx, const ActorIdentity& target) {
    if (target.id == 1) return ctx.watch(target.who);
    ctx.ask<&Halves::asked>(target.who, Question{3}, 1s);
  }
  void gone(const Terminated& /*notice*/) { seen_.push_back("other has stopped"); }
  void asked(Context& ctx, const Reply<Answer>& reply) {
    apply(ctx, go_to<Half::one>().using_data(reply->n));
  }

  void on_transition(Context& ctx, Half from, Half to) override {
    if (next_data() == 13) throw Restarting("unlucky");
    if (next_data() == 14) ctx.fail<Restarting>("unlucky, too");
    seen_.push_back(detail::state_text(from) + " -> " + detail::state_text(to) + ": " +
                    std::to_string(data()) + ", " + std::to_string(next_data()));
  }

  using Receive = When<Half::zero, &Halves::to_one>;
  using States = actord::States<When<Half::one, &Halves::to_zero>>;
  using WhenUnhandled = Handlers<&Halves::same, &Halves::transformed, &Halves::peek, &Halves::count,
                                 &Halves::ask, &Halves::gone>;

 private:
  Seen& seen_;
};

struct HalvesScene {
  explicit HalvesScene(SeededTest& test_)
      : test(test_),
        machine{test.world.spawn<Halves>("machine", &seen)},
        onlooker{test.world.spawn<Onlooker>("onlooker", &told)} {
    test.world.send(machine.value, SubscribeTransitions{onlooker});
  }
  int subscribers() {
    test.world.send(machine.value, Letter{}, onlooker.value);
    const std::string answer = told.back();
    told.pop_back();
    return std::stoi(answer.substr(answer.find(' ')));
  }

  SeededTest& test;
  Seen seen, told;
  Ref machine, onlooker;
};

}  // namespace

TEST_CASE("180m go_to() the same state is a transition, stay() is none; both change the data") {
  under_seeds([](SeededTest& test) {
    HalvesScene scene(test);
    CHECK(scene.seen == Seen{"zero -> zero: 0, 0"});
    test.note(scene.machine, 0);
    test.world.run();
    CHECK(scene.seen.size() == 1);
    test.note(scene.machine, 1);
    test.world.run();
    CHECK(scene.seen.back() == "zero -> zero: 5, 6");
    CHECK(scene.told == Seen{"is zero", "zero -> zero"});
  });
}

TEST_CASE("180m an observer has the data of both states, and a handler no next data") {
  under_seeds([](SeededTest& test) {
    HalvesScene scene(test);
    test.world.send(scene.machine.value, Question{});
    CHECK(scene.seen.back() == "zero -> one: 0, 1");
    test.world.send(scene.machine.value, Act{});
    CHECK(test.world.events("actor.failed").size() == 1);
    CHECK(scene.seen.back() == "zero -> zero: 0, 0");  // restarted
  });
}

TEST_CASE("180m subscribers are told each transition, until they unsubscribe or stop") {
  under_seeds([](SeededTest& test) {
    HalvesScene scene(test);
    const auto& letters = test.read_dead_letters();
    Seen other_told;
    const Ref other{test.world.spawn<Onlooker>("other", &other_told)};
    test.world.send(scene.machine.value, SubscribeTransitions{}, other.value);
    test.world.send(scene.machine.value, SubscribeTransitions{other});  // once is enough
    CHECK(scene.subscribers() == 2);
    test.world.send(scene.machine.value, Question{});
    test.world.send(scene.machine.value, Question{});
    CHECK(scene.told == Seen{"is zero", "zero -> one", "one -> zero"});
    CHECK(other_told == Seen{"is zero", "is zero", "zero -> one", "one -> zero"});
    test.stop(other);
    CHECK(scene.subscribers() == 1);
    test.world.send(scene.machine.value, Question{});
    CHECK(scene.told.back() == "zero -> one");
    test.world.send(scene.machine.value, UnsubscribeTransitions{scene.onlooker});
    test.world.send(scene.machine.value, Question{});
    CHECK(scene.told.back() == "zero -> one");
    CHECK(letters.empty());
  });
}

TEST_CASE("186e a machine may watch its subscriber, before it subscribes and after") {
  under_seeds([](SeededTest& test) {
    for (const bool is_first : {true, false}) {
      HalvesScene scene(test);
      Seen other_told;
      const Ref other{test.world.spawn<Onlooker>("other", &other_told)};
      const auto watch = [&] { test.world.send(scene.machine.value, ActorIdentity{1, other}); };
      if (is_first) watch();
      test.world.send(scene.machine.value, SubscribeTransitions{other});
      if (!is_first) watch();
      CHECK(test.world.events("actor.failed").empty());
      CHECK(scene.subscribers() == 2);
      test.stop(other);
      CHECK(scene.subscribers() == 1);
      CHECK(scene.seen.back() == "other has stopped");
      test.stop(scene.machine);
      test.stop(scene.onlooker);
    }
  });
}

TEST_CASE("180m a transition whose observer fails does not happen") {
  under_seeds([](SeededTest& test) {
    for (const int unlucky : {13, 14}) {
      HalvesScene scene(test);
      test.world.send(scene.machine.value, Question{});
      test.world.send(scene.machine.value, Question{unlucky});
      CHECK(scene.told == Seen{"is zero", "zero -> one"});
      CHECK(scene.seen.back() == "zero -> zero: 0, 0");  // restarted
      test.stop(scene.machine);
      test.stop(scene.onlooker);
    }
    CHECK(test.world.events("actor.failed").size() == 2);
  });
}

TEST_CASE("180m a handler changes what another one returns, and an answer changes the state") {
  under_seeds([](SeededTest& test) {
    HalvesScene scene(test);
    test.world.send(scene.machine.value, Answer{0});
    CHECK(scene.seen.back() == "zero -> one: 0, 0");
    test.world.send(scene.machine.value, Answer{1});
    CHECK(scene.seen.back() == "one -> one: 0, 1");
    const Ref oracle = test.spawn("oracle");
    test.world.send(scene.machine.value, ActorIdentity{0, oracle});
    CHECK(scene.seen.back() == "one -> one: 1, 3");
  });
}

}  // namespace actord::conformance
