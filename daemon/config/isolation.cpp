// SPDX-License-Identifier: Apache-2.0
#include "config/isolation.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "config/host_events.hpp"
#include "isolate/host_pool.hpp"
#include "link/isolated_plugin.hpp"
#include "system/actor_system.hpp"

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

void Isolation::draft(const settings::Settings& settings) {
  const std::lock_guard lock(mutex_);
  Rules::Content& draft = draft_.content_;
  draft.by_plugin = settings.plugin_isolation;
  draft.isolates_after_crash = settings.crashes.on_crash == schema::OnDaemonCrash::isolate;
  draft.worker = settings.worker;
  draft.may_be_here = may_be_here(settings.user) ||
                      std::ranges::any_of(settings.deployments, [](const actor::Deployment& each) {
                        return may_be_here(each.options);
                      });
}

void Isolation::take_effect() {
  const std::lock_guard lock(mutex_);
  in_effect_.content_ = draft_.content_;
  if (pool_ != nullptr) pool_->set_options(options_of(in_effect_.content_.worker));
}

// ---- the rules ----------------------------------------------------------------------------------

bool Isolation::Rules::isolates_by_plugin() const {
  const std::lock_guard lock(isolation_.mutex_);
  return !content_.by_plugin.empty() || content_.isolates_after_crash;
}

bool Isolation::Rules::is_only_hosted(std::string_view plugin) const {
  const std::lock_guard lock(isolation_.mutex_);
  const auto found = content_.by_plugin.find(plugin);
  return found != content_.by_plugin.end() && found->second == actor::Isolation::process &&
         !content_.may_be_here;
}

bool Isolation::Rules::is_process(const Actor& actor) const {
  if (actor.behaviour.remoting != nullptr) return true;  // there is no other behaviour of the name
  const std::string& plugin = actor.behaviour.plugin;
  const auto otherwise =
      content_.isolates_after_crash ? actor::Isolation::automatic : actor::Isolation::thread;
  switch (actor::isolation_of(actor.settings, content_.by_plugin, plugin, otherwise)) {
    case actor::Isolation::process: return true;
    case actor::Isolation::automatic: break;
    case actor::Isolation::unset:
    case actor::Isolation::thread: return false;
  }
  if (!isolation_.has_crashed_ || !isolation_.find_plugin_) return false;
  const Plugin known = isolation_.find_plugin_(plugin);
  return known.image != nullptr && isolation_.has_crashed_(known.image->file());
}

// The actors with the same text live in one process.
std::string Isolation::Rules::group_of(const Actor& actor) const {
  std::string_view group = actor.settings.worker_group;
  if (group.empty()) group = content_.worker.group;
  if (group == per_actor) return std::string{actor.path};
  return group == per_plugin ? std::string{} : std::string{group};
}

base::Result<actor::Isolator::Isolated> Isolation::Rules::isolate(const Actor& actor) {
  const std::lock_guard lock(isolation_.mutex_);
  if (actor.behaviour.plugin == builtin || !is_process(actor)) return Isolated{};
  auto isolated = isolation_.plugin(actor.behaviour.plugin);
  if (!isolated) return std::move(isolated).error();
  return (*isolated)->isolate(actor, group_of(actor));
}

// ---- the plugins --------------------------------------------------------------------------------

base::Result<void> Isolation::add(const Plugin& plugin) {
  const std::lock_guard lock(mutex_);
  auto added = add_locked(plugin);
  if (!added) return std::move(added).error();
  return {};
}

base::Result<link::IsolatedPlugin*> Isolation::plugin(const std::string& name) {
  if (const auto known = plugins_.find(name); known != plugins_.end()) return known->second;
  const Plugin found = find_plugin_ ? find_plugin_(name) : Plugin{};
  if (found.table == nullptr) return base::Error{"the plugin " + name + " is not loaded"};
  return add_locked(found);
}

base::Result<link::IsolatedPlugin*> Isolation::add_locked(const Plugin& plugin) {
  auto isolated = link::IsolatedPlugin::add(actors_, *plugin.table, pool(), plugin.image->file());
  if (!isolated) return std::move(isolated).error();
  link::IsolatedPlugin* const added = all_.emplace_back(std::move(isolated).value()).get();
  plugins_[std::string{added->name()}] = added;
  pool().add_plugin(*added, plugin.image->file(),
                    std::shared_ptr<const os::SealedCopy>(plugin.image, &plugin.image->copy()));
  return added;
}

isolate::HostPool& Isolation::pool() {
  if (pool_ == nullptr)
    pool_ = std::make_unique<isolate::HostPool>(actors_, options_of(draft_.content_.worker),
                                                host_events(hub_));
  return *pool_;
}

void Isolation::forget(std::string_view plugin) {
  const std::lock_guard lock(mutex_);
  if (const auto known = plugins_.find(plugin); known != plugins_.end()) plugins_.erase(known);
}

const isolate::HostPool* Isolation::made_pool() const {
  const std::lock_guard lock(mutex_);
  return pool_.get();
}

std::vector<isolate::HostFacts> Isolation::hosts() const {
  const isolate::HostPool* const pool = made_pool();
  return pool != nullptr ? pool->hosts() : std::vector<isolate::HostFacts>{};
}

isolate::HostCountsByPlugin Isolation::host_counts() const {
  const isolate::HostPool* const pool = made_pool();
  return pool != nullptr ? pool->counts() : isolate::HostCountsByPlugin{};
}

// Not under the lock: a host that ends may ask for what another thread holds it for.
void Isolation::end() {
  if (pool_ != nullptr) pool_->end_all();
}

}  // namespace actord::config
