# SPDX-License-Identifier: Apache-2.0
"""Starts the real daemon and reads its log, line by line, as the lines arrive.

No test sleeps: every wait is for a line, for the end of the process or for the deadline. The
environment says where things are (CMakeLists.txt): ACTORD_BIN, ACTORCTL_BIN, ACTORD_PLUGINS,
ACTORD_BAD_PLUGINS, and ACTORD_SITE_ROOT for the web site of the big crawl.
"""

import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import log_schema
except ImportError:  # ./dev test installs it
    log_schema = None
    print("lines are not compared with the schema of the log: apt-get install python3-jsonschema")

BIN = os.environ["ACTORD_BIN"]
CTL = os.environ["ACTORCTL_BIN"]
PLUGINS = os.environ["ACTORD_PLUGINS"]
BAD_PLUGINS = os.environ["ACTORD_BAD_PLUGINS"]
EXAMPLES = os.environ["ACTORD_EXAMPLES"]
SITE_ROOT = os.environ.get("ACTORD_SITE_ROOT", "/usr/share/doc/sqlite3")
# Sanitizers and busy machines need longer; a wait that succeeds early costs none of this time.
PATIENCE = float(os.environ.get("ACTORD_PATIENCE", "60"))
# Factor for the allowed growth of memory: a sanitizer keeps freed memory, and finds leaks itself.
SANITIZERS = os.environ.get("ACTORD_SANITIZED", "").split("+")
GROWTH = 256 if "ACTORD_SANITIZED" in os.environ else 1

# actord and actorctl read these variables, and $HOME, which Case.setUp sets. A test sets those that
# it needs; variables of the user or service that runs the tests must not reach the daemon.
VARIABLES = ("ACTORD_SOCKET", "CREDENTIALS_DIRECTORY", "JOURNAL_STREAM", "LISTEN_FDNAMES",
             "LISTEN_FDS", "LISTEN_PID", "NOTIFY_SOCKET",
             "RUNTIME_DIRECTORY", "STATE_DIRECTORY", "SUDO_UID", "SYSTEMD_EXEC_PID",
             "WATCHDOG_PID", "WATCHDOG_USEC", "XDG_STATE_HOME")
for name in list(os.environ):
    if name in VARIABLES or name.startswith("ACTORD_SET_"):
        del os.environ[name]

# A sanitizer handles the signals of a crash itself: the process ends as well, but with its report
# only, and no record is kept.
with open(BIN, "rb") as binary:
    HAS_SANITIZER = re.search(b"__[at]san_init", binary.read()) is not None

EX_OK, EX_USAGE, EX_DATAERR, EX_NOINPUT, EX_UNAVAILABLE = 0, 64, 65, 66, 69
EX_SOFTWARE, EX_OSERR, EX_TEMPFAIL, EX_NOPERM, EX_CONFIG = 70, 71, 75, 77, 78


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class DaemonEnded(Exception):
    """The daemon ended before it wrote an expected line."""


class Daemon:
    """One run. `records` are the lines of its log so far, each a dict; `bad_lines` are the lines
    that are no JSON; `errors` is what it wrote to standard error."""

    def __init__(self, arguments, environment=None, stdin=subprocess.DEVNULL, sockets=()):
        """`sockets` listen, and are passed as a service manager passes them."""
        self.records, self.bad_lines, self.errors = [], [], ""
        self._buffers = {"out": b"", "err": b""}
        self._seen = 0
        command = [BIN, *arguments]
        if sockets:  # they become the descriptors from 3 on
            moves = " ".join(f"{3 + i}<&{each.fileno()}" for i, each in enumerate(sockets))
            command = ["bash", "-c", f'LISTEN_PID=$$ LISTEN_FDS={len(sockets)} exec "$@" {moves}',
                       "bash", *command]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=stdin,
            env={**os.environ, **(environment or {})},
            pass_fds=[each.fileno() for each in sockets])
        self._pipes = {self.process.stdout.fileno(): "out", self.process.stderr.fileno(): "err"}

    # ---- reading

    def _take(self, which, data):
        if which == "err":
            self._buffers["err"] += data
            self.errors = self._buffers["err"].decode(errors="replace")
            return
        *lines, self._buffers["out"] = (self._buffers["out"] + data).split(b"\n")
        for line in lines:
            try:
                self.records.append(json.loads(line))
            except ValueError:
                self.bad_lines.append(line)

    def _read(self, deadline):
        """Reads once from each pipe that has data. Returns False when both have ended."""
        if not self._pipes:
            return False
        left = max(0.0, deadline - time.monotonic())
        ready, _, _ = select.select(list(self._pipes), [], [], left)
        if not ready:
            raise TimeoutError(self.log_tail())
        for fd in ready:
            data = os.read(fd, 1 << 16)
            if data:
                self._take(self._pipes[fd], data)
            else:
                del self._pipes[fd]
        return True

    def wait_for(self, event, where=lambda record: True, patience=PATIENCE):
        """The next record of that event, or of one of several, for which `where` holds. Records
        before it are skipped."""
        events = (event,) if isinstance(event, str) else event
        deadline = time.monotonic() + patience
        while True:
            while self._seen < len(self.records):
                record = self.records[self._seen]
                self._seen += 1
                if record.get("event") in events and where(record):
                    return record
            if not self._read(deadline):
                raise DaemonEnded(f"waiting for {event}\n{self.log_tail()}")

    def wait(self, patience=PATIENCE):
        """Reads to the end, and returns the exit status."""
        deadline = time.monotonic() + patience
        while self._read(deadline):
            pass
        return self.process.wait(max(0.1, deadline - time.monotonic()))

    # ---- signals and end

    def send(self, number):
        self.process.send_signal(number)

    def send_at_once(self, *numbers):
        """The daemon finds all of these signals when it looks for the first one."""
        for number in (signal.SIGSTOP, *numbers, signal.SIGCONT):
            self.send(number)

    def stop(self, number=signal.SIGTERM, patience=PATIENCE):
        self.send(number)
        return self.wait(patience)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    # ---- inspecting

    def all(self, event):
        return [record for record in self.records if record.get("event") == event]

    def events(self):
        return [record.get("event") for record in self.records]

    def resident_kib(self):
        """The memory that the process has taken."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))

    def log_tail(self):
        """The last lines of the log and standard error, for the message of a failed test."""
        tail = "\n".join(json.dumps(record) for record in self.records[-25:])
        return f"--- log\n{tail}\n--- stderr\n{self.errors}---"


class Manager:
    """A service manager that keeps what it is told."""

    def __init__(self, address):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(PATIENCE)

    def close(self):
        self.socket.close()

    def wait_for(self, line):
        seen = []
        while True:
            lines = self.socket.recv(4096).decode().splitlines()
            seen += lines
            if any(each.startswith(line) for each in lines):
                return seen


class Group:
    """A control group with a limit. Needs root, and a hierarchy that may be written."""

    def __init__(self, case, controller, limits):
        self.path = f"/sys/fs/cgroup/{controller}/actord-{os.getpid()}"
        names = limits
        if not os.path.isdir(os.path.dirname(self.path)):  # version 2
            self.path = f"/sys/fs/cgroup/actord-{os.getpid()}"
            names = {{"memory.limit_in_bytes": "memory.max"}.get(name, name): value
                     for name, value in limits.items()}
        try:
            os.mkdir(self.path)
            case.addCleanup(self._remove)
            for name, value in names.items():
                self.set(name, value)
        except OSError as error:
            case.skipTest(f"no control group can be made here: {error}")

    def set(self, name, value):
        with open(os.path.join(self.path, name), "w", encoding="ascii") as file:
            file.write(str(value))

    def add(self, daemon):
        self.set("cgroup.procs", daemon.process.pid)

    def _remove(self):
        try:
            os.rmdir(self.path)
        except FileNotFoundError:
            pass


class Case(unittest.TestCase):
    """Gives each test a folder of its own, and ends its daemons with it."""

    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="actord-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.state = os.path.join(self.folder, "state")
        os.environ["HOME"] = self.folder

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def silent_drop_ins(self, count=1):
        """Pipes as drop-ins, which the test holds open and never writes: a reader waits 10 s for
        each. Returns a function that ends them."""
        held = []
        for i in range(count):
            path = self.write(f"conf.d/{i:02}-silent.conf", "")
            os.remove(path)
            os.mkfifo(path, 0o600)
            held.append(os.open(path, os.O_RDWR))

        def close():
            while held:
                os.close(held.pop())
        self.addCleanup(close)
        return close

    def start(self, config, *arguments, plugins=(PLUGINS,), sets=(), environment=None,
              stdin=subprocess.DEVNULL, sockets=()):
        """`config` is a path, or the text of a configuration."""
        config_text = config
        if "\n" in config or "{" in config:
            config = self.write("actord.conf", config)
        everything = ["--config", config, "--log-format", "json",
                      "--set", f'actord.state-dir="{self.state}"',
                      "--set", "actord.log.failure-burst=off",  # tests count failures
                      # Else each test would try out all bad plugins. What a test sets comes later.
                      *(() if "autoload" in config_text else
                        ("--set", "actord.plugins.autoload=off"))]
        for folder in plugins:
            everything += ["--plugin-path", folder]
        for assignment in sets:
            everything += ["--set", assignment]
        daemon = Daemon([*everything, *arguments], environment, stdin, sockets)
        self.addCleanup(self._end, daemon)
        return daemon

    def _end(self, daemon):
        """Ends the daemon. Each line that it wrote must be as the schema of the log says."""
        daemon.close()
        departures = (log_schema.departure(record) for record in daemon.records if log_schema)
        if departure := next(filter(None, departures), None):
            self.fail(f"a line departs from config/actord-log.schema.json: {departure}")

    def run_ctl(self, *words, environment=None, **keywords):
        """Runs actorctl to its end; its output is text."""
        return subprocess.run([CTL, *words], capture_output=True, text=True, timeout=PATIENCE,
                              env={**os.environ, **(environment or {})}, check=False, **keywords)

    def ctl(self, *words, status=EX_OK):
        """Asks the daemon of this test. Returns what actorctl prints, or why it has failed."""
        done = self.run_ctl(*words, "--socket", os.path.join(self.state, "actord.sock"))
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout if status == EX_OK else done.stderr

    def run_to_end(self, config, *arguments, **keywords):
        """Runs the daemon until it ends by itself. Returns it, and its exit status."""
        daemon = self.start(config, *arguments, **keywords)
        return daemon, daemon.wait()

    def have_actor_fail(self):
        """Has the actor of mortal/Mortal that reads the file `fate` of this test fail once.
        Returns the failure, when the actor is up again."""
        self.write("fate", "fail-once")
        failed = self.daemon.wait_for("actor.failed")
        self.daemon.wait_for("actor.restarted")
        return failed["failure"]

    # ---- what holds for every run

    def assert_clean_log(self, daemon):
        """Each line is JSON with the fields that every line has; the last line is the stop."""
        self.assertEqual(daemon.bad_lines, [])
        for record in daemon.records:
            for key in ("ts", "level", "event", "msg"):
                self.assertIn(key, record, record)
        sequence = [record["seq"] for record in daemon.records]
        self.assertEqual(sequence, sorted(set(sequence)))
        if daemon.records:
            self.assertEqual(daemon.records[-1]["event"], "daemon.stopped", daemon.log_tail())

    def assert_one_screen(self, daemon):
        lines = daemon.errors.splitlines()
        self.assertTrue(lines, "nothing on standard error")
        self.assertLessEqual(len(lines), 50, daemon.errors)
        self.assertNotIn("\x1b", daemon.errors)

    def assert_stops_in_order(self, daemon, status=EX_OK):
        got = daemon.stop()
        self.assertEqual(got, status, daemon.log_tail())
        self.assert_clean_log(daemon)
        self.assertEqual(daemon.records[-1]["exit"], status)


class ManagedCase(Case):
    """A case whose daemons get `environment`, and so a service manager."""

    def setUp(self):
        super().setUp()
        address = os.path.join(self.folder, "notify")
        self.manager = Manager(address)
        self.addCleanup(self.manager.close)
        self.environment = {"NOTIFY_SOCKET": address}


def main():
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]], verbosity=2)
