# SPDX-License-Identifier: Apache-2.0
"""Limits of the process: a shortage is told, and no assertion ends actord for it."""

import json
import os
import resource
import signal
import subprocess
import unittest

import rig

GIB = 1 << 30
# Runs a command with a small disk of its own at $0, mounted with the options $1.
OWN_DISK = ["unshare", "--mount", "--map-root-user", "sh", "-c",
            'mount -t tmpfs -o "$1" none "$0" && cd "$0" && shift && exec "$@"']
# Fills the disk; frees it again when the test writes a line.
FILLED = ("dd if=/dev/zero of=fill bs=1k count=1000 2> /dev/null; "
          'exec 3<&0; (read line <&3 && rm fill && echo freed >&2) & exec "$0" "$@" > log')
BLOCKING = """
actord.user.it { behaviour = "echo/Echo", dispatcher = %s }
"""


class Limits(rig.Case):
    def run_limited(self, config, limits):
        """A daemon under soft limits, as {resource: value}."""
        path = self.write("actord.conf", config)
        before = {each: resource.getrlimit(each) for each in limits}
        for each, value in limits.items():
            if before[each][1] != resource.RLIM_INFINITY and value > before[each][1]:
                self.skipTest(f"a limit of {before[each][1]} is set already")
            resource.setrlimit(each, (value, before[each][1]))
        try:
            daemon = self.start(path)
        finally:
            for each, value in before.items():
                resource.setrlimit(each, value)
        return daemon

    @unittest.skipIf("ACTORD_SANITIZED" in os.environ, "a sanitizer reserves addresses itself")
    def test_a_limit_of_addresses_or_of_data(self):
        for what, name in ((resource.RLIMIT_AS, "RLIMIT_AS"),
                           (resource.RLIMIT_DATA, "RLIMIT_DATA")):
            for limit in (1 * GIB, 40 * GIB, 64 * GIB, 100 * GIB):
                with self.subTest(name, gib=limit // GIB):
                    daemon = self.run_limited("actord.user.it.behaviour = \"echo/Echo\"\n",
                                              {what: limit})
                    daemon.wait_for("daemon.ready")
                    self.assert_stops_in_order(daemon)
            with self.subTest(name, mib=160):
                daemon = self.run_limited("actord.user.it.behaviour = \"echo/Echo\"\n",
                                          {what: 160 << 20})
                self.assertEqual(daemon.wait(), rig.EX_OSERR, daemon.log_tail())
                self.assertIn(name, daemon.errors)
                self.assertNotIn("assertion", daemon.errors)

    @unittest.skipIf(os.geteuid() != 0, "needs another user whose threads can be counted")
    @unittest.skipIf("ACTORD_SANITIZED" in os.environ, "a sanitizer has a thread of its own")
    def test_a_limit_of_threads(self):
        """Where the start itself lacks one it fails; where an actor lacks one the actor waits."""
        user = 64321
        os.chmod(self.folder, 0o755)
        os.makedirs(self.state)
        os.chown(self.state, user, user)

        def become(threads):
            resource.setrlimit(resource.RLIMIT_NPROC, (threads, threads))
            os.setgid(user)
            os.setuid(user)
        try:
            subprocess.run([rig.BIN, "--version"], preexec_fn=lambda: become(64), check=True,
                           capture_output=True, timeout=60)
        except (OSError, subprocess.SubprocessError):
            self.skipTest(f"another user cannot run {rig.BIN}")
        errors = os.path.join(self.folder, "errors")

        def run(threads, path, seconds, ends_with="nothing"):
            """Until it ends, has logged that event, or has had its seconds: status, log, errors."""
            words = ["timeout", "-k", "1", "-s", "TERM", seconds, rig.BIN, path, "--plugin-path",
                     rig.PLUGINS, "--log-format", "json", "--set",
                     f'actord.state-dir="{self.state}"', "--set",
                     "actord.actor.default-dispatcher.workers=1"]
            log = ""
            with open(errors, "w", encoding="utf-8") as file, subprocess.Popen(
                    words, preexec_fn=lambda: become(threads), stdout=subprocess.PIPE,
                    stderr=file, text=True) as process:
                for line in process.stdout:
                    log += line
                    if f'"{ends_with}"' in line:
                        process.terminate()
            with open(errors, encoding="utf-8") as file:
                return process.returncode, log, file.read()

        for dispatcher in ("blocking-io", "pinned"):
            path = self.write("actord.conf", BLOCKING % dispatcher)
            for threads in range(2, 12):
                with self.subTest(dispatcher, threads=threads):
                    status, log, said = run(threads, path, "60" if threads == 3 else "1")
                    self.assertNotIn("assertion", said)
                    self.assertNotIn("daemon.crashed", log)
                    if threads == 3:
                        self.assertEqual(status, rig.EX_OSERR, log + said)
                        self.assertIn("the limit on threads must be raised", said)
            with self.subTest(dispatcher, threads=24):
                _, log, said = run(24, path, "60", "daemon.ready")
                self.assertIn('"daemon.ready"', log, said)

    @unittest.skipIf("ACTORD_SANITIZED" in os.environ, "a sanitizer has a thread of its own")
    def test_no_thread_can_be_had_while_it_runs(self):
        """The reload is refused; with too few, pinned actors start one after the other on them."""
        group = rig.Group(self, "pids", {"pids.max": "max"})
        quiet = 'actord.user.quiet.behaviour = "echo/Echo"\n'
        daemon = self.start(quiet)
        daemon.wait_for("daemon.ready")
        group.add(daemon)
        threads = len(os.listdir(f"/proc/{daemon.process.pid}/task"))
        group.set("pids.max", threads)
        self.write("actord.conf", quiet + "".join(
            f'actord.user.it{i} {{ behaviour = "echo/Echo", dispatcher = pinned }}\n'
            for i in range(8)))
        daemon.send(signal.SIGHUP)
        rejected = daemon.wait_for("config.rejected")
        self.assertIn("cannot start a thread to read the configuration", rejected["reason"])
        group.set("pids.max", threads + 4)
        daemon.send(signal.SIGHUP)
        started, threads = set(), set()
        while len(started) < 8:
            record = daemon.wait_for("actor.started", lambda each: "/it" in each["actor"]["path"])
            started.add(record["actor"]["path"])
            threads.add(record["tid"])
        self.assertLessEqual(len(threads), 4)
        self.assert_stops_in_order(daemon)


class Disks(rig.Case):
    def spawn_on_disk(self, options, script, *arguments, has_plugins=False):
        """With `has_plugins` the daemon has to trust its plugins beside the disk: in a namespace of
        users the files of root are nobody's."""
        probe = ("test", "-O", "/") if has_plugins else ("true",)
        disk = os.path.join(self.folder, "disk")
        os.makedirs(disk, exist_ok=True)  # as a skipped subtest leaves it
        words = [*OWN_DISK, disk, options, *script, rig.BIN, *arguments]
        if subprocess.run([*OWN_DISK, disk, options, *probe], check=False,
                          capture_output=True).returncode != 0:
            self.skipTest("no disk can be mounted here" +
                          (", or only without the plugins of root" if has_plugins else ""))
        path = self.write("actord.conf", "actord.user.it.behaviour = \"echo/Echo\"\n")
        process = subprocess.Popen(
            [*words, path, "--plugin-path", rig.PLUGINS, "--log-format", "json"], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process, disk

    def test_a_state_directory_that_cannot_be_written(self):
        for name in ("made", "missing/state"):
            with self.subTest(name):
                disk = os.path.join(self.folder, "disk")
                where = disk if name == "made" else os.path.join(disk, name)
                process, _ = self.spawn_on_disk("ro", [], "--set", f'actord.state-dir="{where}"')
                out, errors = process.communicate(timeout=rig.PATIENCE)
                self.assertEqual(process.returncode, rig.EX_NOPERM, out + errors)
                self.assertIn("Read-only file system", errors)
                self.assertIn("the state directory: cannot", errors)
                os.rmdir(disk)

    def test_a_state_directory_on_a_disk_that_is_full_at_the_first_start(self):
        fill = "dd if=/dev/zero of=fill bs=1k count=1000 2> /dev/null; exec "
        disk = os.path.join(self.folder, "disk")
        process, _ = self.spawn_on_disk("size=64k", ["sh", "-c", fill + '"$0" "$@"'],
                                        "--set", f'actord.state-dir="{disk}"')
        out, errors = process.communicate(timeout=rig.PATIENCE)
        self.assertEqual(process.returncode, rig.EX_OSERR, out + errors)
        self.assertIn(f"cannot write {disk}/actord.version: No space left on device", errors)
        self.assertIn("help: make room there", errors)

    def test_a_log_on_a_disk_that_is_full_and_then_is_not(self):
        process, disk = self.spawn_on_disk("size=64k", ["sh", "-c", FILLED], "--set",
                                           f'actord.state-dir="{self.state}"', has_plugins=True)
        self.assertIn("No space left on device", process.stderr.readline())
        process.stdin.write("free\n")
        process.stdin.flush()
        errors = process.stderr.readline()
        while not errors.endswith("freed\n"):
            errors += process.stderr.readline()
        with open(f"/proc/{process.pid}/root{disk}/log", encoding="utf-8") as log:
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(rig.PATIENCE), 0)
            lines = log.read().splitlines()
        self.assertRegex(errors + process.stderr.read(),
                         r"standard output works again; [0-9]+ lines? w")
        # Each line is whole, also the first one that could be written again.
        self.assertEqual(json.loads(lines[-1])["event"], "daemon.stopped")
        for line in lines:
            json.loads(line)


if __name__ == "__main__":
    rig.main()
