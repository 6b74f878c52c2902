// SPDX-License-Identifier: Apache-2.0
#include <actord/testkit.hpp>

#include <algorithm>
#include <deque>
#include <span>

#include "hocon/source.hpp"
#include "sdk/config_value.hpp"
#include "testkit/config_keys.hpp"
#include "testkit/fault_plan.hpp"
#include "testkit/probe.hpp"
#include "testkit/world.hpp"

namespace actord::testkit {

namespace {

// As the configuration has them: a limit that is not set is none.
actor::PluginLimits limits_of(const PluginLimits& from) {
  actor::PluginLimits limits = actor::PluginUsage::no_limits;
  if (from.actors > 0) limits[actor::PluginUsage::actors] = from.actors;
  if (from.timers > 0) limits[actor::PluginUsage::timers] = from.timers;
  if (from.asks > 0) limits[actor::PluginUsage::asks] = from.asks;
  return limits;
}

World::Options world_options(const Options& options, const actord_host& host) {
  World::Options world;
  world.seed = options.seed;
  world.workers = options.workers;
  world.level = static_cast<log::Level>(options.level);
  world.state_directory = options.state_directory;
  world.host = &host;
  world.steps_max = options.max_turns;
  world.ring_bytes = std::size_t{4} << 20;
  world.stash_capacity = options.stash_capacity;
  world.asks_fail = options.ask_fails_with_handler;
  for (const auto& [plugin, limits] : options.plugin_limits)
    world.plugin_limits.emplace(plugin, limits_of(limits));
  world.is_isolated = options.is_isolated;
  world.dead_letters_logged = options.dead_letters_logged;
  for (const auto& [name, breaker] : options.circuit_breakers) {
    if (breaker.max_reset_timeout < breaker.reset_timeout)
      throw Error("circuit breaker " + name + ": max_reset_timeout is shorter than reset_timeout");
    const auto settings = actord::detail::breaker_settings(breaker);
    if (name == "default") world.circuit_breakers.standard = settings;
    else world.circuit_breakers.named.emplace(name, settings);
  }
  return world;
}

actor::Overflow overflow_named(std::string_view name) {
  using actor::Overflow;
  if (name.empty()) return Overflow::unset;
  for (const Overflow each :
       {Overflow::drop_new, Overflow::drop_old, Overflow::fail_sender, Overflow::wait}) {
    if (actor::name_of(each) == name) return each;
  }
  throw Error("no mailbox has overflow = " + std::string{name});
}

std::vector<actor::Deployment> deployments_of(const Options& options) {
  std::vector<actor::Deployment> all;
  for (const Deployment& from : options.deployments) {
    actor::Deployment& to = all.emplace_back(actor::Deployment{.pattern = from.pattern});
    to.options.mailbox_capacity = from.mailbox_capacity;
    to.options.stash_capacity = from.stash_capacity;
    if (from.max_attempts != 0) to.options.attempts_max = from.max_attempts;
    to.options.asks_fail = from.ask_fails_with_handler;
    to.options.overflow = overflow_named(from.overflow);
    to.options.push_timeout_ns = from.push_timeout.count();
    to.options.priority = from.priority;
    to.options.control = from.control;
  }
  return all;
}

// What the world throws has no class of its own.
template <class Call>
Ref spawned(Call&& call) {
  try {
    return {call()};
  } catch (const Unmet&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw Error(error.what());
  }
}

actor::NodeSpec guardian_spec(const Options& options) {
  actor::NodeSpec user;
  if (options.guardian)
    user.options.strategy = actor::from_c(*StrategyTable{*options.guardian}.c(), "code");
  return user;
}

Event event_of(const SeenEvent& seen) {
  return {Duration{seen.at_ns}, static_cast<Level>(seen.level), seen.name, seen.text, seen.fields};
}

std::string text_of(const Field& field, const World& world) {
  switch (field.kind) {
    case ACTORD_BOOL: return field.value.i != 0 ? "true" : "false";
    case ACTORD_UINT: return std::to_string(field.value.u);
    case ACTORD_DOUBLE: return std::to_string(field.value.d);
    case ACTORD_TEXT: return std::string{detail::view(field.value.text)};
    case ACTORD_REF: return world.path(field.value.u);
    default: return std::to_string(field.value.i);  // whole numbers, and durations in ns
  }
}

// The name and the fields that an expectation requires of an event.
struct ExpectedEvent {
  ExpectedEvent(std::string_view name_, std::initializer_list<Field> fields_, const World& world)
      : name(name_) {
    for (const Field& field : fields_)
      fields.emplace_back(detail::view(field.key), text_of(field, world));
  }

  bool matches(const SeenEvent& event) const {
    return event.name == name && std::ranges::all_of(fields, [&](const auto& field) {
             const auto found = event.fields.find(field.first);
             return found != event.fields.end() && found->second == field.second;
           });
  }
  std::string text() const {
    std::string text = name;
    for (const auto& [key, value] : fields) text += ' ' + key + '=' + value;
    return text;
  }

  std::string name;
  std::vector<std::pair<std::string, std::string>> fields;
};

std::string text_of(const SeenEvent& event) {
  std::string text = "  " + std::string{log::level_name(event.level)} + ' ' + event.name + " \"" +
                     event.text + '"';
  for (const auto& [key, value] : event.fields) text += ' ' + key + '=' + value;
  return text + '\n';
}

// For the message of a failed expectation: the events with the wanted name, or, if there are none,
// the last events of the log.
std::string events_text(const std::vector<SeenEvent>& events, std::string_view name) {
  constexpr std::size_t lines_max = 10;
  std::string text;
  std::size_t same = 0;
  for (const SeenEvent& event : events) {
    if (event.name == name && ++same <= lines_max) text += text_of(event);
  }
  if (same != 0) return "; the events of that name were\n" + text;
  if (events.empty()) return "; there were no events";
  const std::size_t first = events.size() - std::min(events.size(), lines_max);
  for (std::size_t i = first; i < events.size(); ++i) text += text_of(events[i]);
  return "; the last events were\n" + text;
}

/// Throws if the actor at `path` could not read a value of its config when it was created.
void throw_if_unreadable(std::span<const SeenEvent> events, std::string_view path) {
  for (const SeenEvent& event : events) {
    if (event.name == "actor.failed" && event.field("actor.path") == path &&
        event.field("failure.cause.type") == "actord::ConfigError")
      throw Error(std::string{event.field("failure.message")});
  }
}

}  // namespace

std::string_view Event::field(std::string_view key) const {
  const auto found = fields.find(key);
  return found == fields.end() ? std::string_view{} : std::string_view{found->second};
}

struct TestSystem::Parts {
  explicit Parts(const Options& options)
      : faults(sdk::host_table()),
        user(guardian_spec(options)),
        deployments(deployments_of(options)),
        is_isolated(options.is_isolated),
        world(world_options(options, faults)) {}

  // The system, started at the first call.
  World& running() {
    if (!is_started) {
      is_started = true;
      world.start(user, deployments);
    }
    return world;
  }
  // The first matching event that no expectation has consumed yet.
  const SeenEvent* unused(const ExpectedEvent& wanted) {
    const auto& events = running().events();
    used.resize(events.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (used[i] || !wanted.matches(events[i])) continue;
      last_found = i;
      return &events[i];
    }
    return nullptr;
  }

  FaultPlan faults;
  const actor::NodeSpec user;
  const std::vector<actor::Deployment> deployments;
  const bool is_isolated;
  std::deque<sdk::ConfigReader> configs;  // outlive the actors that read them
  World world;
  bool is_started = false;
  std::vector<bool> used;  // by index of the event
  std::size_t last_found = 0;
};

TestSystem::TestSystem(Options options) : parts_(std::make_unique<Parts>(options)) {
  parts_->world.use(probe_plugin());
}
TestSystem::~TestSystem() = default;

// ---- plugins and actors -------------------------------------------------------------------------

void TestSystem::use(const actord_plugin* plugin) {
  if (parts_->is_started) throw Error("call use() before the first actor is created");
  // A plan is found by the host table of the call, which is another one in a host process.
  parts_->world.use(parts_->is_isolated ? *plugin : parts_->faults.wrapped(*plugin));
}

Ref TestSystem::spawn(std::string name, const actord_props& props) {
  World& world = parts_->running();
  if (parts_->is_isolated)
    return spawned([&] { return world.spawn_props(std::move(name), props); });
  return spawn_here(std::move(name), props);
}

Ref TestSystem::spawn_here(std::string name, const actord_props& props) {
  World& world = parts_->running();
  auto made = world.system().props_of(parts_->faults.wrapped(props), probe_behaviour);
  if (!made) throw Error(made.error().what);
  return spawned([&] { return world.spawn_props(std::move(name), std::move(*made)); });
}

Ref TestSystem::spawn(std::string name, std::string_view behaviour, std::string_view config) {
  World& world = parts_->running();
  const auto known = world.system().behaviour(behaviour);
  if (!known) throw Error(known.error().what);
  hocon::Source source;
  source.add_text(name + ".conf", std::string{config});
  const auto tree = source.resolve();
  if (!tree) throw Error(hocon::format(tree.error()));
  sdk::ConfigReader& reader = parts_->configs.emplace_back(*tree);
  const auto unknown = unknown_keys(reader.tree().root(), (*known)->table, behaviour);
  if (!unknown.empty()) throw Error(hocon::format(unknown));
  reader.set_find([&world](std::string_view path) { return world.find(path); });
  actor::PropsPtr props(new actor::Props(**known));
  if (parts_->is_isolated) {
    auto isolated = world.props_of(behaviour);
    if (!isolated) throw Error(isolated.error().what);
    props = std::move(*isolated);
  }
  if (!config.empty()) props->config = reader.value(reader.tree().root());
  const std::size_t before = world.events().size();
  const Ref made = spawned([&] { return world.spawn_props(name, std::move(props)); });
  throw_if_unreadable(std::span(world.events()).subspan(before), "/user/" + name);
  return made;
}

Probe TestSystem::probe(std::string name) {
  World& world = parts_->running();
  auto state = std::make_shared<Probe::State>(world, name);
  state->self = spawn_here(std::move(name), probe_props(state));
  return Probe{std::move(state)};
}

void TestSystem::stop(Ref whom) { parts_->running().stop(whom.value); }
bool TestSystem::shut_down() {
  World& world = parts_->running();
  return world.run_phases("SIGTERM") && world.shut_down();
}

// ---- messages and time --------------------------------------------------------------------------

void TestSystem::tell(Ref to, actord_type_id type, void* message, Ref sender) {
  parts_->running().system().tell(to.value, type, message, sender.value);
}
void TestSystem::run() { parts_->running().run(); }
bool TestSystem::step() { return parts_->running().step(); }
void TestSystem::advance(Duration duration) { parts_->running().advance(duration); }
Duration TestSystem::now() const { return Duration{parts_->world.now_ns()}; }

// ---- queries and events-------------------------------------------------------------------------

Ref TestSystem::find(std::string_view path) const { return {parts_->running().find(path)}; }
std::string TestSystem::path(Ref ref) const { return parts_->world.path(ref.value); }
bool TestSystem::is_alive(Ref ref) const { return parts_->world.is_alive(ref.value); }
std::uint32_t TestSystem::restarts(Ref ref) const { return parts_->world.incarnation(ref.value); }

Event TestSystem::expect_event(std::string_view name, std::initializer_list<Field> fields,
                               Duration within) {
  Parts& parts = *parts_;
  const ExpectedEvent wanted(name, fields, parts.running());
  if (!run_until(parts.world, within, [&] { return parts.unused(wanted) != nullptr; }))
    throw Unmet("expected an event " + wanted.text() + events_text(parts.world.events(), name));
  parts.used[parts.last_found] = true;
  return event_of(parts.world.events()[parts.last_found]);
}

void TestSystem::expect_no_event(std::string_view name, std::initializer_list<Field> fields) {
  Parts& parts = *parts_;
  const ExpectedEvent wanted(name, fields, parts.running());
  parts.world.run();
  if (const SeenEvent* const found = parts.unused(wanted))
    throw Unmet("expected no event " + wanted.text() + ", got\n" + text_of(*found));
}

std::vector<Event> TestSystem::events(std::string_view name) {
  std::vector<Event> found;
  for (const SeenEvent& event : parts_->running().events()) {
    if (name.empty() || event.name == name) found.push_back(event_of(event));
  }
  return found;
}

void TestSystem::forget_events() {
  parts_->running().forget_events();
  parts_->used.clear();
}

// ---- faults -------------------------------------------------------------------------------------

void TestSystem::fail(Fault fault, const detail::TypeChain& cause, std::string what) {
  if (parts_->is_isolated)
    throw Error("no failures are injected with is_isolated: let the actor fail by itself");
  parts_->faults.add(std::move(fault), cause, std::move(what));
}
std::size_t TestSystem::faults_left() const { return parts_->faults.left(); }

}  // namespace actord::testkit
