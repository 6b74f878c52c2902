// SPDX-License-Identifier: Apache-2.0
#include "actor/config_snapshot.hpp"

#include <algorithm>

#include "actor/path.hpp"

namespace actord::actor {

namespace {

bool have_same_mailbox(const ActorOptions& a, const ActorOptions& b) noexcept {
  return a.mailbox_capacity == b.mailbox_capacity && a.overflow == b.overflow &&
         a.push_timeout_ns == b.push_timeout_ns && a.priority == b.priority &&
         a.control == b.control;
}

}  // namespace

NodeChange change_between(const NodeSpec& was, const NodeSpec& is) noexcept {
  if (was.behaviour != is.behaviour || was.options.dispatcher != is.options.dispatcher ||
      !have_same_mailbox(was.options, is.options) || was.options.isolation != is.options.isolation)
    return NodeChange::replaced;
  const bool is_same =
      was.content == is.content && was.options.worker_group == is.options.worker_group;
  return is_same ? NodeChange::none : NodeChange::rebuilt;
}

namespace {

// Replaces each setting of a pattern by that of the node, if the node has one.
base::Result<void> apply(const ActorOptions& options, ActorSettings& settings,
                         const ConfigSnapshot::FindDispatcher& find_dispatcher) {
  if (options.strategy) settings.strategy = &*options.strategy;
  if (options.mailbox_capacity != 0) settings.mailbox_capacity = options.mailbox_capacity;
  if (options.overflow != Overflow::unset) settings.overflow = options.overflow;
  if (options.push_timeout_ns != 0) settings.push_timeout_ns = options.push_timeout_ns;
  if (!options.priority.empty()) settings.priority = &options.priority;
  if (options.control) settings.control = &*options.control;
  if (options.stash_capacity != 0) settings.stash_capacity = options.stash_capacity;
  if (options.attempts_max) settings.attempts_max = *options.attempts_max;
  if (options.asks_fail) settings.asks_fail = options.asks_fail;
  if (options.isolation != Isolation::unset) settings.isolation = options.isolation;
  if (!options.worker_group.empty()) settings.worker_group = options.worker_group;
  if (options.router) settings.router = &*options.router;
  if (options.dispatcher.empty()) return {};
  const auto dispatcher = find_dispatcher(options.dispatcher);
  if (!dispatcher) return dispatcher.error();
  settings.dispatcher = *dispatcher;
  return {};
}

// Lets the actor live in a host process, if the isolator says so. Its turns wait for the process,
// so that they run where they keep no other actor from running, unless a dispatcher is configured.
base::Result<void> isolate(NodeSpec& node, const std::string& path,
                           const ConfigSnapshot::FindDispatcher& find_dispatcher,
                           Isolator& isolator) {
  auto isolated = isolator.isolate({*node.behaviour, path, node.settings});
  if (!isolated) return std::move(isolated).error();
  if (isolated->behaviour == nullptr) return {};
  node.behaviour = isolated->behaviour;
  node.create = isolated->create;
  node.args = std::move(isolated->origin);
  if (node.settings.dispatcher != 0) return {};
  const auto dispatcher = find_dispatcher(blocking_dispatcher);
  if (!dispatcher) return dispatcher.error();
  node.settings.dispatcher = *dispatcher;
  return {};
}

}  // namespace

ConfigSnapshot::ConfigSnapshot(std::uint64_t number_, NodeSpec root,
                               std::shared_ptr<const void> keeper)
    : number(number_), root_(std::move(root)), keeper_(std::move(keeper)) {}

ConfigSnapshot::~ConfigSnapshot() = default;

base::Result<base::IntrusivePtr<const ConfigSnapshot>> ConfigSnapshot::build(
    std::uint64_t number, NodeSpec root, std::vector<Deployment> deployments,
    std::shared_ptr<const void> keeper, const FindDispatcher& find_dispatcher,
    const message::TypeRegistry& types, Isolator* isolator) {
  base::IntrusivePtr<ConfigSnapshot> built(
      new ConfigSnapshot(number, std::move(root), std::move(keeper)));
  const Known known{find_dispatcher, types, isolator};
  if (auto resolved = built->resolve(std::move(deployments), known); !resolved)
    return std::move(resolved).error();
  if (auto resolved = built->resolve(built->root_, "", known); !resolved)
    return std::move(resolved).error();
  return base::IntrusivePtr<const ConfigSnapshot>(std::move(built));
}

base::Result<void> ConfigSnapshot::resolve(std::vector<Deployment> deployments,
                                           const Known& known) {
  deployments_.reserve(deployments.size());  // the settings point to the strategies in the elements
  for (Deployment& each : deployments) {
    auto& [deployment, settings] = deployments_.emplace_back(std::move(each));
    if (auto applied = apply(deployment.options, settings, known.find_dispatcher); !applied)
      return base::Error{"deployment \"" + deployment.pattern + "\": " + applied.error().what};
    rank(settings, known.types);
  }
  return {};
}

// `path` is that of the node; empty for the root.
base::Result<void> ConfigSnapshot::resolve(NodeSpec& node, const std::string& path,
                                           const Known& known) {
  node.settings = settings_at(path);
  if (auto applied = apply(node.options, node.settings, known.find_dispatcher); !applied)
    return base::Error{path + ": " + applied.error().what};
  if (!node.options.priority.empty() || node.options.control) rank(node.settings, known.types);
  if (known.isolator != nullptr && node.behaviour != nullptr) {
    if (auto isolated = isolate(node, path, known.find_dispatcher, *known.isolator); !isolated)
      return base::Error{path + ": " + isolated.error().what};
  }
  for (NodeSpec& child : node.children) {
    if (auto resolved = resolve(child, path + '/' + child.name, known); !resolved) return resolved;
  }
  return {};
}

void ConfigSnapshot::rank(ActorSettings& settings, const message::TypeRegistry& types) {
  if (settings.priority == nullptr && settings.control == nullptr) return;
  ranks_.emplace_back(new MessageRanks(settings.priority, settings.control, types));
  settings.ranks = ranks_.back().get();
}

ActorSettings ConfigSnapshot::settings_at(std::string_view path) const {
  const auto found = std::ranges::find_if(deployments_, [&](const ResolvedDeployment& each) {
    return path_matches(each.deployment.pattern, path);
  });
  return found != deployments_.end() ? found->settings : ActorSettings{};
}

}  // namespace actord::actor
