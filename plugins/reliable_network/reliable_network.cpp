// SPDX-License-Identifier: Apache-2.0
//
// The table of the plugin: its behaviours, messages and failures.

#include <actord/actord.hpp>

#include "network_experiment.hpp"
#include "parties.hpp"

namespace reliable_network {

using AllMessages =
    actord::Messages<Packet, Delivered, Undeliverable, Transmit, Receipt, Lost, Abandon, Abandoned,
                     Dropped, SenderDone, GetTally, Received, Carried, Filtered, Deadline>;

}  // namespace reliable_network

ACTORD_PLUGIN("reliable_network", "1.0.0", actord::Behaviours<reliable_network::Experiment>,
              reliable_network::AllMessages,
              actord::Failures<reliable_network::PacketLost, reliable_network::WrongAnswer>)
