// SPDX-License-Identifier: Apache-2.0
#include "settings/user_tree.hpp"

#include "actor/path.hpp"
#include "schema/known_words.hpp"
#include "schema/setting_codes.hpp"
#include "settings/backoff_reader.hpp"
#include "settings/isolation_reader.hpp"
#include "settings/mailbox_reader.hpp"
#include "settings/misleading_values.hpp"
#include "settings/on_failure_reader.hpp"
#include "settings/router_reader.hpp"
#include "settings/strategy_reader.hpp"

namespace actord::settings {

using hocon::Value;

namespace {

// HOCON merges two objects of one name without an error. In two files, or with --set, that is how
// a setting is changed. Within one file it means two actors of the same name.
void reject_duplicate(Findings& findings, const Node& node) {
  std::vector<hocon::Overridden> mentions = node.behaviour.overridden();
  mentions.insert(mentions.begin(), {node.behaviour.origin(), node.behaviour.origin_text(), {}});
  for (std::size_t newer = 0; newer < mentions.size(); ++newer) {
    for (std::size_t older = newer + 1; older < mentions.size(); ++older) {
      if (mentions[newer].origin.file != mentions[older].origin.file) continue;
      hocon::Diagnostic twice = hocon::diagnostic_at(
          findings.sources(), {mentions[newer].origin, 1}, "duplicate actor name " + node.path,
          "give one of the two another name", "the other one is at " + mentions[older].place);
      findings.add(coded(schema::codes::conflict, std::move(twice)));
      return;
    }
  }
}

// Reads "plugin/Behaviour".
Value read_behaviour(ObjectReader& block) {
  const Value value = block.take("behaviour");
  if (!value) return {};
  if (!value.is_string()) {
    block.findings().add(
        value.mismatch("a behaviour", "behaviours are named \"plugin/Behaviour\""));
    return {};
  }
  const std::string_view text = value.text();
  const std::size_t slash = text.find('/');
  if (slash != text.npos && slash != 0 && slash + 1 < text.size() &&
      text.find('/', slash + 1) == text.npos)
    return value;
  block.findings().add(value.reject(hocon::quoted_for_message(text) + " names no behaviour",
                                    "behaviours are named \"plugin/Behaviour\""));
  return {};
}

void read_config(ObjectReader& block, bool has_behaviour, Node& node) {
  const Value value = block.take("config");
  if (!value) return;
  if (!value.is_object())
    return block.findings().add(  // without its text, which may be a secret
        at_key(coded(hocon::codes::mismatch,
                     value.reject("expected an object", "write config { ... }")),
               value.key()));
  if (!has_behaviour && value.size() > 0) {
    return block.findings().add(value.reject("an actor without behaviour takes no config",
                                             "without behaviour it only supervises its children"));
  }
  node.config = value;
}

Node read_node(Findings& findings, const hocon::Member& member, const schema::SettingKey& key,
               const std::string& parent_path) {
  Node node;
  node.name = member.key;
  node.path = parent_path + '/' + node.name;
  node.value = member.value;
  if (const std::string why = actor::why_name_is_invalid(node.name); !why.empty()) {
    findings.add(at_key(member.value.reject(why), member.key));
  }
  ObjectReader block(findings, member.value, key);
  node.behaviour = read_behaviour(block);
  const Value named = member.value.member("behaviour");  // an invalid behaviour counts too
  const bool has_behaviour = named && !named.is_null();
  if (node.behaviour) reject_duplicate(findings, node);
  read_config(block, has_behaviour, node);
  if (const Value strategy = block.take("supervisor-strategy")) {
    const auto has = [&](const char* of_router) {
      const Value value = member.value.member(of_router);
      return value && !value.is_null();
    };
    const bool is_own = has_behaviour && !has("backoff-supervisor") && !has("router");
    node.options.strategy = read_strategy(findings, strategy, is_own ? HasCode::yes : HasCode::no);
  }
  read_backoff_supervisor(block, node);
  if (node.options.strategy)
    warn_of_strategy(findings, member.value.member("supervisor-strategy"), *node.options.strategy);
  read_dispatcher(block, node.options.dispatcher);
  read_mailbox(block, node.options);
  read_isolation(block, node.options);
  read_on_failure(block, node.options);
  block.read("ask-fails-with-handler", node.options.asks_fail);
  block.read("stash-capacity", node.options.stash_capacity, schema::capacity_words);
  block.read_word("lifetime", node.is_permanent, schema::lifetime_words);
  read_router(block, node);
  ObjectReader children = block.section("children");
  if (children.exists()) node.children = read_nodes(children, node.own_path());
  block.finish({{"supervision-strategy", "supervisor-strategy"},
                {"strategy", "supervisor-strategy"},
                {"decider", "supervisor-strategy.decider"},
                {"max-restarts", "supervisor-strategy.max-restarts"},
                {"capacity", "mailbox.capacity"}});
  return node;
}

}  // namespace

std::vector<Node> read_nodes(ObjectReader actors, const std::string& parent_path) {
  std::vector<Node> nodes;
  const auto members = actors.take_all();
  nodes.reserve(members.size());
  for (const hocon::Member& member : members) {
    if (actors.findings().is_full()) break;
    nodes.push_back(read_node(actors.findings(), member, actors.key("*"), parent_path));
  }
  return nodes;
}

void read_dispatcher(ObjectReader& block, std::string& out) {
  block.read_word("dispatcher", out, schema::dispatcher_words);
}

}  // namespace actord::settings
