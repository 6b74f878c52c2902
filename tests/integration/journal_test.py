# SPDX-License-Identifier: Apache-2.0
"""The log of a service goes to the journal as entries with fields, and a crash does as well. Where
the socket of the journal cannot be used, its stream gets lines with priorities.

The daemon runs in a mount namespace of its own, with a /run of its own: the journal there is a
socket of the test, whether or not the machine has a journal.
"""

import json
import os
import re
import signal
import socket
import struct
import subprocess
import time
import unittest

import crash_test
import rig

OWN_RUN = ["unshare", "--mount", "--map-root-user", "sh", "-c",
           'mount -t tmpfs none /run && mkdir /run/systemd && ln -s "$0" /run/systemd/journal && '
           'exec "$@"']
CATALOGUE = os.path.join(rig.EXAMPLES, "..", "..", "systemd", "actord.catalog")


def has_own_run():
    """Whether this machine lets the test give the daemon a /run of its own and plugins that it
    trusts: in a namespace of users the files of root are nobody's."""
    try:
        return subprocess.run([*OWN_RUN, "/", "test", "-O", "/"], capture_output=True,
                              check=False).returncode == 0
    except FileNotFoundError:
        return False


def entry_of(data):
    """The fields of an entry of the native protocol: lists of values by name."""
    fields = {}
    while data:
        name, end, rest = re.match(rb"([A-Z][A-Z0-9_]{0,63})([=\n])(.*)", data, re.DOTALL).groups()
        if end == b"=":
            value, data = rest.split(b"\n", 1)
        else:
            size = struct.unpack("<Q", rest[:8])[0]
            value, data = rest[8:8 + size], rest[8 + size + 1:]
        fields.setdefault(name.decode(), []).append(value.decode())
    return fields


@unittest.skipUnless(has_own_run(), "no mount namespace with the plugins of root can be had")
class Journal(rig.Case):
    def setUp(self):
        super().setUp()
        self.place = os.path.join(self.folder, "journal")
        os.mkdir(self.place)
        self.stream, self.output = socket.socketpair()
        self.addCleanup(self.stream.close)
        self.addCleanup(self.output.close)

    def open_journal(self):
        journal = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(journal.close)
        journal.bind(os.path.join(self.place, "socket"))
        return journal

    def start_service(self, config, plugins):
        """The daemon as systemd starts it: both outputs are the journal's stream."""
        status = os.fstat(self.output.fileno())
        command = [*OWN_RUN, self.place, rig.BIN, "--config", self.write("actord.conf", config),
                   "--set", f'actord.state-dir="{self.state}"', "--plugin-path", plugins]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.output, stderr=self.output,
            env={**os.environ, "JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"})

        def end():
            process.kill()
            process.wait()
        self.addCleanup(end)
        return process

    def entries_until(self, event, journal):
        """The entries up to the one of that event."""
        deadline = time.monotonic() + rig.PATIENCE
        entries = []
        while not entries or entries[-1]["ACTORD_EVENT"] != [event]:
            journal.settimeout(max(0.01, deadline - time.monotonic()))
            entries.append(entry_of(journal.recv(1 << 20)))
        return entries

    def lines_to_end(self, process):
        """All lines of the stream."""
        self.output.close()
        with self.stream.makefile("rb") as stream:
            lines = stream.read().decode().splitlines()
        process.wait(rig.PATIENCE)
        return lines

    def test_the_log_of_a_service_is_entries_with_fields_and_its_stream_stays_empty(self):
        journal = self.open_journal()
        process = self.start_service(
            crash_test.TREE.format(how="foreign") +
            "\nactord.actor.guardian-supervisor-strategy.decider.default = stop\n",
            rig.BAD_PLUGINS)
        entries = self.entries_until("actor.failed", journal)
        failed = entries[-1]
        process.send_signal(signal.SIGTERM)
        entries += self.entries_until("daemon.stopped", journal)
        self.assertEqual(self.lines_to_end(process), [])
        self.assertEqual(process.returncode, 0)
        self.assertEqual(failed["PRIORITY"], ["3"])
        self.assertEqual(failed["SYSLOG_IDENTIFIER"], ["actord"])
        self.assertRegex(failed["MESSAGE"][0],
                         r"^actor\.failed /user/boss/crasher\S* int.* → stop .* id=\S+$")
        self.assertTrue(failed["MESSAGE"][0].endswith(f'id={failed["ACTORD_FAILURE_ID"][0]}'))
        self.assertEqual(failed["ACTORD_BEHAVIOUR"], ["crashing/Crasher"])
        self.assertEqual(failed["ACTORD_FAILURE_TYPES"], ["int", "actord::ForeignException"])
        self.assertEqual(failed["ACTORD_DECISION_PATH_1_DIRECTIVE"], ["stop"])
        with open(CATALOGUE, encoding="utf-8") as file:
            explained = set(re.findall(r"^-- ([0-9a-f]{32})$", file.read(), re.MULTILINE))
        for number, entry in enumerate(entries, 1):
            self.assertEqual(entry["ACTORD_SEQ"], [str(number)])
            self.assertIn(entry["MESSAGE_ID"][0], explained, entry)
        by_event = {entry["ACTORD_EVENT"][0]: entry for entry in entries}
        self.assertEqual(by_event["daemon.ready"]["PRIORITY"], ["5"])
        self.assertEqual(by_event["actor.started"]["PRIORITY"], ["6"])

    @unittest.skipIf(rig.HAS_SANITIZER, "a sanitizer writes its own report")
    def test_a_crash_is_one_entry(self):
        journal = self.open_journal()
        process = self.start_service(crash_test.TREE.format(how="pointer") + "\n",
                                     rig.BAD_PLUGINS)
        crashed = self.entries_until("daemon.crashed", journal)[-1]
        self.assertEqual(self.lines_to_end(process), [], "the stream has no second record")
        self.assertEqual(process.returncode, -signal.SIGSEGV)
        self.assertEqual(crashed["PRIORITY"], ["2"])
        self.assertEqual(crashed["ACTORD_SIGNAL"], ["SIGSEGV"])
        self.assertEqual(crashed["ACTORD_ACTOR"], ["/user/boss/crasher"])
        self.assertEqual(crashed["ACTORD_PLUGIN"], ["crashing"])

    def test_without_its_socket_the_stream_of_the_journal_gets_lines_with_priorities(self):
        process = self.start_service(crash_test.TREE.format(how="pointer") + "\n",
                                     rig.BAD_PLUGINS)
        records = [(line[:3], json.loads(line[3:])) for line in self.lines_to_end(process)
                   if line.startswith("<")]
        priorities = {record["event"]: priority for priority, record in records}
        self.assertEqual(priorities["daemon.starting"], "<5>")
        self.assertEqual(priorities["log.journal-unusable"], "<4>")
        told = [record for _, record in records if record["event"] == "log.journal-unusable"]
        self.assertEqual(len(told), 1)
        self.assertEqual(told[0]["journal"], {"socket": "/run/systemd/journal/socket",
                                              "error": "No such file or directory"})
        if not rig.HAS_SANITIZER:
            self.assertEqual(priorities["daemon.crashed"], "<2>")
            self.assertEqual([record["event"] for _, record in records].count("daemon.crashed"), 1)

    def test_errors_of_a_start_have_the_priority_of_errors(self):
        self.open_journal()
        process = self.start_service("actord.user.it { behavior = 1 }\n", rig.PLUGINS)
        lines = self.lines_to_end(process)
        self.assertEqual(process.returncode, rig.EX_CONFIG)
        self.assertTrue(lines)
        for line in lines:
            self.assertTrue(line.startswith("<3>"), line)


if __name__ == "__main__":
    rig.main()
