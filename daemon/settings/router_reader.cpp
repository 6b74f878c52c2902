// SPDX-License-Identifier: Apache-2.0
#include "settings/router_reader.hpp"

#include "schema/known_words.hpp"
#include "schema/setting_codes.hpp"

namespace actord::settings {

using hocon::Value;

namespace {

using Logic = RouterSettings::Logic;

void reject(ObjectReader& block, const Value& value, std::string reason, std::string help) {
  block.findings().add(
      coded(schema::codes::conflict, value.reject(std::move(reason), std::move(help))));
}

void read_paths(ObjectReader& block, RouterSettings& settings) {
  Findings& findings = block.findings();
  const Value value = block.take("paths");
  const auto paths = value ? findings.take(value.as_list()) : std::nullopt;
  for (const Value& each : paths ? *paths : std::vector<Value>{}) {
    const auto path = findings.take(each.as_string());
    if (path && !path->starts_with('/'))
      findings.add(each.mismatch("the path of an actor, such as /user/other"));
    else if (path) settings.paths.emplace_back(*path);
  }
  if (settings.is_pool && value)
    reject(block, value, "paths needs type = group", "a pool creates its routees itself");
  if (!settings.is_pool && !value) {
    reject(block, block.object(), "a router of type group needs paths",
           "write paths = [\"/user/other\"]");
  } else if (!settings.is_pool && paths && paths->empty()) {
    reject(block, value, "a router of type group needs the path of an actor",
           "write paths = [\"/user/other\"]");
  }
}

// Warns of a key that has an effect with some logics only.
void check_key_of_logic(ObjectReader& block, const char* key, bool has_effect, const char* needs) {
  const Value value = block.object().member(key);
  if (!value || value.is_null() || has_effect) return;
  block.findings().add(
      coded(schema::codes::no_effect,
            value.warn(std::string{key} + " has no effect with this logic", needs)));
}

void check_logic(ObjectReader& block, const RouterSettings& settings) {
  const Value logic = block.object().member("logic");
  const bool needs_pool =
      settings.logic == Logic::smallest_mailbox || settings.logic == Logic::balancing;
  if (needs_pool && !settings.is_pool)
    reject(block, logic, "this logic needs type = pool",
           "only a pool can count what waits for its routees");
  const bool gathers =
      settings.logic == Logic::scatter_gather_first || settings.logic == Logic::tail_chopping;
  const bool hashes = settings.logic == Logic::consistent_hashing;
  check_key_of_logic(block, "credits", settings.logic == Logic::balancing, "it is for balancing");
  check_key_of_logic(block, "within", gathers, "it is for scatter-gather-first and tail-chopping");
  check_key_of_logic(block, "interval", settings.logic == Logic::tail_chopping,
                     "it is for tail-chopping");
  check_key_of_logic(block, "hash-field", hashes, "it is for consistent-hashing");
  check_key_of_logic(block, "points", hashes, "it is for consistent-hashing");
  if (hashes && settings.hash_field.empty())
    reject(block, logic, "consistent-hashing needs hash-field",
           "name the field of the messages that is their key");
}

std::optional<ResizerSettings> read_resizer(ObjectReader& block) {
  ObjectReader resizer = block.section("resizer");
  if (!resizer.exists()) return std::nullopt;
  ResizerSettings read;
  resizer.read("lower", read.lower);
  resizer.read("upper", read.upper);
  resizer.read("pressure-threshold", read.pressure_threshold);
  resizer.read("rampup-rate", read.rampup_rate);
  resizer.read("backoff-threshold", read.backoff_threshold);
  resizer.read("backoff-rate", read.backoff_rate);
  resizer.read_duration("interval", read.interval_ns);
  if (read.upper < read.lower)
    resizer.findings().add(resizer.object().member("upper").reject("upper is smaller than lower"));
  resizer.finish(
      {{"lower-bound", "lower"}, {"upper-bound", "upper"}, {"messages-per-resize", "interval"}});
  return read;
}

// What cannot stand beside a router.
void check_neighbours(ObjectReader& actor, const Value& router, const Node& node) {
  const RouterSettings& settings = *node.router;
  if (node.backoff) {
    hocon::Diagnostic both = router.reject(
        "an actor cannot have both router and backoff-supervisor",
        "give the actors below the router a strategy with backoff, or put a node above");
    both.code = schema::codes::conflict;
    both.note = "the other one is at " + node.backoff->value.origin_text();
    actor.findings().add(std::move(both));
  }
  const Value behaviour = actor.object().member("behaviour");
  const bool has_behaviour = behaviour && !behaviour.is_null();
  if (settings.is_pool && !has_behaviour) {
    actor.findings().add(
        coded(schema::codes::conflict, router.reject("a pool needs the behaviour of its routees",
                                                     "write behaviour = \"plugin/Behaviour\"")));
  } else if (!settings.is_pool && has_behaviour) {
    actor.findings().add(coded(schema::codes::conflict,
                               behaviour.reject("a router of type group takes no behaviour",
                                                "its routees are the actors that its paths name")));
  }
  const Value children = actor.object().member("children");
  if (!settings.is_pool && children && children.is_object() && children.size() > 0) {
    actor.findings().add(coded(
        schema::codes::conflict,
        children.reject("a router of type group has no children", "move them to another node")));
  }
}

}  // namespace

void read_router(ObjectReader& actor, Node& node) {
  const Value value = actor.take("router");
  if (!value) return;
  ObjectReader block(actor.findings(), value, actor.key("router"));
  if (!block.exists()) return;
  RouterSettings& settings = node.router.emplace();
  settings.value = value;
  block.read_word("type", settings.is_pool, schema::router_type_words);
  block.read_word("logic", settings.logic, schema::router_logic_words);
  block.read(RouterSettings::size_key, settings.size);
  read_paths(block, settings);
  block.read_duration("within", settings.within_ns);
  block.read_duration("interval", settings.interval_ns);
  if (const Value field = block.take("hash-field")) {
    if (const auto name = block.findings().take(field.as_string())) settings.hash_field = *name;
  }
  block.read("credits", settings.credits);
  block.read("points", settings.points);
  settings.resizer = read_resizer(block);
  if (settings.resizer && !settings.is_pool)
    reject(block, block.object().member("resizer"), "a resizer needs type = pool",
           "a group has the actors that its paths name");
  check_logic(block, settings);
  check_neighbours(actor, value, node);
  block.finish({{"nr-of-instances", "size"},
                {"routees", "paths"},
                {"virtual-nodes-factor", "points"},
                {"optimal-size-exploring-resizer", "resizer"}});
}

void read_router(ObjectReader& pattern, actor::ActorOptions& options) {
  ObjectReader block = pattern.section("router");
  if (!block.exists()) return;
  actor::RouterRule& rule = options.router.emplace();
  Logic logic = Logic::round_robin;
  block.read("size", rule.size);
  block.read_word("logic", logic, schema::balancer_logic_words);
  read_resizer(block);
  block.finish({{"nr-of-instances", "size"}});
}

}  // namespace actord::settings
