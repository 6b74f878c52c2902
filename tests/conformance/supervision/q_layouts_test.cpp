// SPDX-License-Identifier: Apache-2.0
//
// Two plugins that have the same messages in different layouts: items 180s and 180t. Every case
// runs with either of them loaded first.
#include "actor/cell_extras.hpp"
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

namespace left {

enum class Tone : std::uint8_t { calm, loud };
ACTORD_ENUM(Tone, calm, loud)
struct Text {
  std::string text;
  std::int32_t copies = 0;
};
struct Word {  // goes through packets as it is
  std::int64_t n = 0;
};
struct Spoken {
  Tone tone = Tone::calm;
};
ACTORD_MESSAGE(Text, "layouts.Text/1", text, copies)
ACTORD_MESSAGE(Word, "layouts.Word/1", n)
ACTORD_MESSAGE(Spoken, "layouts.Spoken/1", tone)

class Anchor : public Actor {
 public:
  using Receive = Handlers<>;
};

}  // namespace left

namespace right {

enum class Tone : std::uint8_t { loud, shy };
ACTORD_ENUM(Tone, loud, shy)
struct Text {
  std::int32_t copies = 0;
  std::string text;
};
struct alignas(16) Word {
  std::int64_t n = 0;
};
struct Spoken {
  Tone tone = Tone::loud;
  std::array<char, 60> room{};  // so that the message lies outside of its envelope
};
constexpr auto actord_members(const Spoken*) {
  return actord::detail::MemberArray<1>{
      {{ACTORD_STR("tone"), &actord::detail::data_type<decltype(Spoken::tone)>,
        offsetof(Spoken, tone), 0}}};
}
constexpr std::string_view actord_message_name(const Spoken*) { return "layouts.Spoken/1"; }
ACTORD_MESSAGE(Text, "layouts.Text/1", text, copies)
ACTORD_MESSAGE(Word, "layouts.Word/1", n)

// The messages of the system, as a plugin has them that was built with another library.
struct Terminated {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
  std::string reason;
  bool existence_confirmed = false;
  Ref who;
};
struct ReceiveTimeout {
  std::int64_t padding = 0;
  std::chrono::nanoseconds after{};
};
struct alignas(8) PoisonPill {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
};
struct alignas(8) Kill {};
struct alignas(16) Identify {
  std::uint64_t id = 0;
};
struct ActorIdentity {
  Ref who;
  std::uint64_t id = 0;
};
ACTORD_MESSAGE(Terminated, "actord.Terminated/1", who, existence_confirmed, reason)
constexpr auto actord_members(const ReceiveTimeout*) {
  return actord::detail::MemberArray<1>{
      {{ACTORD_STR("after"), &actord::detail::data_type<decltype(ReceiveTimeout::after)>,
        offsetof(ReceiveTimeout, after), 0}}};
}
constexpr std::string_view actord_message_name(const ReceiveTimeout*) {
  return "actord.ReceiveTimeout/1";
}
ACTORD_MESSAGE(PoisonPill, "actord.PoisonPill/1")
ACTORD_MESSAGE(Kill, "actord.Kill/1")
ACTORD_MESSAGE(Identify, "actord.Identify/1", id)
ACTORD_MESSAGE(ActorIdentity, "actord.ActorIdentity/1", id, who)

class Anchor : public Actor {
 public:
  using Receive = Handlers<>;
};

}  // namespace right

/// The messages of one of the plugins.
struct Left {
  static constexpr std::string_view name = "left";
  using Text = left::Text;
  using Word = left::Word;
  using Spoken = left::Spoken;
  static Text text(std::string text, std::int32_t copies) { return {std::move(text), copies}; }
};
struct Right {
  static constexpr std::string_view name = "right";
  using Text = right::Text;
  using Word = right::Word;
  using Spoken = right::Spoken;
  static Text text(std::string text, std::int32_t copies) { return {copies, std::move(text)}; }
};

template <class Side>
std::string written(const typename Side::Text& text) {
  return text.text + ' ' + std::to_string(text.copies);
}

Ref test_asker;  // the sender of the last Text that said "keep"

/// Records what comes, and answers a Text with a Text.
template <class Side>
class Peer : public ScriptedActor {
 public:
  using Text = typename Side::Text;
  using ScriptedActor::ScriptedActor;

  void text(Context& ctx, const Text& text) {
    record("got " + written<Side>(text));
    if (text.text == "fail") throw Error("failed");
    if (text.text == "forward") ctx.forward(ctx.find("/user/next"));
    if (text.text == "keep") test_asker = ctx.sender();
    else if (!text.text.starts_with("re: "))
      ctx.reply(Side::text("re: " + text.text, text.copies + 1));
  }
  void word(const typename Side::Word& word) { record("word " + std::to_string(word.n)); }
  void spoken(const typename Side::Spoken& spoken) {
    record("spoken " + std::to_string(static_cast<int>(spoken.tone)));
  }
  void set_aside(Context& ctx, const Text&) { ctx.stash(); }
  void answered(Context&, const Reply<Text>& reply) {
    record(reply
               ? "answer " + written<Side>(*reply)
               : std::string{reply.failure().type()} + ": " + std::string{reply.failure().what()});
  }
  void spoken_to(Context&, const Reply<typename Side::Spoken>& reply) {
    record(reply ? "spoken" : "no answer: " + std::string{reply.failure().type()});
  }
  void pre_restart(Context& ctx, const Failure& reason) override {
    const Text* const failed = ctx.message_as<Text>();
    record(failed != nullptr ? "failed on " + written<Side>(*failed) : "failed");
    ScriptedActor::pre_restart(ctx, reason);
  }

  using Busy = Handlers<&ScriptedActor::act, &Peer::set_aside>;
  using Receive = Handlers<&ScriptedActor::act, &Peer::text, &Peer::word, &Peer::spoken>;
  using States = actord::States<Busy>;
};

/// Has a handler for all messages, none for a Text.
template <class Side>
class Catcher : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void rest(Context& ctx) {
    const auto* const text = ctx.message_as<typename Side::Text>();
    record(text != nullptr ? "caught " + written<Side>(*text)
                           : "caught " + std::string{ctx.message_type()});
  }
  using Receive = Handlers<&ScriptedActor::act, &Catcher::rest>;
  using States = actord::States<>;
};

/// Has no handler but that for what a test lets it do.
template <class Side>
class Mute : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  using Receive = Handlers<&ScriptedActor::act>;
  using States = actord::States<>;
};

const actord_plugin& plugin_of(const Left&) {
  static const actord_plugin& plugin =
      *plugin_table<Behaviours<left::Anchor>, Messages<left::Text, left::Word, left::Spoken>>(
          "left", "1");
  return plugin;
}
const actord_plugin& plugin_of(const Right&) {
  static const actord_plugin& plugin = *plugin_table<
      Behaviours<right::Anchor>,
      Messages<right::Text, right::Word, right::Spoken, right::Terminated, right::ReceiveTimeout,
               right::PoisonPill, right::Kill, right::Identify, right::ActorIdentity>>("right",
                                                                                       "1");
  return plugin;
}

/// Runs the scene with a first plugin and a second one, in both orders of loading.
template <class Scene>
void between_plugins(const Scene& scene, SeededTest::Setup setup = {}) {
  const auto with = [&](const auto& first, const auto& second, const auto& from, const auto& to) {
    SeededTest::Setup both = setup;
    both.before_start = [&](SeededTest& test) {
      test.world.use(plugin_of(first));
      test.world.use(plugin_of(second));
      if (setup.before_start) setup.before_start(test);
    };
    under_seeds([&](SeededTest& test) { scene(test, from, to); }, both);
  };
  SUBCASE("from the first layout to the further one") { with(Left{}, Right{}, Left{}, Right{}); }
  SUBCASE("from the further layout to the first one") { with(Right{}, Left{}, Left{}, Right{}); }
  SUBCASE("and the other way round") { with(Left{}, Right{}, Right{}, Left{}); }
}

/// Spawns a class that is compiled into the plugin of Side.
template <class Side, template <class> class A>
Ref spawn(SeededTest& test, std::string name, Script script = {}) {
  const std::string anchor = std::string{Side::name} + "/Anchor";
  auto props =
      test.world.system().props_of(detail::props_of<A<Side>>(&test, std::move(script)), anchor);
  REQUIRE(props);
  return {test.world.spawn_props(std::move(name), std::move(*props))};
}

/// Tells as the actor would.
template <class M>
void tell(SeededTest& test, Ref from, Ref to, M message) {
  test.perform(from, [&](ScriptedActor&, Context& ctx) { ctx.tell(to, message); });
}

}  // namespace

TEST_CASE("180s what is told crosses to the layout of the handler, and its answer back") {
  between_plugins([]<class From, class To>(SeededTest& test, From, To) {
    const Ref from = spawn<From, Peer>(test, "from"), to = spawn<To, Peer>(test, "to");
    tell(test, from, to, From::text("tea", 2));
    CHECK(test.life_of("to") == "new 0, pre_start 0, got tea 2");
    CHECK(test.life_of("from").starts_with("new 0, pre_start 0, got re: tea 3"));
  });
}

TEST_CASE("180s a message without a payload of its own size crosses, in order and in packets") {
  between_plugins([]<class From, class To>(SeededTest& test, From, To) {
    const Ref from = spawn<From, Peer>(test, "from"), to = spawn<To, Peer>(test, "to");
    std::string life = "new 0, pre_start 0";
    for (int i = 0; i < 100; ++i) life += ", word " + std::to_string(i);
    test.perform(from, [&](ScriptedActor&, Context& ctx) {
      for (int i = 0; i < 100; ++i) ctx.tell(to, typename From::Word{i});
    });
    CHECK(test.life_of("to") == life);
  });
}

TEST_CASE("180s a handler of all messages gets them in the layout of its plugin") {
  between_plugins([]<class From, class To>(SeededTest& test, From, To) {
    const Ref from = spawn<From, Peer>(test, "from"), to = spawn<To, Catcher>(test, "to");
    tell(test, from, to, From::text("tea", 2));
    tell(test, to, to, To::text("own", 1));
    tell(test, from, to, Note{1});
    CHECK(test.life_of("to") ==
          "new 0, pre_start 0, caught tea 2, caught own 1, caught play.Note/1");
  });
}

TEST_CASE("180s what is forwarded keeps its content and its sender") {
  between_plugins([]<class From, class To>(SeededTest& test, From, To) {
    const Ref from = spawn<From, Peer>(test, "from"), to = spawn<To, Peer>(test, "to");
    spawn<From, Catcher>(test, "next");
    tell(test, from, to, From::text("forward", 2));
    CHECK(test.life_of("next") == "new 0, pre_start 0, caught forward 2");
  });
}

TEST_CASE("180s an ask and its answer cross, whichever actor answers") {
  between_plugins([]<class From, class To>(SeededTest& test, From, To) {
    const Ref from = spawn<From, Peer>(test, "from"), to = spawn<To, Peer>(test, "to");
    const auto ask = [&](std::string text) {
      test.perform(from, [&](ScriptedActor&, Context& ctx) {
        ctx.ask<&Peer<From>::answered>(to, From::text(text, 2), 1s);
      });
    };
    ask("tea");
    CHECK(test.life_of("from") == "new 0, pre_start 0, answer re: tea 3");
    ask("keep");
    tell(test, spawn<To, Peer>(test, "other"), test_asker, To::text("late", 5));
    CHECK(test.life_of("from") == "new 0, pre_start 0, answer re: tea 3, answer late 5");
    ask("keep");
    test.world.advance(1s);
    CHECK(test.life_of("from").find("actord::AskTimeout: layouts.Text/1 to /user/to was not "
                                    "answered") != std::string::npos);
  });
}

TEST_CASE("180s a stashed message is translated once, and handled in its turn") {
  between_plugins([]<class From, class To>(SeededTest& test, From, To) {
    const Ref from = spawn<From, Peer>(test, "from"), to = spawn<To, Peer>(test, "to");
    test.perform(
        to, [](ScriptedActor&, Context& ctx) { ctx.become<typename Peer<To>::Busy, Peer<To>>(); });
    tell(test, from, to, From::text("one", 1));
    tell(test, from, to, From::text("two", 2));
    test.perform(to, [](ScriptedActor&, Context& ctx) {
      ctx.unbecome();
      ctx.unstash_all();
    });
    CHECK(test.life_of("to") == "new 0, pre_start 0, got one 1, got two 2");
  });
}

TEST_CASE("180s the message on which an actor fails is shown in its own layout") {
  between_plugins([]<class From, class To>(SeededTest& test, From, To) {
    const Ref from = spawn<From, Peer>(test, "from"), to = spawn<To, Peer>(test, "to");
    tell(test, from, to, From::text("fail", 2));
    CHECK(test.life_of("to").find("got fail 2, failed on fail 2") != std::string::npos);
    tell(test, from, to, From::text("tea", 1));
    CHECK(test.life_of("to").ends_with("got tea 1"));
  });
}

TEST_CASE("180s the message that a failure carries is shown in the layout of the supervisor") {
  between_plugins([]<class From, class To>(SeededTest& test, From, To) {
    std::string seen;
    const Ref parent = spawn<To, Peer>(
        test, "parent", {.decide = [&](ScriptedActor&, Context&, const Failure& failure) {
          const auto* const text = failure.payload_as<typename To::Text>();
          seen = text != nullptr ? written<To>(*text) : "nothing";
          return Directive::resume;
        }});
    Ref child;
    test.perform(parent, [&](ScriptedActor&, Context& ctx) {
      child = ctx.spawn<ScriptedActor>("child", &test, Script{});
    });
    test.perform(child, [](ScriptedActor&, Context&) {
      throw ErrorWith<typename From::Text>("carries", From::text("tea", 2));
    });
    CHECK(seen == "tea 2");
  });
}

TEST_CASE("180s a subscriber to a type hears it in all layouts") {
  between_plugins([]<class From, class To>(SeededTest& test, From, To) {
    const Ref from = spawn<From, Peer>(test, "from");
    const Ref to = spawn<To, Catcher>(test, "to"), all = spawn<From, Catcher>(test, "all");
    test.perform(to, [](ScriptedActor&, Context& ctx) {
      ctx.subscribe<typename To::Text>();
      ctx.subscribe_to("layouts.");
    });
    test.perform(all, [](ScriptedActor&, Context& ctx) { ctx.subscribe_to("layouts."); });
    test.perform(from, [](ScriptedActor&, Context& ctx) { ctx.publish(From::text("tea", 2)); });
    test.perform(to, [](ScriptedActor&, Context& ctx) { ctx.publish(To::text("own", 1)); });
    CHECK(test.life_of("to") == "new 0, pre_start 0, caught tea 2, caught own 1");
    CHECK(test.life_of("all") == "new 0, pre_start 0, caught tea 2, caught own 1");
    test.perform(to, [](ScriptedActor&, Context& ctx) {
      ctx.unsubscribe<typename To::Text>();
      ctx.publish(To::text("late", 1));
    });
    CHECK(test.life_of("to").find("late") == std::string::npos);
  });
}

TEST_CASE("180s what is scheduled, sent to a selection and found by name crosses") {
  between_plugins([]<class From, class To>(SeededTest& test, From, To) {
    const Ref from = spawn<From, Peer>(test, "from");
    const Ref to = spawn<To, Catcher>(test, "to");
    spawn<From, Catcher>(test, "tooth");
    test.perform(from, [&](ScriptedActor&, Context& ctx) {
      ctx.schedule_once(10ms, to, From::text("once", 1));
      ctx.system().schedule(to, 20ms, From::text("each", 2), 10ms);
      ctx.select("/user/to*").tell(From::text("some", 3));
    });
    test.world.advance(35ms);
    CHECK(test.life_of("to") ==
          "new 0, pre_start 0, caught some 3, caught once 1, caught each 2, caught each 2");
    CHECK(test.life_of("tooth") == "new 0, pre_start 0, caught some 3");
    test.stop(to);
    test.world.run();
  });
}

TEST_CASE("180s a dead letter keeps its layout, and crosses when it is sent again") {
  between_plugins([]<class From, class To>(SeededTest& test, From, To) {
    test.world.system().dead_letter_box().set_bytes_max(1 << 16);
    const Ref from = spawn<From, Peer>(test, "from"), gone = spawn<To, Peer>(test, "gone");
    test.stop(gone);
    tell(test, from, gone, From::text("tea", 2));
    const auto letters = test.world.system().dead_letter_box().all();
    REQUIRE(letters.size() == 1);
    CHECK(test.world.system().types.name(letters[0]->message.id()) == "layouts.Text/1");
    const Ref again = spawn<To, Catcher>(test, "again");
    test.world.system().tell(again.value, letters[0]->message.id(), letters[0]->message.content());
    test.world.run();
    CHECK(test.life_of("again") == "new 0, pre_start 0, caught tea 2");
    test.world.system().dead_letter_box().set_bytes_max(0);
  });
}

TEST_CASE("180s a message of a trace is handled as a span, in the layout of its receiver") {
  between_plugins([]<class From, class To>(SeededTest& test, From, To) {
    const Ref from = spawn<From, Peer>(test, "from"), to = spawn<To, Catcher>(test, "to");
    test.perform(from, [&](ScriptedActor&, Context& ctx) {
      CHECK(ctx.continue_trace("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
      ctx.tell(to, From::text("tea", 2));
    });
    CHECK(test.life_of("to") == "new 0, pre_start 0, caught tea 2");
    int spans = 0;
    for (const auto& line : test.world.events("actor.span")) {
      if (line.field("actor.path") != "/user/to") continue;
      ++spans;
      CHECK(line.field("span.outcome") == "handled");
      CHECK(line.field("message.type") == "layouts.Text/1");
    }
    CHECK(spans == 1);
  });
}

TEST_CASE("180s a message that no handler takes stays as it is") {
  between_plugins([]<class From, class To>(SeededTest& test, From, To) {
    const Ref from = spawn<From, Peer>(test, "from"), to = spawn<To, Mute>(test, "to");
    tell(test, from, to, From::text("tea", 2));
    CHECK(test.world.events("unhandled").size() + test.world.events("message.unhandled").size() ==
          1);
    CHECK(test.world.events("message.not-translated").empty());
  });
}

TEST_CASE("180s a bounded mailbox counts a message that crosses once") {
  between_plugins(
      []<class From, class To>(SeededTest& test, From, To) {
        const Ref from = spawn<From, Peer>(test, "from"), to = spawn<To, Catcher>(test, "bounded");
        for (int i = 0; i < 5; ++i) tell(test, from, to, From::text("tea", i));
        CHECK(test.count("bounded caught tea 4") == 1);
        CHECK(test.world.events("deadletter").empty());
      },
      {.before_start = [](SeededTest& test) {
        test.deployments = {{"/user/bounded", {.mailbox_capacity = 1}}};
      }});
}

// ---- the messages of the system -----------------------------------------------------------------

namespace {

/// An actor of the plugin that has the system's messages in a layout of its own.
template <class Side>
class Stranger : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void ended(const right::Terminated& notice) {
    record("ended " + test().name_of(notice.who) + ' ' + notice.reason +
           (notice.existence_confirmed ? " confirmed" : ""));
  }
  void silence(const right::ReceiveTimeout& timeout) {
    record("silence " + std::to_string(timeout.after.count()));
  }
  void stopped(Context&, const Reply<right::Terminated>& reply) {
    record(reply ? "stopped " + reply->reason : std::string{reply.failure().type()});
  }
  void found(Context&, const Reply<right::ActorIdentity>& reply) {
    record("found " + std::to_string(reply->id) + ' ' + test().name_of(reply->who));
  }
  void put_aside(Context& ctx, const right::Terminated&) { ctx.stash(); }

  using Busy = Handlers<&ScriptedActor::act, &Stranger::put_aside>;
  using Receive = Handlers<&ScriptedActor::act, &Stranger::ended, &Stranger::silence>;
  using States = actord::States<Busy>;
};

void with_stranger(const std::function<void(SeededTest&, Ref)>& scene) {
  under_seeds([&](SeededTest& test) { scene(test, spawn<Right, Stranger>(test, "stranger")); },
              {.before_start = [](SeededTest& test) { test.world.use(plugin_of(Right{})); }});
}

}  // namespace

TEST_CASE("180s a Terminated reaches a plugin that has it in another layout, once") {
  with_stranger([](SeededTest& test, Ref stranger) {
    const Ref target = test.spawn("target"), kept = test.spawn("kept");
    test.watch(stranger, target);
    test.watch(stranger, kept);
    test.stop(target);
    test.world.run();
    CHECK(test.life_of("stranger") == "new 0, pre_start 0, ended target stopped confirmed");
    test.perform(stranger, [&](ScriptedActor&, Context& ctx) { ctx.unwatch(kept); });
    test.stop(kept);
    test.world.run();
    CHECK(test.life_of("stranger") == "new 0, pre_start 0, ended target stopped confirmed");
  });
}

TEST_CASE("180s a Terminated that such a plugin has stashed is handled once") {
  with_stranger([](SeededTest& test, Ref stranger) {
    const Ref target = test.spawn("target");
    test.watch(stranger, target);
    test.perform(stranger, [](ScriptedActor&, Context& ctx) {
      ctx.become<Stranger<Right>::Busy, Stranger<Right>>();
    });
    test.stop(target);
    test.world.run();
    test.perform(stranger, [](ScriptedActor&, Context& ctx) {
      ctx.unbecome();
      ctx.unstash_all();
    });
    CHECK(test.life_of("stranger") == "new 0, pre_start 0, ended target stopped confirmed");
  });
}

TEST_CASE("180s an actor of such a plugin without a handler for Terminated has a death pact") {
  with_stranger([](SeededTest& test, Ref) {
    const Ref bound = spawn<Right, Mute>(test, "bound"), target = test.spawn("target");
    test.watch(bound, target);
    test.stop(target);
    test.world.run();
    CHECK(test.world.events("actor.failed").size() == 1);
    CHECK(test.world.events("actor.failed")[0].field("failure.type") == "actord::DeathPact");
  });
}

TEST_CASE("180s a graceful stop and an Identify are answered in the layout of the asker") {
  with_stranger([](SeededTest& test, Ref stranger) {
    const Ref target = test.spawn("target");
    test.perform(stranger, [&](ScriptedActor&, Context& ctx) {
      ctx.ask<&Stranger<Right>::found>(target, right::Identify{7}, 1s);
    });
    test.perform(stranger, [&](ScriptedActor&, Context& ctx) {
      ctx.graceful_stop<&Stranger<Right>::stopped>(target, 1s);
    });
    test.perform(stranger, [&](ScriptedActor&, Context& ctx) {
      ctx.ask<&Stranger<Right>::found>(target, right::Identify{8}, 1s);
    });
    CHECK(test.life_of("stranger") ==
          "new 0, pre_start 0, found 7 target, stopped stopped, found 8 nobody");
  });
}

TEST_CASE("180s a PoisonPill and a Kill of such a plugin do what they always do") {
  with_stranger([](SeededTest& test, Ref stranger) {
    const Ref poisoned = test.spawn("poisoned"), killed = test.spawn("killed");
    tell(test, stranger, poisoned, right::PoisonPill{});
    tell(test, stranger, killed, right::Kill{});
    CHECK_FALSE(test.is_alive(poisoned));
    CHECK_FALSE(test.is_alive(killed));
    CHECK(test.world.events("actor.failed")[0].field("failure.type") == "actord::Killed");
  });
}

TEST_CASE("180s a receive timeout reaches such a plugin, and is no activity") {
  with_stranger([](SeededTest& test, Ref stranger) {
    test.perform(stranger, [](ScriptedActor&, Context& ctx) { ctx.receive_timeout(10ms); });
    test.world.advance(25ms);
    CHECK(test.life_of("stranger") == "new 0, pre_start 0, silence 10000000, silence 10000000");
  });
}

// ---- what cannot be translated ------------------------------------------------------------------

TEST_CASE(
    "180t a message that cannot be translated is a dead letter, and its receiver does not fail") {
  between_plugins([]<class From, class To>(SeededTest& test, From, To) {
    const Ref from = spawn<From, Peer>(test, "from"), to = spawn<To, Peer>(test, "to");
    using Tone = decltype(From::Spoken::tone);
    const Tone known = Tone::loud;
    const Tone unknown = static_cast<Tone>(std::is_same_v<From, Left> ? 0 : 1);
    typename From::Spoken spoken;
    spoken.tone = unknown;
    const auto& letters = test.read_dead_letters();
    tell(test, from, to, spoken);
    REQUIRE(letters.size() == 1);
    CHECK(letters[0].reason == "not-translated");
    CHECK(letters[0].type == "layouts.Spoken/1");
    const auto lines = test.world.events("message.not-translated");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].text.starts_with("layouts.Spoken/1 cannot be translated for /user/to: tone: "));
    CHECK(lines[0].field("failure.type") == "actord::NotTranslated");
    spoken.tone = known;
    tell(test, from, to, spoken);
    CHECK(test.life_of("to").starts_with("new 0, pre_start 0, spoken "));
    CHECK(test.world.events("actor.failed").empty());
  });
}

TEST_CASE("180t a question that cannot be translated fails, and so does an answer") {
  between_plugins([]<class From, class To>(SeededTest& test, From, To) {
    const Ref from = spawn<From, Peer>(test, "from"), to = spawn<To, Peer>(test, "to");
    typename From::Spoken unknown_there;
    unknown_there.tone =
        static_cast<decltype(From::Spoken::tone)>(std::is_same_v<From, Left> ? 0 : 1);
    test.perform(from, [&](ScriptedActor&, Context& ctx) {
      ctx.ask<&Peer<From>::spoken_to>(to, unknown_there, 1s);
    });
    CHECK(test.life_of("from") == "new 0, pre_start 0, no answer: actord::NoRecipient");

    Ref asked;
    const Ref later = test.spawn(
        "later",
        {.question = [&](ScriptedActor&, Context& ctx, const Question&) { asked = ctx.sender(); }});
    test.perform(to, [&](ScriptedActor&, Context& ctx) {
      ctx.ask<&Peer<To>::spoken_to>(later, Question{}, 1s);
    });
    test.perform(from, [&](ScriptedActor&, Context& ctx) { ctx.tell(asked, unknown_there); });
    CHECK(test.life_of("to") == "new 0, pre_start 0, no answer: actord::NotTranslated");
  });
}

}  // namespace actord::conformance
