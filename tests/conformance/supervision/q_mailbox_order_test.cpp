// SPDX-License-Identifier: Apache-2.0
//
// Mailboxes that are not read as they were filled: items 180z and 180z. Most cases suspend the
// receiver, fill its mailbox and look in which order it handles the messages.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

using Options = actor::ActorOptions;

SeededTest::Setup with_sorter(Options options) {
  SeededTest::Setup setup;
  setup.before_start = [options = std::move(options)](SeededTest& test) {
    test.deployments = {{"/user/sorter", options}};
  };
  return setup;
}

// What the actor has handled since it was created.
std::string handled(const SeededTest& test) {
  const std::string life = test.life_of("sorter"), start = "new 0, pre_start 0, ";
  return life.starts_with(start) ? life.substr(start.size()) : std::string{};
}

const Options answers_first = {.priority = {"play.Answer/1", "*", "play.BackgroundMessage/1"}};

}  // namespace

// ---- priority -----------------------------------------------------------------------------------

TEST_CASE(
    "180z messages are taken in the order of their types, and those of one type as they came") {
  under_seeds(
      [](SeededTest& test) {
        const Ref sorter = test.spawn("sorter");
        test.suspend(sorter);
        test.world.tell(sorter.value, BackgroundMessage{});
        for (int i = 1; i <= 3; ++i) {
          test.note(sorter, i);
          test.world.tell(sorter.value, Answer{i});
        }
        test.world.tell(sorter.value,
                        Signal{1});  // declared as a control message, which is not asked for
        test.resume(sorter);
        CHECK(handled(test) ==
              "answer 1, answer 2, answer 3, got 1, got 2, got 3, signal 1, background message");
      },
      with_sorter(answers_first));
}

TEST_CASE("180z without a star, types that are not named come last") {
  under_seeds(
      [](SeededTest& test) {
        const Ref sorter = test.spawn("sorter");
        test.suspend(sorter);
        test.world.tell(sorter.value, BackgroundMessage{});
        test.note(sorter, 1);
        test.world.tell(sorter.value, Answer{1});
        test.world.tell(sorter.value, BackgroundMessage{});
        test.resume(sorter);
        CHECK(handled(test) == "answer 1, got 1, background message, background message");
      },
      with_sorter({.priority = {"play.Answer/1", "play.Note/1"}}));
}

TEST_CASE("180z a message that comes while others wait is put in its place") {
  under_seeds(
      [](SeededTest& test) {
        const Ref sorter = test.spawn("sorter");
        test.suspend(sorter);
        test.queue(sorter, [](ScriptedActor&, Context& ctx) {
          ctx.tell(ctx.self(), Note{3});
          ctx.tell(ctx.self(), Answer{1});
        });
        for (int i = 1; i <= 2; ++i) test.note(sorter, i);
        test.world.tell(sorter.value, BackgroundMessage{});
        test.resume(sorter);
        CHECK(handled(test) == "answer 1, got 1, got 2, got 3, background message");
      },
      with_sorter(answers_first));
}

TEST_CASE("180z of thousands in any order each type keeps its order") {
  under_seeds(
      [](SeededTest& test) {
        const Ref sorter = test.spawn("sorter");
        const Ref one = test.spawn("one"), two = test.spawn("two");
        const auto flood = [&](Ref from, int first) {
          test.queue(from, [=](ScriptedActor&, Context& ctx) {
            for (int i = 0; i < 100; ++i) {
              if (i % 3 == 0) ctx.tell(sorter, Answer{first + i});
              else ctx.tell(sorter, Note{first + i});
            }
          });
        };
        test.suspend(sorter);
        for (int round = 0; round < 5; ++round) {
          flood(one, 1000 * round);
          flood(two, 1000 * round + 500);
        }
        test.world.run();
        test.resume(sorter);
        int answers = 0;
        int newest[2][2] = {{-1, -1}, {-1, -1}};  // by sender and type
        const std::string life = handled(test);
        bool is_sorted = true;
        for (std::size_t at = 0; at < life.size();) {
          const std::size_t end = std::min(life.find(", ", at), life.size());
          const std::string each = life.substr(at, end - at);
          const bool is_answer = each.starts_with("answer ");
          const int n = std::stoi(each.substr(each.find(' ') + 1));
          if (is_answer) ++answers;
          is_sorted &= !is_answer || newest[0][1] + newest[1][1] == -2;
          int& last = newest[n % 1000 >= 500 ? 1 : 0][is_answer ? 0 : 1];
          is_sorted &= n > last;
          last = n;
          at = end + 2;
        }
        CHECK(is_sorted);
        CHECK(answers == 340);
      },
      with_sorter(answers_first));
}

TEST_CASE("180z the failing message is not taken again, and the others keep their order") {
  under_seeds(
      [](SeededTest& test) {
        const Ref boss = test.spawn<Judge>("boss");
        const Ref sorter = test.spawn_under(boss, "sorter");
        test.suspend(sorter);
        for (int i = 1; i <= 2; ++i) {
          test.note(sorter, i);
          test.world.tell(sorter.value, Answer{i});
        }
        test.queue_failure<Restarting>(sorter);  // as Notes: neither first nor last
        test.note(sorter, 3);
        test.resume(sorter);
        CHECK(test.life_of("sorter") ==
              "new 0, pre_start 0, answer 1, answer 2, got 1, got 2, pre_restart 0, post_stop 0, "
              "new 1, post_restart 1, pre_start 1, got 3");
      },
      [] {
        SeededTest::Setup setup;
        setup.before_start = [](SeededTest& test) {
          test.deployments = {{"/user/boss/sorter", answers_first}};
        };
        return setup;
      }());
}

TEST_CASE("180z what comes back from the stash goes before the messages of its own type") {
  under_seeds(
      [](SeededTest& test) {
        const Ref sorter = test.spawn("sorter");
        test.perform(sorter,
                     [](ScriptedActor&, Context& ctx) { ctx.become<ScriptedActor::Busy>(); });
        for (int i = 1; i <= 2; ++i) test.note(sorter, i);
        test.world.run();
        test.suspend(sorter);
        test.queue(sorter, [](ScriptedActor&, Context& ctx) {
          ctx.become<ScriptedActor::Receive>();
          ctx.unstash_all();
        });
        test.note(sorter, 3);
        test.world.tell(sorter.value, BackgroundMessage{});
        test.note(sorter, 4);
        test.resume(sorter);
        CHECK(handled(test) == "got 1, got 2, got 3, got 4, background message");
      },
      with_sorter({.priority = {"*", "play.BackgroundMessage/1"}}));
}

TEST_CASE("180z a tick counts as the message of its timer, and the silence as ReceiveTimeout") {
  under_seeds(
      [](SeededTest& test) {
        const Ref sorter = test.spawn("sorter");
        test.perform(sorter, [](ScriptedActor&, Context& ctx) {
          ctx.start_timer("late", 1ms, BackgroundMessage{});
          ctx.start_timer("early", 2ms, Answer{9});
        });
        test.suspend(sorter);
        test.world.advance(5ms);
        test.note(sorter, 1);
        test.world.run();
        test.resume(sorter);
        CHECK(handled(test) == "answer 9, got 1, background message");
      },
      with_sorter(answers_first));
}

TEST_CASE("180z messages of the system have their place, too: a PoisonPill that comes last") {
  under_seeds(
      [](SeededTest& test) {
        const Ref sorter = test.spawn("sorter");
        test.suspend(sorter);
        test.world.tell(sorter.value, PoisonPill{});
        for (int i = 1; i <= 2; ++i) test.note(sorter, i);
        test.resume(sorter);
        CHECK(handled(test) == "got 1, got 2, post_stop 0");
      },
      with_sorter({.priority = {"*", "actord.PoisonPill/1"}}));
}

TEST_CASE("180z at the end the messages become dead letters in their order") {
  under_seeds(
      [](SeededTest& test) {
        const auto& letters = test.read_dead_letters();
        const Ref sorter = test.spawn("sorter");
        test.suspend(sorter);
        test.queue(sorter, [](ScriptedActor&, Context& ctx) { ctx.stop(ctx.self()); });
        test.world.tell(sorter.value, BackgroundMessage{});
        test.note(sorter, 1);
        test.world.tell(sorter.value, BackgroundMessage{});
        test.resume(sorter);
        REQUIRE(letters.size() == 3);
        CHECK(letters[0].type == "play.Note/1");
        CHECK(letters[1].type == "play.BackgroundMessage/1");
        CHECK(letters[2].type == "play.BackgroundMessage/1");
      },
      with_sorter(answers_first));
}

TEST_CASE("180z with a capacity, drop-old drops the oldest of the last type") {
  under_seeds(
      [](SeededTest& test) {
        const auto& letters = test.read_dead_letters();
        const Ref sorter = test.spawn("sorter"), sender = test.spawn("sender");
        test.suspend(sorter);
        test.perform(sender, [sorter](ScriptedActor&, Context& ctx) {
          ctx.tell(sorter, Note{1});
          ctx.tell(sorter, BackgroundMessage{});
          ctx.tell(sorter, Note{2});
          ctx.tell(sorter, Note{3});
          ctx.tell(sorter, Answer{1});
        });
        test.resume(sorter);
        CHECK(handled(test) == "answer 1, got 2, got 3");
        REQUIRE(letters.size() == 2);
        CHECK(letters[0].type == "play.BackgroundMessage/1");
        CHECK(letters[1].type == "play.Note/1");
        CHECK(test.cell(sorter).capacity_left.load() == 3);
      },
      with_sorter({.mailbox_capacity = 3,
                   .overflow = actor::Overflow::drop_old,
                   .priority = answers_first.priority}));
}

TEST_CASE("180z with a capacity, a message that is refused is a dead letter whatever its type") {
  under_seeds(
      [](SeededTest& test) {
        const auto& letters = test.read_dead_letters();
        const Ref sorter = test.spawn("sorter");
        for (int round = 0; round < 3; ++round) {
          test.suspend(sorter);
          for (int i = 1; i <= 2; ++i) test.note(sorter, i);
          test.world.tell(sorter.value, Answer{1});
          test.resume(sorter);
        }
        CHECK(letters.size() == 3);
        CHECK(letters.back().type == "play.Answer/1");
        CHECK(test.count("sorter got 2") == 3);
        CHECK(test.cell(sorter).capacity_left.load() == 2);
      },
      with_sorter({.mailbox_capacity = 2, .priority = answers_first.priority}));
}

TEST_CASE("180z a traced message has the rank of what is in it") {
  under_seeds(
      [](SeededTest& test) {
        const Ref sorter = test.spawn("sorter"), sender = test.spawn("sender");
        test.suspend(sorter);
        test.perform(sender, [sorter](ScriptedActor&, Context& ctx) {
          CHECK(ctx.continue_trace("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
          ctx.tell(sorter, Note{1});
          ctx.tell(sorter, Answer{1});
        });
        test.resume(sorter);
        CHECK(handled(test) == "answer 1, got 1");
      },
      with_sorter(answers_first));
}

TEST_CASE("180z an inspection shows the order, and all that wait") {
  under_seeds(
      [](SeededTest& test) {
        const Ref sorter = test.spawn("sorter");
        test.suspend(sorter);
        for (int i = 1; i <= 3; ++i) test.note(sorter, i);
        test.world.run();
        const base::IntrusivePtr<actor::Inspection> inspection(
            new actor::Inspection([](actor::Inspection::Outcome) {}));
        test.world.system().inspect(sorter.value, inspection);
        test.world.run();
        CHECK(inspection->mailbox.order == "play.Answer/1, *, play.BackgroundMessage/1");
        CHECK(inspection->mailbox.messages == 3);
        test.resume(sorter);
      },
      with_sorter(answers_first));
}

// ---- control ------------------------------------------------------------------------------------

TEST_CASE("180z control messages are taken first, in their order: those declared and those named") {
  under_seeds(
      [](SeededTest& test) {
        const Ref sorter = test.spawn("sorter");
        test.suspend(sorter);
        test.note(sorter, 1);
        test.world.tell(sorter.value, Signal{1});
        test.note(sorter, 2);
        test.world.tell(sorter.value, Answer{2});
        test.world.tell(sorter.value, Signal{3});
        test.resume(sorter);
        CHECK(handled(test) == "signal 1, answer 2, signal 3, got 1, got 2");
      },
      with_sorter({.control = actor::TypeNames{"play.Answer/1"}}));
}

TEST_CASE("180z with an empty list those are control messages that are declared so") {
  under_seeds(
      [](SeededTest& test) {
        const Ref sorter = test.spawn("sorter");
        test.suspend(sorter);
        test.note(sorter, 1);
        test.world.tell(sorter.value, Answer{1});
        test.world.tell(sorter.value, Signal{1});
        test.resume(sorter);
        CHECK(handled(test) == "signal 1, got 1, answer 1");
      },
      with_sorter({.control = actor::TypeNames{}}));
}

TEST_CASE("180z control messages come before the first priority") {
  under_seeds(
      [](SeededTest& test) {
        const Ref sorter = test.spawn("sorter");
        test.suspend(sorter);
        test.note(sorter, 1);
        test.world.tell(sorter.value, Answer{1});
        test.world.tell(sorter.value, Signal{1});
        test.resume(sorter);
        CHECK(handled(test) == "signal 1, answer 1, got 1");
      },
      with_sorter({.priority = {"play.Answer/1", "*"}, .control = actor::TypeNames{}}));
}

TEST_CASE("180z with a capacity, drop-old costs control messages last") {
  under_seeds(
      [](SeededTest& test) {
        const Ref sorter = test.spawn("sorter"), sender = test.spawn("sender");
        test.suspend(sorter);
        test.perform(sender, [sorter](ScriptedActor&, Context& ctx) {
          ctx.tell(sorter, Signal{1});
          ctx.tell(sorter, Note{1});
          ctx.tell(sorter, Signal{2});
          ctx.tell(sorter, Signal{3});
        });
        test.resume(sorter);
        CHECK(handled(test) == "signal 2, signal 3");
        CHECK(test.cell(sorter).capacity_left.load() == 2);
      },
      with_sorter({.mailbox_capacity = 2,
                   .overflow = actor::Overflow::drop_old,
                   .control = actor::TypeNames{}}));
}

}  // namespace actord::conformance
