// SPDX-License-Identifier: Apache-2.0
#include "testkit/world.hpp"

#include "pattern/configured_backoff.hpp"

namespace actord::testkit {

namespace {

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

system::SystemSettings settings_of(const World::Options& options) {
  system::SystemSettings settings;
  settings.name = "world";
  settings.state_directory = options.state_directory;
  settings.cells = {std::size_t{1} << 20, 64, 64};
  settings.envelope_reserve = std::size_t{1} << 30;
  settings.live.dead_letters.logged = options.dead_letters_logged;
  settings.live.dead_letters.silence_ns = options.dead_letters_silence_ns;
  settings.live.debug = options.debug;
  settings.boots_degraded = options.boots_degraded;
  settings.shares_emitter = true;
  return settings;
}

}  // namespace

std::string_view SeenEvent::field(std::string_view key) const {
  const auto found = fields.find(key);
  return found == fields.end() ? std::string_view{} : std::string_view{found->second};
}

World::World(Options options)
    : simulator_({options.seed, options.workers, options.slice_max}),
      hub_([this] { return simulator_.now_ns(); },
           {.ring_bytes = 64 * 1024, .level = options.level}),
      system_(std::make_unique<system::ActorSystem>(
          settings_of(options), simulator_, hub_,
          options.host != nullptr ? *options.host : sdk::host_table())) {
  use(pattern::plugin());
}

World::~World() {
  if (is_started_ && !has_stopped_) shut_down();
  system_->join();
}

void World::use(const actord_plugin& plugin) {
  const auto added = system_->add_plugin(plugin);
  if (!added) throw std::runtime_error(added.error().what);
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
  listener.on_stopped = [this] { has_stopped_ = true; };
  system_->start(snapshot_of(*system_, std::move(user), std::move(deployments)),
                 std::move(listener));
  is_started_ = true;
  run();
}

actor::ReconfigurationPtr World::reconfigure(actor::NodeSpec user,
                                             std::vector<actor::Deployment> deployments) {
  return system_->reconfigure(snapshot_of(*system_, std::move(user), std::move(deployments)),
                              [] {});
}

actor::Ref World::spawn_props(std::string name, const actord_props& wanted) {
  auto props = system_->props_of(wanted);
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

bool World::shut_down() {
  system_->terminate();
  for (int i = 0; i < 10'000 && !has_stopped_; ++i) {
    run();
    if (!has_stopped_ && !simulator_.advance_to_next_timer()) break;
  }
  return has_stopped_;
}

bool World::is_alive(actor::Ref ref) const {
  const actor::Cell& cell = system_->cells.at(actor::index_of(ref));
  return cell.generation.load() == actor::generation_of(ref) &&
         cell.life.stage() != actor::Stage::terminated && cell.props != nullptr;
}

std::uint32_t World::incarnation(actor::Ref ref) const {
  return system_->cells.at(actor::index_of(ref)).life.incarnation();
}

const std::vector<SeenEvent>& World::events() {
  hub_.drain_all([this](const log::Record& record) {
    SeenEvent event{
        record.stamp_ns, record.level, std::string{record.event}, std::string{record.msg}, {}};
    for (const log::Field& field : record.fields)
      event.fields.emplace(field.key, text_of(field.value));
    events_.push_back(std::move(event));
  });
  return events_;
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
