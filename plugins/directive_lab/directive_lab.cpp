// SPDX-License-Identifier: Apache-2.0
//
// The table of the plugin: its behaviours, messages and failures.
#include "experiment.hpp"

ACTORD_PLUGIN(
    "directive_lab", "1.0.0",
    actord::Behaviours<lab::Experiment, lab::Supervisor, lab::KeepingSupervisor, lab::Child>,
    actord::Messages<lab::Set, lab::Get, lab::Value, lab::Fail, lab::NewChild, lab::ChildBorn>,
    actord::Failures<lab::ArithmeticError, lab::NullReference>)
