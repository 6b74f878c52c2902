# SPDX-License-Identifier: Apache-2.0
"""Handlers that do not return: how they are reported, and what the service manager is told."""

import contextlib
import json
import os
import signal
import socket
import time
import unittest

import rig

PLUGINS = (rig.PLUGINS, rig.BAD_PLUGINS)
WORKERS = "actord.actor.default-dispatcher.workers=4"


def worker(name="it", how="sleep", ms=3000, times=1, node=""):
    return (f'actord.user.{name} {{ behaviour = "stuck/Worker", {node}\n'
            f'  config {{ how = {how}, ms = {ms}, times = {times} }} }}\n')


def path_is(path):
    return lambda record: record["actor"]["path"] == path


class Stuck(rig.Case):
    def start_stuck(self, config, *sets, **keywords):
        return self.start(config, plugins=PLUGINS, sets=[WORKERS, *sets], **keywords)

    def test_a_handler_that_takes_long_is_named_with_its_stack_and_again_when_it_returns(self):
        daemon = self.start_stuck(worker("busy", "spin") + worker("asleep", "sleep"))
        for path, function in (("/user/busy", "stuck::spin_long("),
                               ("/user/asleep", "stuck::sleep_long(")):
            with self.subTest(path):
                stuck = next((each for each in daemon.all("actor.stuck")
                              if each["actor"]["path"] == path), None) \
                    or daemon.wait_for("actor.stuck", path_is(path))
                self.assertEqual(stuck["level"], "warning")
                self.assertEqual(stuck["dispatcher"], "default")
                self.assertEqual(stuck["actor"]["behaviour"], "stuck/Worker")
                self.assertEqual(stuck["plugin"]["name"], "stuck")
                self.assertEqual(stuck["message"]["type"], "stuck.Work/1")
                self.assertGreaterEqual(stuck["duration_ms"], 1000)
                calls = [call for call in stuck["stack"] if function in call]
                self.assertEqual(len(calls), 1, stuck["stack"])
                self.assertIn("(stuck.so)", calls[0])
        unstuck = [daemon.wait_for("actor.unstuck") for _ in range(2)]
        self.assertEqual({each["actor"]["path"] for each in unstuck},
                         {"/user/busy", "/user/asleep"})
        for each in unstuck:
            self.assertEqual(each["level"], "info")
            self.assertGreaterEqual(each["duration_ms"], 2500)
        self.assert_stops_in_order(daemon)
        self.assertEqual(len(daemon.all("actor.stuck")), 2)
        self.assertEqual(len(daemon.all("actor.unstuck")), 2)

    def test_a_thread_that_blocks_signals_is_reported_without_its_stack(self):
        daemon = self.start_stuck(worker("deaf", "deaf", ms=4000) + worker("asleep", ms=4500))
        stuck = [daemon.wait_for("actor.stuck") for _ in range(2)]
        named = [each for each in stuck if "actor" in each]
        self.assertEqual([each["actor"]["path"] for each in named], ["/user/asleep"])
        unnamed = next(each for each in stuck if "actor" not in each)
        self.assertIn("does not answer", unnamed["msg"])
        self.assertNotIn("stack", unnamed)
        self.assertEqual(unnamed["dispatcher"], "default")
        over = [daemon.wait_for("actor.unstuck") for _ in range(2)]
        self.assertEqual({each["thread"] for each in over}, {each["thread"] for each in stuck})
        self.assert_stops_in_order(daemon)

    def test_many_handlers_that_each_take_less_than_the_timeout_are_not_named(self):
        daemon = self.start_stuck(worker(ms=300, times=10))
        for _ in range(10):
            daemon.wait_for("stuck.done")
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.all("actor.stuck"), [])

    def test_a_dispatcher_for_blocking_actors_has_a_longer_timeout_which_can_be_set(self):
        on = "dispatcher = {},"
        config = "".join(worker(name, node=on.format(name)) for name in ("blocking-io", "pinned"))
        daemon = self.start_stuck(config)
        for _ in range(2):
            daemon.wait_for("stuck.done")
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.all("actor.stuck"), [])
        daemon = self.start_stuck(config,
                                  "actord.actor.blocking-io-dispatcher.stuck-timeout=1s",
                                  "actord.actor.pinned-dispatcher.stuck-timeout=1s")
        stuck = [daemon.wait_for("actor.stuck") for _ in range(2)]
        self.assertEqual({each["dispatcher"] for each in stuck}, {"blocking-io", "pinned"})
        for each in stuck:
            self.assertTrue(any("stuck::sleep_long(" in call for call in each["stack"]), each)
        for _ in range(2):
            daemon.wait_for("actor.unstuck")
        self.assert_stops_in_order(daemon)

    def test_a_reload_changes_the_timeout(self):
        work = worker(ms=4000, times=2)
        config = self.write("actord.conf",
                            "actord.actor.default-dispatcher.stuck-timeout = off\n" + work)
        daemon = self.start_stuck(config)
        daemon.wait_for("stuck.done")
        self.assertEqual(daemon.all("actor.stuck"), [])
        self.write("actord.conf", work)
        daemon.send(signal.SIGHUP)
        daemon.wait_for("actor.stuck")
        # the actor takes the configuration over when its handler has returned
        self.assertEqual(daemon.wait_for("config.reloaded")["pending"], [])
        self.assert_stops_in_order(daemon)

    def test_a_blocking_dispatcher_without_a_free_thread_is_named(self):
        daemon = self.start_stuck(
            "".join(worker(name, ms=3500, node="dispatcher = blocking-io,") for name in "ab"),
            "actord.actor.blocking-io-dispatcher.threads-max=1",
            "actord.actor.blocking-io-dispatcher.stuck-timeout=1s")
        starved = daemon.wait_for("dispatcher.starved")
        self.assertEqual(starved["level"], "warning")
        self.assertEqual(starved["dispatcher"], "blocking-io")
        self.assertEqual(starved["threads"], 1)
        self.assertEqual(starved["waiting"], 1)
        self.assertGreaterEqual(starved["duration_ms"], 1000)
        self.assertEqual(daemon.all("stuck.done"), [])
        self.assertEqual(daemon.wait_for("dispatcher.recovered")["dispatcher"], "blocking-io")
        self.assertNotEqual(daemon.all("stuck.done"), [])
        self.assertEqual(len(daemon.all("dispatcher.starved")), 1)
        daemon.close()

    def wake_ups(self, daemon):
        """How often the threads of the daemon have gone to sleep so far."""
        folder = f"/proc/{daemon.process.pid}/task"
        count = 0
        for thread in os.listdir(folder):
            # A thread may end before its file is opened, or before it is read.
            with (contextlib.suppress(FileNotFoundError, ProcessLookupError),
                  open(f"{folder}/{thread}/status", encoding="ascii") as status):
                count += sum(int(line.split()[1]) for line in status
                             if line.startswith("voluntary_ctxt_switches"))
        return count

    @unittest.skipIf("thread" in rig.SANITIZERS, "ThreadSanitizer has a thread that wakes up")
    def test_an_idle_daemon_does_not_wake_up(self):
        daemon = self.start_stuck(worker(ms=1))
        daemon.wait_for("stuck.done")
        deadline = time.monotonic() + rig.PATIENCE
        before = self.wake_ups(daemon)
        while True:  # until no thread has woken for three seconds: timers of the start have to end
            with self.assertRaises(TimeoutError):
                daemon.wait_for("a line that does not come", patience=3)
            now = self.wake_ups(daemon)
            if now == before:
                break
            self.assertLess(time.monotonic(), deadline, f"{now - before} wake-ups in 3 s")
            before = now
        self.assert_stops_in_order(daemon)


class Watchdog(rig.Case):
    """A daemon whose service manager is the test."""

    TIMEOUT = 4.0

    def start_watched(self, config, *sets):
        address = os.path.join(self.folder, "notify")
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(self.manager.close)
        self.manager.bind(address)
        self.manager.settimeout(rig.PATIENCE)
        return self.start(config, plugins=PLUGINS, sets=[WORKERS, *sets],
                          environment={"NOTIFY_SOCKET": address,
                                       "WATCHDOG_USEC": str(int(self.TIMEOUT * 1e6))})

    def message(self, patience=rig.PATIENCE):
        """The next message to the service manager; None: there is none for that long."""
        self.manager.settimeout(patience)
        try:
            return self.manager.recv(4096).decode()
        except socket.timeout:
            return None

    def wait_for_message(self, text):
        while text not in (message := self.message()):
            pass
        return message

    def test_it_is_told_of_progress_under_full_load_after_ready(self):
        daemon = self.start_watched("".join(
            worker(f"w{i}", "spin", ms=20, times=2000) for i in range(8)))
        first = self.wait_for_message("READY=1")
        self.assertNotIn("WATCHDOG", first)
        told = time.monotonic()
        for _ in range(4):
            self.wait_for_message("WATCHDOG=1")
            self.assertLess(time.monotonic() - told, self.TIMEOUT)
            told = time.monotonic()
        self.assertEqual(daemon.all("watchdog.late"), [])
        daemon.close()

    def test_it_is_told_nothing_while_a_handler_of_default_does_not_return_and_again_then(self):
        daemon = self.start_watched(worker(ms=7000, times=1))
        self.wait_for_message("READY=1")
        began = time.monotonic()
        late = daemon.wait_for("watchdog.late")
        self.assertEqual(late["level"], "error")
        self.assertEqual(late["dispatcher"], "default")
        self.assertEqual(late["actor"]["path"], "/user/it")
        self.assertGreaterEqual(late["duration_ms"], 1000 * self.TIMEOUT / 2)
        while self.message(0.01) is not None:  # what was told before
            pass
        daemon.wait_for("stuck.done")
        self.assertIsNotNone(self.message(self.TIMEOUT))
        self.assertGreater(time.monotonic() - began, 6)
        self.assertEqual(len(daemon.all("watchdog.late")), 1)
        self.assert_stops_in_order(daemon)

    def crashed(self, how):
        """The record of a daemon that the service manager ends for a handler of /user/it."""
        daemon = self.start_watched(worker(how=how, ms=600_000))
        daemon.wait_for("watchdog.late")
        self.assertEqual(daemon.stop(signal.SIGABRT), -signal.SIGABRT)
        return json.loads(daemon.errors)

    @unittest.skipIf(rig.HAS_SANITIZER, "the sanitizer reports the crash")
    def test_the_actor_is_charged_when_the_service_manager_ends_the_wait(self):
        record = self.crashed("spin")
        self.assertEqual(record["actor"]["path"], "/user/it")
        self.assertEqual(record["message"]["type"], "stuck.Work/1")
        self.assertTrue(any("stuck.so+0x" in call for call in record["stack"]), record)
        daemon = self.start(worker(how="spin", ms=600_000) + (
            "actord.actor.guardian-supervisor-strategy.decider {\n"
            '  "actord::crash::Hang" = stop\n}\n'), plugins=PLUGINS)
        self.assertEqual(daemon.wait_for("actor.failed")["failure"]["types"][:2],
                         ["actord::crash::Hang", "actord::crash::Signal"])
        daemon.wait_for("daemon.ready")
        self.assertEqual(daemon.all("config.warning"), [])
        self.assert_stops_in_order(daemon)

    @unittest.skipIf(rig.HAS_SANITIZER, "the sanitizer reports the crash")
    def test_a_thread_that_takes_no_signal_does_not_keep_the_process_from_ending(self):
        self.assertNotIn("actor", self.crashed("deaf"))

    def test_a_blocking_handler_elsewhere_holds_up_no_message(self):
        daemon = self.start_watched(
            worker("blocking", ms=600_000, node="dispatcher = blocking-io,") +
            worker("pinned", ms=600_000, node="dispatcher = pinned,"))
        self.wait_for_message("READY=1")
        for _ in range(4):
            self.assertEqual(self.message(self.TIMEOUT), "WATCHDOG=1")
        self.assertEqual(daemon.all("watchdog.late"), [])
        daemon.close()

    def test_a_stopped_process_tells_nothing(self):
        daemon = self.start_watched("actord.user.it {}\n")
        self.wait_for_message("WATCHDOG=1")
        daemon.send(signal.SIGSTOP)
        while self.message(0.01) is not None:
            pass
        self.assertIsNone(self.message(1.5 * self.TIMEOUT))
        daemon.send(signal.SIGCONT)
        self.assertEqual(self.message(self.TIMEOUT), "WATCHDOG=1")
        self.assert_stops_in_order(daemon)

    def test_it_is_told_of_progress_during_a_stop_that_takes_long(self):
        daemon = self.start_watched('actord.user.it.behaviour = "stubborn/Stubborn"\n')
        self.wait_for_message("READY=1")
        daemon.send(signal.SIGTERM)
        daemon.wait_for("stubborn.stays")
        self.wait_for_message("STOPPING=1")
        for _ in range(4):
            self.assertIsNotNone(self.message(self.TIMEOUT))
        self.assertEqual(daemon.all("watchdog.late"), [])
        daemon.close()


if __name__ == "__main__":
    rig.main()
