# SPDX-License-Identifier: Apache-2.0
"""What comes of an actor or a plugin in which actord has crashed, when actord starts again
(supervision.md 179k)."""

import json
import os
import shutil
import signal
import unittest

import rig

BESIDE = 'actord.user.beside.behaviour = "echo/Echo"\n'
CRASHER = 'actord.user.boss.children.crasher { behaviour = "crashing/Crasher"\n config.how = %s }\n'
PATH = "/user/boss/crasher"
SIGSEGV = -signal.SIGSEGV


def strategy(text):
    return f"actord.user.boss.supervisor-strategy {{ {text} }}\n"


@unittest.skipIf(rig.HAS_SANITIZER, "the sanitizer reports the crash")
class Quarantine(rig.Case):
    PLUGINS = (rig.PLUGINS, rig.BAD_PLUGINS)

    def run_until_crash(self, config, status=SIGSEGV, **keywords):
        daemon, got = self.run_to_end(config, plugins=self.PLUGINS, **keywords)
        self.assertEqual(got, status, daemon.log_tail())
        return daemon

    def run_until_ready(self, config, **keywords):
        daemon = self.start(config, plugins=self.PLUGINS, **keywords)
        daemon.wait_for("daemon.ready")
        return daemon

    def kept(self, name):
        return os.path.join(self.state, "crash", name)

    def crashes(self):
        return [json.loads(line) for line in self.ctl("crash", "list", "-o", "json").splitlines()]

    def status(self):
        """What a degraded daemon tells."""
        return self.run_ctl("status", "--socket", f"{self.state}/actord.sock").stdout

    # ---- the crash as a failure

    def test_the_actor_fails_with_the_crash_before_it_is_created(self):
        config = CRASHER % "pointer" + strategy('decider { "actord::crash::SIGSEGV" = stop }')
        crashed = self.run_until_crash(config + BESIDE)
        told = crashed.all("daemon.crashed")[0]
        self.assertIn("/crashing.so+0x", told["stack"][0])
        daemon = self.start(config + BESIDE, plugins=self.PLUGINS)
        found = daemon.wait_for("daemon.crash-found")
        failed = daemon.wait_for("actor.failed")
        daemon.wait_for("daemon.ready")
        self.assertEqual(found["crash"]["id"], told["boot"])
        self.assertEqual(found["crash"]["charged"], PATH)
        self.assertEqual(found["actor"]["path"], PATH)
        self.assertEqual(found["message"]["type"], "crashing.Crash/1")
        self.assertEqual(found["plugin"]["name"], "crashing")
        self.assertRegex(found["stack"][0], r"crashing::Crasher::crash.*\(crashing\.so\)")
        self.assertEqual(failed["actor"]["path"], PATH)
        self.assertEqual(failed["failure"]["types"][:3],
                         ["actord::crash::SIGSEGV", "actord::crash::Signal", "actord::WorkerCrash"])
        self.assertEqual(failed["failure"]["details"]["crash"], told["boot"])
        self.assertEqual(failed["failure"]["phase"], "crash")
        self.assertEqual(failed["decision"]["rule"], "actord::crash::SIGSEGV")
        self.assertEqual(failed["decision"]["directive"], "stop")
        self.assertEqual(daemon.all("config.warning"), [])
        self.ctl("ask", "/user/beside", "echo.Text/1", '{"text":"hello"}')
        self.assertIn("crashing::Crasher::crash", self.ctl("crash", "show", told["boot"]))
        self.assert_stops_in_order(daemon)

    def test_the_restart_limit_counts_crashes_until_a_stop_in_order(self):
        config = (CRASHER % "pointer" + BESIDE + strategy("max-restarts = 1") +
                  "actord.crashes.quarantine-after = off\n")
        self.run_until_crash(config)
        self.run_until_crash(config)
        daemon = self.run_until_ready(config)
        failed = daemon.all("actor.failed")
        self.assertEqual(failed[0]["decision"]["denied"], "restart")
        self.assertEqual(daemon.all("actor.quarantined"), [])
        self.assert_stops_in_order(daemon)
        again = self.run_until_crash(config)
        self.assertEqual(again.all("actor.failed"), [], "no crash counts after a stop in order")
        self.run_until_crash(config)
        self.run_until_ready(config)
        self.assertEqual([each["charged"] for each in self.crashes()], 4 * [PATH])

    def test_the_back_off_delays_the_actor_and_not_the_others(self):
        config = (CRASHER % "pointer" + BESIDE +
                  strategy("backoff { min = 1 hour, max = 9 hours, random-factor = 0 }"))
        self.run_until_crash(config)
        daemon = self.run_until_ready(config)
        waits = daemon.all("actor.backoff")[0]
        self.assertEqual(waits["actor"]["path"], PATH)
        self.assertEqual(waits["restart"]["delay_ms"], 3_600_000)
        self.assertIn(f"{PATH} starts again in 59 minutes", self.status())

    def test_an_exit_is_charged_as_a_crash(self):
        config = ('actord.user.exiter { behaviour = "exiting/Exiter"\n'
                  ' config { call = exit, place = handler } }\n')
        self.run_until_crash(config, rig.EX_SOFTWARE)
        again = self.run_until_crash(config, rig.EX_SOFTWARE)
        failed = again.all("actor.failed")[0]
        self.assertEqual(failed["failure"]["type"], "actord::crash::Exit")
        self.assertEqual(again.all("daemon.crash-found")[0]["call"], "exit(0)")

    def test_the_configured_actor_is_charged_for_what_its_code_creates(self):
        config = ('actord.user.spawner { behaviour = "crashing/Spawner"\n config.how = pointer }\n')
        self.run_until_crash(config)
        again = self.run_until_crash(config)
        found = again.all("daemon.crash-found")[0]
        self.assertEqual(found["actor"]["path"], "/user/spawner/crasher-1")
        self.assertEqual(found["crash"]["charged"], "/user/spawner")

    def test_a_signal_from_outside_is_kept_and_charged_to_nothing(self):
        self.run_until_ready(BESIDE).stop(signal.SIGSEGV)
        daemon = self.run_until_ready(BESIDE)
        self.assertNotIn("charged", daemon.all("daemon.crash-found")[0]["crash"])
        self.assertEqual(daemon.all("actor.failed"), [])
        shown = self.ctl("crash", "show", self.crashes()[0]["id"])
        self.assertIn("SIGSEGV, which another process has sent", shown)
        self.assertIn("charged     nothing", shown)

    # ---- quarantine

    def test_an_actor_that_crashes_at_every_start_is_in_quarantine_and_the_others_run(self):
        config = CRASHER % "pointer" + BESIDE
        for _ in range(3):
            self.run_until_crash(config)
        daemon = self.run_until_ready(config)
        quarantined = daemon.all("actor.quarantined")
        self.assertEqual([each["actor"]["path"] for each in quarantined], [PATH])
        self.ctl("ask", "/user/beside", "echo.Text/1", '{"text":"hello"}')
        self.assertIn(f"{PATH} is in quarantine", self.status())
        self.assertEqual(len(self.crashes()), 3)
        self.assertIn("in quarantine", self.ctl("crash", "list"))
        self.ctl("config", "reload", "--force")
        self.assertEqual(daemon.all("actor.failed"), [])
        self.assert_stops_in_order(daemon)
        daemon = self.run_until_ready(config)
        self.assertEqual(len(daemon.all("actor.quarantined")), 1, "a stop in order does not end it")
        self.run_ctl("start", PATH, "--socket", f"{self.state}/actord.sock")
        self.assertEqual(daemon.wait(), SIGSEGV, "an operator ends it")
        daemon = self.run_until_crash(config)
        self.assertEqual(daemon.all("actor.quarantined"), [])

    def test_on_daemon_crash_may_be_quarantine_at_once(self):
        config = CRASHER % "abort" + BESIDE + "actord.on-daemon-crash = quarantine\n"
        self.run_until_crash(config, -signal.SIGABRT)
        daemon = self.run_until_ready(config)
        self.assertEqual(len(daemon.all("actor.quarantined")), 1)
        self.assertEqual(daemon.all("actor.failed"), [])

    def test_another_build_of_the_plugin_ends_the_quarantine(self):
        folder = os.path.join(self.folder, "plugins")
        os.mkdir(folder)
        plugin = shutil.copy(f"{rig.BAD_PLUGINS}/crashing.so", folder)
        self.PLUGINS = (rig.PLUGINS, folder)
        config = CRASHER % "pointer" + BESIDE + "actord.on-daemon-crash = quarantine\n"
        self.run_until_crash(config)
        self.run_until_ready(config).stop()
        os.utime(plugin, (0, 0))
        self.run_until_crash(config)

    def test_behind_a_back_off_supervisor_the_quarantine_is_that_of_both(self):
        config = BESIDE + ('actord.user.crasher { behaviour = "crashing/Crasher"\n'
                           ' config.how = pointer\n'
                           ' backoff-supervisor { mode = on-failure, min = 1 hour,'
                           '  max = 1 hour } }\n')
        self.run_until_crash(config)
        daemon = self.run_until_ready(config)
        self.assertEqual(daemon.all("actor.failed")[0]["actor"]["path"], "/user/crasher/crasher")
        self.assertEqual(len(daemon.all("actor.backoff")), 1)
        self.assert_stops_in_order(daemon)
        config += "actord.on-daemon-crash = quarantine\n"
        self.run_until_crash(config)
        daemon = self.run_until_ready(config)
        self.assertEqual(daemon.all("actor.quarantined")[0]["actor"]["path"], "/user/crasher")

    def test_a_plugin_that_crashes_while_it_is_loaded_is_not_loaded_any_more(self):
        folder = os.path.join(self.folder, "plugins")
        os.mkdir(folder)
        plugin = shutil.copy(f"{rig.BAD_PLUGINS}/static_aborts.so", folder)
        self.PLUGINS = (rig.PLUGINS, folder)
        config = BESIDE + 'actord.user.it { behaviour = "static_aborts/It"\n }\n'
        for _ in range(3):
            self.run_until_crash(config, -signal.SIGABRT)
        daemon = self.run_until_ready(config)
        self.assertEqual(daemon.all("actor.quarantined")[0]["actor"]["path"], "/user/it")
        self.assertIn("in quarantine", daemon.all("config.warning")[0]["msg"])
        self.ctl("ask", "/user/beside", "echo.Text/1", '{"text":"hello"}')
        self.assertIn("static_aborts.so has ended actord by SIGABRT",
                      self.ctl("start", "/user/it", status=rig.EX_TEMPFAIL))
        # Another build without the defect, dropped in and reloaded.
        shutil.copy(f"{rig.PLUGINS}/echo.so", plugin)
        self.ctl("config", "reload", status=rig.EX_DATAERR)  # it has another name inside
        self.assert_stops_in_order(daemon)

    # ---- the records

    def test_an_export_has_places_and_events_of_the_run_and_the_oldest_crash_goes_first(self):
        config = (CRASHER % "pointer" + BESIDE +
                  "actord.crashes { quarantine-after = 2, keep = 1 }\n")
        self.run_until_crash(config)
        last = self.run_until_crash(config).all("daemon.crashed")[0]["boot"]
        self.run_until_ready(config)
        self.assertEqual([each["id"] for each in self.crashes()], [last])
        text = self.ctl("crash", "export", last)
        self.assertRegex(text, r"code at +/.*crashing\.so\+0x[0-9a-f]+  build id [0-9a-f]{40}")
        self.assertIn("daemon.crashed", text)
        whole = json.loads(self.ctl("crash", "export", last, "-o", "json"))
        self.assertTrue(all(event["boot"] == last for event in whole["events"]))
        mode = os.stat(self.kept(f"{last}.json")).st_mode & 0o777
        self.assertEqual(mode, 0o600)

    def test_damaged_records_are_told_and_do_not_stop_the_start(self):
        self.run_until_ready(BESIDE).stop()
        for name, text in (("pending", "no record"), ("ledger.json", '{"crashes": 7}'),
                           ("pending", '{"boot": "../../x"}\n'), ("pending", '{"boot":"a"}')):
            self.write(f"state/crash/{name}", text)
            daemon = self.run_until_ready(BESIDE)
            told = daemon.all("daemon.crash-unrecorded") + daemon.all("daemon.crash-found")
            self.assertEqual(len(told), 1, (name, text, daemon.log_tail()))
            daemon.stop()
        shutil.rmtree(self.kept(""))
        self.write("state/crash", "in the way")
        daemon = self.run_until_ready(BESIDE)
        self.assertIn("state/crash", daemon.all("daemon.crash-unrecorded")[0]["crash"]["error"])
        self.assertEqual(self.crashes(), [])
        self.assertIn("no crash with the id",
                      self.ctl("crash", "show", "../ledger", status=rig.EX_USAGE))


if __name__ == "__main__":
    rig.main()
