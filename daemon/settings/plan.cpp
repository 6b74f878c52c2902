// SPDX-License-Identifier: Apache-2.0
#include "settings/plan.hpp"

#include <algorithm>

#include "hocon/key_path.hpp"
#include "schema/schema.hpp"
#include "settings/content.hpp"
#include "settings/shown.hpp"

namespace actord::settings {

using hocon::Value;
using Action = Step::Action;

namespace {

constexpr std::string_view only_new = "applies to actors that are created from now on";
constexpr std::string_view strategy_key = "supervisor-strategy";

// ---- leaves -------------------------------------------------------------------------------------

struct Leaf {
  std::string key;
  Value value;
};

/// A key whose value was changed, removed or added.
struct Difference {
  std::string key;
  Value from, to;
};

std::string below(const std::string& path, std::string_view name) {
  return path.empty() ? hocon::quoted_key(name) : path + '.' + hocon::quoted_key(name);
}

// Collects the leaves of a value. A list is one leaf; null is no value.
void collect(const Value& value, const std::string& key, std::vector<Leaf>& leaves) {
  if (!value || value.is_null()) return;
  if (!value.is_object()) return leaves.push_back({key, value}), void();
  for (std::size_t i = 0; i < value.size(); ++i) {
    const hocon::Member member = value.at(i);
    collect(member.value, below(key, member.key), leaves);
  }
}

std::vector<Leaf> leaves_of(const Value& value, const std::string& key) {
  std::vector<Leaf> leaves;
  collect(value, key, leaves);
  return leaves;
}

// The differences in the order of the newer value; removed keys come last.
std::vector<Difference> differences(const Value& running, const Value& wanted,
                                    const std::string& key) {
  const std::vector<Leaf> before = leaves_of(running, key), after = leaves_of(wanted, key);
  std::vector<const Leaf*> known;
  for (const Leaf& leaf : before) known.push_back(&leaf);
  const auto key_of = [](const Leaf* leaf) -> const std::string& { return leaf->key; };
  std::ranges::sort(known, {}, key_of);
  std::vector<bool> is_kept(known.size());
  std::vector<Difference> found;
  for (const Leaf& leaf : after) {
    const auto was = std::ranges::lower_bound(known, leaf.key, {}, key_of);
    if (was == known.end() || (*was)->key != leaf.key) {
      found.push_back({leaf.key, {}, leaf.value});
      continue;
    }
    is_kept[static_cast<std::size_t>(was - known.begin())] = true;
    if (canonical_text((*was)->value) != canonical_text(leaf.value))
      found.push_back({leaf.key, (*was)->value, leaf.value});
  }
  for (const Leaf& leaf : before) {
    const auto at = std::ranges::lower_bound(known, leaf.key, {}, key_of) - known.begin();
    if (!is_kept[static_cast<std::size_t>(at)]) found.push_back({leaf.key, leaf.value, {}});
  }
  return found;
}

// A note for a decider that was changed in one file and has rules from another: objects merge, so
// the older rules stay.
std::string note_of_merge(const Value& value) {
  if (!value) return {};
  const Value decider = value.parent();
  if (!decider || decider.key() != "decider") return {};
  std::string kept;
  for (std::size_t i = 0; i < decider.size(); ++i) {
    const hocon::Member member = decider.at(i);
    if (member.value.is_null() || member.value.file() == value.file()) continue;
    kept += (kept.empty() ? "" : ", ") + std::string{member.key} + " (" +
            member.value.origin_text() + ')';
  }
  if (kept.empty()) return kept;
  return "merged with members from elsewhere: " + kept +
         "; to replace it write decider = null first";
}

Value member(const Value& object, std::string_view name) {
  return object ? object.member(name) : Value{};
}

// Calls `use` for each member of either object with its name and both values; one may be absent.
template <class Use>
void for_each_of_either(const Value& running, const Value& wanted, Use&& use) {
  for (std::size_t i = 0; wanted && i < wanted.size(); ++i) {
    const hocon::Member is = wanted.at(i);
    use(is.key, member(running, is.key), is.value);
  }
  for (std::size_t i = 0; running && i < running.size(); ++i) {
    const hocon::Member was = running.at(i);
    if (!member(wanted, was.key)) use(was.key, was.value, Value{});
  }
}

// ---- the planner --------------------------------------------------------------------------------

class Planner {
 public:
  explicit Planner(Plan& plan) : plan_(plan) {}

  void compare_keys(const Value& running, const Value& wanted, const std::string& section) {
    for (const Difference& each : differences(running, wanted, section)) {
      const schema::SettingKey* const key = schema::key_for(each.key);
      const schema::Reload reload = key != nullptr ? key->reload : schema::Reload::restart;
      add(reload == schema::Reload::restart ? Action::needs_restart : Action::live, each.key, {},
          each, std::string{reload == schema::Reload::new_actors ? only_new : ""});
    }
  }

  void compare_strategies(const std::string& subject, const Value& running, const Value& wanted,
                          std::string_view key) {
    for (const Difference& each : differences(running, wanted, std::string{key}))
      add(Action::re_strategy, subject, each.key, each, note_of_merge(each.to));
  }

  void compare_rules(const Value& running, const Value& wanted) {
    for_each_of_either(
        running, wanted, [&](std::string_view pattern, const Value& was, const Value& is) {
          const std::string subject{pattern};
          compare_strategies(subject, member(was, strategy_key), member(is, strategy_key),
                             strategy_key);
          for (const Difference& each : differences(was, is, {})) {
            if (each.key.starts_with(strategy_key)) continue;
            const bool is_live = each.key == "stash-capacity" || each.key == "router.size" ||
                                 each.key == "ask-fails-with-handler" ||
                                 each.key.starts_with("on-failure");
            add(Action::live, subject, each.key, each, std::string{is_live ? "" : only_new});
          }
        });
  }

  void compare_nodes(const std::vector<Node>& running, const std::vector<Node>& wanted) {
    for (const Node& is : wanted) {
      const auto was = std::ranges::find(running, is.name, &Node::name);
      if (was == running.end()) create(is);
      else compare(*was, is);
    }
    for (const Node& was : running) {
      if (std::ranges::find(wanted, was.name, &Node::name) == wanted.end())
        plan_.steps.push_back(
            {.action = Action::stop, .subject = was.path, .from = behaviour_of(was)});
    }
  }

 private:
  static std::string behaviour_of(const Node& node) {
    return node.behaviour ? shown(node.behaviour) : "a supervisor";
  }
  // The path of the actor itself, which is below its back-off supervisor if it has one.
  static std::string path_of_actor(const Node& node) {
    return node.backoff ? node.path + '/' + node.name : node.path;
  }

  void create(const Node& node) {
    plan_.steps.push_back({.action = Action::create,
                           .subject = node.path,
                           .to = behaviour_of(node),
                           .origin = node.value.origin_text()});
    for (const Node& child : node.children) create(child);
  }

  void compare(const Node& was, const Node& is) {
    const bool is_other_kind = was.backoff.has_value() != is.backoff.has_value() ||
                               was.router.has_value() != is.router.has_value();
    const std::string actor = path_of_actor(is);
    const auto add_all = [&](Action action, const std::string& subject, const Value& running,
                             const Value& wanted, const std::string& key) {
      const std::size_t before = plan_.steps.size();
      for (const Difference& each : differences(running, wanted, key))
        add(action, subject, each.key, each);
      return plan_.steps.size() != before;
    };
    bool is_replaced = is_other_kind;
    is_replaced |= add_all(Action::replace, actor, was.behaviour, is.behaviour, "behaviour");
    for (const char* const key : {"dispatcher", "mailbox", "isolation"})
      is_replaced |=
          add_all(Action::replace, actor, member(was.value, key), member(is.value, key), key);
    const Action of_config = is_replaced ? Action::replace : Action::restart;
    compare_backoff(was, is);
    compare_router(was, is);
    add_all(of_config, actor, was.config, is.config, "config");
    add_all(of_config, actor, member(was.value, "worker"), member(is.value, "worker"), "worker");
    compare_strategies(is.path, member(was.value, strategy_key), member(is.value, strategy_key),
                       strategy_key);
    for (const char* const key :
         {"stash-capacity", "ask-fails-with-handler", "on-failure", "lifetime"})
      add_all(Action::live, actor, member(was.value, key), member(is.value, key), key);
    compare_nodes(was.children, is.children);
  }

  void compare_backoff(const Node& was, const Node& is) {
    const std::string section = "backoff-supervisor";
    const std::string limit = below(section, BackoffSupervisorSettings::limit_key);
    for (const Difference& each : differences(was.backoff ? was.backoff->value : Value{},
                                              is.backoff ? is.backoff->value : Value{}, section)) {
      const Action action = !was.backoff || !is.backoff ? Action::replace
                            : each.key == limit         ? Action::re_strategy
                                                        : Action::restart;
      add(action, is.path, each.key, each);
    }
  }

  void compare_router(const Node& was, const Node& is) {
    const std::string section = "router";
    const std::string size = below(section, RouterSettings::size_key);
    for (const Difference& each : differences(was.router ? was.router->value : Value{},
                                              is.router ? is.router->value : Value{}, section)) {
      const Action action = !was.router || !is.router ? Action::replace
                            : each.key == size        ? Action::live
                                                      : Action::restart;
      add(action, is.path, each.key, each);
    }
  }

  void add(Action action, std::string subject, std::string key, const Difference& of,
           std::string note = {}) {
    plan_.steps.push_back({action, std::move(subject), std::move(key),
                           of.from ? shown(of.from) : std::string{},
                           of.to ? shown(of.to) : std::string{},
                           of.to ? of.to.origin_text() : std::string{}, std::move(note)});
  }

  Plan& plan_;
};

// Compares the sections of actord { } that have no comparison of their own.
void compare_sections(Planner& planner, const Settings& running, const Settings& wanted) {
  const auto compare_all = [&](const std::string& path,
                               std::initializer_list<std::string_view> not_) {
    for_each_of_either(running.tree.find(path), wanted.tree.find(path),
                       [&](std::string_view name, const Value& was, const Value& is) {
                         if (std::ranges::find(not_, name) == not_.end())
                           planner.compare_keys(was, is, below(path, name));
                       });
  };
  compare_all("actord", {"user", "actor"});
  compare_all("actord.actor", {"deployment", "guardian-supervisor-strategy"});
}

}  // namespace

std::string_view name_of(Action action) noexcept {
  constexpr std::string_view names[] = {"create",      "stop", "restart",      "replace",
                                        "re-strategy", "live", "needs-restart"};
  return names[static_cast<std::size_t>(action)];
}

Plan plan_between(const Settings& running, const Settings& wanted) {
  Plan plan;
  Planner planner(plan);
  compare_sections(planner, running, wanted);
  constexpr std::string_view rules = "actord.actor.deployment";
  planner.compare_rules(running.tree.find(rules), wanted.tree.find(rules));
  planner.compare_strategies("/user", running.guardian.value, wanted.guardian.value,
                             "guardian-supervisor-strategy");
  planner.compare_nodes(running.user, wanted.user);
  return plan;
}

std::vector<Step> pending_between(const Settings& started, const Settings& wanted) {
  Plan plan;
  Planner planner(plan);
  compare_sections(planner, started, wanted);
  std::erase_if(plan.steps, [](const Step& s) { return s.action != Action::needs_restart; });
  return std::move(plan.steps);
}

}  // namespace actord::settings
