# SPDX-License-Identifier: Apache-2.0
"""A process that was stopped for some seconds, as by a freezer or with its machine, goes on as if
nothing had been."""

import os
import signal
import time

import rig

CONFIG = """
actord.user.busy {{ behaviour = "stuck/Worker", config {{ how = sleep, ms = 800 }} }}
actord.user.a {{ behaviour = "mortal/Mortal", config {{ file = "{file}" }} }}
"""


class Pause(rig.ManagedCase):
    def test_a_handler_is_not_blamed_for_it_and_timers_go_on(self):
        file = os.path.join(self.folder, "a.word")
        daemon = self.start(CONFIG.format(file=file), plugins=(rig.PLUGINS, rig.BAD_PLUGINS),
                            environment={**self.environment, "WATCHDOG_USEC": "4000000"})
        daemon.wait_for("daemon.ready")
        self.manager.wait_for("WATCHDOG=1")
        daemon.send(signal.SIGSTOP)
        time.sleep(5)
        daemon.send(signal.SIGCONT)
        daemon.wait_for("stuck.done")
        self.manager.wait_for("WATCHDOG=1")
        self.write("a.word", "fail")
        daemon.wait_for("actor.failed")
        self.assert_stops_in_order(daemon)
        for event in ("actor.stuck", "dispatcher.starved", "watchdog.late", "daemon.degraded"):
            self.assertEqual(daemon.all(event), [])


if __name__ == "__main__":
    rig.main()
