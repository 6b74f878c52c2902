// SPDX-License-Identifier: Apache-2.0
//
// Answers inspections: reads the state of all parts of an actor.
#pragma once

#include "actor/inspection.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

/// Answers with what the turn's actor is.
void answer_inspection(Turn& turn, Inspection& inspection) noexcept;

}  // namespace actord::actor
