// SPDX-License-Identifier: Apache-2.0
#include "system/builtin_plugin.hpp"

#include <actord/actord.hpp>

#include "system/guardians.hpp"
#include "system/journal_actor.hpp"
#include "system/log_actor.hpp"
#include "system/outside_ask.hpp"
#include "system/shutdown_actor.hpp"

namespace actord::system {

const actord_plugin& builtin_plugin() {
  return *plugin_table<Behaviours<Root, Guardian, SystemGuardian, Supervisor, Log, Inquirer,
                                  Shutdown, PhaseTaskRunner, JournalActor>>("actord", "1");
}

}  // namespace actord::system
