// SPDX-License-Identifier: Apache-2.0
#include "link/loopback.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/assert.hpp"
#include "link/remote.hpp"
#include "system/actor_system.hpp"

namespace actord::link {

namespace {

HostEnd killed() {
  return {.kind = HostEnd::Kind::signal,
          .number = 9,
          .signal = "SIGKILL",
          .detail = {},
          .process_id = 1};
}

}  // namespace

/// The threads of a simulation are one, so that a host has one channel, which is this object.
class Loopback::LoopHost final : public Host,
                                 public Channel,
                                 public HostChannel,
                                 public OutsideChannel {
 public:
  LoopHost(Loopback& owner, const Used& used)
      : Host(owner.actors_), owner_(owner), used_(used), guest_(*used.plugin, {.outside = this}) {}

  base::Result<void> attach() { return guest_.attach(used_.isolated->welcome()); }

  // ---- Host ----
  Channel& acquire() override { return *this; }
  void release(Channel&) override {}
  void kill(HostEnd::Kind why, std::string detail) override {
    die({.kind = why, .number = 9, .signal = {}, .detail = std::move(detail), .process_id = 1});
  }
  int process_id() const override { return 0; }
  HostEnd end() override { return end_; }
  void die(const HostEnd& end) {
    if (!is_alive()) return;
    end_ = end;
    tell_end(end_, is_busy_);
  }

  // ---- the runtime's end ----
  Turned exchange(std::string_view frame, std::string& requests) override {
    if (!is_alive()) return {};
    guest_.perform(*this, frame);
    requests = std::exchange(pending_, {});
    return {true, true};
  }
  Turned run(std::string_view frame, Server& server) override {
    if (!is_alive()) return {};
    is_busy_ = true;
    const Turned turned = meet(owner_.choose_ ? owner_.choose_() : Fate::turns, frame, server);
    is_busy_ = false;
    return turned;
  }

  // ---- the host's end ----
  void put(std::string_view request) override {
    if (!is_alive()) return;  // a process would not have come here
    last_put_ = pending_.size();
    pending_.append(request);
  }
  bool turn(std::string_view& frame) override {
    ACTORD_ASSERT(server_ != nullptr);
    if (!is_alive()) return false;
    answer_ = server_->serve(std::exchange(pending_, {}), true);
    frame = answer_;
    return !answer_.empty();
  }
  bool ask(std::string_view request, std::string* answer) override {
    std::string ignored;
    return used_.isolated->serve_outside(request, answer != nullptr ? *answer : ignored);
  }

 private:
  Turned meet(Fate fate, std::string_view frame, Server& server) {
    if (fate == Fate::dies_before) {
      die(killed());
      return {};
    }
    server_ = &server;
    guest_.perform(*this, frame);
    if (fate == Fate::dies_after && is_alive()) {
      pending_.resize(last_put_);  // without `returned`
      die(killed());
    } else if (fate == Fate::garbles && is_alive()) {
      pending_.resize(pending_.size() - pending_.size() / 3 - 1);
    }
    const bool was_alive = is_alive();
    server.serve(std::exchange(pending_, {}), was_alive);
    server_ = nullptr;
    return {was_alive, true};
  }

  Loopback& owner_;
  const Used used_;
  Guest guest_;
  HostEnd end_;
  Server* server_ = nullptr;  // of the call that the guest is in
  bool is_busy_ = false;
  std::string pending_, answer_;
  std::size_t last_put_ = 0;
};

Loopback::Loopback(system::ActorSystem& actors) : actors_(actors) {}
Loopback::~Loopback() = default;

void Loopback::use(const actord_plugin& plugin, const IsolatedPlugin& isolated) {
  last_used_ = isolated.name();
  plugins_[last_used_] = {&plugin, &isolated};
}

const Loopback::Used* Loopback::used_for(const actord_props& props) const {
  const std::string_view name = message::view(props.behaviour_name);
  if (props.behaviour == nullptr) {
    const auto named = plugins_.find(name.substr(0, name.find('/')));
    return named != plugins_.end() ? &named->second : nullptr;
  }
  for (const auto& [plugin, used] : plugins_) {
    const std::span listed{used.plugin->behaviours, used.plugin->n_behaviours};
    if (std::ranges::find(listed, props.behaviour) != listed.end()) return &used;
  }
  const auto last = plugins_.find(last_used_);
  return last != plugins_.end() ? &last->second : nullptr;
}

actord_props Loopback::isolated(const actord_props& props) {
  const Used* const used = used_for(props);
  if (used == nullptr) return props;
  auto host = host_for({std::string{used->isolated->name()}, {}});
  return host ? used->isolated->props_by_address(props, *std::move(host)) : props;
}

base::Result<actor::Isolator::Isolated> Loopback::isolate(const Actor& actor) {
  const auto used = plugins_.find(actor.behaviour.plugin);
  const actor::Isolation is = actor.settings.isolation;
  const bool is_here =
      actor.props != nullptr ? is != actor::Isolation::process : is == actor::Isolation::thread;
  if (is_here || used == plugins_.end()) return Isolated{};
  return used->second.isolated->isolate(actor, std::string{actor.settings.worker_group});
}

base::Result<HostPtr> Loopback::host_for(const HostKey& key) {
  const auto used = plugins_.find(key.plugin);
  if (used == plugins_.end()) return base::Error{"the plugin " + key.plugin + " is not used"};
  forget_dead();
  auto& host = hosts_[key.plugin + '/' + key.group];
  if (host != nullptr) return HostPtr(host);
  host = std::make_shared<LoopHost>(*this, used->second);
  if (auto attached = host->attach(); !attached) return std::move(attached).error();
  return HostPtr(host);
}

void Loopback::kill(const HostKey& key, const HostEnd& end) {
  const auto found = hosts_.find(key.plugin + '/' + key.group);
  if (found == hosts_.end()) return;
  const auto host = found->second;
  host->die(end);
}

void Loopback::kill(const HostKey& key) { kill(key, killed()); }

void Loopback::forget_dead() {
  std::erase_if(hosts_, [](const auto& each) { return !each.second->is_alive(); });
}

}  // namespace actord::link
