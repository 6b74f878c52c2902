# SPDX-License-Identifier: Apache-2.0
"""A failure that no supervisor can handle ends the process, and a record names the actor. Something
that is merely no exception does not end it (supervision.md 97, 179j).

With --items it prints one line for each item of the specification, as the conformance table does;
with --list as well it only lists those items.
"""

import json
import os
import signal
import sys
import unittest

import rig

TREE = 'actord.user.boss.children.crasher {{ behaviour = "crashing/Crasher"\n config.how = {how} }}'
CRASHES = {
    "pointer": signal.SIGSEGV, "overflow": signal.SIGSEGV, "divide": signal.SIGFPE,
    "illegal": signal.SIGILL, "abort": signal.SIGABRT, "terminate": signal.SIGABRT,
    "thread": signal.SIGSEGV,
}


class CrashCase(rig.Case):
    def crash(self, how):
        """A daemon that has crashed, with checks of how it ended."""
        self.state = os.path.join(self.folder, how, "state")
        return self.run_to_end(TREE.format(how=how), plugins=(rig.BAD_PLUGINS,))

    def record_on_stderr(self, daemon):
        lines = [line for line in daemon.errors.splitlines() if line.startswith("{")]
        self.assertEqual(len(lines), 1, daemon.log_tail())
        return json.loads(lines[0])

    def assert_ends_by(self, status, number, daemon):
        if rig.HAS_SANITIZER:
            self.assertNotEqual(status, 0, daemon.log_tail())
        else:
            self.assertEqual(status, -number, daemon.log_tail())

    def assert_records(self, record, how, number):
        self.assertEqual(record["event"], "daemon.crashed")
        self.assertEqual(record["level"], "error")
        self.assertEqual(record["signal"], signal.Signals(number).name)
        for key in ("ts", "msg", "pid", "tid", "boot", "schema"):
            self.assertIn(key, record)
        if how == "thread":  # a thread of the plugin belongs to no actor
            self.assertNotIn("actor", record)
            return
        self.assertEqual(record["actor"]["path"], "/user/boss/crasher")
        self.assertEqual(record["actor"]["behaviour"], "crashing/Crasher")
        self.assertEqual(record["actor"]["incarnation"], 0)
        self.assertEqual(record["message"]["type"], "crashing.Crash/1")
        self.assertEqual(record["plugin"], {"name": "crashing", "version": "1.2.3"})


class Crash(CrashCase):
    def test_a_crash_is_recorded_and_keeps_its_exit_signal(self):
        """179j std::terminate and signals end the process, and a record tells of the actor"""
        for how, number in CRASHES.items():
            with self.subTest(how):
                daemon, status = self.crash(how)
                self.assert_ends_by(status, number, daemon)
                self.assertEqual(daemon.all("actor.failed"), [], "no supervisor was asked")
                self.assertEqual(daemon.all("daemon.stopped"), [])
                if rig.HAS_SANITIZER:
                    self.assertNotIn("daemon.crashed", daemon.errors)
                    continue
                record = self.record_on_stderr(daemon)
                self.assert_records(record, how, number)
                self.assertEqual(record["pid"], daemon.process.pid)
                self.assertEqual(daemon.all("daemon.crashed"), [record], "the log tells the same")

    @unittest.skipIf(rig.HAS_SANITIZER, "the sanitizer reports the crash")
    def test_the_next_actord_knows_of_the_crash(self):
        crashed, _ = self.crash("pointer")
        told = self.record_on_stderr(crashed)
        daemon = self.start('actord.user.echo.behaviour = "echo/Echo"\n')
        daemon.wait_for("daemon.ready")
        socket = os.path.join(self.state, "actord.sock")
        events = self.run_ctl("events", "-e", "daemon.crashed", "-o", "json", "--socket", socket)
        self.assertEqual([json.loads(line) for line in events.stdout.splitlines()], [told])
        self.assertIn("daemon.crashed", self.run_ctl("events", "--socket", socket).stdout)

    def test_a_fault_records_its_address_and_an_abort_does_not(self):
        for how, address in (("pointer", "0x0"), ("abort", None)):
            daemon, _ = self.crash(how)
            if not rig.HAS_SANITIZER:
                self.assertEqual(self.record_on_stderr(daemon).get("address"), address)

    def test_a_plugin_that_crashes_while_it_is_loaded_is_named(self):
        daemon, status = self.run_to_end('actord.user.it { behaviour = "static_aborts/It" }',
                                         plugins=(rig.BAD_PLUGINS,))
        self.assert_ends_by(status, signal.SIGABRT, daemon)
        if not rig.HAS_SANITIZER:
            record = self.record_on_stderr(daemon)
            self.assertEqual(record["signal"], "SIGABRT")
            self.assertEqual(record["plugin"]["file"], f"{rig.BAD_PLUGINS}/static_aborts.so")
            self.assertNotIn("actor", record)

    def test_a_log_for_people_gets_no_line_for_machines(self):
        config = self.write("actord.conf", TREE.format(how="pointer") + "\n")
        daemon = rig.Daemon(["--config", config, "--log-format", "console", "--plugin-path",
                             rig.BAD_PLUGINS, "--set", f'actord.state-dir="{self.state}"'])
        self.addCleanup(daemon.close)
        self.assert_ends_by(daemon.wait(), signal.SIGSEGV, daemon)
        self.assertEqual(daemon.records, [])
        if not rig.HAS_SANITIZER:
            self.assert_records(self.record_on_stderr(daemon), "pointer", signal.SIGSEGV)

    def test_a_signal_from_outside_leaves_a_record_without_an_actor(self):
        daemon = self.start('actord.user.beside {\n behaviour = "echo/Echo" }')
        daemon.wait_for("daemon.ready")
        self.assert_ends_by(daemon.stop(signal.SIGABRT), signal.SIGABRT, daemon)
        if not rig.HAS_SANITIZER:
            record = self.record_on_stderr(daemon)
            self.assertEqual(record["signal"], "SIGABRT")
            self.assertNotIn("actor", record)
            self.assertNotIn("address", record)

    def test_what_is_thrown_without_being_an_exception_is_supervised_and_escalates(self):
        """97 what is no exception escalates as a ForeignException, and the process goes on"""
        daemon = self.start(
            TREE.format(how="foreign"), plugins=(rig.BAD_PLUGINS,),
            sets=("actord.actor.guardian-supervisor-strategy.decider.default=stop",))
        stopped = daemon.wait_for(
            "actor.stopped", where=lambda r: r["actor"]["path"].split("#")[0] == "/user/boss")
        failed = [record for record in daemon.all("actor.failed")
                  if record["failure"]["id"] == stopped["failure"]["id"]]
        self.assertEqual(len(failed), 1, daemon.log_tail())
        self.assertEqual(failed[0]["actor"]["path"].split("#")[0], "/user/boss/crasher")
        self.assertEqual(failed[0]["failure"]["types"], ["int", "actord::ForeignException"])
        self.assertEqual(failed[0]["decision"]["directive"], "stop")
        path = [step["supervisor"].split("#")[0] for step in failed[0]["decision"]["path"]]
        self.assertEqual(path, ["/user/boss", "/user"])
        self.assert_stops_in_order(daemon)
        self.assertNotIn("daemon.crashed", daemon.errors)


def tests_of_items():
    """Each test whose docstring begins with the number of an item, and that line."""
    for test in unittest.defaultTestLoader.loadTestsFromTestCase(Crash):
        item = (test.shortDescription() or "").strip()
        if item[:1].isdigit():
            yield test, item


def print_items():
    for test, item in tests_of_items():
        result = unittest.TestResult()
        test.run(result)
        print("ok" if result.wasSuccessful() else "FAIL", item)
        for _, story in result.errors + result.failures:
            print(story)
        sys.stdout.flush()


if __name__ == "__main__":
    if "--list" in sys.argv:
        print("\n".join(item for _, item in tests_of_items()))
    elif "--items" in sys.argv:
        print_items()
    else:
        rig.main()
