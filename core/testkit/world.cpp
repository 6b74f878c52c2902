// SPDX-License-Identifier: Apache-2.0
#include "testkit/world.hpp"

#include <actord/testkit.hpp>

#include <algorithm>

#include "base/counted.hpp"
#include "pattern/construction.hpp"
#include "testkit/event_check.hpp"

namespace actord::testkit {

namespace {

constexpr std::uint64_t steps_between_looks = 64;  // at the log, so that its ring does not fill

std::string text_of(const log::Value& value) {
  using Kind = log::Value::Kind;
  switch (value.kind()) {
    case Kind::boolean: return value.boolean() ? "true" : "false";
    case Kind::integer: return std::to_string(value.integer());
    case Kind::natural: return std::to_string(value.natural());
    case Kind::real: return std::to_string(value.real());
    case Kind::text: return std::string{value.text()};
    case Kind::duration: return std::to_string(value.duration_ns());
    case Kind::texts: break;
  }
  std::string joined;
  for (const std::string_view item : value.texts())
    joined.append(joined.empty() ? "" : " ").append(item);
  return joined;
}

system::SystemSettings settings_of(const World::Options& options,
                                   std::shared_ptr<persist::MemoryStore> store) {
  system::SystemSettings settings;
  settings.name = "world";
  settings.state_directory = options.state_directory;
  settings.cells = {std::size_t{1} << 20, 64, 64};
  settings.envelope_reserve = std::size_t{1} << 30;
  settings.live.dead_letters.logged = options.dead_letters_logged;
  settings.live.dead_letters.silence_ns = options.dead_letters_silence_ns;
  settings.live.debug = options.debug;
  settings.live.failure_burst = options.failure_burst;
  settings.live.storm_guard = options.storm_guard;
  settings.live.stash_capacity = options.stash_capacity;
  settings.live.asks_fail = options.asks_fail;
  settings.live.plugin_limits = options.plugin_limits;
  settings.live.circuit_breakers = options.circuit_breakers;
  settings.boots_degraded = options.boots_degraded;
  settings.shutdown = options.shutdown;
  settings.shares_emitter = true;
  settings.live.journal = options.journal;
  settings.journal.open_store =
      [store = std::move(store)]() -> persist::StoreResult<std::shared_ptr<persist::Store>> {
    return std::shared_ptr<persist::Store>(store);
  };
  return settings;
}

}  // namespace

std::string_view SeenEvent::field(std::string_view key) const {
  const auto found = fields.find(key);
  return found == fields.end() ? std::string_view{} : std::string_view{found->second};
}

World::World(Options options)
    : steps_max_(options.steps_max),
      store_(options.store != nullptr ? options.store : std::make_shared<persist::MemoryStore>()),
      simulator_({options.seed, options.workers, options.slice_max}),
      hub_([this] { return simulator_.now_ns(); },
           {.ring_bytes = options.ring_bytes, .level = options.level}),
      system_(std::make_unique<system::ActorSystem>(
          settings_of(options, store_), simulator_, hub_,
          options.host != nullptr ? *options.host : sdk::host_table())) {
  use(pattern::plugin());
  if (!options.is_isolated) return;
  loopback_ = std::make_unique<link::Loopback>(*system_);
  system_->isolator = loopback_.get();
}

World::~World() {
  try {
    if (is_started_ && !has_stopped_) shut_down();
  } catch (const Unmet&) {  // the actors do not come to rest: the test has been told
  }
  system_->join();
  events();
}

void World::use(const actord_plugin& plugin) {
  const auto added = system_->add_plugin(plugin);
  if (!added) throw std::runtime_error(added.error().what);
  if (loopback_ == nullptr) return;
  auto isolated = link::IsolatedPlugin::add(*system_, plugin, *loopback_, {});
  if (!isolated) throw std::runtime_error(isolated.error().what);
  loopback_->use(plugin, *isolated_.emplace_back(std::move(isolated).value()));
}

namespace {

actor::ConfigSnapshotPtr snapshot_of(system::ActorSystem& system, actor::NodeSpec user,
                                     std::vector<actor::Deployment> deployments) {
  auto built = system.build_snapshot({std::move(user), std::move(deployments), {}});
  if (!built) throw std::runtime_error(built.error().what);
  return *built;
}

}  // namespace

void World::start(actor::NodeSpec user, std::vector<actor::Deployment> deployments) {
  system::SystemListener listener;
  listener.on_ready = [this] { is_ready_ = true; };
  listener.on_child_lost = [this](const system::LostChild& lost) { lost_.push_back(lost); };
  listener.on_shutdown_over = [this](const system::ShutdownOutcome& outcome) {
    outcome_ = outcome;
  };
  listener.on_stopped = [this] { has_stopped_ = true; };
  system_->start(snapshot_of(*system_, std::move(user), std::move(deployments)),
                 std::move(listener));
  is_started_ = true;
  run();
}

actor::ReconfigurationPtr World::reconfigure(actor::NodeSpec user,
                                             std::vector<actor::Deployment> deployments,
                                             bool is_forced) {
  return system_->reconfigure(snapshot_of(*system_, std::move(user), std::move(deployments)),
                              is_forced, [] {});
}

base::Result<actor::PropsPtr> World::props_of(std::string_view behaviour) {
  actord_props wanted{};
  wanted.struct_size = sizeof wanted;
  wanted.behaviour_name = message::to_c(behaviour);
  return props_of(wanted);
}

base::Result<actor::PropsPtr> World::props_of(const actord_props& wanted) {
  return system_->props_of(loopback_ != nullptr ? loopback_->isolated(wanted) : wanted);
}

actor::Ref World::spawn_props(std::string name, const actord_props& wanted) {
  auto props = props_of(wanted);
  if (!props) throw std::runtime_error(props.error().what);
  return spawn_props(std::move(name), std::move(*props));
}

actor::Ref World::spawn_props(std::string name, actor::PropsPtr props) {
  const auto request = system_->request_spawn(std::move(name), std::move(props));
  run();
  if (request->ref == actor::nobody) throw std::runtime_error(request->error);
  return request->ref;
}

void World::send_system(actor::Ref whom, const actor::SystemMessage& message) {
  system_->send_system(whom, message);
  run();
}

std::uint64_t World::run() {
  std::uint64_t steps = 0;
  while (step()) {
    if (++steps % steps_between_looks == 0) events();
    if (steps == steps_max_)
      throw Unmet("the actors do not come to rest: after " + std::to_string(steps) +
                  " turns these messages were the most frequent:" + busiest_messages());
  }
  return steps;
}

void World::advance(std::chrono::nanoseconds duration) {
  const std::int64_t until = now_ns() + duration.count();
  run();
  for (auto due = simulator_.timers().earliest_due(); due <= until;
       due = simulator_.timers().earliest_due()) {
    simulator_.skip_to(due);
    run();
  }
  simulator_.skip_to(until);
}

std::string World::busiest_messages() {
  constexpr int steps = 500;
  constexpr std::size_t shown_max = 5;
  const std::size_t before = events().size();
  auto& is_logged = system_->debug.receive;
  const bool was_logged = is_logged.load(base::relaxed);
  is_logged.store(true, base::relaxed);
  for (int i = 0; i < steps && step(); ++i) events();
  is_logged.store(was_logged, base::relaxed);
  std::map<std::string, int> counts;
  for (std::size_t i = before; i < events_.size(); ++i) {
    const SeenEvent& event = events_[i];
    if (event.name != "actor.receive") continue;
    const std::string_view sender = event.field("message.sender");
    ++counts[std::string{sender.empty() ? "no sender" : sender} + " to " +
             std::string{event.field("actor.path")} + ": " +
             std::string{event.field("message.type")}];
  }
  if (counts.empty()) return " none was seen (the log level is not debug)";
  std::vector<std::pair<int, std::string>> sorted;
  for (const auto& [message, count] : counts) sorted.emplace_back(count, message);
  std::ranges::sort(sorted, std::greater{});
  sorted.resize(std::min(sorted.size(), shown_max));
  std::string text;
  for (const auto& [count, message] : sorted)
    text +=
        "\n  " + message + " (" + base::counted(static_cast<std::uint64_t>(count), "time") + ")";
  return text;
}

void World::begin_shutdown(std::string_view reason, std::string_view from) {
  outcome_.reset();
  system_->begin_shutdown(reason, from);
  run();
}

bool World::run_phases(std::string_view reason) {
  outcome_.reset();
  system_->begin_shutdown(reason);
  return run_until([this] { return outcome_.has_value(); });
}

bool World::shut_down() {
  system_->terminate();
  return run_until([this] { return has_stopped_; });
}

bool World::run_until(const std::function<bool()>& is_over) {
  constexpr std::uint64_t busy_steps = 1000;
  for (std::uint64_t steps = 1; !is_over() && steps < steps_max_; ++steps) {
    const bool is_idle = !step();
    if (steps % steps_between_looks == 0) events();
    if (!is_idle && steps % busy_steps != 0) continue;
    if (!simulator_.advance_to_next_timer() && is_idle) break;
  }
  return is_over();
}

bool World::is_alive(actor::Ref ref) const {
  if (!system_->cells.is_index(actor::index_of(ref))) return false;
  const actor::Cell& cell = system_->cells.at(actor::index_of(ref));
  return cell.generation.load() == actor::generation_of(ref) &&
         cell.life.stage() != actor::Stage::terminated && cell.props != nullptr;
}

std::uint32_t World::incarnation(actor::Ref ref) const {
  if (!system_->cells.is_index(actor::index_of(ref))) return 0;
  return system_->cells.at(actor::index_of(ref)).life.incarnation();
}

const std::vector<SeenEvent>& World::events() {
  hub_.drain_all([this](const log::Record& record) {
    check(record);
    SeenEvent event{
        record.stamp_ns, record.level, std::string{record.event}, std::string{record.msg}, {}};
    for (const log::Field& field : record.fields)
      event.fields.emplace(field.key, text_of(field.value));
    events_.push_back(std::move(event));
  });
  return events_;
}

void World::check(const log::Record& record) {
  if (has_bad_record_) return;
  const std::string departure = departure_from_schema(record);
  if (departure.empty()) return;
  has_bad_record_ = true;
  throw std::logic_error(departure + " (core/log/event_schema.cpp)");
}

std::vector<SeenEvent> World::events(std::string_view name) {
  std::vector<SeenEvent> found;
  for (const SeenEvent& event : events()) {
    if (event.name == name) found.push_back(event);
  }
  return found;
}

void World::forget_events() {
  events();
  events_.clear();
}

}  // namespace actord::testkit
