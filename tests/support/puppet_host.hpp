// SPDX-License-Identifier: Apache-2.0
//
// A host process that says what a test wants, which may be anything, and a world with an actor in
// it. No code of the plugin runs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "link/codes.hpp"
#include "link/isolated_plugin.hpp"
#include "link/link_frame.hpp"
#include "testkit/world.hpp"

namespace actord::support {

struct Poke {
  std::int32_t n = 0;
  bool is_hard = false;
};
ACTORD_MESSAGE(Poke, "puppet.Poke/1", n, is_hard)
struct Letter {
  std::string text;
  std::vector<Ref> readers;
};
ACTORD_MESSAGE(Letter, "puppet.Letter/1", text, readers)

class Puppet : public Actor {
 public:
  void pre_start(Context&) override {}
  void pre_restart(Context&, const Failure&) override {}
  Directive decide(Context&, const Failure&) override { return Directive::undecided; }
  void poke(const Poke&) {}
  void letter(const Letter&) {}
  using Receive = Handlers<&Puppet::poke, &Puppet::letter>;
  struct Busy : Handlers<&Puppet::letter> {};
  using States = actord::States<Busy>;
};

inline const actord_plugin& puppet_plugin() {
  return *plugin_table<Behaviours<Puppet>, Messages<Poke, Letter>>("puppet", "1");
}

/// One request with its size, as a host puts it.
inline std::string sized(std::string_view request) {
  link::FrameWriter frame;
  frame.text(request);
  return std::string{frame.bytes()};
}
/// The last request of a call.
inline std::string returning(std::int32_t status = ACTORD_OK) {
  link::FrameWriter frame;
  frame.put(link::Request::returned);
  frame.put(status);
  frame.put(std::int32_t{ACTORD_UNDECIDED});
  frame.put(std::uint8_t{0});  // has not taken the sender
  frame.put(std::uint8_t{0});  // no failure
  return sized(frame.bytes());
}

/// What the process says when it gets a frame.
using Say = std::function<std::string(link::Call call, std::string_view frame)>;

class PuppetHost final : public link::Host, public link::Channel {
 public:
  PuppetHost(system::ActorSystem& actors, const Say& say) : Host(actors), say_(say) {}

  link::Channel& acquire() override { return *this; }
  void release(link::Channel&) override {}
  void kill(link::HostEnd::Kind why, std::string detail) override {
    if (!is_alive()) return;
    end_ = {.kind = why, .number = 9, .signal = {}, .detail = std::move(detail), .process_id = 1};
    tell_end(end_, true);
  }
  int process_id() const override { return 0; }
  link::HostEnd end() override { return end_; }
  Turned exchange(std::string_view frame, std::string& requests) override {
    if (!is_alive()) return {};
    link::FrameReader reader(frame);
    requests = say_(reader.take<link::Call>(), frame);
    return {true, true};
  }

 private:
  const Say& say_;
  link::HostEnd end_;
};

class PuppetHosts final : public link::Hosts {
 public:
  explicit PuppetHosts(system::ActorSystem& actors) : actors_(actors) {}
  base::Result<link::HostPtr> host_for(const link::HostKey&) override {
    if (host_ == nullptr || !host_->is_alive()) host_ = std::make_shared<PuppetHost>(actors_, say);
    return link::HostPtr(host_);
  }
  Say say = [](link::Call, std::string_view) { return returning(); };

 private:
  system::ActorSystem& actors_;
  link::HostPtr host_;
};

/// A world whose actor /user/puppet lives in such a process, and is restarted when that ends.
class PuppetWorld {
 public:
  PuppetWorld() : hosts(world.system()) {
    world.use(puppet_plugin());
    auto added = link::IsolatedPlugin::add(world.system(), puppet_plugin(), hosts, {});
    if (!added) throw std::runtime_error(added.error().what);
    plugin = std::move(added).value();
    actor::NodeSpec user, node;
    node.name = "puppet";
    auto isolated = *plugin->isolate(
        {*world.system().behaviours().find_isolated("puppet/Puppet"), "/user/puppet", {}}, {});
    node.behaviour = isolated.behaviour;
    node.create = isolated.create;
    node.args = isolated.origin;
    user.options.strategy = actor::default_strategy();
    user.options.strategy->otherwise = actor::Strategy::Otherwise::restart;
    user.children.push_back(std::move(node));
    world.start(std::move(user));
    puppet = world.find("/user/puppet");
  }

  ~PuppetWorld() {
    if (!world.has_stopped()) world.shut_down();
  }
  PuppetWorld(const PuppetWorld&) = delete;

  /// The id of a message type in frames: 0 Poke, 1 Letter.
  actord_type_id type(std::size_t place) const {
    const std::string welcome = plugin->welcome();
    link::FrameReader frame(welcome);
    static_cast<void>(frame.take<std::uint32_t>());
    static_cast<void>(frame.take<std::uint32_t>());
    for (std::size_t i = 0; i < place; ++i) {
      static_cast<void>(frame.take<actord_type_id>());
      static_cast<void>(frame.take<link::Form>());
    }
    return frame.take<actord_type_id>();
  }

  testkit::World world{{.seed = 1, .level = log::Level::info}};
  PuppetHosts hosts;
  std::unique_ptr<link::IsolatedPlugin> plugin;
  actor::Ref puppet = actor::nobody;
};

}  // namespace actord::support
