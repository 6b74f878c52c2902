// SPDX-License-Identifier: Apache-2.0
//
// Traces: a message that belongs to one carries it to whatever its handling causes, and each
// handling is a span in the log (message/trace_context.hpp, actor/traces.cpp).
#include "seeded_test.hpp"
#include "system/outside_ask.hpp"

namespace actord::conformance {

namespace {

using Line = testkit::SeenEvent;

constexpr std::string_view trace = "4bf92f3577b34da6a3ce929d0e0e4736";
constexpr std::string_view caller = "00f067aa0ba902b7";
const std::string header = "00-" + std::string{trace} + '-' + std::string{caller} + "-01";

/// The spans of the actor, in the order of their ends.
std::vector<Line> spans_of(SeededTest& test, std::string_view path) {
  std::vector<Line> spans;
  for (const Line& line : test.world.events("actor.span")) {
    if (line.field("actor.path") == path) spans.push_back(line);
  }
  return spans;
}

Line span_of(SeededTest& test, std::string_view path) {
  const auto spans = spans_of(test, path);
  REQUIRE(spans.size() == 1);
  CHECK(spans[0].field("trace.id") == trace);
  return spans[0];
}

void continue_trace(ScriptedActor&, Context& ctx) { CHECK(ctx.continue_trace(header)); }

/// Acts for a request, and passes its message on, whose copy is made by the plugin.
class Forwarder : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void letter(Context& ctx, const Letter&) {
    continue_trace(*this, ctx);
    ctx.forward(ctx.find("/user/last"));
    ctx.tell(ctx.find("/user/last"), Note{1});
  }
  using Receive = Handlers<&Forwarder::letter>;
  using States = actord::States<>;
};
class LetterReader : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void letter(const Letter& letter) { record(letter.text); }
  using Receive = Handlers<&ScriptedActor::note, &LetterReader::letter>;
  using States = actord::States<>;
};

void begin(SeededTest& test, Ref whom, Script::Hook what) {
  test.queue(whom, [what = std::move(what)](ScriptedActor& actor, Context& ctx) {
    continue_trace(actor, ctx);
    what(actor, ctx);
  });
}

}  // namespace

TEST_CASE("a trace goes on with every message that its handling sends, and with nothing else") {
  under_seeds([](SeededTest& test) {
    const Ref last = test.spawn("last");
    const Ref next = test.spawn(
        "next", {.question = [last](ScriptedActor&, Context& ctx, const Question& question) {
          CHECK_FALSE(ctx.traceparent().empty());
          ctx.tell(last, Note{question.n});
        }});
    const Ref first = test.spawn("first");
    begin(test, first, [next](ScriptedActor&, Context& ctx) { ctx.tell(next, Question{1}); });
    test.world.run();
    test.perform(first, [last](ScriptedActor&, Context& ctx) {
      CHECK(ctx.traceparent().empty());
      ctx.tell(last, Note{2});
    });
    const Line a = span_of(test, "/user/first"), b = span_of(test, "/user/next"),
               c = span_of(test, "/user/last");
    CHECK(a.field("span.parent_id") == caller);
    CHECK(b.field("span.parent_id") == a.field("span.id"));
    CHECK(c.field("span.parent_id") == b.field("span.id"));
    CHECK(b.field("message.type") == "play.Question/1");
    CHECK(b.field("message.sender") == "/user/first");
    CHECK(b.field("span.outcome") == "handled");
    CHECK(a.field("span.outcome").empty());
    CHECK_FALSE(b.field("span.waited_us").empty());
    CHECK(test.life_of("last") == "new 0, pre_start 0, got 1, got 2");
  });
}

TEST_CASE("all messages of a handler that sends many belong to its trace, in their order") {
  under_seeds([](SeededTest& test) {
    const Ref last = test.spawn("last");
    const Ref first = test.spawn("first");
    test.queue(first, [last](ScriptedActor& actor, Context& ctx) {
      for (int n = 0; n < 3; ++n) ctx.tell(last, Note{n});
      continue_trace(actor, ctx);
      for (int n = 3; n < 40; ++n) ctx.tell(last, Note{n});
    });
    test.world.run();
    CHECK(spans_of(test, "/user/last").size() == 37);
    std::string all = "new 0, pre_start 0";
    for (int n = 0; n < 40; ++n) all += ", got " + std::to_string(n);
    CHECK(test.life_of("last") == all);
  });
}

TEST_CASE("a handler that passes its message on still acts for its request after that") {
  under_seeds([](SeededTest& test) {
    test.spawn<LetterReader>("last");
    const Ref first = test.spawn<Forwarder>("first");
    test.world.tell(first.value, Letter{"a text that does not fit into its message"});
    test.world.run();
    CHECK(spans_of(test, "/user/last").size() == 2);
    CHECK(test.life_of("last") ==
          "new 0, pre_start 0, a text that does not fit into its message, got 1");
  });
}

TEST_CASE("an answer belongs to the trace of its question, and a failure names its trace") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    const Ref child = test.spawn_under(
        boss, "child", {.question = [](ScriptedActor&, Context& ctx, const Question& question) {
          ctx.log(Level::info, "answers");
          if (question.n == 2) throw Restarting("boom");
          ctx.reply(Answer{question.n});
        }});
    const Ref first = test.spawn("first");
    begin(test, first, [child](ScriptedActor&, Context& ctx) {
      ctx.ask<&ScriptedActor::asked>(child, Question{1}, 1s);
      ctx.tell(child, Question{2});
    });
    test.world.run();
    const auto answered = spans_of(test, "/user/boss/child");
    REQUIRE(answered.size() == 2);
    CHECK(answered[0].field("span.outcome") == "handled");
    CHECK(answered[0].field("message.sender") == "/user/first");
    CHECK(answered[1].field("span.outcome") == "failed");
    const auto asked = spans_of(test, "/user/first");
    REQUIRE(asked.size() == 2);
    CHECK(asked[1].field("span.parent_id") == answered[0].field("span.id"));
    CHECK(asked[1].field("message.type") == "play.Answer/1");
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("trace.id") == trace);
    CHECK(failed[0].field("span.id") == answered[1].field("span.id"));
    int said = 0;
    for (const Line& line : test.world.events())
      said += line.text == "answers" && line.field("trace.id") == trace;
    CHECK(said == 2);
    CHECK(test.life_of("first") == "new 0, pre_start 0, reply 1");
  });
}

TEST_CASE("a message keeps its trace in the stash, in a full mailbox and as a dead letter") {
  SeededTest::Setup setup;
  setup.before_start = [](SeededTest& test) {
    test.deployments = {{"/user/last", {.mailbox_capacity = 1}}};
  };
  under_seeds(
      [](SeededTest& test) {
        const Ref last = test.spawn("last");
        const Ref first = test.spawn("first");
        test.perform(last, [](ScriptedActor&, Context& ctx) { ctx.become<ScriptedActor::Busy>(); });
        const auto& dead = test.read_dead_letters();
        begin(test, first, [last](ScriptedActor&, Context& ctx) { ctx.tell(last, Note{1}); });
        test.world.run();
        CHECK(span_of(test, "/user/last").field("span.outcome") == "stashed");
        test.perform(last, [](ScriptedActor&, Context& ctx) {
          ctx.unbecome();
          ctx.unstash_all();
        });
        const auto spans = spans_of(test, "/user/last");
        REQUIRE(spans.size() == 2);
        CHECK(spans[1].field("span.parent_id") == spans[0].field("span.id"));
        CHECK(spans[1].field("span.outcome") == "handled");
        CHECK(test.life_of("last") == "new 0, pre_start 0, got 1");
        test.send_system(last, actor::SystemMessage::suspend());
        begin(test, first, [last](ScriptedActor&, Context& ctx) {
          ctx.tell(last, Note{2});
          ctx.tell(last, Note{3});
        });
        test.world.run();
        REQUIRE(dead.size() == 1);
        CHECK(dead[0].reason == "mailbox-full");
        CHECK(dead[0].type == "play.Note/1");
        test.stop(last);
        test.world.run();
        REQUIRE(dead.size() == 2);
        CHECK(dead[1].reason == "stopped");
        CHECK(dead[1].type == "play.Note/1");
      },
      setup);
}

TEST_CASE("a question from outside brings its trace, and the answer comes back in it") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    const message::TypeId id = test.world.system().types.find("play.Question/1");
    Question question{7};
    int answers = 0;
    const auto context = message::read_traceparent(header)->context;
    test.world.system().ask(std::make_shared<system::OutsideAsk>(
        child, id, test.world.system().types.at(id), &question, 1s, context,
        [&answers](const system::OutsideAsk::Answer& answer) {
          answers += answer.message != nullptr;
        }));
    test.world.run();
    CHECK(answers == 1);
    const Line asked = span_of(test, "/user/child");
    CHECK(asked.field("span.parent_id") == caller);
    CHECK(span_of(test, "/system/operator-1").field("span.parent_id") == asked.field("span.id"));
  });
}

TEST_CASE("a hook of an actor may act for a request; the trace ends with the hook") {
  under_seeds([](SeededTest& test) {
    const Ref last = test.spawn("last");
    const Script script = {.pre_start = [last](ScriptedActor& actor, Context& ctx) {
      continue_trace(actor, ctx);
      ctx.tell(last, Note{1});
    }};
    const Ref first = test.spawn("first", script);
    test.perform(first, [last](ScriptedActor&, Context& ctx) { ctx.tell(last, Note{2}); });
    CHECK(span_of(test, "/user/last").field("span.parent_id") ==
          span_of(test, "/user/first").field("span.id"));
  });
}

TEST_CASE(
    "without a share none of the timers' messages begins a trace, and with the share 1 all do") {
  under_seeds([](SeededTest& test) {
    const Ref first = test.spawn("first");
    const auto tick = [](ScriptedActor&, Context& ctx) { ctx.start_timer("tick", 1ms, Note{1}); };
    test.perform(first, tick);
    test.world.advance(2ms);
    CHECK(test.world.events("actor.span").empty());
    test.world.system().tracing.set({.is_enabled = true, .sample_ratio = 1});
    test.perform(first, tick);
    test.world.advance(2ms);
    const auto spans = spans_of(test, "/user/first");
    REQUIRE_FALSE(spans.empty());
    CHECK(spans.back().field("message.type") == "play.Note/1");
    CHECK(spans.back().field("span.parent_id").empty());
    CHECK(spans.back().field("span.waited_us").empty());
    test.world.system().tracing.set({.is_enabled = false, .sample_ratio = 1});
    test.perform(first, [](ScriptedActor&, Context& ctx) {
      CHECK_FALSE(ctx.continue_trace(header));
      CHECK(ctx.traceparent().empty());
    });
    test.perform(first, tick);
    test.world.advance(2ms);
    CHECK(spans_of(test, "/user/first").size() == spans.size());
  });
}

}  // namespace actord::conformance
