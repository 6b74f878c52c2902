// SPDX-License-Identifier: Apache-2.0
#include "settings/binding.hpp"

#include <algorithm>

#include "base/suggestion.hpp"
#include "pattern/configured_backoff.hpp"
#include "pattern/configured_router.hpp"
#include "schema/setting_codes.hpp"
#include "settings/config_check.hpp"
#include "settings/content.hpp"
#include "settings/mailbox_reader.hpp"
#include "settings/rule_check.hpp"
#include "settings/strategy_reader.hpp"

namespace actord::settings {

using hocon::Value;

namespace {

constexpr std::string_view plain_supervisor = "actord/Supervisor";
constexpr std::string_view backoff_supervisor = "actord/BackoffSupervisor";
constexpr std::string_view router = "actord/Router";

// A journal that fails stops the actor, and no strategy brings it back (supervision.md 183e).
hocon::Diagnostic without_backoff(const Value& behaviour) {
  return coded(schema::codes::misleading,
               behaviour.warn("the actor is persistent, and nothing starts it again when the "
                              "journal has failed",
                              "add backoff-supervisor { mode = on-stop, min = 1s, max = 1m } "
                              "beside this"));
}

class Binder {
 public:
  Binder(const system::BehaviourRegistry& registry, const sdk::ConfigReader& reader,
         Findings& findings, std::vector<SoundActor>* sound,
         const std::set<std::string, std::less<>>& withheld)
      : registry_(registry),
        reader_(reader),
        findings_(findings),
        sound_(sound),
        withheld_plugins_(withheld) {}

  std::vector<Bound::Withheld> take_withheld() { return std::move(withheld_); }

  actor::NodeSpec bind(const Node& node) {
    actor::NodeSpec spec = bind_actor(node);
    if (node.router) return routed(std::move(spec), *node.router);
    return node.backoff ? in_front_of(std::move(spec), *node.backoff) : spec;
  }

  std::optional<actor::Strategy> guardian(const GuardianSettings& guardian) {
    if (guardian.strategy || !guardian.value) return guardian.strategy;
    if (const actor::Strategy* const found = registry_.configurator(guardian.value.text())) {
      actor::Strategy strategy = *found;
      set_origin(strategy, guardian.value.origin_text());
      return strategy;
    }
    reject_unknown(guardian.value, "configurator", registry_.configurator_names());
    return std::nullopt;
  }

 private:
  actor::NodeSpec bind_actor(const Node& node) {
    actor::NodeSpec spec;
    spec.name = node.name;
    spec.behaviour = behaviour(node);
    spec.config = reader_.value(node.config);
    spec.content = canonical_text(node.config);
    spec.options = node.options;
    spec.origin = node.value.origin_text();
    spec.is_permanent = node.is_permanent;
    const std::size_t errors_before = findings_.error_count();
    if (is_withheld(node))
      withheld_.push_back({node.path, plugin_of(node), std::string{node.behaviour.text()}});
    else if (spec.behaviour != nullptr && node.config)
      check_config(findings_, node.config, spec.behaviour->table, spec.behaviour->name);
    else if (spec.behaviour != nullptr && node.behaviour)
      check_no_config(findings_, node.behaviour, spec.behaviour->table, spec.behaviour->name);
    if (spec.behaviour != nullptr && node.behaviour && !node.backoff &&
        spec.behaviour->table.persistence != nullptr)
      findings_.add(without_backoff(node.behaviour));
    if (sound_ != nullptr && node.behaviour && spec.behaviour != nullptr && !is_withheld(node) &&
        findings_.error_count() == errors_before)
      sound_->push_back({node.own_path(), &node, spec.behaviour});
    spec.children.reserve(node.children.size());
    for (const Node& child : node.children) {
      if (findings_.is_full()) break;
      spec.children.push_back(bind(child));
    }
    return spec;
  }

  // The back-off supervisor, which has the actor's name, with the actor as its child of the same
  // name.
  actor::NodeSpec in_front_of(actor::NodeSpec of, const BackoffSupervisorSettings& settings) {
    actor::NodeSpec spec;
    spec.name = of.name;
    spec.origin = of.origin;
    spec.is_permanent = of.is_permanent;
    spec.behaviour = *registry_.find(backoff_supervisor);
    spec.options.strategy = std::exchange(of.options.strategy, std::nullopt);
    pattern::Construction construction = pattern::construction_of(options_of(settings), of.name);
    spec.content = canonical_text(settings.value, BackoffSupervisorSettings::limit_key);
    spec.create = construction.create;
    spec.args = std::move(construction.args);
    spec.children.push_back(std::move(of));
    return spec;
  }

  // The router, which has the actor's name. The actor is each of its configured children.
  actor::NodeSpec routed(actor::NodeSpec of, const RouterSettings& settings) {
    actor::NodeSpec spec;
    spec.name = of.name;
    spec.origin = of.origin;
    spec.is_permanent = std::exchange(of.is_permanent, false);
    spec.behaviour = *registry_.find(router);
    spec.options.strategy = std::exchange(of.options.strategy, std::nullopt);
    const RouterOptions options = options_of(settings);
    pattern::Construction construction = pattern::construction_of(options);
    spec.content = canonical_text(settings.value, RouterSettings::size_key);
    spec.create = construction.create;
    spec.args = std::move(construction.args);
    if (!settings.is_pool) return spec;
    of.flags = ACTORD_ROUTEE;
    if (options.counts_mailboxes()) of.flags |= ACTORD_COUNTED_MAILBOX;
    const std::int64_t size =
        options.resizer()
            ? std::clamp(settings.size, options.resizer()->lower, options.resizer()->upper)
            : settings.size;
    for (std::int64_t i = 1; i <= size; ++i) {
      of.name = std::to_string(i);
      spec.children.push_back(of);
    }
    return spec;
  }

  // The reader has already reported errors in these settings, and then the result is not used; so
  // values that the options would refuse are replaced by others.
  RouterOptions options_of(const RouterSettings& settings) {
    using std::chrono::nanoseconds;
    using Logic = RouterSettings::Logic;
    const nanoseconds within{std::max<std::int64_t>(settings.within_ns, 1)};
    const nanoseconds interval{std::max<std::int64_t>(settings.interval_ns, 1)};
    const bool is_pool = settings.is_pool || settings.paths.empty();
    RouterOptions options = is_pool ? pool(settings.size) : group(settings.paths);
    switch (settings.logic) {
      case Logic::round_robin: return resized(std::move(options).round_robin(), settings);
      case Logic::random: return resized(std::move(options).random(), settings);
      case Logic::broadcast: return resized(std::move(options).broadcast(), settings);
      case Logic::smallest_mailbox:
        return is_pool ? resized(std::move(options).smallest_mailbox(), settings) : options;
      case Logic::balancing:
        return is_pool
                   ? resized(
                         std::move(options).balancing(std::max<std::int64_t>(settings.credits, 1)),
                         settings)
                   : options;
      case Logic::scatter_gather_first:
        return resized(std::move(options).scatter_gather_first(within), settings);
      case Logic::tail_chopping:
        return resized(std::move(options).tail_chopping(within, interval), settings);
      case Logic::consistent_hashing:
        options = std::move(options)
                      .consistent_hashing(std::clamp<std::int64_t>(settings.points, 1, 4096))
                      .hash_by_field(settings.hash_field);
        return resized(std::move(options), settings);
    }
    return options;
  }
  static RouterOptions resized(RouterOptions options, const RouterSettings& settings) {
    if (!settings.resizer || !options.is_pool()) return options;
    const ResizerSettings& read = *settings.resizer;
    if (read.upper < read.lower || read.lower < 0 || read.interval_ns <= 0) return options;
    return std::move(options).resizer({read.lower, read.upper, read.pressure_threshold,
                                       read.rampup_rate, read.backoff_threshold, read.backoff_rate,
                                       std::chrono::nanoseconds{read.interval_ns}});
  }

  // The reader has already reported errors in these settings, and then the result is not used.
  BackoffOptions options_of(const BackoffSupervisorSettings& settings) {
    using std::chrono::nanoseconds;
    const nanoseconds min{settings.min_ns}, max{settings.max_ns};
    BackoffOptions options = settings.mode == BackoffSupervisorSettings::Mode::on_stop
                                 ? BackoffOptions::on_stop(min, max, settings.random_factor)
                                 : BackoffOptions::on_failure(min, max, settings.random_factor);
    options = settings.reset_after_ns == 0
                  ? std::move(options).manual_reset()
                  : std::move(options).auto_reset(nanoseconds{settings.reset_after_ns});
    if (settings.reply) options = std::move(options).while_down(replier(settings));
    if (settings.forward) options = std::move(options).while_down(forwarder(settings.forward));
    if (!settings.final_stop.empty())
      options = std::move(options).final_stop_if(recognizer(settings.final_stop));
    return options;
  }

  std::function<void(Context&)> replier(const BackoffSupervisorSettings& settings) {
    const message::TypeId type = known_message(settings.reply);
    if (type != 0 && settings.reply_fields)
      check_message(findings_, settings.reply_fields, *registry_.types().at(type).table);
    return
        [name = std::string{settings.reply.text()},
         fields = reader_.value(settings.reply_fields)](Context& ctx) { ctx.reply(name, fields); };
  }

  // Forwards a message to the actor at `path`; if there is none, the message becomes a dead
  // letter.
  static std::function<void(Context&)> forwarder(const Value& path) {
    return [path = std::string{path.text()}](Context& ctx) {
      const Ref found = ctx.find(path);
      ctx.forward(found ? found : ctx.find("/deadLetters"));
    };
  }

  std::function<bool(Context&)> recognizer(const std::vector<Value>& types) {
    std::vector<std::string> names;
    for (const Value& type : types) {
      known_message(type);
      names.emplace_back(type.text());
    }
    return [names = std::move(names)](Context& ctx) {
      return std::find(names.begin(), names.end(), ctx.message_type()) != names.end();
    };
  }

  message::TypeId known_message(const Value& name) {
    const message::TypeId type = registry_.types().find(name.text());
    if (type == 0) {
      findings_.add(coded(schema::codes::unknown_name,
                          name.reject("unknown message " + hocon::quoted_for_message(name.text()),
                                      "name one of a plugin that is loaded, as in "
                                      "\"echo.Text/1\"")));
    }
    return type;
  }

  static std::string plugin_of(const Node& node) {
    const std::string_view behaviour = node.behaviour ? node.behaviour.text() : "";
    return std::string{behaviour.substr(0, behaviour.find('/'))};
  }
  bool is_withheld(const Node& node) const { return withheld_plugins_.contains(plugin_of(node)); }

  // A plain supervisor has the place of one that must not be started.
  const actor::Behaviour* behaviour(const Node& node) {
    const auto found = registry_.find(node.behaviour && !is_withheld(node) ? node.behaviour.text()
                                                                           : plain_supervisor);
    if (found) return *found;
    ACTORD_ASSERT(node.behaviour);  // the plain supervisor is built in
    reject_unknown(node.behaviour, "behaviour", registry_.behaviour_names());
    return nullptr;
  }

  // Reports a name "plugin/Name" that no loaded plugin has.
  void reject_unknown(const Value& value, std::string_view what,
                      const std::vector<std::string>& names) {
    const std::string_view name = value.text();
    const std::string plugin{name.substr(0, name.find('/'))};
    const std::vector<std::string> plugins = registry_.plugin_names();
    if (std::find(plugins.begin(), plugins.end(), plugin) == plugins.end()) {
      return findings_.add(coded(
          schema::codes::unknown_name,
          value.reject("no plugin \"" + plugin + "\" is loaded",
                       suggestion_for(plugin, {plugins.begin(), plugins.end()}, "loaded are: "))));
    }
    std::vector<std::string_view> of_plugin;
    for (const std::string& each : names) {
      if (each.starts_with(plugin + '/')) of_plugin.push_back(each);
    }
    hocon::Diagnostic finding =
        value.reject("unknown " + std::string{what} + ' ' + hocon::quoted_for_message(name));
    finding.code = schema::codes::unknown_name;
    const std::string_view meant = meant_name(name, of_plugin);
    if (!meant.empty()) finding.help = base::did_you_mean(meant);
    finding.note = "plugin " + plugin + " has " +
                   (of_plugin.empty() ? "no " + std::string{what} : base::joined(of_plugin));
    findings_.add(std::move(finding));
  }

  const system::BehaviourRegistry& registry_;
  const sdk::ConfigReader& reader_;
  Findings& findings_;
  std::vector<SoundActor>* sound_;
  const std::set<std::string, std::less<>>& withheld_plugins_;
  std::vector<Bound::Withheld> withheld_;
};

}  // namespace

base::Result<Bound, hocon::Diagnostics> bind(const Settings& settings,
                                             const system::BehaviourRegistry& registry,
                                             const sdk::ConfigReader& reader,
                                             std::vector<SoundActor>* sound,
                                             const std::set<std::string, std::less<>>& withheld) {
  ACTORD_ASSERT(settings.tree.root() == reader.tree().root());
  Findings findings(settings.tree, settings.unknown_keys);
  Binder binder(registry, reader, findings, sound, withheld);
  Bound bound;
  bound.user.name = "user";
  bound.user.options.strategy = binder.guardian(settings.guardian);
  if (settings.guardian.value) bound.user.origin = settings.guardian.value.origin_text();
  bound.user.children.reserve(settings.user.size());
  for (const Node& node : settings.user) {
    if (findings.is_full()) break;
    bound.user.children.push_back(binder.bind(node));
  }
  bound.withheld = binder.take_withheld();
  bound.deployments = settings.deployments;
  const Value rules = settings.tree.find("actord.actor.deployment");
  for (actor::Deployment& each : bound.deployments) {
    if (each.options.router)
      each.options.router->value = reader.value(rules.member(each.pattern).member("router"));
  }
  check_rules(findings, settings, KnownFailures(registry.declared_failures()));
  check_message_names(findings, settings, registry.types(), withheld);
  bound.warnings = findings.take_warnings();
  if (findings.has_errors()) return findings.take_errors();
  return bound;
}

}  // namespace actord::settings
