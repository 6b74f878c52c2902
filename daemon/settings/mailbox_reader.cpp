// SPDX-License-Identifier: Apache-2.0
#include "settings/mailbox_reader.hpp"

#include <algorithm>

#include "base/suggestion.hpp"
#include "schema/known_words.hpp"
#include "schema/setting_codes.hpp"

namespace actord::settings {

using hocon::Value;

namespace {

constexpr std::string_view priority_key = "priority", control_key = "control";

// The names in the list, each once.
actor::TypeNames read_names(ObjectReader& mailbox, const Value& value) {
  Findings& findings = mailbox.findings();
  actor::TypeNames names;
  const auto list = findings.take(value.as_list());
  for (const Value& each : list ? *list : std::vector<Value>{}) {
    if (!each.is_string() || each.text().empty()) {
      findings.add(each.mismatch("the name of a message, such as \"shop.Order/1\""));
    } else if (std::ranges::find(names, each.text()) != names.end()) {
      findings.add(
          coded(schema::codes::conflict,
                each.reject(hocon::quoted_for_message(each.text()) + " is in the list already",
                            "keep one of the two")));
    } else {
      names.emplace_back(each.text());
    }
  }
  return names;
}

void read_priority(ObjectReader& mailbox, actor::TypeNames& priority) {
  const Value value = mailbox.take(priority_key);
  if (!value) return;
  priority = read_names(mailbox, value);
  const auto named = static_cast<std::int64_t>(priority.size());
  const schema::SettingKey& key = mailbox.key(priority_key);
  const bool is_empty = value.is_array() && value.size() == 0;
  if (is_empty || named > key.max)
    mailbox.findings().add(value.mismatch(
        std::string{key.range}, is_empty ? "remove it, and messages are taken as they come" : ""));
}

void read_control(ObjectReader& mailbox, std::optional<actor::TypeNames>& control) {
  const Value value = mailbox.take(control_key);
  if (!value) return;
  control = read_names(mailbox, value);
  if (std::ranges::find(*control, actor::all_others) == control->end()) return;
  mailbox.findings().add(value.reject("if all messages were control messages, none would be",
                                      "name those that come before all others"));
}

// `overflow` says what a full mailbox does, and without a capacity none is full. A node may get its
// capacity from a pattern.
void warn_of_idle_overflow(ObjectReader& mailbox, const actor::ActorOptions& options) {
  const auto warn = [&](std::string_view key, std::string what, std::string help) {
    const Value value = mailbox.object().member(key);
    if (!value || value.is_null()) return;
    mailbox.findings().add(
        at_key(coded(schema::codes::no_effect, value.warn(std::move(what), std::move(help))),
               value.key()));
  };
  if (options.mailbox_capacity == actor::ActorOptions::unlimited)
    warn("overflow", "an unlimited mailbox is never full", "set a capacity, or remove this");
  if (options.overflow != actor::Overflow::unset && options.overflow != actor::Overflow::wait)
    warn("push-timeout", "no sender waits, because overflow is not wait", "remove this");
}

void read_members(ObjectReader& mailbox, actor::ActorOptions& options) {
  mailbox.read("capacity", options.mailbox_capacity, schema::capacity_words);
  mailbox.read_word("overflow", options.overflow, schema::overflow_words);
  mailbox.read_duration("push-timeout", options.push_timeout_ns);
  read_priority(mailbox, options.priority);
  read_control(mailbox, options.control);
  if (mailbox.exists() && mailbox.object().is_object()) warn_of_idle_overflow(mailbox, options);
  mailbox.finish({{"mailbox-capacity", "capacity"},
                  {"size", "capacity"},
                  {"policy", "overflow"},
                  {"overflow-policy", "overflow"},
                  {"mailbox-push-timeout-time", "push-timeout"},
                  {"timeout", "push-timeout"},
                  {"priorities", "priority"},
                  {"control-aware", "control"}});
}

}  // namespace

void read_mailbox(ObjectReader& block, actor::ActorOptions& options) {
  ObjectReader mailbox = block.section("mailbox");
  read_members(mailbox, options);
}

// ---- defaults -----------------------------------------------------------------------------------

actor::ActorOptions read_default_mailbox(ObjectReader& mailbox) {
  actor::ActorOptions defaults;
  read_members(mailbox, defaults);
  return defaults;
}

void complete_mailboxes(std::vector<actor::Deployment>& rules,
                        const actor::ActorOptions& defaults) {
  const bool says_something =
      defaults.mailbox_capacity > 0 || !defaults.priority.empty() || defaults.control.has_value() ||
      defaults.overflow != actor::Overflow::unset || defaults.push_timeout_ns != 0;
  if (!says_something) return;
  constexpr std::string_view everywhere = "/user/**";  // the least specific pattern
  if (std::ranges::find(rules, everywhere, &actor::Deployment::pattern) == rules.end())
    rules.push_back({.pattern = std::string{everywhere}});
  for (auto& [pattern, options] : rules) {
    if (options.mailbox_capacity == 0) options.mailbox_capacity = defaults.mailbox_capacity;
    if (options.overflow == actor::Overflow::unset) options.overflow = defaults.overflow;
    if (options.push_timeout_ns == 0) options.push_timeout_ns = defaults.push_timeout_ns;
    if (options.priority.empty()) options.priority = defaults.priority;
    if (!options.control) options.control = defaults.control;
  }
}

// ---- names --------------------------------------------------------------------------------------

namespace {

class NameCheck {
 public:
  NameCheck(Findings& findings, const message::TypeRegistry& types,
            const std::set<std::string, std::less<>>& withheld)
      : findings_(findings), types_(types), withheld_(withheld) {}

  void check(const Value& mailbox) {
    if (!mailbox || !mailbox.is_object()) return;
    for (const std::string_view key : {priority_key, control_key}) {
      const Value list = mailbox.member(key);
      for (std::size_t i = 0; list && list.is_array() && i < list.size(); ++i)
        check_name(list.at(i).value);
    }
  }
  void check(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      check(node.value.member("mailbox"));
      check(node.children);
    }
  }

 private:
  void check_name(const Value& written) {
    if (!written.is_string()) return;
    const std::string_view name = written.text();
    const std::string_view plugin = name.substr(0, name.find('.'));
    if (name == actor::all_others || types_.find(name) != 0 || withheld_.contains(plugin)) return;
    std::vector<std::string_view> known;
    for (message::TypeId type = 1; type <= types_.last(); ++type)
      known.push_back(types_.name(type));
    const std::string_view meant = meant_name(name, known);
    findings_.add(coded(schema::codes::unknown_name,
                        written.reject("unknown message " + hocon::quoted_for_message(name),
                                       meant.empty() ? "name one of a plugin that is loaded, as in "
                                                       "\"echo.Text/1\""
                                                     : base::did_you_mean(meant))));
  }

  Findings& findings_;
  const message::TypeRegistry& types_;
  const std::set<std::string, std::less<>>& withheld_;
};

}  // namespace

void check_message_names(Findings& findings, const Settings& settings,
                         const message::TypeRegistry& types,
                         const std::set<std::string, std::less<>>& withheld) {
  NameCheck check(findings, types, withheld);
  check.check(settings.tree.find("actord.actor.default-mailbox"));
  const Value rules = settings.tree.find("actord.actor.deployment");
  for (std::size_t i = 0; rules && i < rules.size(); ++i)
    check.check(rules.at(i).value.member("mailbox"));
  check.check(settings.user);
}

}  // namespace actord::settings
