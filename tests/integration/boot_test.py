# SPDX-License-Identifier: Apache-2.0
"""From the first line to the last: boot, READY, the stop in order, and the impatient stop."""

import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import unittest

import rig

ECHO = 'actord { user { echo { behaviour = "echo/Echo" } } }\n'


class Boot(rig.Case):
    def test_the_example_becomes_ready_and_stops_when_asked(self):
        daemon = self.start(os.path.join(rig.EXAMPLES, "echo.conf"))
        ready = daemon.wait_for("daemon.ready")
        self.assertEqual(ready["actors"], 1)
        self.assertGreaterEqual(ready["duration_ms"], 0)
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.errors, "")

    def test_both_signals_of_a_person_and_of_a_service_manager_stop_it(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                daemon = self.start(ECHO)
                daemon.wait_for("daemon.ready")
                self.assertEqual(daemon.stop(number), 0, daemon.log_tail())
                self.assertEqual(daemon.records[-1]["reason"], signal.Signals(number).name)

    def test_the_log_of_a_run_begins_and_ends_with_the_right_events(self):
        daemon = self.start(ECHO)
        daemon.wait_for("daemon.ready")
        daemon.stop()
        events = daemon.events()
        self.assertEqual(events[0], "daemon.starting")
        self.assertEqual(events[-1], "daemon.stopped")
        milestones = [event for event in events if event.startswith(("daemon.", "plugin."))]
        self.assertEqual(milestones, ["daemon.starting", "plugin.loaded", "daemon.ready",
                                      "daemon.stopping", "daemon.stopped"])
        starting, loaded = daemon.records[0], daemon.all("plugin.loaded")[0]
        self.assertEqual(starting["pid"], daemon.process.pid)
        self.assertTrue(starting["version"])
        self.assertEqual(starting["config"]["files"], [os.path.join(self.folder, "actord.conf")])
        self.assertEqual(loaded["plugin"]["name"], "echo")
        self.assertEqual(loaded["plugin"]["behaviours"], ["Echo"])
        self.assertTrue(os.path.samefile(loaded["plugin"]["file"],
                                         os.path.join(rig.PLUGINS, "echo.so")))

    def test_actors_stop_from_the_leaves_up_and_the_log_outlives_them(self):
        daemon = self.start("""
            actord.user {
              upper { children { middle { children { lower { behaviour = "echo/Echo" } } } } }
              beside { behaviour = "echo/Echo" }
            }
            """)
        daemon.wait_for("daemon.ready")
        self.assert_stops_in_order(daemon)
        stopped = [record["actor"]["path"] for record in daemon.all("actor.stopped")]
        stopped = [path.split("#")[0] for path in stopped]
        self.assertEqual(stopped[-4:], ["/user", "/system/log", "/system", "/"], daemon.log_tail())
        self.assertEqual(set(stopped[:-4]), {"/user/upper", "/user/upper/middle",
                                             "/user/upper/middle/lower", "/user/beside"})
        for place, path in enumerate(stopped):
            for later in stopped[place + 1:]:
                self.assertFalse(later.startswith(path + "/"), f"{later} after {path}")

    def test_configured_actors_start_in_the_order_of_the_file(self):
        daemon = self.start("""
            actord.user {
              c { behaviour = "echo/Echo" }
              a { children { inner { behaviour = "echo/Echo" } } }
              b { behaviour = "echo/Echo" }
            }
            """)
        daemon.wait_for("daemon.ready")
        daemon.stop()
        started = [record["actor"]["path"].split("#")[0] for record in daemon.all("actor.started")]
        started = [path for path in started if path.startswith("/user/")]
        self.assertEqual(sorted(started),
                         ["/user/a", "/user/a/inner", "/user/b", "/user/c"])
        for before, after in (("/user/c", "/user/a"), ("/user/a/inner", "/user/b")):
            self.assertLess(started.index(before), started.index(after), started)

    def test_a_tree_without_actors_of_ours_is_ready_too(self):
        daemon = self.start("actord {}\n")
        self.assertEqual(daemon.wait_for("daemon.ready")["actors"], 0)
        self.assert_stops_in_order(daemon)

    def test_a_reader_of_the_log_that_goes_away_does_not_end_the_daemon(self):
        daemon = self.start(ECHO)
        daemon.wait_for("daemon.ready")
        fd = daemon.process.stdout.fileno()
        del daemon._pipes[fd]
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, fd)
        os.close(null)
        self.assertEqual(daemon.stop(), 0)

    def test_a_signal_that_comes_while_it_boots_is_not_lost(self):
        daemon = self.start(ECHO)
        daemon.wait_for("daemon.starting")
        self.assert_stops_in_order(daemon)

    def signal_until_end(self, daemon, number):
        """Repeats the signal until the daemon ends, since a second one that follows at once counts
        as a duplicate of the first. Returns the exit status."""
        for _ in range(200):
            daemon.send(number)
            try:
                return daemon.wait(patience=0.1)
            except TimeoutError:
                pass
        return None

    def test_two_signals_at_once_are_one_request_to_stop(self):
        daemon = self.start(ECHO)
        daemon.wait_for("daemon.ready")
        daemon.send_at_once(signal.SIGTERM, signal.SIGINT)
        self.assertEqual(daemon.wait(), 0, daemon.log_tail())
        self.assert_clean_log(daemon)

    def test_a_second_signal_ends_it_at_once(self):
        daemon = self.start('actord.user { stubborn { behaviour = "stubborn/Stubborn" } }',
                            plugins=(rig.BAD_PLUGINS,))
        daemon.wait_for("daemon.ready")
        daemon.send(signal.SIGTERM)
        daemon.wait_for("stubborn.stays")
        status = self.signal_until_end(daemon, signal.SIGINT)
        self.assertEqual(status, 128 + signal.SIGINT, daemon.log_tail())
        self.assert_clean_log(daemon)
        self.assertEqual(daemon.records[-1]["exit"], 128 + signal.SIGINT)
        self.assertIn("SIGINT", daemon.records[-1]["reason"])


    def test_a_long_stop_names_the_actors_it_waits_for(self):
        daemon = self.start("""
            actord.user {
              upper { children { stubborn { behaviour = "stubborn/Stubborn" } } }
              quick {}
            }
            """, plugins=(rig.BAD_PLUGINS,))
        daemon.wait_for("daemon.ready")
        daemon.send(signal.SIGTERM)
        warning = daemon.wait_for("daemon.stopping", lambda record: record["level"] == "warning")
        self.assertEqual(warning["msg"], "waiting for actors to stop")
        self.assertEqual(warning["waits_for"], ["/user/upper/stubborn"])
        self.assertGreaterEqual(warning["duration_ms"], 5000)
        self.assertEqual(self.signal_until_end(daemon, signal.SIGTERM), 128 + signal.SIGTERM)


class Output(rig.Case):
    """Standard output that takes nothing, or nothing any more, or does not exist."""

    PIPE_SIZE, F_SETPIPE_SZ = 4096, 1031  # Python has the name since 3.10

    def spawn(self, stdout, redirections="", environment=None):
        command = [rig.BIN, "--config", self.write("actord.conf", ECHO), "--log-format", "json",
                   "--set", f'actord.state-dir="{self.state}"', "--plugin-path", rig.PLUGINS]
        if redirections:
            command = ["/bin/sh", "-c", f'exec "$0" "$@" {redirections}', *command]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout,
                                   stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, **(environment or {})})
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def spawn_unread(self):
        """A ready daemon that could not write a single line, because its pipe was full before."""
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        fcntl.fcntl(writer, self.F_SETPIPE_SZ, self.PIPE_SIZE)
        os.write(writer, b" " * self.PIPE_SIZE)
        address = os.path.join(self.folder, "notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(address)
            manager.settimeout(rig.PATIENCE)
            process = self.spawn(writer, environment={"NOTIFY_SOCKET": address})
            os.close(writer)
            while b"READY=1" not in manager.recv(4096):
                pass
        return process, reader

    def test_a_reader_that_does_not_read_does_not_hold_up_the_stop(self):
        process, _ = self.spawn_unread()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(rig.PATIENCE), 0)
        self.assertRegex(process.stderr.read(), r"\Aactord: log: standard output is not read any "
                                                r"more; [0-9]+ lines are lost\n\Z")

    def test_a_reader_that_does_not_read_does_not_hold_up_a_second_signal(self):
        process, _ = self.spawn_unread()
        status = None
        while status is None:
            process.send_signal(signal.SIGTERM)
            try:
                status = process.wait(0.1)
            except subprocess.TimeoutExpired:
                pass
        self.assertEqual(status, 128 + signal.SIGTERM)

    def test_a_slow_reader_gets_everything(self):
        process, reader = self.spawn_unread()
        process.send_signal(signal.SIGTERM)
        log = b""
        while chunk := os.read(reader, 100):
            log += chunk
        self.assertEqual(process.wait(rig.PATIENCE), 0)
        events = [json.loads(line)["event"] for line in log.splitlines()]
        self.assertEqual((events[0], events[-1]), ("daemon.starting", "daemon.stopped"))
        self.assertEqual(process.stderr.read(), "")

    def test_a_full_disk_is_reported_once(self):
        with open("/dev/full", "wb") as full:
            process = self.spawn(full)
        self.assertEqual(process.stderr.readline(),
                         "actord: log: cannot write to standard output: No space left on device; "
                         "lines are lost until it works again\n")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(rig.PATIENCE), 0)
        self.assertRegex(process.stderr.read(),
                         r"\Aactord: log: standard output did not work again "
                         r"\(No space left on device\); [0-9]+ lines.*\n\Z")

    def test_closed_standard_descriptors_are_not_reused(self):
        process = self.spawn(None, "<&- >&-")
        self.assertIn("standard output: Bad file descriptor", process.stderr.readline())
        for fd in (0, 1):
            self.assertEqual(os.readlink(f"/proc/{process.pid}/fd/{fd}"), os.devnull)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(rig.PATIENCE), 0)


class ServiceManager(rig.Case):
    def receive(self, name, address):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(address)
            manager.settimeout(rig.PATIENCE)
            daemon = self.start(ECHO, environment={"NOTIFY_SOCKET": name})
            notices = []
            while not any(line == "READY=1" for line in notices):
                notices += manager.recv(4096).decode().splitlines()
            self.assertIn("daemon.ready", [daemon.wait_for("daemon.ready")["event"]])
            daemon.send(signal.SIGTERM)
            while not any(line == "STOPPING=1" for line in notices):
                notices += manager.recv(4096).decode().splitlines()
            self.assertEqual(daemon.wait(), 0)
            return notices

    def test_the_service_manager_hears_when_actors_are_up_and_when_they_stop(self):
        path = os.path.join(self.folder, "notify")
        notices = self.receive(path, path)
        self.assertIn("STATUS=1 of 1 configured actor is up", notices)
        self.assertLess(notices.index("READY=1"), notices.index("STOPPING=1"))

    def test_its_socket_may_have_an_abstract_name(self):
        name = f"actord-test-{os.getpid()}"
        self.assertIn("READY=1", self.receive("@" + name, "\0" + name))

    def fill(self, address):
        """Fills the queue of the socket. Each message has a sender of its own, because where the
        queue is long (net.unix.max_dgram_qlen) one sender's buffer is full before it."""
        with self.assertRaises(BlockingIOError):
            while True:
                with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                    sender.setblocking(False)
                    sender.sendto(b"x", address)

    def test_a_service_manager_that_reads_nothing_holds_up_nothing(self):
        address = os.path.join(self.folder, "notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(address)
            self.fill(address)
            daemon = self.start(ECHO, environment={"NOTIFY_SOCKET": address,
                                                   "WATCHDOG_USEC": "100000"})
            daemon.wait_for("daemon.ready")
            daemon.send(signal.SIGHUP)
            daemon.wait_for("config.reloaded")
            # when it reads again, it learns the state
            manager.settimeout(rig.PATIENCE)
            while b"READY=1" not in manager.recv(4096):
                pass
            self.fill(address)
            self.assert_stops_in_order(daemon)

    def test_a_missing_notify_socket_is_no_error(self):
        daemon = self.start(ECHO, environment={"NOTIFY_SOCKET": self.folder + "/nobody"})
        daemon.wait_for("daemon.ready")
        self.assert_stops_in_order(daemon)


class UnusedSignals(rig.Case):
    def test_a_signal_that_means_nothing_is_logged_with_its_sender_and_ends_nothing(self):
        daemon = self.start(ECHO)
        daemon.wait_for("daemon.ready")
        for name in ("SIGUSR1", "SIGUSR2", "SIGALRM", "SIGPOLL", "SIGPWR"):
            daemon.send(getattr(signal, name))
            ignored = daemon.wait_for("daemon.signal-ignored")
            self.assertEqual((ignored["level"], ignored["signal"], ignored["count"]),
                             ("warning", name, 1))
            self.assertEqual((ignored["peer"]["pid"], ignored["peer"]["uid"]),
                             (os.getpid(), os.getuid()))
        self.assert_stops_in_order(daemon)

    def test_a_flood_of_them_is_one_line(self):
        daemon = self.start(ECHO)
        daemon.wait_for("daemon.ready")
        for _ in range(50):
            daemon.send(signal.SIGUSR1)
            daemon.send(signal.SIGHUP)
            daemon.wait_for("config.reloaded")
        self.assert_stops_in_order(daemon)
        self.assertEqual(len(daemon.all("daemon.signal-ignored")), 1)

    def test_a_broken_pipe_ends_nothing(self):
        daemon = self.start(ECHO)
        daemon.wait_for("daemon.ready")
        daemon.send(signal.SIGPIPE)
        self.assert_stops_in_order(daemon)


class Unsafe(rig.Case):
    """What gives others too much power is told once, and the daemon starts."""

    def warnings(self, **keywords):
        daemon = self.start(ECHO, **keywords)
        daemon.wait_for("daemon.ready")
        self.assert_stops_in_order(daemon)
        return [(record["msg"], record["help"]) for record in daemon.all("daemon.unsafe")]

    def test_a_state_directory_of_its_own_is_no_reason(self):
        self.assertEqual(self.warnings(), [])

    def test_a_state_directory_that_others_may_write(self):
        os.mkdir(self.state)
        for mode in (0o770, 0o702, 0o1777):
            os.chmod(self.state, mode)
            with self.subTest(oct(mode)):
                self.assertEqual(self.warnings(), [(
                    f"other users may write to the state directory {self.state} and can replace "
                    "the files of actors", f"chmod go-w {self.state}")])
        os.chmod(self.state, 0o755)
        self.assertEqual(self.warnings(), [])

    @unittest.skipIf(os.getuid() != 0, "only root may give folders away")
    def test_a_state_directory_of_another_user(self):
        os.mkdir(self.state, 0o700)
        os.chown(self.state, 4_000_123, -1)
        self.assertEqual(self.warnings(), [(
            f"the state directory {self.state} belongs to 4000123, who can replace the files of "
            "actors", f"chown root: {self.state}")])

    @unittest.skipIf(os.getuid() != 0, "needs root")
    def test_a_service_that_runs_as_root(self):
        # the shell's process id becomes that of actord, as with a process that systemd starts
        config = self.write("actord.conf", ECHO)
        process = subprocess.Popen(
            ["/bin/sh", "-c", 'SYSTEMD_EXEC_PID=$$ exec "$0" "$@"', rig.BIN, "--config", config,
             "-s", f"actord.state-dir={self.state}", "-s", "actord.plugins.trust=developer",
             "-p", rig.PLUGINS],
            stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        said = []
        for line in process.stdout:
            record = json.loads(line)
            if record["event"] == "daemon.unsafe":
                said.append(record["msg"])
            if record["event"] == "daemon.ready":
                break
        self.assertEqual(said, ["the service runs as root, and so does the code of all plugins"])
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(rig.PATIENCE), 0)


class Words(rig.Case):
    def test_version_and_help_need_no_configuration(self):
        for option, words in (("--version", "actord 0."), ("--help", "Usage: actord")):
            done = subprocess.run([rig.BIN, option], capture_output=True, text=True, check=False,
                                  timeout=rig.PATIENCE)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(words, done.stdout)


class ListPlugins(rig.Case):
    def listed(self, *words):
        done = subprocess.run([rig.BIN, "--list-plugins", *words], capture_output=True, text=True,
                              timeout=rig.PATIENCE, check=False)
        return done.returncode, done.stdout.splitlines(), done.stderr

    def test_of_each_example_they_are_those_of_its_behaviours(self):
        behaviour = re.compile(r"""^[^#\n]*behaviour["' ]*[=:]["' ]*(\w+)/""", re.MULTILINE)
        for name in os.listdir(rig.EXAMPLES):
            if not name.endswith((".conf", ".yaml")):
                continue
            path = os.path.join(rig.EXAMPLES, name)
            with open(path, encoding="utf-8") as file:
                named = behaviour.findall(file.read())
            self.assertTrue(named, name)
            self.assertEqual(self.listed(path), (0, list(dict.fromkeys(named)), ""), name)

    def test_they_are_known_by_whatever_names_them_and_need_not_exist(self):
        self.write("more.conf", "vars.plugin = of_a_variable")
        self.write("conf.d/1.conf", 'actord.user.a.behaviour = "of_a_drop_in/A"')
        path = self.write("actord.conf", """
            include "more.conf"
            actord {
              actor.guardian-supervisor-strategy = "of_the_guardian/Strategy"
              user {
                b { behaviour = ${vars.plugin}"/B", config.key = { env = THERE_IS_NONE } }
                c { behaviour = "actord/Inner", children.d.behaviour = "of_a_child/D" }
              }
            }""")
        option = 'actord.user.e.behaviour="of_an_option/E"'
        status, names, errors = self.listed(path, "--set", option)
        self.assertEqual((status, errors), (0, ""))
        self.assertCountEqual(names, ["of_the_guardian", "of_a_drop_in", "of_a_variable",
                                      "of_a_child", "of_an_option"])
        self.assertFalse(os.path.exists(self.state))

    def test_errors_hide_no_more_than_they_must(self):
        path = self.write("actord.conf", 'actord { mistake = 1, user.a.behaviour = "good/A" }')
        status, names, errors = self.listed(path)
        self.assertEqual((status, names), (rig.EX_CONFIG, ["good"]))
        self.assertIn("mistake", errors)


class Check(rig.Case):
    def check(self, config, *options):
        path = self.write("checked.conf", config)
        command = [rig.BIN, "--check", "--config", path, "--plugin-path", rig.PLUGINS,
                   "--set", f'actord.state-dir="{self.state}"', *options]
        return subprocess.run(command, capture_output=True, text=True, timeout=rig.PATIENCE,
                              check=False)

    def test_a_valid_configuration_is_reported_and_nothing_is_started(self):
        done = self.check(ECHO)
        self.assertEqual((done.returncode, done.stdout), (0, "configuration ok\n"), done.stderr)
        self.assertEqual(done.stderr, "")
        self.assertFalse(os.path.exists(self.state))

    def test_what_only_the_plugin_knows_is_checked_as_well(self):
        done = self.check(ECHO.replace("Echo\"", "Ecco\""))
        self.assertEqual(done.returncode, rig.EX_CONFIG)
        self.assertIn("checked.conf:1:", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_a_file_that_an_include_names_in_vain_is_a_warning(self):
        done = self.check('include "absent.conf"\n' + ECHO)
        self.assertEqual((done.returncode, done.stdout), (0, "configuration ok\n"), done.stderr)
        self.assertIn("absent.conf", done.stderr)
        self.assertIn("checked.conf:1:", done.stderr)

    def test_a_misspelt_exception_is_a_warning_and_with_strict_an_error(self):
        config = """actord.user.crawler {
  behaviour = "crawler/Master", config { start = "http://127.0.0.1:1/" }
  supervisor-strategy.decider { "crawler::RetreivalException" = restart }
}
"""
        done = self.check(config)
        self.assertEqual((done.returncode, done.stdout), (0, "configuration ok\n"), done.stderr)
        self.assertIn(
            'checked.conf:3:34: warning: unknown failure "crawler::RetreivalException" [W0401]\n',
            done.stderr)
        self.assertIn('  help: did you mean "crawler::RetrievalException"?\n', done.stderr)
        strict = self.check(config, "--strict")
        self.assertEqual((strict.returncode, strict.stdout), (rig.EX_CONFIG, ""))
        self.assertTrue(strict.stderr.startswith(done.stderr), strict.stderr)
        right = self.check(config.replace("Retreival", "Retrieval"), "--strict")
        self.assertEqual((right.returncode, right.stderr), (0, ""))
        base = self.check(config.replace("crawler::RetreivalException", "std::exception"),
                          "--strict")
        self.assertEqual(base.returncode, 0, base.stderr)

    def test_an_exception_that_nothing_declares_is_a_note_which_strict_accepts(self):
        config = ECHO + 'actord.user.echo.supervisor-strategy.decider { "shop::X" = stop }\n'
        done = self.check(config, "--strict")
        self.assertEqual((done.returncode, done.stdout), (0, "configuration ok\n"), done.stderr)
        self.assertIn('checked.conf:2:49: note: unknown failure "shop::X"', done.stderr)
        daemon = self.start(config)
        note = daemon.wait_for("config.note")
        daemon.wait_for("daemon.ready")
        self.assertEqual((note["level"], note["config"]["line"]), ("info", 2))
        self.assertEqual(daemon.all("config.warning"), [])
        self.assert_stops_in_order(daemon)


if __name__ == "__main__":
    rig.main()
