// SPDX-License-Identifier: Apache-2.0
//
// Carries out the orders of operators.
#pragma once

#include "actor/order.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

/// Obeys, and answers the order, unless it is a restart: that is answered at its end.
void obey(Turn& turn, Order& order);

}  // namespace actord::actor
