// SPDX-License-Identifier: Apache-2.0
//
// The table of the plugin: its behaviours, messages and failures.

#include <actord/actord.hpp>

#include "durable_experiment.hpp"
#include "durable_parties.hpp"
#include "network_experiment.hpp"
#include "parties.hpp"

namespace reliable_network {

using AllMessages =
    actord::Messages<Packet, Delivered, Undeliverable, Transmit, Receipt, Lost, Abandon, Abandoned,
                     Dropped, SenderDone, GetTally, Received, Carried, Filtered, Deadline,
                     Consignment, AllConfirmed, GetHoldings, Holdings, NextPacket, Accepted,
                     Arrived, Inventory>;

}  // namespace reliable_network

ACTORD_PLUGIN("reliable_network", "1.0.0",
              actord::Behaviours<reliable_network::Experiment, reliable_network::DurableExperiment>,
              reliable_network::AllMessages,
              actord::Failures<reliable_network::PacketLost, reliable_network::WrongAnswer>)
