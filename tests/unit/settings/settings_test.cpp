// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "os/process.hpp"
#include "system/system_settings.hpp"
#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::settings;

TEST_SUITE_BEGIN("settings/settings");

TEST_CASE("an empty configuration has the defaults that the code has without any") {
  const Settings read_defaults = read("");
  const Settings coded;
  CHECK(read_defaults.name == coded.name);
  CHECK(read_defaults.plugin_path.empty());
  CHECK(read_defaults.on_boot_failure == coded.on_boot_failure);
  CHECK(read_defaults.log.level == coded.log.level);
  CHECK(read_defaults.log.format == coded.log.format);
  CHECK(read_defaults.log.is_verbose == coded.log.is_verbose);
  CHECK(read_defaults.dead_letters.logged == coded.dead_letters.logged);
  CHECK(read_defaults.dead_letters.suspend_ns == coded.dead_letters.suspend_ns);
  CHECK(read_defaults.dead_letters.during_shutdown == coded.dead_letters.during_shutdown);
  CHECK(read_defaults.dead_letters.kept_bytes == coded.dead_letters.kept_bytes);
  CHECK(read_defaults.default_dispatcher.workers == coded.default_dispatcher.workers);
  CHECK(read_defaults.default_dispatcher.throughput == coded.default_dispatcher.throughput);
  CHECK(read_defaults.default_dispatcher.throughput_deadline_ns ==
        coded.default_dispatcher.throughput_deadline_ns);
  CHECK(read_defaults.blocking_io_dispatcher.threads_max ==
        coded.blocking_io_dispatcher.threads_max);
  CHECK(read_defaults.blocking_io_dispatcher.keep_alive_ns ==
        coded.blocking_io_dispatcher.keep_alive_ns);
  CHECK_FALSE(read_defaults.guardian.value);
  CHECK(read_defaults.deployments.empty());
  CHECK(read_defaults.user.empty());
  CHECK(read_defaults.warnings.empty());
}

TEST_CASE("the runtime's own defaults are the same") {
  const system::SystemSettings of_core;
  const system::SystemSettings read_defaults = system_settings(read(""), 7);
  CHECK(read_defaults.boot_id == 7);
  CHECK(read_defaults.slice.messages == of_core.slice.messages);
  CHECK(read_defaults.slice.ns == of_core.slice.ns);
  CHECK(read_defaults.blocking_threads_max == of_core.blocking_threads_max);
  CHECK(read_defaults.blocking_keep_alive_ns == of_core.blocking_keep_alive_ns);
  CHECK(read_defaults.live.dead_letters.logged == of_core.live.dead_letters.logged);
  CHECK(read_defaults.live.dead_letters.silence_ns == of_core.live.dead_letters.silence_ns);
  CHECK(read_defaults.live.stash_capacity == of_core.live.stash_capacity);
  for (const bool is_on : {read_defaults.live.debug.receive, read_defaults.live.debug.autoreceive,
                           read_defaults.live.debug.lifecycle, read_defaults.live.debug.unhandled,
                           read_defaults.live.debug.event_stream}) {
    CHECK_FALSE(is_on);
  }
}

TEST_CASE("messages may take up a share of the memory that there is, or as much as is said") {
  const auto max_of = [](std::string_view value) {
    const std::string key = "actord.actor.message-memory-max = ";
    return live_settings(read(key + std::string{value})).message_memory_max;
  };
  CHECK(max_of("auto") == os::available_memory() / 8);
  CHECK(max_of("null") == max_of("auto"));
  CHECK(max_of("1m") == 1 << 20);
  CHECK(max_of("unlimited") == static_cast<std::size_t>(INT64_MAX));
}

TEST_CASE("each debug switch is one of its own") {
  const actor::DebugSwitches debug = read("actord.actor.debug.unhandled = on").debug;
  CHECK(debug.unhandled);
  CHECK_FALSE((debug.receive || debug.autoreceive || debug.lifecycle || debug.event_stream));
}

TEST_CASE("a system's name begins with a letter or digit (supervision.md 114)") {
  for (const char* name : {"a", "9", "shop-1", "Shop_2", "a-", "0_"}) {
    CHECK(read(std::string{"actord.name = \""} + name + '"').name == name);
  }
  CHECK(read("actord.name = " + std::string(100, 'x')).name.size() == 100);
  for (const char* name : {"", "-a", "_a", "a b", "a.b", "ä", "a/b", "a\\n"}) {
    CAPTURE(name);
    CHECK_HAS(errors(std::string{"actord.name = \""} + name + '"'), "test.conf:1:15: error");
  }
}

TEST_CASE("every key that is written is read") {
  const Settings s = read(R"(actord {
    name = shop-1
    boot.on-failure = degrade
    log { level = debug, format = json, verbose = on }
    dead-letters { log = off, suspend = infinite, during-shutdown = on }
    actor.default-dispatcher { workers = 3, throughput = 5, throughput-deadline = 1 ms }
    actor.blocking-io-dispatcher { threads-max = 7, keep-alive = 2 s }
    actor.default-mailbox.stash-capacity = 9
    actor.message-memory-max = 3 MiB
    actor.debug { receive = on, autoreceive = on, lifecycle = on }
    actor.debug { unhandled = on, event-stream = on }
  })");
  CHECK(s.stash_capacity == 9);
  const system::SystemSettings out = system_settings(s, 1);
  CHECK(out.live.stash_capacity == 9);
  CHECK(out.live.message_memory_max == 3 << 20);
  CHECK(out.live.dead_letters.silence_ns == 0);
  for (const bool is_on :
       {out.live.debug.receive, out.live.debug.autoreceive, out.live.debug.lifecycle,
        out.live.debug.unhandled, out.live.debug.event_stream}) {
    CHECK(is_on);
  }
  CHECK(s.name == "shop-1");
  CHECK(s.on_boot_failure == schema::OnBootFailure::degrade);
  CHECK(s.log.level == log::Level::debug);
  CHECK(s.log.format == schema::LogFormat::json);
  CHECK(s.log.is_verbose);
  CHECK(s.dead_letters.logged == 0);
  CHECK(s.dead_letters.suspend_ns == 0);
  CHECK(s.dead_letters.during_shutdown);
  CHECK(s.default_dispatcher.workers == 3);
  CHECK(s.default_dispatcher.throughput == 5);
  CHECK(s.default_dispatcher.throughput_deadline_ns == 1'000'000);
  CHECK(s.blocking_io_dispatcher.threads_max == 7);
  CHECK(s.blocking_io_dispatcher.keep_alive_ns == 2'000'000'000);
  CHECK(read("actord.dead-letters.log = on").dead_letters.logged == DeadLetterSettings::all);
  CHECK(read("actord.dead-letters.log = 25").dead_letters.logged == 25);
}

TEST_CASE("what bounds failures that repeat is on by default, and can be set and turned off") {
  const system::LiveSettings live = live_settings(read("actord.name = x"));
  CHECK(live.failure_burst == 5);
  CHECK(live.storm_guard.threshold == 100);
  CHECK(live.storm_guard.within_ns == 10'000'000'000);
  CHECK(live.storm_guard.delay_min_ns == 10'000'000);
  CHECK(live.storm_guard.delay_max_ns == 5'000'000'000);
  CHECK(read("").crashes.on_crash == schema::OnDaemonCrash::restart);
  CHECK(read("actord.on-daemon-crash = quarantine").crashes.on_crash ==
        schema::OnDaemonCrash::quarantine);
  CHECK(read("actord.crashes.quarantine-after = 7").crashes.quarantine_after == 7);
  CHECK(read("actord.crashes.quarantine-after = off").crashes.quarantine_after == 0);
  CHECK(read("actord.crashes.within = 1 hour").crashes.within_ns == 3'600'000'000'000);
  CHECK_HAS(errors("actord.crashes.keep = 0"), "from 1 to 10000");
  CHECK(read("actord.log.failure-burst = 7").log.failure_burst == 7);
  CHECK(read("actord.log.failure-burst = off").log.failure_burst < 0);
  CHECK(read("actord.actor.restart-storm = off").storm_guard.threshold < 0);
  CHECK(read("actord.actor.restart-storm.threshold = 3").storm_guard.threshold == 3);
  CHECK_HAS(errors("actord.log.failure-burst = 0"), "from 1 to 1000000");
  CHECK_HAS(errors("actord.actor.restart-storm = fast"), "restart-storm");
  CHECK_HAS(errors("actord.actor.restart-storm.threshold = 0"), "from 1 to 1000000");
}

TEST_CASE("null takes a value away, so that its default holds again") {
  CHECK(read("actord.log.level = null").log.level == log::Level::info);
}

// ---- unknown keys

TEST_CASE("an unknown key is an error at its place, with a caret and what was meant") {
  const std::string text = errors("actord {\n  log { levle = debug }\n}\n");
  CHECK_HAS(text, "test.conf:2:9: error: unknown key \"actord.log.levle\"");
  CHECK_HAS(text, "  2 |   log { levle = \u2026 }\n");
  CHECK_HAS(text, "    |         ^^^^^\n");
  CHECK_HAS(text, "help: did you mean \"level\"?");
}

TEST_CASE("a key in another spelling is recognised") {
  CHECK_HAS(errors("actord.dead-letters.duringShutdown = on"), "did you mean \"during-shutdown\"?");
  CHECK_HAS(errors("actord.dead_letters.log = on"), "did you mean \"dead-letters\"?");
}

TEST_CASE("of very many errors the first thousand are reported, and that there are more") {
  std::string unknown, nodes = "actord.user {";
  for (int i = 0; i < 1001; ++i) {
    unknown += "k" + std::to_string(i) + " = 1\n";
    nodes += "a" + std::to_string(i) + " { behaviour = [] }\n";
  }
  for (const std::string& text : {unknown, nodes + "}"}) {
    const auto read = try_read(text);
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().size() == 1000);
    CHECK(read.error().back().note == "1000 of them are reported at once");
  }
}

TEST_CASE("an unknown key like no other lists those there are") {
  CHECK_HAS(errors("actord.log.colour = on"), "known here: level, format");
  CHECK_HAS(errors("actord.log.sinks.all { type = file, path = a, rotate.weekly = on }"),
            "known here: size, keep");
  CHECK_HAS(errors("actord.colour = on"),
            "crashes, stop-timeout, coordinated-shutdown, core-dumps");
}

TEST_CASE("the error for an unknown key that belongs elsewhere says where") {
  CHECK_HAS(errors("actord.actor.threads-max = 3"),
            "\"threads-max\" exists as actord.actor.blocking-io-dispatcher.threads-max");
  CHECK_HAS(errors("actord.user.x.directive = stop"),
            "\"directive\" exists as "
            "actord.user.NAME.supervisor-strategy.decider.\"TYPE\".directive");
  CHECK_HAS(errors("actord.actor.default-dispatcher.min = 3"),
            "exists as actord.actor.restart-storm.delay.min, "
            "actord.user.NAME.supervisor-strategy.backoff.min, "
            "actord.user.NAME.backoff-supervisor.min\n");
  CHECK_HAS(errors("actord.log.stashCapacity = 3"),
            "exists as actord.actor.default-mailbox.stash-capacity, ");
}

TEST_CASE("a sibling that is near goes before a key elsewhere") {
  CHECK_HAS(errors("actord.log.lifecycle = on, actord.actor.debug.lifecycel = on"),
            "did you mean \"lifecycle\"?");
}

TEST_CASE("unknown keys can be allowed, and then are warned of") {
  ReadOptions options = lonely();
  options.unknown_keys = UnknownKeys::warnings;
  const auto tree = tree_of(
      "actord { nmae = x, user.a { colour = red }, log.level = debug }\n"
      "top = 1, akka.actor.guardian-strategy = default");
  const auto settings = read_settings(*tree, options);
  INFO(errors_of(settings));
  REQUIRE(settings.ok());
  CHECK(settings->log.level == log::Level::debug);
  const std::string all = hocon::format(settings->warnings);
  CHECK_HAS(all, "test.conf:1:10: warning: unknown key \"actord.nmae\" [E0301]");
  CHECK_HAS(all, "unknown key \"actord.user.a.colour\"");
  CHECK_HAS(all, "unknown key \"top\"");
}

TEST_CASE("the error for a section beside actord says where it belongs") {
  CHECK_HAS(errors("user { x { behaviour = \"a/B\" } }"), "write actord.user");
  CHECK_HAS(errors("actor.default-dispatcher.workers = 1"), "write actord.actor");
}

TEST_CASE("beside actord there may be values for use and the keys of others") {
  CHECK(read("vars { a = 1 }, app { b = 2 }, x-notes = [3], akka {}, pekko {}").warnings.empty());
  CHECK_HAS(errors("varz { a = 1 }"), "did you mean \"vars\"?");
}

TEST_CASE("all errors are reported at once, in the order of the file") {
  const std::string text =
      errors("actord {\n  log.level = loud\n  nmae = x\n  boot { on-failure = 3 }\n}\n");
  const auto first = text.find("test.conf:2:");
  const auto second = text.find("test.conf:3:");
  const auto third = text.find("test.conf:4:");
  CHECK(first < second);
  CHECK(second < third);
  CHECK(third != std::string::npos);
}

// ---- wrong values

TEST_CASE("a wrong value is refused with what it could be") {
  CHECK_HAS(errors("actord.log.level = warn"),
            "expected one of error, warning, info, debug, got the string \"warn\"");
  CHECK_HAS(errors("actord.log.level = DEBUG"), "did you mean \"debug\"?");
  CHECK_HAS(errors("actord.boot.on-failure = degrad"), "did you mean \"degrade\"?");
  CHECK_HAS(errors("actord.name = \"\""), "a name of letters, digits, - and _");
  CHECK_HAS(errors("actord.name = -a"), "that begins with a letter or digit");
  CHECK_HAS(errors("actord.name = \"a.b\""), "a name of letters, digits, - and _");
  CHECK_HAS(errors("actord.actor.default-mailbox.stash-capacity = 0"), "1 to 1000000000");
  CHECK_HAS(errors("actord.actor.default-mailbox.stash-capacity = unlimitd"),
            "did you mean \"unlimited\"?");
  CHECK_HAS(errors("actord.actor.debug.recieve = on"), "did you mean \"receive\"?");
  CHECK_HAS(errors("actord.actor.debug.lifecycle = maybe"), "expected a boolean");
  CHECK_HAS(errors("actord.dead-letters.suspend = infinit"), "infinit");
  CHECK_HAS(errors("actord.actor.message-memory-max = 1023 KiB"), "a size of at least 1 MiB");
  CHECK_HAS(errors("actord.actor.message-memory-max = unlimitd"), "did you mean \"unlimited\"?");
  CHECK_HAS(errors("actord.actor.message-memory-max = 64 mb"), "auto | unlimited | a size");
  CHECK_HAS(errors("actord.log = info"), "expected an object, got the string \"info\"");
  CHECK_HAS(errors("actord.dead-letters.log = some"), "expected on, off or a number");
  CHECK_HAS(errors("actord.dead-letters.log = -1"), "at least 0");
  CHECK_HAS(errors("actord.dead-letters.suspend = 0"), "expected a duration of more than 0");
  CHECK_HAS(errors("actord.actor.default-dispatcher.workers = 0"), "from 1 to 64");
  CHECK_HAS(errors("actord.actor.default-dispatcher.workers = atuo"), "did you mean \"auto\"?");
  CHECK_HAS(errors("actord.actor.default-dispatcher.throughput = 0"), "from 1 to 10000");
  CHECK_HAS(errors("actord.actor.default-dispatcher.throughput-deadline = 2 s"),
            "from 0 ns to 1 s");
  CHECK_HAS(errors("actord.actor.blocking-io-dispatcher.keep-alive = 5 sec"), "5 sec");
  CHECK_HAS(errors("actord = 3"), "expected an object, got 3");
}

TEST_CASE("a wrong value of the command line says so") {
  CHECK_HAS(errors("", {"actord.log.level=loud"}), "--set:1:");
}

// ---- paths

TEST_CASE("plugin folders are a list of paths") {
  const Settings s = read("actord.plugins.path = [\"/opt/plugins/\", more]");
  REQUIRE(s.plugin_path.size() == 2);
  CHECK(s.plugin_path[0] == "/opt/plugins");
  CHECK(s.plugin_path[1] == "/srv/here/more");
  CHECK_HAS(errors("actord.plugins.path = /opt"), "expected a list");
  CHECK_HAS(errors("actord.plugins.path = []"), "has no folder");
  CHECK_HAS(errors("actord.plugins.path = [\"~/plugins\"]"), "write ${HOME}\"/plugins\"");
}

TEST_CASE("the state directory is where the configuration says") {
  const Settings s = read("actord.state-dir = /var/lib/shop/");
  CHECK(s.state_directory == "/var/lib/shop");
  CHECK(s.state_directory_source == "test.conf:1");
  CHECK(read("actord.state-dir = state").state_directory == "/srv/here/state");
}

TEST_CASE("without a word it is systemd's, else the user's by the XDG rules") {
  std::map<std::string, std::string, std::less<>> variables = {
      {"STATE_DIRECTORY", "/var/lib/actord:/var/lib/other"},
      {"XDG_STATE_HOME", "/srv/state"},
      {"HOME", "/srv/home"}};
  ReadOptions options = lonely();
  options.environment = [&](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional{found->second};
  };
  const auto directory = [&] {
    const auto settings = read_settings(*tree_of(""), options);
    return settings ? settings->state_directory + " by " + settings->state_directory_source
                    : hocon::format(settings.error());
  };
  CHECK(directory() == "/var/lib/actord by $STATE_DIRECTORY");
  variables.erase("STATE_DIRECTORY");
  CHECK(directory() == "/srv/state/actord by $XDG_STATE_HOME");
  variables["XDG_STATE_HOME"] = "relative is not allowed";
  CHECK(directory() == "/srv/home/.local/state/actord by $HOME");
  variables.clear();
  CHECK_HAS(directory(), "there is no state directory");
}

// ---- the guardian's strategy

TEST_CASE("the guardian's strategy is a word, a class name of Akka's family, or a block") {
  const auto name = [](const std::string& value) {
    const Settings s = read("actord.actor.guardian-supervisor-strategy = " + value);
    REQUIRE(s.guardian.strategy);
    CHECK(s.guardian.strategy->origin == "test.conf:1");
    return s.guardian.strategy->name;
  };
  CHECK(name("default") == "default");
  CHECK(name("stopping") == "stopping");
  CHECK(name("akka.actor.DefaultSupervisorStrategy") == "default");
  CHECK(name("\"akka.actor.StoppingSupervisorStrategy\"") == "stopping");
  CHECK(name("org.apache.pekko.actor.StoppingSupervisorStrategy") == "stopping");
  CHECK(name("\"Akka.Actor.StoppingSupervisorStrategy, Akka\"") == "stopping");
  CHECK(name("{ type = all-for-one }") == "config");
}

TEST_CASE("a configurator of a plugin is kept for when the plugin is loaded") {
  const Settings s = read("actord.actor.guardian-supervisor-strategy = \"bank/Cautious\"");
  CHECK_FALSE(s.guardian.strategy);
  CHECK(s.guardian.value.text() == "bank/Cautious");
}

TEST_CASE("an unknown guardian strategy is refused") {
  CHECK_HAS(errors("actord.actor.guardian-supervisor-strategy = stoping"),
            "did you mean \"stopping\"?");
  CHECK_HAS(errors("actord.actor.guardian-supervisor-strategy = akka.actor.Nonesuch"),
            "unknown strategy \"akka.actor.Nonesuch\"");
  CHECK_HAS(
      errors("actord.actor.guardian-supervisor-strategy = akka.actor.StopingSupervisorStrategy"),
      "did you mean \"akka.actor.StoppingSupervisorStrategy\"?");
}

TEST_CASE("the key is also read where users of Akka and Pekko have it") {
  const std::string value =
      "actor.guardian-supervisor-strategy = \"akka.actor.StoppingSupervisorStrategy\"";
  CHECK(read("akka." + value).guardian.strategy->name == "stopping");
  CHECK(read("pekko." + value).guardian.strategy->name == "stopping");
}

TEST_CASE("two spellings at once are an error that names both places") {
  const std::string text = errors(
      "actord.actor.guardian-supervisor-strategy = default\n"
      "akka.actor.guardian-supervisor-strategy = default\n");
  CHECK_HAS(text, "test.conf:2:");
  CHECK_HAS(text,
            "akka.actor.guardian-supervisor-strategy and actord.actor.guardian-supervisor-strategy "
            "are both set");
  CHECK_HAS(text, "is at test.conf:1");
}

TEST_CASE("what else stands under akka is not read, and the warnings say so") {
  CHECK_HAS(warnings("akka { loglevel = DEBUG, actor { provider = local } }"),
            "actord does not read akka.loglevel");
  CHECK_HAS(warnings("akka { loglevel = DEBUG, actor { provider = local } }"),
            "actord does not read akka.actor.provider");
  CHECK_HAS(errors("akka.actor.guardian-supervision-strategy = default"),
            "did you mean \"guardian-supervisor-strategy\"?");
}

// ---- plugins

TEST_CASE(
    "the plugins that are wanted are those of behaviours and of the configurator, each once") {
  const Settings s = read(R"(actord {
    actor.guardian-supervisor-strategy = "bank/Cautious"
    user {
      a { behaviour = "echo/Echo", children { b { behaviour = "shop/Till" } } }
      c { behaviour = "echo/Other" }
      d { behaviour = "actord/Supervisor" }
      e {}
    }
  })");
  const auto wanted = plugins_wanted(s);
  REQUIRE(wanted.size() == 3);
  CHECK(wanted[0].name == "bank");
  CHECK(wanted[1].name == "echo");
  CHECK(wanted[1].named_by.origin_text() == "test.conf:4");
  CHECK(wanted[2].name == "shop");
}

TEST_CASE("a word for yes is no path of the admin socket, and every word for no is off") {
  for (const char* word : {"on", "yes", "true", "\"on\""}) {
    CAPTURE(std::string{word});
    const std::string all = errors("actord.admin.socket = " + std::string{word});
    CHECK_HAS(all, "expected off or a path");
    CHECK_HAS(all, "leave the key out for the default socket");
  }
  for (const char* word : {"off", "no", "false"})
    CHECK(read("actord.admin.socket = " + std::string{word}).admin_socket.empty());
  CHECK(read("actord.admin.socket = ./on").admin_socket.ends_with("/on"));
}

TEST_CASE("a secret at a key that is shown is an error, without its text") {
  const auto refusal_of = [](const std::string& line) {
    hocon::Source source;
    source.set_secrets({"vars.secret.*"}, {});
    source.add_text("test.conf", "vars.secret.pw = hunter2\n" + line);
    const auto tree = source.resolve();
    REQUIRE(tree.ok());
    const auto settings = read_settings(*tree, lonely());
    const std::string all = errors_of(settings);
    CHECK_FALSE(has(all, "hunter2"));
    return all;
  };
  for (const char* line :
       {"actord.user.e.behaviour = ${vars.secret.pw}\"/x\"",
        "actord.user.e.children.f.behaviour = ${vars.secret.pw}\"/x\"",
        "actord.plugins.path = [/usr, ${vars.secret.pw}]", "actord.name = ${vars.secret.pw}",
        "actord.state-dir = ${vars.secret.pw}", "actord.admin.socket = \"/x\"${vars.secret.pw}",
        "pekko.actor.guardian-supervisor-strategy = ${vars.secret.pw}\"/x\"",
        "actord.actor.deployment.\"/user/x\".dispatcher = ${vars.secret.pw}"}) {
    CAPTURE(std::string{line});
    const std::string all = refusal_of(line);
    CHECK_HAS(all, "a secret may not be used here: it would be shown in logs [E0306]");
    CHECK_HAS(all, "test.conf:2:");
  }
  CHECK(refusal_of("actord.user.e { behaviour = \"p/x\", config { pw = ${vars.secret.pw} } }")
            .empty());
}

TEST_SUITE_END();
