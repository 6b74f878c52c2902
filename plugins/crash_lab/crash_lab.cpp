// SPDX-License-Identifier: Apache-2.0
//
// The table of the plugin: its behaviour and its messages.
#include "victim.hpp"

ACTORD_PLUGIN(
    "crash_lab", "1.0.0", actord::Behaviours<crash_lab::Victim>,
    actord::Messages<crash_lab::Die, crash_lab::Count, crash_lab::GetCount, crash_lab::Counted,
                     crash_lab::NewChild, crash_lab::ChildBorn, crash_lab::Call, crash_lab::Called>)
