// SPDX-License-Identifier: Apache-2.0
//
// Names, paths and references: items 140, 142, 143 and 144; and 67, who is asked for by name.
#include "play.hpp"

namespace actord::conformance {

namespace {

/// Why a child of this name is refused; empty if it is not.
std::string refusal(Play& play, Ref parent, const std::string& name) {
  std::string why;
  play.perform(parent, [&](Puppet& puppet, Context& ctx) {
    try {
      ctx.spawn<Puppet>(name, &puppet.play(), Part{});
    } catch (const Error& refused) {
      why = refused.what();
    }
  });
  return why;
}

}  // namespace

TEST_CASE("140 a live name is not given twice, nor while its owner is still stopping") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn("boss");
    const Ref child = play.spawn_under(boss, "child");
    play.spawn_under(child, "slow");
    CHECK(refusal(play, boss, "child").find("taken") != std::string::npos);
    bool is_refused = false;
    play.perform(boss, [&](Puppet& puppet, Context& ctx) {
      ctx.stop(child);
      try {
        ctx.spawn<Puppet>("child", &puppet.play(), Part{});
      } catch (const Error&) {
        is_refused = true;
      }
    });
    CHECK(is_refused);
    CHECK(refusal(play, boss, "child") == "");
    CHECK_THROWS(play.spawn("boss"));
    CHECK(play.answers(boss));
  });
}

TEST_CASE("140 among many children names are as unique") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn("boss");
    for (int i = 0; i < 30; ++i) play.spawn_under(boss, "child-" + std::to_string(i));
    for (int i = 0; i < 30; ++i) CHECK(refusal(play, boss, "child-" + std::to_string(i)) != "");
    for (int i = 0; i < 28; ++i) play.stop(play.find("/user/boss/child-" + std::to_string(i)));
    CHECK(refusal(play, boss, "child-29") != "");
    CHECK(refusal(play, boss, "child-0") == "");
    CHECK(refusal(play, boss, "child-0") != "");
  });
}

TEST_CASE("142 a name is not empty or generated, and of certain characters; the error says where") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn("boss");
    for (const char* name : {"a", "A-1_.", "*", "+:@&=,!~';", "a$b", "%20", "x%fFy"})
      CHECK(refusal(play, boss, name) == "");
    CHECK(refusal(play, boss, "$a").find("'$'") != std::string::npos);
    for (const auto& [name, position] :
         std::map<std::string, std::string>{{"a/b", "position 1"},
                                            {" ", "position 0"},
                                            {"ab#", "position 2"},
                                            {"a%2", "position 1"},
                                            {"%zz", "position 0"},
                                            {"\xc3\xa4", "position 0"}}) {
      const std::string why = refusal(play, boss, name);
      CHECK(why.find(position) != std::string::npos);
    }
  });
}

TEST_CASE("143 unnamed children are $a, $b and so on, in each parent anew") {
  under_seeds([](Play& play) {
    for (const char* name : {"one", "two"}) {
      const Ref boss = play.spawn(name);
      std::vector<Ref> children;
      for (int i = 0; i < 66; ++i) children.push_back(play.spawn_under(boss, ""));
      const std::string path = std::string{"/user/"} + name + '/';
      CHECK(play.world.path(children[0].value) == path + "$a");
      CHECK(play.world.path(children[1].value) == path + "$b");
      CHECK(play.world.path(children[63].value) == path + "$~");
      CHECK(play.world.path(children[64].value) == path + "$ab");
      play.stop(children[0]);
      CHECK(play.world.path(play.spawn_under(boss, "").value) == path + "$cb");
    }
  });
}

TEST_CASE("144 a namesake has the path of the dead and never its reference") {
  under_seeds([](Play& play) {
    const Ref first = play.spawn("child");
    play.fail<Restarting>(first);
    CHECK(play.find("/user/child") == first);
    play.stop(first);
    CHECK(play.find("/user/child") == Ref{});
    const Ref second = play.spawn("child");
    CHECK(first != second);
    CHECK(play.world.path(first.value) == play.world.path(second.value));
    play.note(first, 1);
    play.note(second, 2);
    play.world.run();
    CHECK(play.count("child got 1") == 0);
    CHECK(play.count("child got 2") == 1);
  });
}

TEST_CASE("67 a behaviour that nobody has loaded is an error to the one who asks for it") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn("boss");
    std::string why;
    play.perform(boss, [&](Puppet&, Context& ctx) {
      try {
        ctx.spawn("child", "nobody/Nothing");
      } catch (const Error& refused) {
        why = refused.what();
      }
    });
    CHECK(why.find("nobody/Nothing") != std::string::npos);
    CHECK(play.find("/user/boss/child") == Ref{});
    CHECK(play.answers(boss));
  });
}

}  // namespace actord::conformance
