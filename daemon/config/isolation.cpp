// SPDX-License-Identifier: Apache-2.0
#include "config/isolation.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "config/host_events.hpp"
#include "link/remote.hpp"
#include "message/message_type.hpp"

namespace actord::config {

namespace {

constexpr std::string_view per_plugin = "per-plugin", per_actor = "per-actor";
constexpr std::string_view builtin = "actord";

isolate::IsolationOptions options_of(const settings::WorkerSettings& worker) {
  isolate::IsolationOptions options;
  options.spare = worker.spare;
  options.memory_max = static_cast<std::uint64_t>(worker.memory_max);
  options.nofile = static_cast<std::uint64_t>(worker.nofile);
  options.may_dump_core = worker.has_core;
  options.start_timeout_ns = worker.start_timeout_ns;
  options.stuck_timeout_ns =
      worker.stuck_timeout_ns != 0 ? worker.stuck_timeout_ns : sched::longest_delay_ns;
  return options;
}

bool may_be_here(const actor::ActorOptions& options) {
  return options.isolation == actor::Isolation::thread ||
         options.isolation == actor::Isolation::automatic;
}

bool may_be_here(const std::vector<settings::Node>& nodes) {
  return std::ranges::any_of(nodes, [](const settings::Node& each) {
    return may_be_here(each.options) || may_be_here(each.children);
  });
}

}  // namespace

Isolation::Isolation(system::ActorSystem& actors, log::Hub& hub) : actors_(actors), hub_(hub) {}
Isolation::~Isolation() = default;

void Isolation::apply(const settings::Settings& settings) {
  const std::lock_guard lock(mutex_);
  by_plugin_ = settings.plugin_isolation;
  isolates_after_crash_ = settings.crashes.on_crash == schema::OnDaemonCrash::isolate;
  worker_ = settings.worker;
  may_be_here_ = may_be_here(settings.user) ||
                 std::ranges::any_of(settings.deployments, [](const actor::Deployment& each) {
                   return may_be_here(each.options);
                 });
}

bool Isolation::isolates_by_plugin() const {
  const std::lock_guard lock(mutex_);
  return !by_plugin_.empty() || isolates_after_crash_;
}

bool Isolation::is_only_hosted(std::string_view plugin) const {
  const std::lock_guard lock(mutex_);
  const auto found = by_plugin_.find(plugin);
  return found != by_plugin_.end() && found->second == actor::Isolation::process && !may_be_here_;
}

bool Isolation::is_process(const Actor& actor) const {
  if (actor.behaviour.remoting != nullptr) return true;  // there is no other behaviour of the name
  const std::string& plugin = actor.behaviour.plugin;
  const bool is_set =
      actor.settings.isolation != actor::Isolation::unset || by_plugin_.contains(plugin);
  const actor::Isolation isolation = actor::isolation_of(actor.settings, by_plugin_, plugin);
  if (isolation == actor::Isolation::process) return true;
  const bool is_automatic =
      isolation == actor::Isolation::automatic || (!is_set && isolates_after_crash_);
  if (!is_automatic || !has_crashed_ || !find_plugin_) return false;
  const Plugin known = find_plugin_(plugin);
  return known.image != nullptr && has_crashed_(known.image->file());
}

// The actors with the same text live in one process.
std::string Isolation::group_of(const Actor& actor) const {
  std::string_view group = actor.settings.worker_group;
  if (group.empty()) group = worker_.group;
  if (group == per_actor) return std::string{actor.path};
  return group == per_plugin ? std::string{} : std::string{group};
}

base::Result<actor::Isolator::Isolated> Isolation::isolate(const Actor& actor) {
  const std::lock_guard lock(mutex_);
  if (actor.behaviour.plugin == builtin || !is_process(actor)) return Isolated{};
  auto isolated = plugin(actor.behaviour.plugin);
  if (!isolated) return std::move(isolated).error();
  const actor::Behaviour* const twin = actors_.behaviours().find_isolated(actor.behaviour.name);
  if (twin == nullptr)
    return base::Error{"the plugin " + actor.behaviour.plugin + " does not list the behaviour " +
                       actor.behaviour.name +
                       ", so that it cannot live in a host process (isolation = process)"};
  const std::string group = group_of(actor);
  std::shared_ptr<const void>& origin = origins_[{actor.behaviour.name, group}];
  if (origin == nullptr) origin = (*isolated)->origin(message::view(twin->table.name), group);
  return Isolated{twin, &link::remote_create, origin};
}

base::Result<void> Isolation::add(const Plugin& plugin) {
  const std::lock_guard lock(mutex_);
  auto added = add_locked(plugin);
  if (!added) return std::move(added).error();
  return {};
}

base::Result<link::IsolatedPlugin*> Isolation::plugin(const std::string& name) {
  if (const auto known = plugins_.find(name); known != plugins_.end()) return known->second.get();
  const Plugin found = find_plugin_ ? find_plugin_(name) : Plugin{};
  if (found.table == nullptr) return base::Error{"the plugin " + name + " is not loaded"};
  return add_locked(found);
}

base::Result<link::IsolatedPlugin*> Isolation::add_locked(const Plugin& plugin) {
  const std::string name{message::view(plugin.table->name)};
  auto isolated = link::IsolatedPlugin::add(actors_, *plugin.table, pool(), plugin.image->file());
  if (!isolated) return std::move(isolated).error();
  auto& added = plugins_[name] = std::move(isolated).value();
  isolate::HostedPlugin hosted;
  hosted.name = name;
  hosted.file = plugin.image->file();
  hosted.copy = std::shared_ptr<const os::SealedCopy>(plugin.image, &plugin.image->copy());
  const link::IsolatedPlugin* const it = added.get();
  hosted.welcome = [it] { return it->welcome(); };
  hosted.serve_outside = [it](std::string_view request, std::string& answer) {
    return it->serve_outside(request, answer);
  };
  pool().add_plugin(std::move(hosted));
  return added.get();
}

isolate::HostPool& Isolation::pool() {
  if (pool_ == nullptr)
    pool_ = std::make_unique<isolate::HostPool>(actors_, options_of(worker_), host_events(hub_));
  return *pool_;
}

std::vector<isolate::HostFacts> Isolation::hosts() const {
  const std::lock_guard lock(mutex_);
  return pool_ != nullptr ? pool_->hosts() : std::vector<isolate::HostFacts>{};
}

// Not under the lock: a host that ends may ask for what another thread holds it for.
void Isolation::end() {
  if (pool_ != nullptr) pool_->end_all();
}

}  // namespace actord::config
