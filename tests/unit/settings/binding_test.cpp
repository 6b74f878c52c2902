// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstddef>

#include "message/message_type.hpp"
#include "pattern/configured_backoff.hpp"
#include "schema/behaviour_schema.hpp"
#include "settings/binding.hpp"
#include "settings/secret_values.hpp"
#include "unit/settings/settings_text.hpp"

#include <nlohmann/json.hpp>
#include <span>

using namespace actord;
using namespace actord::settings;

namespace {

actord_status create(void*, actord_context*, actord_value, const void*, actord_errors*) {
  return ACTORD_OK;
}
void destroy(void*) {}

const actord_receive no_messages = {
    sizeof(actord_receive), 0, ACTORD_STR("empty"), nullptr, nullptr, nullptr};
const actord_receive* const receives[] = {&no_messages};

const actord_member till_config[] = {
    {ACTORD_STR("max_items"), ACTORD_STR("uint16"), 0},
    {ACTORD_STR("name"), ACTORD_STR("text"), 0},
    {ACTORD_STR("is_open"), ACTORD_STR("bool"), 0},
    {ACTORD_STR("timeout"), ACTORD_STR("duration"), 0},
    {ACTORD_STR("buffer"), ACTORD_STR("int64"), 0},
    {ACTORD_STR("seed"), ACTORD_STR("uint64"), 0},
    {ACTORD_STR("rate"), ACTORD_STR("double"), 0},
    {ACTORD_STR("limit"), ACTORD_STR("optional<int8>"), 0},
    {ACTORD_STR("tags"), ACTORD_STR("list<text>"), 0},
    {ACTORD_STR("prices"), ACTORD_STR("map<double>"), 0},
    {ACTORD_STR("chaos"),
     ACTORD_STR("{probability:double,hand_back:{at:duration,to:ref},seed:uint64}"), 0},
    {ACTORD_STR("shelves"), ACTORD_STR("list<{row:int32,label:text}>"), 0}};

constexpr actord_bound none = {ACTORD_NULL, {.i = 0}};
const actord_str modes[] = {ACTORD_STR("fast"), ACTORD_STR("very_careful")};
// The tables grow at their ends: what a test does not set is as in a table that says nothing.
actord_config_key key(std::uint32_t flags, actord_str path, actord_bound least = none,
                      actord_bound most = none) {
  actord_config_key made{};
  made.struct_size = sizeof made;
  made.flags = flags;
  made.path = path;
  made.least = least;
  made.most = most;
  return made;
}
actord_config_key with(actord_config_key made, actord_str doc, std::span<const actord_str> words) {
  made.doc = doc;
  made.words = words.data();
  made.n_words = words.size();
  return made;
}
actord_config_key by_default(actord_config_key made, actord_str value) {
  made.default_value = value;
  return made;
}
// As a plugin declares it that was built for ABI 1.4: its table ends before the resource.
actord_config_key of_abi_1_4(actord_config_key made) {
  made.struct_size = offsetof(actord_config_key, resource);
  return made;
}
const actord_config_key keys[] = {
    key(ACTORD_REQUIRED, ACTORD_STR("url")),
    with(key(ACTORD_SECRET, ACTORD_STR("pin"), {ACTORD_UINT, {.u = 1000}},
             {ACTORD_UINT, {.u = 9999}}),
         ACTORD_STR("Its key."), {}),
    by_default(key(0, ACTORD_STR("rate"), {ACTORD_DOUBLE, {.d = 0}}, {ACTORD_DOUBLE, {.d = 0.5}}),
               ACTORD_STR("0.25")),
    by_default(key(0, ACTORD_STR("chaos.pause"), {ACTORD_DURATION, {.i = 1'000'000}}),
               ACTORD_STR("10 ms")),
    key(ACTORD_REQUIRED, ACTORD_STR("chaos.seed")),
    by_default(key(ACTORD_SIZE, ACTORD_STR("buffer"), none, {ACTORD_INT, {.i = 4096}}),
               ACTORD_STR("2048")),
    of_abi_1_4(
        by_default(with(key(0, ACTORD_STR("shelves.*.mode")), {}, modes), ACTORD_STR("fast")))};
const actord_config_key* const vault_keys[] = {&keys[0], &keys[1], &keys[2], &keys[3],
                                               &keys[4], &keys[5], &keys[6]};
const actord_member vault_config[] = {
    {ACTORD_STR("url"), ACTORD_STR("text"), 0},
    {ACTORD_STR("pin"), ACTORD_STR("uint32"), 0},
    {ACTORD_STR("rate"), ACTORD_STR("optional<double>"), 0},
    {ACTORD_STR("chaos"), ACTORD_STR("{pause:duration,seed:uint64}"), 0},
    {ACTORD_STR("buffer"), ACTORD_STR("int64"), 0},
    {ACTORD_STR("shelves"), ACTORD_STR("list<{mode:text}>"), 0}};

actord_behaviour behaviour(actord_str name, const actord_member* config, std::size_t n_config) {
  actord_behaviour table{};
  table.struct_size = sizeof table;
  table.name = name;
  table.size = table.align = 8;
  table.receives = receives;
  table.n_receives = 1;
  table.config = config;
  table.n_config = n_config;
  table.create = create;
  table.destroy = destroy;
  return table;
}

// A plugin "shop" with two behaviours and a configurator, and the built-in supervisor.
struct World {
  World() {
    static const actord_behaviour till =
        behaviour(ACTORD_STR("Till"), till_config, std::size(till_config));
    static const actord_behaviour clock = behaviour(ACTORD_STR("Clock"), nullptr, 0);
    static const actord_behaviour supervisor = behaviour(ACTORD_STR("Supervisor"), nullptr, 0);
    static const actord_behaviour vault = [] {
      actord_behaviour table =
          behaviour(ACTORD_STR("Vault"), vault_config, std::size(vault_config));
      table.config_keys = vault_keys;
      table.n_config_keys = std::size(vault_keys);
      return table;
    }();
    static const actord_persistence persistence{
        sizeof(actord_persistence), 0, nullptr, nullptr, nullptr, nullptr};
    static const actord_behaviour ledger = [] {
      actord_behaviour table = behaviour(ACTORD_STR("Ledger"), nullptr, 0);
      table.persistence = &persistence;
      return table;
    }();
    static const actord_behaviour* const shop_behaviours[] = {&till, &clock, &vault, &ledger};
    static const actord_behaviour* const own_behaviours[] = {&supervisor};
    static const actord_strategy strategy = {
        sizeof(actord_strategy), ACTORD_ALL_FOR_ONE, 3, -1, nullptr, 0, ACTORD_STOP, 1, nullptr};
    static const actord_configurator cautious = {
        sizeof(actord_configurator), 0, ACTORD_STR("Cautious"), {}, &strategy, nullptr};
    static const actord_configurator* const configurators[] = {&cautious};
    actord_plugin shop{};
    shop.name = ACTORD_STR("shop");
    shop.behaviours = shop_behaviours;
    shop.n_behaviours = 4;
    shop.configurators = configurators;
    shop.n_configurators = 1;
    actord_plugin own{};
    own.name = ACTORD_STR("actord");
    own.behaviours = own_behaviours;
    own.n_behaviours = 1;
    REQUIRE(registry.add(shop).ok());
    REQUIRE(registry.add(own).ok());
    REQUIRE(registry.add(pattern::plugin()).ok());
  }

  message::TypeRegistry types;
  system::BehaviourRegistry registry{types};
};

std::string wrong(const std::string& text) {
  const World world;
  const Settings settings = read(text);
  const sdk::ConfigReader reader(settings.tree);
  const auto bound = settings::bind(settings, world.registry, reader);
  REQUIRE_FALSE(bound.ok());
  return hocon::format(bound.error());
}

std::string wrong_config(const std::string& config) {
  return wrong("actord.user.x { behaviour = \"shop/Till\"\nconfig {\n" + config + "\n} }");
}

bool is_right_config(const std::string& config) {
  const World world;
  const Settings settings =
      read("actord.user.x { behaviour = \"shop/Till\", config {\n" + config + "\n} }");
  const sdk::ConfigReader reader(settings.tree);
  const auto bound = settings::bind(settings, world.registry, reader);
  INFO(errors_of(bound));
  CHECK(bound.ok());
  return bound.ok();
}

}  // namespace

TEST_SUITE_BEGIN("settings/binding");

TEST_CASE("settings become what the runtime starts") {
  const World world;
  const Settings settings = read(R"(actord {
    actor.guardian-supervisor-strategy = stopping
    actor.deployment { "/user/a/*" { dispatcher = blocking-io } }
    user {
      level { children { till {
        behaviour = "shop/Till", config { max-items = 5 }
        supervisor-strategy {}, mailbox.capacity = 9
      } } }
      clock { behaviour = "shop/Clock", dispatcher = blocking-io }
    }
  })");
  const sdk::ConfigReader reader(settings.tree);
  const auto bound = settings::bind(settings, world.registry, reader);
  REQUIRE(bound.ok());
  CHECK(bound->user.name == "user");
  CHECK(bound->user.options.strategy->name == "stopping");
  CHECK(bound->user.origin == "test.conf:2");
  REQUIRE(bound->user.children.size() == 2);
  const actor::NodeSpec& level = bound->user.children[0];
  CHECK(level.behaviour->name == "actord/Supervisor");
  CHECK(level.config.node == nullptr);
  CHECK(level.origin == "test.conf:5");
  const actor::NodeSpec& till = level.children.at(0);
  CHECK(till.behaviour->name == "shop/Till");
  CHECK(till.options.strategy->name == "config");
  CHECK(till.options.mailbox_capacity == 9);
  std::int64_t items = 0;
  const actord_value member = till.config.reader->member(till.config, ACTORD_STR("max_items"));
  CHECK(member.reader->integer(member, &items) == 1);
  CHECK(items == 5);
  CHECK(bound->user.children[1].options.dispatcher == "blocking-io");
  REQUIRE(bound->deployments.size() == 1);
  CHECK(bound->deployments[0].pattern == "/user/a/*");
}

TEST_CASE("actors whose configs have no errors are listed, with the path behind a supervisor") {
  const World world;
  const Settings settings = read(R"(actord.user {
    till { behaviour = "shop/Till", config { max-items = 5 } }
    wrong { behaviour = "shop/Till", config { max-items = many } }
    level.children.clock {
      behaviour = "shop/Clock"
      backoff-supervisor { mode = on-failure, min = 1 s, max = 2 s }
    }
  })");
  const sdk::ConfigReader reader(settings.tree);
  std::vector<SoundActor> sound;
  CHECK_FALSE(settings::bind(settings, world.registry, reader, &sound).ok());
  REQUIRE(sound.size() == 2);
  CHECK(sound[0].path == "/user/till");
  CHECK(sound[0].node == &settings.user[0]);
  CHECK(sound[0].behaviour->name == "shop/Till");
  CHECK(sound[1].path == "/user/level/clock/clock");
}

TEST_CASE("nothing said of the guardian leaves it to the runtime") {
  const World world;
  const Settings settings = read("");
  const sdk::ConfigReader reader(settings.tree);
  CHECK_FALSE(settings::bind(settings, world.registry, reader)->user.options.strategy);
}

TEST_CASE("the guardian's strategy may be a plugin's configurator (supervision.md 93)") {
  const World world;
  const Settings settings = read("actord.actor.guardian-supervisor-strategy = \"shop/Cautious\"");
  const sdk::ConfigReader reader(settings.tree);
  const auto bound = settings::bind(settings, world.registry, reader);
  REQUIRE(bound.ok());
  CHECK(bound->user.options.strategy->name == "shop/Cautious");
  CHECK(bound->user.options.strategy->restart_limit.max_restarts == 3);
  CHECK(bound->user.options.strategy->origin == "test.conf:1");
}

TEST_CASE("an unknown configurator is an error (supervision.md 93)") {
  const std::string text = wrong("actord.actor.guardian-supervisor-strategy = \"shop/Cautios\"");
  CHECK_HAS(text, "test.conf:1:45: error: unknown configurator \"shop/Cautios\"");
  CHECK_HAS(text, "did you mean \"shop/Cautious\"?");
}

TEST_CASE("an unknown behaviour is an error at its place, with what the plugin has") {
  const std::string text = wrong("actord.user {\n  x { behaviour = \"shop/Tull\" }\n}");
  CHECK_HAS(text, "test.conf:2:19: error: unknown behaviour \"shop/Tull\"");
  CHECK_HAS(text, "did you mean \"shop/Till\"?");
  CHECK_HAS(text, "plugin shop has shop/Clock, shop/Ledger, shop/Till");
}

TEST_CASE("a behaviour of a plugin that is not loaded names the plugin") {
  const std::string text = wrong("actord.user.x.behaviour = \"shp/Till\"");
  CHECK_HAS(text, "no plugin \"shp\" is loaded");
  CHECK_HAS(text, "did you mean \"shop\"?");
}

TEST_CASE("all errors of all actors are reported") {
  const std::string text = wrong(
      "actord.user {\n a { behaviour = \"shop/A\" }\n b { children { c { behaviour = \"shop/C\" } "
      "} }\n}");
  CHECK_HAS(text, "test.conf:2:");
  CHECK_HAS(text, "test.conf:3:");
}

// ---- back-off supervisors

TEST_CASE("an actor behind a back-off supervisor is its child of the same name") {
  const World world;
  const Settings settings = read(R"(actord.user.till {
    behaviour = "shop/Till", config.max-items = 5, stash-capacity = 3, mailbox.capacity = 4
    supervisor-strategy = stopping
    backoff-supervisor { mode = on-stop, min = 1 s, max = 2 s, max-restarts = 5 }
    children { clock { behaviour = "shop/Clock" } }
  })");
  const sdk::ConfigReader reader(settings.tree);
  const auto bound = settings::bind(settings, world.registry, reader);
  INFO(errors_of(bound));
  REQUIRE(bound.ok());
  const actor::NodeSpec& supervisor = bound->user.children.at(0);
  CHECK(supervisor.name == "till");
  CHECK(supervisor.behaviour->name == "actord/BackoffSupervisor");
  CHECK((supervisor.behaviour->table.flags & ACTORD_STARTS_OWN_CHILDREN) != 0);
  CHECK(supervisor.options.strategy->name == "stopping");
  CHECK(supervisor.options.strategy->restart_limit.max_restarts == 5);
  CHECK(static_cast<bool>(supervisor.create));
  CHECK(supervisor.args != nullptr);
  CHECK(supervisor.options.mailbox_capacity == 0);
  REQUIRE(supervisor.children.size() == 1);
  const actor::NodeSpec& till = supervisor.children[0];
  CHECK(till.name == "till");
  CHECK(till.behaviour->name == "shop/Till");
  CHECK_FALSE(till.options.strategy);
  CHECK(till.options.stash_capacity == 3);
  CHECK(till.options.mailbox_capacity == 4);
  CHECK_FALSE(static_cast<bool>(till.create));
  CHECK(till.children.at(0).name == "clock");
}

TEST_CASE("a persistent actor without a back-off supervisor is a warning (supervision.md 183e)") {
  const World world;
  const auto warnings_of = [&](const std::string& rest) {
    const Settings settings = read("actord.user.x { behaviour = \"shop/Ledger\"" + rest + " }");
    const sdk::ConfigReader reader(settings.tree);
    const auto bound = settings::bind(settings, world.registry, reader);
    REQUIRE(bound.ok());
    return hocon::format(bound->warnings);
  };
  const std::string warning = warnings_of("");
  CHECK(warning.find("nothing starts it again when the journal has failed") != warning.npos);
  CHECK(warning.find("backoff-supervisor { mode = on-stop") != warning.npos);
  CHECK(warnings_of(", backoff-supervisor { mode = on-stop, min = 1s, max = 1m }").empty());
}

TEST_CASE("another limit of a back-off supervisor is another strategy, and no other supervisor") {
  const World world;
  const auto supervisor = [&](const std::string& block) {
    const Settings settings = read("actord.user.till { behaviour = \"shop/Till\"\n" + block + '}');
    const sdk::ConfigReader reader(settings.tree);
    return settings::bind(settings, world.registry, reader)->user.children.at(0);
  };
  const std::string block = "backoff-supervisor { mode = on-stop, min = 1 s, max = 2 s }\n";
  const actor::NodeSpec was = supervisor(block);
  const actor::NodeSpec limited = supervisor(block + "backoff-supervisor.max-restarts = 5\n");
  CHECK(limited.options.strategy->restart_limit.max_restarts == 5);
  CHECK(change_between(was, limited) == actor::NodeChange::none);
  const actor::NodeSpec slower = supervisor(block + "backoff-supervisor.max = 3 s\n");
  CHECK(change_between(was, slower) == actor::NodeChange::rebuilt);
}

TEST_CASE("messages that a back-off supervisor is to know must be of a plugin that is loaded") {
  const auto with = [](const std::string& key) {
    return "actord.user.x { behaviour = \"shop/Till\"\n"
           "backoff-supervisor { mode = on-stop, min = 1 s, max = 2 s\n" +
           key + "\n} }";
  };
  CHECK_HAS(wrong(with("while-down.reply = \"shop.Closed/1\"")),
            "test.conf:3:20: error: unknown message \"shop.Closed/1\"");
  CHECK_HAS(wrong(with("final-stop = [\"shop.Closed/1\"]")),
            "test.conf:3:15: error: unknown message \"shop.Closed/1\"");
  CHECK_HAS(wrong(with("while-down { reply = \"actord.RestartCount/1\", with.coun = 5 }")),
            "did you mean \"count\"?");
  CHECK_HAS(wrong(with("while-down { reply = \"actord.RestartCount/1\", with.count = five }")),
            "expected a whole number");
}

// ---- config

TEST_CASE("a behaviour that takes no config is given none") {
  CHECK_HAS(wrong("actord.user.x { behaviour = \"shop/Clock\", config { a = 1 } }"),
            "shop/Clock takes no config");
}

TEST_CASE("every member may be given, in either spelling") {
  CHECK(is_right_config(R"(
    max-items = 65535, name = till, is_open = yes
    timeout = 3 s, buffer = 64k, seed = 18446744073709551615
    rate = 0.5, limit = null, tags = [a, "b", 3], prices { "an apple" = 1.5 }
    chaos { probability = 0.1, hand-back { at = 5 s, to = "/user/y" }, seed = 7 }
    shelves = [{ row = 1, label = top }, {}]
  )"));
  CHECK(is_right_config(""));
}

TEST_CASE("an unknown key of a config is an error with what was meant, as an operator writes it") {
  const std::string text = wrong_config("  max-itms = 5");
  CHECK_HAS(text, "test.conf:3:3: error: unknown key \"actord.user.x.config.max-itms\"");
  CHECK_HAS(text, "did you mean \"max-items\"?");
  CHECK_HAS(wrong_config("colour = red"), "known here: max-items, name, is-open");
}

TEST_CASE("keys inside objects and lists are checked as well") {
  CHECK_HAS(wrong_config("chaos { probabilty = 1 }"), "did you mean \"probability\"?");
  CHECK_HAS(wrong_config("chaos { hand_back { till = 1 s } }"), "known here: at, to");
  CHECK_HAS(wrong_config("shelves = [{ rwo = 1 }]"), "did you mean \"row\"?");
}

TEST_CASE("null takes a key of a config away, so that its default holds again") {
  CHECK(is_right_config("max-items = 5, max-items = null, chaos = null, prices { apple = null }"));
  CHECK_HAS(wrong_config("tags = [null]"), "expected a string");
  CHECK_HAS(wrong("actord.user.x { behaviour = \"shop/Vault\", config { url = null } }"),
            "test.conf:1:58: error: actord.user.x.config needs url [E0304]");
}

TEST_CASE("the same key in two spellings is an error") {
  CHECK_HAS(wrong_config("max-items = 1\nmax_items = 2"),
            "\"max_items\" and \"max-items\" are the same key");
}

TEST_CASE("values of a wrong type are errors at their place") {
  CHECK_HAS(wrong_config("max-items = 65536"),
            "test.conf:3:13: error: expected a whole number from 0 to 65535, got 65536");
  CHECK_HAS(wrong_config("max-items = -1"), "from 0 to 65535");
  CHECK_HAS(wrong_config("name = [a]"), "expected a string, got a list");
  CHECK_HAS(wrong_config("is-open = perhaps"), "expected a boolean");
  CHECK_HAS(wrong_config("timeout = 5 sec"), "5 sec");
  CHECK_HAS(wrong_config("buffer = much"), "expected a whole number");
  CHECK_HAS(wrong_config("seed = -3"), "expected a whole number of at least 0");
  CHECK_HAS(wrong_config("rate = fast"), "expected a number");
  CHECK_HAS(wrong_config("limit = 200"), "from -128 to 127");
  CHECK_HAS(wrong_config("tags = a"), "expected a list");
  CHECK_HAS(wrong_config("prices = [1]"), "expected an object");
  CHECK_HAS(wrong_config("prices { apple = dear }"), "expected a number");
  CHECK_HAS(wrong_config("chaos = on"), "expected an object");
}

// ---- what an author says beyond types

namespace {

std::string wrong_vault(const std::string& config) {
  return wrong("actord.user.x { behaviour = \"shop/Vault\"\nconfig { url = u\n" + config + "\n} }");
}

}  // namespace

TEST_CASE("a value out of its author's range is refused before anything starts") {
  CHECK_HAS(wrong_vault("rate = 0.6"),
            "test.conf:3:8: error: expected 0 to 0.5, got 0.6 [E0302]\n");
  CHECK_HAS(wrong_vault("chaos { seed = 1, pause = 10 us }"), "expected at least 1 ms, got");
  CHECK_HAS(wrong_vault("buffer = 8k"), "expected at most 4 KiB, got");
  CHECK_HAS(wrong_vault("buffer = 4097"), "expected at most 4 KiB, got 4097");
  CHECK_HAS(wrong_vault("shelves = [{ mode = fast }, { mode = fats }]"),
            "expected one of fast, very-careful, got the string \"fats\"");
  CHECK_HAS(wrong_vault("shelves = [{ mode = fats }]"), "did you mean \"fast\"?");
}

TEST_CASE("what an author needs is asked for where it is missing") {
  CHECK_HAS(wrong("actord.user.x { behaviour = \"shop/Vault\", config { rate = 0.1 } }"),
            "error: actord.user.x.config needs url [E0304]");
  CHECK_HAS(wrong_vault("chaos { pause = 1 s }"), "actord.user.x.config.chaos needs seed");
  const std::string none = wrong("actord.user.x.behaviour = \"shop/Vault\"");
  CHECK_HAS(none, "test.conf:1:27: error: shop/Vault needs a config [E0304]");
  CHECK_HAS(none, "help: as in config { url = ... }");
}

TEST_CASE("values declared secret are found, and all values of an unknown behaviour's config") {
  const World world;
  const Settings settings = read(R"(actord.user {
    a { behaviour = "shop/Vault", config { url = u, pin = 1234 }
        children.b { behaviour = "shop/Vault", config { url = v } } }
    c { behaviour = "absent/Behaviour", config { key = x } }
    d { behaviour = "shop/Till", config { name = y } } })");
  const SecretValues values = secret_values(settings, world.registry);
  REQUIRE(values.declared.size() == 1);
  CHECK(values.declared[0].path() == "actord.user.a.config.pin");
  REQUIRE(values.suspected.size() == 1);
  CHECK(values.suspected[0].path() == "actord.user.c.config");
}

TEST_CASE("a secret that is wrong is not shown") {
  for (const char* value : {"123", "12x"}) {
    const std::string text = wrong_vault(std::string{"pin = "} + value);
    CHECK_HAS(text, "test.conf:3:7: error: expected ");
    CHECK_FALSE(has(text, value));
  }
}

TEST_CASE("what lies on the bounds is taken") {
  const World world;
  const Settings settings = read(
      "actord.user.x { behaviour = \"shop/Vault\", config { url = u, pin = 1000, rate = 0.5\n"
      "buffer = 4k, chaos { seed = 1, pause = 1 ms }, shelves = [{ mode = very_careful }] } }");
  const sdk::ConfigReader reader(settings.tree);
  const auto bound = settings::bind(settings, world.registry, reader);
  INFO(errors_of(bound));
  CHECK(bound.ok());
}

TEST_CASE("unknown keys of a config are warned of where that is allowed") {
  const World world;
  ReadOptions options = lonely();
  options.unknown_keys = UnknownKeys::warnings;
  const auto settings = read_settings(
      *tree_of("actord.user.x { behaviour = \"shop/Till\", config { max-item = 5 } }"), options);
  const sdk::ConfigReader reader(settings->tree);
  const auto bound = settings::bind(*settings, world.registry, reader);
  INFO(errors_of(bound));
  REQUIRE(bound.ok());
  CHECK_HAS(hocon::format(bound->warnings), "warning: unknown key");
}

TEST_CASE("a behaviour's config is described as JSON Schema") {
  const World world;
  const std::string text =
      schema::behaviour_schema((*world.registry.find("shop/Vault"))->table, "shop/Vault");
  const auto json = nlohmann::json::parse(text);
  CHECK(json["title"] == "Config of shop/Vault");
  CHECK(json["required"] == nlohmann::json::parse(R"(["url"])"));
  CHECK(json["additionalProperties"] == false);
  const auto& properties = json["properties"];
  CHECK(properties["pin"] ==
        nlohmann::json::parse(
            R"({"description": "Its key.", "type": ["integer", "null"], "minimum": 1000,
                                  "maximum": 9999, "x-range": "1000 to 9999",
                                  "writeOnly": true})"));
  CHECK(properties["chaos"]["required"] == nlohmann::json::parse(R"(["seed"])"));
  CHECK(properties["chaos"]["properties"]["pause"]["x-range"] == "at least 1 ms");
  CHECK(properties["shelves"]["items"]["properties"]["mode"]["enum"] ==
        nlohmann::json::parse(R"(["fast", "very-careful", null])"));
  CHECK(properties["buffer"]["maximum"] == 4096);
  CHECK(properties["buffer"]["default"] == "2 KiB");
  CHECK(properties["rate"]["default"] == 0.25);
  CHECK(properties["chaos"]["properties"]["pause"]["default"] == "10 ms");
  CHECK_FALSE(properties["shelves"]["items"]["properties"]["mode"].contains("default"));
}

TEST_SUITE_END();
