// SPDX-License-Identifier: Apache-2.0
//
// The users of the network: senders and the receiver. They check what the network delivers.
#pragma once

#include <actord/actord.hpp>

#include <map>
#include <vector>

#include "network_messages.hpp"

namespace reliable_network {

/// A sender got an answer for a packet that it has not sent, or a second answer. Details: number.
struct WrongAnswer : actord::Error {
  using Error::Error;
};

/// The arguments of a Sender.
struct SenderSettings {
  std::uint32_t number = 1;
  std::uint64_t packets = 1;
  actord::Ref network;
};

class Sender : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Sends packets and checks that each gets one answer.";

  explicit Sender(const SenderSettings& settings)
      : settings_(settings), is_answered_(settings.packets) {}

  // delivered() and undeliverable() throw WrongAnswer.
  void delivered(actord::Context& ctx, const Delivered& m);
  void undeliverable(actord::Context& ctx, const Undeliverable& m);

  using Receive = actord::Handlers<&Sender::delivered, &Sender::undeliverable>;

 private:
  void pre_start(actord::Context& ctx) override;

  void note(actord::Context& ctx, std::uint64_t number, std::uint64_t& count);

  SenderSettings settings_;
  std::vector<bool> is_answered_;
  SenderDone done_;
};

class Receiver : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Checks that packets arrive in order and once.";

  void take(const Packet& m);
  Received tally(const GetTally& m) const;

  using Receive = actord::Handlers<&Receiver::take, &Receiver::tally>;

 private:
  Received received_;
  std::map<std::uint32_t, std::uint64_t> last_;  // last number of each sender
};

}  // namespace reliable_network
