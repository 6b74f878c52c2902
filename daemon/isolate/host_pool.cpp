// SPDX-License-Identifier: Apache-2.0
#include "isolate/host_pool.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "base/clock.hpp"

namespace actord::isolate {

namespace {

// A new spare is started a little later than the one before was taken, so that its start does not
// compete with the actor that waits for the latter.
constexpr std::int64_t refill_delay_ns = 10 * base::ns_per_ms;
// After a spare was lost without having been taken, as it may be again.
constexpr std::int64_t lost_spare_delay_ns = base::ns_per_s;

}  // namespace

HostPool::HostPool(system::ActorSystem& actors, IsolationOptions options, IsolationEvents events)
    : actors_(actors), events_(counting(std::move(events))), options_(std::move(options)) {
  ACTORD_ASSERT(!options_.executable.empty() && options_.lanes > 0);
}

HostPool::~HostPool() { end_all(); }

IsolationEvents HostPool::counting(IsolationEvents events) {
  IsolationEvents counted = std::move(events);
  counted.ready = [this, ready = std::move(counted.ready)](const HostFacts& host) {
    {
      const std::lock_guard lock(mutex_);
      ++counts_[host.plugin].started;
    }
    if (ready) ready(host);
  };
  counted.ended = [this, ended = std::move(counted.ended)](const HostFacts& host,
                                                           const HostDeath& death) {
    {
      const std::lock_guard lock(mutex_);
      ++counts_[host.plugin].ended[static_cast<std::size_t>(outcome_of(death))];
    }
    if (ended) ended(host, death);
  };
  return counted;
}

void HostPool::add_plugin(HostedPlugin plugin) {
  std::string name = plugin.name;
  std::vector<HostProcessPtr> old_spares;
  {
    const std::lock_guard lock(mutex_);
    Plugin& known = plugins_[std::move(name)];
    known.current = std::make_shared<const HostedPlugin>(std::move(plugin));
    old_spares.swap(known.spares);
  }
  for (const HostProcessPtr& host : old_spares) host->end_in_order();
}

void HostPool::add_plugin(const link::IsolatedPlugin& plugin, std::string file,
                          std::shared_ptr<const os::SealedCopy> copy) {
  add_plugin({.name = std::string{plugin.name()},
              .file = std::move(file),
              .copy = std::move(copy),
              .welcome = [&plugin] { return plugin.welcome(); },
              .serve_outside =
                  [&plugin](std::string_view request, std::string& answer) {
                    return plugin.serve_outside(request, answer);
                  },
              .has_attach = plugin.has_attach()});
}

void HostPool::set_options(IsolationOptions options) {
  const std::lock_guard lock(mutex_);
  ACTORD_ASSERT(!options.executable.empty() && options.lanes > 0);
  options_ = std::move(options);
}

HostProcessPtr HostPool::new_host(const HostedPluginPtr& plugin) {
  auto host = std::make_shared<HostProcess>(actors_, plugin, options_, events_, thread_.wait());
  thread_.add(host);
  return host;
}

base::Result<link::HostPtr> HostPool::host_for(const link::HostKey& key) {
  const auto refused = [&](const std::string& why) {
    return base::Error{"the host process of plugin \"" + key.plugin + "\" cannot be used: " + why};
  };
  for (;;) {
    auto chosen = choose(key);
    if (!chosen) return chosen.error();
    const HostProcessPtr& host = chosen->host;
    if (chosen->is_new) host->attach();
    const auto ready = host->wait_until_ready();
    if (ready) return link::HostPtr(host);
    if (!host->was_lost_as_spare()) return refused(ready.error().what);
  }
}

base::Result<HostPool::Chosen> HostPool::choose(const link::HostKey& key) {
  Chosen chosen;
  {
    const std::lock_guard lock(mutex_);
    if (is_ending_) return base::Error{"actord is ending its host processes"};
    const auto found = plugins_.find(key.plugin);
    if (found == plugins_.end())
      return base::Error{"there is no plugin \"" + key.plugin + "\" for host processes"};
    Plugin& plugin = found->second;
    const std::int64_t now_ns = base::monotonic_ns();
    Entry& entry = entries_[{key.plugin, key.group}];
    entry.wanted_ns = now_ns;
    if (!entry.host || !entry.host->is_alive()) {
      const auto spare = std::ranges::find_if(
          plugin.spares, [](const HostProcessPtr& each) { return each->is_spare(); });
      if (spare != plugin.spares.end()) {
        entry.host = *spare;
        plugin.spares.erase(spare);
      } else {
        entry.host = new_host(plugin.current);
      }
      entry.host->adopt(key.group);
      chosen.is_new = true;
      plugin.refill_at_ns = now_ns + refill_delay_ns;
      plugin.used_ns = now_ns;
      thread_.wait().wake();
    }
    chosen.host = entry.host;
  }
  return chosen;
}

std::vector<HostFacts> HostPool::hosts() const {
  const std::lock_guard lock(mutex_);
  std::vector<HostFacts> facts;
  const auto add = [&](const HostProcessPtr& host) {
    if (host && host->is_alive()) facts.push_back(host->facts());
  };
  for (const auto& [key, entry] : entries_) add(entry.host);
  for (const auto& [name, plugin] : plugins_) std::ranges::for_each(plugin.spares, add);
  return facts;
}

HostCountsByPlugin HostPool::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void HostPool::end_all() {
  std::vector<HostProcessPtr> hosts;
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    for (const auto& [key, entry] : entries_) hosts.push_back(entry.host);
    for (auto& [name, plugin] : plugins_)
      hosts.insert(hosts.end(), plugin.spares.begin(), plugin.spares.end());
  }
  for (const HostProcessPtr& host : hosts) host->end_in_order();
  thread_.join_hosts();
}

// ---- the isolation thread -----------------------------------------------------------------------

void HostPool::on_over(const HostProcessPtr& host) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const auto& each) { return each.second.host == host; });
  for (auto& [name, plugin] : plugins_) {
    if (std::erase(plugin.spares, host) > 0 && host->was_spare())
      plugin.refill_at_ns =
          std::min(plugin.refill_at_ns, base::monotonic_ns() + lost_spare_delay_ns);
  }
}

std::int64_t HostPool::keep(std::int64_t now_ns) {
  const std::lock_guard lock(mutex_);
  if (is_ending_) return INT64_MAX;
  std::int64_t next_ns = end_unused(now_ns);
  for (auto& [name, plugin] : plugins_) {
    refill(name, plugin, now_ns);
    next_ns = std::min(next_ns, plugin.refill_at_ns);
  }
  return next_ns;
}

bool HostPool::has_hosts_of(const std::string& plugin) const {
  return std::ranges::any_of(entries_, [&](const auto& each) {
    return each.first.first == plugin && each.second.host->is_alive();
  });
}

/// A spare that cannot load the plugin is not replaced before the next host was asked for.
void HostPool::refill(const std::string& name, Plugin& plugin, std::int64_t now_ns) {
  if (now_ns < plugin.refill_at_ns) return;
  plugin.refill_at_ns = INT64_MAX;
  // While the first host of a plugin starts, it is not known whether that is possible.
  const bool is_wanted = std::ranges::any_of(entries_, [&](const auto& each) {
    return each.first.first == name && each.second.host->is_ready();
  });
  if (!is_wanted) {
    if (has_hosts_of(name)) plugin.refill_at_ns = now_ns + refill_delay_ns;
    return;
  }
  while (plugin.spares.size() < options_.spare) plugin.spares.push_back(new_host(plugin.current));
}

std::int64_t HostPool::end_unused(std::int64_t now_ns) {
  std::int64_t next_ns = INT64_MAX;
  for (auto& [key, entry] : entries_) {
    if (!entry.host->is_alive() || !entry.host->is_ready()) continue;
    if (entry.host->residents() > 0) entry.wanted_ns = now_ns;
    if (now_ns - entry.wanted_ns >= options_.unused_ns) entry.host->end_in_order();
    else next_ns = std::min(next_ns, entry.wanted_ns + options_.unused_ns);
  }
  for (auto& [name, plugin] : plugins_) {
    if (plugin.spares.empty()) continue;
    // An actor whose host has crashed may wait for its restart.
    if (has_hosts_of(name)) plugin.used_ns = now_ns;
    if (now_ns - plugin.used_ns < options_.unused_ns) {
      next_ns = std::min(next_ns, plugin.used_ns + options_.unused_ns);
      continue;
    }
    for (const HostProcessPtr& spare : plugin.spares) spare->end_in_order();
    plugin.spares.clear();
  }
  return next_ns;
}

}  // namespace actord::isolate
