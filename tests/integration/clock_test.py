# SPDX-License-Identifier: Apache-2.0
"""The clock of the day jumps, as when it is set by hand or by the network: timers, restarts,
reloads and the log go on."""

import datetime
import os
import signal
import struct
import unittest

import rig

CONFIG = """
actord.user.data_store {
  behaviour = "data_store/Listener"
  config { total = 1000000, step = 1, interval = 1 ms, silence = 5 s, reconnect-after = 50 ms
           faults { fail-between = [100, 110] } }
}
"""
DAY = 24 * 3600


@unittest.skipIf("ACTORD_SANITIZED" in os.environ, "a sanitizer must be loaded first")
class Clock(rig.Case):
    def move(self, seconds):
        """Overwrites the number in place, because actord has mapped the file."""
        file = os.open(os.path.join(self.folder, "moved"), os.O_WRONLY | os.O_CREAT)
        os.pwrite(file, struct.pack("<q", seconds), 0)
        os.close(file)

    def test_the_clock_jumps_forward_and_back(self):
        self.move(0)
        daemon = self.start(self.write("actord.conf", CONFIG), environment={
            "LD_PRELOAD": os.environ["ACTORD_MOVED_CLOCK"],
            "MOVED_CLOCK": os.path.join(self.folder, "moved")})
        daemon.wait_for("daemon.ready")
        for seconds in (DAY, -2 * DAY, 300 * DAY, 0):
            self.move(seconds)
            wanted = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(
                seconds=seconds)

            def is_moved(record):
                stamp = datetime.datetime.fromisoformat(record["ts"].replace("Z", "+00:00"))
                return abs((stamp - wanted).total_seconds()) < 3600
            for _ in range(3):
                daemon.wait_for("data_store.progress", is_moved)
            daemon.send(signal.SIGHUP)
            daemon.wait_for("config.reloaded", is_moved)
        self.assert_stops_in_order(daemon)
        self.assertEqual([each["seq"] for each in daemon.records],
                         list(range(1, len(daemon.records) + 1)))
        for event in ("actor.stuck", "watchdog.late", "daemon.degraded", "data_store.given_up"):
            self.assertEqual(daemon.all(event), [])


if __name__ == "__main__":
    rig.main()
