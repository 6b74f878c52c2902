# SPDX-License-Identifier: Apache-2.0
"""The end of a run, when plugins are detached and their static objects are destroyed."""

import re
import signal
import time

import rig

PLUGINS = (rig.PLUGINS, rig.BAD_PLUGINS)


class End(rig.Case):
    """Plugins that take long at the end."""

    def begin(self, plugin):
        daemon = self.start(f'actord.user.it.behaviour = "{plugin}/It"\n', plugins=PLUGINS)
        daemon.wait_for("daemon.ready")
        return daemon

    def stop_slowly(self, plugin):
        daemon = self.begin(plugin)
        daemon.send(signal.SIGTERM)
        return daemon

    def test_the_log_ends_after_detach_and_static_destructors(self):
        for plugin in ("detach_slow", "static_end_slow"):
            with self.subTest(plugin):
                daemon = self.stop_slowly(plugin)
                began = time.monotonic()
                self.assertEqual(daemon.wait(), 0, daemon.log_tail())
                self.assert_clean_log(daemon)
                self.assertIn("the end", daemon.errors)
                self.assertEqual(daemon.all("plugin.slow"), [])
                self.assertGreater(time.monotonic() - began, 0.5)

    def test_actors_that_do_not_stop_in_time_are_named(self):
        daemon = self.start(
            'actord.user.it { behaviour = "stuck/Worker", config { how = sleep, ms = 60000 } }\n',
            plugins=PLUGINS, sets=("actord.stop-timeout=1s",))
        daemon.wait_for("daemon.ready")
        self.assertEqual(daemon.stop(), rig.EX_SOFTWARE, daemon.log_tail())
        last = daemon.all("daemon.stopped")[0]
        self.assertEqual((last["reason"], last["exit"]), ("stop-timeout", rig.EX_SOFTWARE))
        self.assertIn("actors have not stopped in time: /user/it", last["error"])
        self.assertIn("TimeoutStopSec=", daemon.errors)
        self.assert_clean_log(daemon)

    def test_two_signals_at_once_do_not_end_a_slow_detach(self):
        daemon = self.begin("detach_slow")
        daemon.send_at_once(signal.SIGTERM, signal.SIGINT)
        self.assertEqual(daemon.wait(), 0, daemon.log_tail())
        self.assertIn("the end", daemon.errors)
        self.assert_clean_log(daemon)

    def test_a_plugin_that_does_not_end_is_named_and_a_second_signal_ends_it(self):
        for plugin, msg, call, reason in (
                ("detach_hangs", "detach", "::detach<", "detach_hangs.so has not returned"),
                ("static_end_hangs", "static destructors", "~Static()",
                 "static destructors of plugins have not returned")):
            with self.subTest(plugin):
                daemon = self.stop_slowly(plugin)
                slow = daemon.wait_for("plugin.slow")
                self.assertEqual(slow["level"], "warning")
                self.assertIn(msg, slow["msg"])
                # ThreadSanitizer calls static destructors itself, and hides who has them.
                if plugin == "detach_hangs" or "thread" not in rig.SANITIZERS:
                    self.assertEqual(slow["plugin"]["file"], f"{rig.BAD_PLUGINS}/{plugin}.so")
                self.assertGreaterEqual(slow["duration_ms"], 5000)
                self.assertTrue(any(call in each for each in slow["stack"]), slow["stack"])
                self.assertEqual(daemon.all("daemon.stopped"), [])
                daemon.send(signal.SIGINT)
                self.assertEqual(daemon.wait(), 128 + signal.SIGINT, daemon.log_tail())
                self.assert_clean_log(daemon)
                self.assertRegex(daemon.records[-1]["reason"], "SIGINT.*" + re.escape(reason))

    def test_a_second_signal_need_not_wait_for_the_name(self):
        daemon = self.stop_slowly("static_end_hangs")
        began = time.monotonic()
        while daemon.process.poll() is None:
            daemon.send(signal.SIGTERM)
            try:
                daemon.wait(patience=0.1)
            except TimeoutError:
                pass
        self.assertLess(time.monotonic() - began, 4)
        self.assertEqual(daemon.process.returncode, 128 + signal.SIGTERM)
        self.assert_clean_log(daemon)


if __name__ == "__main__":
    rig.main()
