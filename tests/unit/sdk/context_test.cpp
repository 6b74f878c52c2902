// SPDX-License-Identifier: Apache-2.0
//
// From a handler to the host's table and back: calls, replies, failures without a throw, asks.
#include <doctest/doctest.h>

#include <actord/backoff_supervisor.hpp>
#include <actord/shared_circuit_breaker.hpp>

#include "unit/sdk/fake_host.hpp"

using namespace std::chrono_literals;

namespace play {

struct Ask {
  int what = 0;
};
struct Say {
  std::string text;
};
struct Other {};
ACTORD_MESSAGE(Ask, "play.Ask/1", what)
ACTORD_MESSAGE(Say, "play.Say/1", text)
ACTORD_MESSAGE(Other, "play.Other/1")

struct Unlisted {};
ACTORD_MESSAGE(Unlisted, "play.Unlisted/1")

struct Refusal : actord::Error {
  using Error::Error;
};

class Child : public actord::Actor {
 public:
  Child(actord::Context& ctx, std::string name, int n)
      : name_(std::move(name)), n_(n), self_(ctx.self()) {}
  void nothing(const Ask&) {}
  using Receive = actord::Handlers<&Child::nothing>;

  std::string name_;
  int n_;
  actord::Ref self_;
};

class Actor : public actord::Actor {
 public:
  Say answer(const Ask& m) { return {std::to_string(m.what)}; }
  Say failing_answer(actord::Context& ctx, const Say& m) {
    ctx.fail<Refusal>("will not say " + m.text, {{"text", m.text}});
    CHECK(ctx.has_failed());
    ctx.fail("again");
    if (m.text == "throw") throw std::runtime_error("ignored");
    return {m.text};
  }
  void replied(actord::Context&, const actord::Reply<Say>& reply) {
    heard_ = reply
                 ? reply->text
                 : std::string{reply.failure().type()} + ": " + std::string{reply.failure().what()};
  }
  void busy(actord::Context& ctx, const Ask&) {
    ctx.fail_with<Refusal>("busy", Say{"a message that travels"});
  }
  void rest(actord::Context& ctx) { ctx.forward(actord::Ref{9}); }
  void other(const Other&) const noexcept {}

  using Receive = actord::Handlers<&Actor::answer, &Actor::failing_answer>;
  struct Busy : actord::Handlers<&Actor::busy, &Actor::rest> {
    static constexpr std::string_view name = "busy";
  };
  using Quiet = actord::Handlers<&Actor::other>;
  using States = actord::States<Busy, Quiet>;

  std::string heard_;
};

const actord_plugin* plugin() {
  return actord::plugin_table<actord::Behaviours<Actor, Child>, actord::Messages<Ask, Say, Other>>(
      "play", "1.0.0");
}

struct Stage : fake::Host {
  Stage() : instance(actord::detail::behaviour_table<Actor>()) {
    fake::list(plugin());
    REQUIRE(instance.create(*this) == ACTORD_OK);
  }
  actord::Context ctx() { return {context, &errors}; }
  Actor& actor() { return *static_cast<Actor*>(instance.self()); }
  fake::Instance instance;
};

// Supervises a child that the host does not know.
class Guard : public actord::BackoffActor {
 public:
  Guard() : BackoffActor(actord::BackoffOptions::on_stop(1s, 3s, 0)) {}

 protected:
  actord::Ref spawn_child(actord::Context&) override { return actord::Ref{77}; }
};

// The lines of log that a Guard causes whose child stops twice, with a limit of one restart.
std::vector<std::string> lines_of_guard(Stage& stage) {
  stage.table.budget = [](actord_context*, std::int64_t* max_restarts, std::int64_t* within_ns) {
    *max_restarts = 1, *within_ns = -1;
  };
  actord::Context ctx = stage.ctx();
  Guard guard;
  const actord::Terminated notice{actord::Ref{77}, true, "stopped"};
  guard.pre_start(ctx);
  guard.terminated(ctx, notice);
  guard.start_again(ctx, {});
  guard.terminated(ctx, notice);
  std::erase_if(stage.cell.calls, [](const auto& call) { return !call.starts_with("log"); });
  return stage.cell.calls;
}

}  // namespace play

TEST_SUITE_BEGIN("sdk/context");

TEST_CASE("what a handler returns is the reply") {
  play::Stage stage;
  CHECK(stage.instance.receive(stage, play::Ask{4}) == ACTORD_OK);
  CHECK(stage.last() == "reply " + fake::n(actord::detail::type_id<play::Say>));
}

TEST_CASE(
    "a call that failed without a throw reports once, and what it does after that is ignored") {
  for (const char* text : {"it", "throw"}) {
    play::Stage stage;
    CHECK(stage.instance.receive(stage, play::Say{text}) == ACTORD_FAILED);
    CHECK(stage.errors.reports == 1);
    CHECK(stage.errors.what == "will not say " + std::string{text});
    CHECK(stage.errors.details == " text=" + std::string{text});
    CHECK(stage.errors.chain ==
          "play::Refusal < actord::Error < std::runtime_error < std::exception");
    CHECK(stage.cell.calls.empty());
  }
}

TEST_CASE("a message travels with a failure that was not thrown") {
  play::Stage stage;
  static std::string travelled;
  stage.errors.on_payload = [](void* payload) {
    travelled = std::move(static_cast<play::Say*>(payload)->text);
  };
  const play::Ask ask;
  const actord_handler handler = stage.instance.handler<play::Ask>(1);
  CHECK(handler(stage.instance.self(), &stage.context, &ask, &stage.errors) == ACTORD_FAILED);
  CHECK(stage.errors.payload_type == actord::detail::type_id<play::Say>);
  CHECK(travelled == "a message that travels");
}

TEST_CASE("a handler of the context alone takes what no other takes") {
  play::Stage stage;
  const actord_receive& busy = *actord::detail::behaviour_table<play::Actor>()->receives[1];
  CHECK(fake::text(busy.name) == "busy");
  CHECK(busy.n_cases == 1);
  const play::Other other;
  CHECK(busy.otherwise(stage.instance.self(), &stage.context, &other, &stage.errors) == ACTORD_OK);
  CHECK(stage.last() == "forward 9");
  CHECK(static_cast<bool>(actord::detail::behaviour_table<play::Actor>()->receives[0]->otherwise) ==
        false);
}

TEST_CASE("become names one of the tables that the behaviour lists") {
  play::Stage stage;
  const actord_behaviour& table = *actord::detail::behaviour_table<play::Actor>();
  REQUIRE(table.n_receives == 3);
  stage.ctx().become<play::Actor::Busy>();
  CHECK(stage.cell.state == table.receives[1]);
  stage.ctx().become_on_top<play::Actor::Quiet>();
  CHECK(stage.cell.state == table.receives[2]);
  stage.ctx().become<play::Actor::Receive>();
  CHECK(stage.cell.state == table.receives[0]);
}

TEST_CASE("an answer reaches the reply handler as a message or as a failure") {
  play::Stage stage;
  stage.ctx().ask<&play::Actor::replied>(actord::Ref{5}, play::Ask{1}, 3ms);
  CHECK(stage.last() == "ask 5 3000000");
  const auto reply = [&](const void* message, const actord_failure* failure) {
    CHECK(stage.cell.on_reply(stage.instance.self(), &stage.context, message, failure,
                              &stage.errors) == ACTORD_OK);
    return stage.actor().heard_;
  };
  const play::Say say{"yes"};
  stage.handling(say);
  CHECK(reply(&say, nullptr) == "yes");
  const play::Other other;
  stage.handling(other);
  CHECK(reply(&other, nullptr) ==
        "actord::UnexpectedReply: the answer is of another type than the one asked for");
  const actord_failure failure =
      actord::detail::plain_failure(actord::detail::chain_of(typeid(actord::AskTimeout)), "late");
  CHECK(reply(nullptr, &failure) == "actord::AskTimeout: late");
}

TEST_CASE("a child keeps copies of its arguments for each of its lives") {
  play::Stage stage;
  std::string name = "a name that is longer than fifteen";
  CHECK(stage.ctx().spawn<play::Child>("one", name, 3) == actord::Ref{77});
  CHECK(stage.cell.spawned.behaviour == actord::detail::behaviour_table<play::Child>());
  name.clear();
  for (int life = 0; life < 2; ++life) {
    fake::Instance child(stage.cell.spawned.behaviour);
    REQUIRE(child.create_from(stage, stage.cell.spawned) == ACTORD_OK);
    const auto& actor = *static_cast<const play::Child*>(child.self());
    CHECK(actor.name_ == "a name that is longer than fifteen");
    CHECK(actor.n_ == 3);
    CHECK(actor.self_ == actord::Ref{1});
  }
  stage.cell.spawned.args_destroy(stage.cell.spawned.args);
}

TEST_CASE("without arguments a child is built from its config, and by name from any plugin") {
  play::Stage stage;
  stage.ctx().spawn<play::Actor>("two");
  CHECK(static_cast<bool>(stage.cell.spawned.create) == false);
  CHECK(stage.cell.spawned.args == nullptr);
  stage.ctx().spawn("three", "echo/Echo");
  CHECK(stage.last() == "spawn three echo/Echo");
}

TEST_CASE("what the host refuses is an Error here") {
  play::Stage stage;
  stage.cell.refusal = "the name is taken";
  try {
    stage.ctx().spawn<play::Child>("one", "x", 3);
    FAIL("nothing was thrown");
  } catch (const actord::Error& error) {
    CHECK(std::string{error.what()} == "the name is taken");
  }
  CHECK_THROWS_AS(stage.ctx().stash(), actord::Error);
  stage.cell.refusal_type = "actord::StashOverflow";
  CHECK_THROWS_AS(stage.ctx().stash(), actord::StashOverflow);
}

TEST_CASE("a message that is not listed in the plugin is not sent") {
  play::Stage stage;
  CHECK_THROWS_WITH_AS(stage.ctx().tell(actord::Ref{5}, play::Unlisted{}),
                       "message type is not listed in ACTORD_PLUGIN: play.Unlisted/1",
                       actord::Error);
}

TEST_CASE("the current message can be read by type") {
  play::Stage stage;
  CHECK_FALSE(stage.ctx().has_message());
  CHECK(stage.ctx().message_as<play::Say>() == nullptr);
  const play::Say say{"x"};
  stage.handling(say);
  CHECK(stage.ctx().message_as<play::Say>() == &say);
  CHECK(stage.ctx().message_as<play::Ask>() == nullptr);
  CHECK(stage.ctx().message_as<play::Unlisted>() == nullptr);
}

TEST_CASE("every other call goes through the table as it is") {
  play::Stage stage;
  actord::Context ctx{stage.context, &stage.errors};
  const std::string ask = fake::n(actord::detail::type_id<play::Ask>);
  struct Row {
    void (*call)(actord::Context&);
    std::string expected;
  };
  for (const Row& row : {
           Row{[](auto& c) { c.tell(actord::Ref{5}, play::Ask{}); }, "tell 5 " + ask},
           Row{[](auto& c) { c.tell(actord::Ref{5}, play::Ask{}, actord::Ref{6}); },
               "tell 5 from 6"},
           Row{[](auto& c) { c.reply(play::Ask{}); }, "reply " + ask},
           Row{[](auto& c) {
                 c.template reply_failure<play::Refusal>("no", {{"a", 1}});
               },
               "reply_failure play::Refusal no a=1"},
           Row{[](auto& c) { c.stop(c.sender()); }, "stop 3"},
           Row{[](auto& c) { c.stop_self(); }, "stop 1"},
           Row{[](auto& c) { c.stop_children(); }, "stop_children"},
           Row{[](auto& c) { c.watch(c.parent()); }, "watch 2"},
           Row{[](auto& c) { c.unwatch(c.parent()); }, "unwatch 2"},
           Row{[](auto& c) { c.unbecome(); }, "unbecome"},
           Row{[](auto& c) { c.unstash_all(); }, "unstash_all"},
           Row{[](auto& c) { c.start_timer("t", 1us, play::Ask{}); }, "timer t 1000 0"},
           Row{[](auto& c) { c.start_timer("t", 1us, play::Ask{}, 2us); }, "timer t 1000 2000"},
           Row{[](auto& c) { c.cancel_timer("t"); }, "cancel t"},
           Row{[](auto& c) { c.receive_timeout(1s); }, "receive_timeout 1000000000"},
           Row{[](auto& c) {
                 c.log(actord::Level::warning, "late", {{"by", 2ms}});
               },
               "log 1  late by=2000000ns"},
           Row{[](auto& c) { c.event(actord::Level::info, "play.x", "t"); }, "log 2 play.x t"},
           Row{[](auto& c) { c.template subscribe<actord::DeadLetter>(); },
               "subscribe actord.DeadLetter/1"},
           Row{[](auto& c) { c.template unsubscribe<actord::DeadLetter>(); },
               "unsubscribe actord.DeadLetter/1"},
           Row{[](auto& c) { c.publish(play::Ask{}); }, "publish " + ask},
           Row{[](auto& c) { c.system().tell(actord::Ref{5}, play::Ask{}); },
               "system_tell 5 " + ask},
           Row{[](auto& c) {
                 c.system().log(actord::Level::debug, "t", {{"a", 1u}});
               },
               "system_log 3  t a=1u"},
           Row{[](auto& c) { c.system().event(actord::Level::error, "play.y", "t"); },
               "system_log 0 play.y t"},
       }) {
    row.call(ctx);
    CHECK(stage.last() == row.expected);
  }
  play::Ask ask_outside{7};
  CHECK(ctx.system().try_tell(actord::Ref{5}, ask_outside));
  CHECK(stage.last() == "system_try_tell 5 " + ask);
  CHECK_FALSE(ctx.system().try_tell(actord::Ref{6}, ask_outside));
  CHECK(ask_outside.what == 7);
  stage.table.struct_size = offsetof(actord_host, system_try_tell);  // an actord of ABI 1.3
  CHECK(ctx.system().try_tell(actord::Ref{6}, ask_outside));
  CHECK(stage.last() == "system_tell 6 " + ask);
  stage.table.struct_size = sizeof stage.table;
  CHECK(ctx.now() == 5us);
  CHECK(ctx.random() == 4);
  CHECK(ctx.find("/user/x") == actord::Ref{1});
  CHECK_FALSE(ctx.find("/user/y"));
  CHECK(ctx.path(actord::Ref{3}) == "/user/xxx");
  CHECK(ctx.path(actord::Ref{300}) == "/user/" + std::string(300, 'x'));
  CHECK(ctx.path(actord::Ref{121}) == "/user/" + std::string(121, 'x'));
  CHECK(ctx.path(actord::Ref{122}) == "/user/" + std::string(122, 'x'));
  CHECK(ctx.state_directory() == "/var/lib/actord");
  stage.cell.children = {4, 5};
  CHECK(ctx.children() == std::vector{actord::Ref{4}, actord::Ref{5}});
}

TEST_CASE("asks are answered later, and selections are asked, through an actord of ABI 1.5") {
  play::Stage stage;
  actord::Context ctx = stage.ctx();
  CHECK(ctx.asker() == actord::Ref{8});
  CHECK(ctx.reply_failure<play::Refusal>(actord::Ref{5}, "no"));
  CHECK(stage.last() == "fail_ask 5 play::Refusal no");
  CHECK_FALSE(ctx.reply_failure(actord::Ref{6}, "no"));
  CHECK(ctx.select("a/*").ask<&play::Actor::replied>(play::Ask{}, 2s) == 2);
  CHECK(stage.last() == "ask a/* " + fake::n(actord::detail::type_id<play::Ask>) + " 2000000000");
  CHECK(ctx.select("b").forward() == 3);
  CHECK(stage.last() == "forward b");
  ctx.subscribe_to_family("f");
  CHECK(stage.last() == "subscribe_family f");
  ctx.unsubscribe_from_family("f");
  CHECK(stage.last() == "unsubscribe_family f");
  ctx.unsubscribe_from("p");
  CHECK(stage.last() == "unsubscribe_prefix p");
}

TEST_CASE("an actor below /system needs an actord of ABI 1.5") {
  play::Stage stage;
  actord::Context ctx = stage.ctx();
  ctx.system().spawn_system<play::Actor>("exporter");
  CHECK(stage.last() == "spawn_system exporter");
  stage.table.struct_size = offsetof(actord_host, spawn_system);
  CHECK_THROWS_WITH_AS(ctx.system().spawn_system<play::Actor>("exporter"),
                       "this call needs an actord that offers ABI 1.5", actord::Error);
}

TEST_CASE("a circuit breaker that actors share needs an actord of ABI 1.11") {
  play::Stage stage;
  actord::Context ctx = stage.ctx();
  stage.table.struct_size = offsetof(actord_host, breaker_state);
  actord::SharedCircuitBreaker breaker{"store"};
  CHECK_THROWS_WITH_AS(breaker.allows(ctx), "this call needs an actord that offers ABI 1.11",
                       actord::Error);
}

TEST_CASE("children that are stopping are seen through an actord of ABI 1.5") {
  play::Stage stage;
  actord::Context ctx = stage.ctx();
  stage.cell.children = {4, 5};
  const std::vector<actord::Child> all = ctx.all_children();
  REQUIRE(all.size() == 2);
  CHECK(all[0].ref == actord::Ref{4});
  CHECK_FALSE(all[0].is_stopping);
  CHECK(all[1].ref == actord::Ref{5});
  CHECK(all[1].is_stopping);
  REQUIRE(ctx.child("x"));
  CHECK(ctx.child("x")->ref == actord::Ref{3});
  CHECK(ctx.child("x")->is_stopping);
  CHECK_FALSE(ctx.child("y"));
}

TEST_CASE("an ask whose timeout is not more than 0 is refused") {
  play::Stage stage;
  actord::Context ctx = stage.ctx();
  for (const auto timeout : {0ns, -1ns}) {
    CHECK_THROWS_WITH_AS(ctx.ask<&play::Actor::replied>(actord::Ref{1}, play::Ask{}, timeout),
                         "an ask needs a timeout of more than 0", actord::Error);
    CHECK_THROWS_AS(ctx.select("a").ask<&play::Actor::replied>(play::Ask{}, timeout),
                    actord::Error);
  }
  CHECK(stage.cell.calls.empty());
}

TEST_CASE("with an actord of ABI 1.4 there is no asker, and what it lacks says so") {
  play::Stage stage;
  stage.table.struct_size = offsetof(actord_host, asker);
  actord::Context ctx = stage.ctx();
  CHECK_FALSE(ctx.asker());
  const char* const why = "this call needs an actord that offers ABI 1.5";
  CHECK_THROWS_WITH_AS(ctx.reply_failure(actord::Ref{5}, "no"), why, actord::Error);
  CHECK_THROWS_WITH_AS(ctx.select("b").forward(), why, actord::Error);
  CHECK_THROWS_WITH_AS(static_cast<void>(ctx.all_children()), why, actord::Error);
  CHECK_THROWS_WITH_AS(static_cast<void>(ctx.child("x")), why, actord::Error);
  CHECK_THROWS_WITH_AS(ctx.select("b").ask<&play::Actor::replied>(play::Ask{}, 1s), why,
                       actord::Error);
}

TEST_CASE("the host writes the events of a back-off supervisor; one before ABI 1.5 cannot") {
  play::Stage stage;
  CHECK(play::lines_of_guard(stage) ==
        std::vector<std::string>{"log_supervision 0 77 1 1000000000 0",
                                 "log_supervision 1 77 1 0 1"});
  play::Stage old;
  old.table.struct_size = offsetof(actord_host, log_supervision);
  const auto lines = play::lines_of_guard(old);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].starts_with("log 1 actor.backoff "));
  CHECK(lines[1].starts_with("log 0 supervisor.limit "));
}

TEST_SUITE_END();
