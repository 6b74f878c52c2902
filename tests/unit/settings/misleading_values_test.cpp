// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::settings;

namespace {

// The warnings about a strategy's block.
std::string about(const std::string& block) {
  return warnings("actord.user.x { behaviour = \"a/B\", supervisor-strategy { " + block + " } }");
}

}  // namespace

TEST_SUITE_BEGIN("settings/misleading_values");

TEST_CASE("a rule whose name no type can have is never chosen") {
  const std::string text = about("decider { \"java.lang.ArithmeticException\" = resume }");
  CHECK_HAS(
      text,
      "test.conf:1:69: warning: this rule is never chosen: C++ type names have no dots [W0302]");
  CHECK_HAS(text, "help: write namespaces with ::");
  CHECK_HAS(about("decider { \"::bank::Overdrawn\" = stop }"), "write \"bank::Overdrawn\"");
  CHECK_HAS(about("decider { \"class bank::Overdrawn\" = stop }"), "write \"bank::Overdrawn\"");
  CHECK_HAS(about("decider { \" bank::Overdrawn\" = stop }"), "has no blanks around it");
  CHECK(about("decider { \"bank::Vault<int, (char)65>::Overdrawn\" = stop }").empty());
}

TEST_CASE("a rule for a base of another rule's type is chosen for what that one is not") {
  CHECK(about("decider { \"std::exception\" = stop, \"std::logic_error\" = restart }").empty());
}

TEST_CASE("a rule that restarts failed constructors with all other exceptions is remarked on") {
  for (const char* general : {"std::exception", "std::runtime_error", "actord::Error"}) {
    const std::string rule = std::string{"\""} + general + "\" = restart";
    const std::string text = about("decider { " + rule + " }");
    CAPTURE(text);
    CHECK_HAS(text,
              "test.conf:1:69: note: this rule covers actord::InitializationFailure: an actor "
              "whose constructor or pre_start fails is restarted, too [W0303]");
    CHECK_HAS(text, "help: add \"actord::InitializationFailure\" = stop");
    CHECK(about("decider { " + rule + ", \"actord::InitializationFailure\" = stop }").empty());
    CHECK(about("decider { " + rule + ", \"actord::InitializationFailure\" = restart }").empty());
    CHECK(about("decider { \"" + std::string{general} + "\" = stop }").empty());
  }
  CHECK(about("decider { \"std::logic_error\" = restart }").empty());
}

TEST_CASE("where no restart is allowed a rule that restarts stops") {
  CHECK_HAS(about("max-restarts = never, decider { \"a::B\" = restart, \"a::C\" = stop }"),
            "test.conf:1:91: warning: nothing is restarted, because max-restarts is never");
  CHECK(about("max-restarts = never").empty());
}

TEST_CASE("numbers that other systems use are taken, and a warning says what they mean") {
  CHECK_HAS(about("max-restarts = 0"), "max-restarts = 0 allows no restart [W0301]");
  CHECK_HAS(about("max-restarts = -1"), "max-restarts = -1 means unlimited [W0301]");
  CHECK_HAS(about("max-restarts = -1, within = 1 s"),
            "max-restarts = -1 with a window means one restart within 1 s [W0301]");
  CHECK_HAS(about("max-restarts = 3, within = -1"), "within = -1 means infinite [W0301]");
  CHECK(about("max-restarts = 3, within = 1 s").empty());
}

TEST_CASE("a window that limits nothing is warned of") {
  CHECK_HAS(about("max-restarts = never, within = 1 s"),
            "within has no effect, because max-restarts allows no restart [W0302]");
  CHECK_HAS(about("max-restarts = unlimited, within = 1 s"),
            "within has no effect, because max-restarts is unlimited [W0302]");
}

TEST_CASE("what is for restarts does nothing in a strategy that restarts nothing") {
  const std::string stops = "decider { \"a::B\" = stop, default = escalate }, ";
  CHECK_HAS(about(stops + "backoff { min = 1 s, max = 2 s }"),
            "a back-off delays restarts, and this strategy restarts nothing [W0302]");
  CHECK_HAS(about(stops + "max-restarts = 3"),
            "max-restarts counts restarts, and this strategy restarts nothing [W0302]");
  CHECK_HAS(about("max-restarts = never, backoff { min = 1 s, max = 2 s }"),
            "allow restarts with max-restarts");
  CHECK(about("decider { default = restart }, max-restarts = 3").empty());
  CHECK(about("decider { default = code }, backoff { min = 1 s, max = 2 s }").empty());
}

TEST_CASE("the guardian's strategy and deployment rules are warned of alike") {
  const std::string block = "{ max-restarts = 3, decider { default = stop } }";
  CHECK_HAS(warnings("actord.actor.guardian-supervisor-strategy = " + block), "test.conf:1:47");
  CHECK_HAS(warnings("actord.actor.deployment.\"/user/*\".supervisor-strategy " + block),
            "max-restarts counts restarts");
}

TEST_CASE("a strategy of an actor that cannot have children is warned of") {
  CHECK_HAS(warnings("actord.user.x.supervisor-strategy = stopping"),
            "a strategy applies to the children of its actor, and this actor has none [W0302]");
  CHECK(warnings("actord.user.x { supervisor-strategy = stopping, children { y {} } }").empty());
  CHECK(warnings("actord.user.x { supervisor-strategy = stopping, behaviour = \"a/B\" }").empty());
}

TEST_CASE("a deployment rule that an actor's own node overrides is warned of") {
  const std::string text = warnings(
      "actord.actor.deployment.\"/user/x\" { dispatcher = pinned, stash-capacity = 3 }\n"
      "actord.user.x.dispatcher = blocking-io\n");
  CHECK_HAS(text, "test.conf:1:37: warning: the actor's own dispatcher has priority over this one");
  CHECK_HAS(text, "note: the other one is at test.conf:2");
  CHECK_FALSE(has(text, "stash-capacity goes"));
}

TEST_CASE("what another layer overrides warns of nothing") {
  const std::string text = "actord.user.x { behaviour = \"a/B\"\n  supervisor-strategy ";
  CHECK(warnings(text + "{ max-restarts = 0 }\n}\n"
                        "actord.user.x.supervisor-strategy.max-restarts = 3")
            .empty());
  CHECK(warnings(text + "{ max-restarts = 0 }\n}\n"
                        "actord.user.x.supervisor-strategy = stopping")
            .empty());
}

TEST_CASE("isolation of what has no code of a plugin, and a group of what is not isolated") {
  const std::string no_code =
      "this actor has no code of a plugin, and only such code can be isolated";
  CHECK_HAS(warnings("actord.user.x { isolation = process, children { y {} } }"),
            no_code + " [W0302]");
  CHECK_HAS(warnings("actord.user.x { worker.group = per-actor, children { y {} } }"), no_code);
  CHECK_HAS(warnings("actord.user.x { isolation = process, behaviour = \"actord/Supervisor\" }"),
            no_code);
  const std::string x = "actord.user.x { behaviour = \"a/B\", worker.group = per-actor";
  CHECK_HAS(warnings(x + ", isolation = thread }"),
            "a group is one of isolated actors, and this actor has isolation = thread");
  CHECK(warnings(x + ", isolation = auto }").empty());
  CHECK(warnings(x + " }").empty());
  CHECK_HAS(warnings("actord.plugins.isolation.ecco = process\n"
                     "actord.user.x.behaviour = \"echo/Echo\""),
            "no actor of the configuration is of the plugin \"ecco\" [W0302]");
}

TEST_CASE("a limit of a plugin that no actor is of limits nothing") {
  const auto with = [](const std::string& plugin) {
    return warnings("actord.plugins.limits." + plugin +
                    " { actors = 5, timers = unlimited }\nactord.user.x.behaviour = \"echo/Echo\"");
  };
  CHECK(with("echo").empty());
  CHECK_HAS(with("ecco"), "no actor of the configuration is of the plugin \"ecco\" [W0302]");
  CHECK_HAS(with("ecco"), "did you mean \"echo\"?");
  CHECK_HAS(with("other"), "plugins here: echo");
}

TEST_SUITE_END();
