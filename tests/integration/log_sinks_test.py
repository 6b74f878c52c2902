# SPDX-License-Identifier: Apache-2.0
"""Places that get the log besides the output: actord.log.sinks."""

import json
import os
import re
import signal
import socket
import threading
import time

import rig

CONFIG = """
actord {
  log.level = debug
  log.sinks {
    all { type = file, path = "%s/all.log", rotate { size = 64 KiB, keep = 1000 } }
    few { type = file, path = "%s/few.log", format = console, level = warning }
  }
  actor.debug.receive = on
  user {
    a { behaviour = "mortal/Mortal", config { file = "%s" } }
    flood {
      behaviour = "flood/Source"
      config { messages = 20000, bytes = 10, each_us = 50 }
    }
  }
}
"""


class LogFiles(rig.Case):
    def setUp(self):
        super().setUp()
        self.fate = self.write("fate", "")
        self.all = os.path.join(self.folder, "all.log")
        self.daemon = self.start(CONFIG % (self.folder, self.folder, self.fate),
                                 plugins=(rig.PLUGINS, rig.BAD_PLUGINS))
        self.daemon.wait_for("daemon.ready")

    def end(self):
        self.daemon.send(signal.SIGTERM)
        self.assertEqual(self.daemon.wait(), rig.EX_OK)

    def lines(self):
        """Of all files, the oldest first."""
        files = [name for name in os.listdir(self.folder) if name.startswith("all.log")]
        ages = sorted((int(name[len("all.log."):] or 0) for name in files if name != "all.log"),
                      reverse=True)
        texts = []
        for path in [f"{self.all}.{age}" for age in ages] + [self.all]:
            with open(path, encoding="utf-8") as file:
                texts.append(file.read())
        return len(ages), "".join(texts).splitlines()

    def test_a_file_that_is_rotated_under_load_has_each_line_whole_and_once(self):
        self.daemon.wait_for("actor.receive", lambda each: each["seq"] > 15_000)
        self.end()
        rotations, lines = self.lines()
        self.assertGreater(rotations, 10)
        self.assertEqual([json.loads(line) for line in lines], self.daemon.records)

    def test_a_file_for_people_has_only_what_is_severe_enough(self):
        self.write("fate", "fail")
        self.daemon.wait_for("actor.restarted")
        self.write("fate", "")
        self.end()
        with open(os.path.join(self.folder, "few.log"), encoding="utf-8") as file:
            text = file.read()
        self.assertRegex(text, r"(?m)^\S+ WARN  actor.restarted /user/a ")
        self.assertNotIn("INFO", text)

    def test_sigusr1_opens_the_files_again(self):
        moved = os.path.join(self.folder, "moved")
        os.rename(self.all, moved)
        self.daemon.send(signal.SIGUSR1)
        self.end()
        _, lines = self.lines()
        self.assertEqual(json.loads(lines[-1])["event"], "daemon.stopped")
        self.assertNotIn("daemon.signal-ignored", [each["event"] for each in self.daemon.records])


class Reader:
    """A daemon that reads datagrams at a path, as syslogd and journald do."""

    def __init__(self, path):
        self.path, self.datagrams = path, []
        self._arrived = threading.Condition()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(path)
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self):
        while data := self._socket.recv(1 << 20):
            with self._arrived:
                self.datagrams.append(data)
                self._arrived.notify_all()

    def wait_for(self, wanted):
        """Waits until a datagram contains these bytes."""
        with self._arrived:
            arrived = self._arrived.wait_for(
                lambda: any(wanted in each for each in self.datagrams), rig.PATIENCE)
        assert arrived, f"{wanted} has not come to {self.path}"

    def close(self):
        """Ends like a daemon that removes its socket; what was sent before is read."""
        if self._thread.is_alive():
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
                end.sendto(b"", self.path)
            self._thread.join()
            self._socket.close()
            os.remove(self.path)


RECORD = re.compile(rb"<(\d+)>[A-Z][a-z]{2} [ \d]\d [\d:]{8} actord\[(\d+)\]: (.*)", re.DOTALL)
DAEMON_PARTS = ("daemon.", "config.", "admin.", "plugin.", "supervisor.", "log.", "dispatcher.",
                "watchdog.")
SEVERITIES = {"error": 3, "warning": 4, "info": 6, "debug": 7}
LOCAL3 = 19


class LogSinks(rig.Case):
    def setUp(self):
        super().setUp()
        self.fate = self.write("fate", "")

    def reader(self, name):
        reader = Reader(os.path.join(self.folder, name))
        self.addCleanup(reader.close)
        return reader

    def config(self, sinks, more=""):
        return f"""
            actord.log.sinks {{ {sinks} }}
            actord.user.a {{ behaviour = "mortal/Mortal", config.file = "{self.fate}" }}
            {more}"""

    def begin(self, sinks, more=""):
        return self.start(self.config(sinks, more), plugins=(rig.PLUGINS, rig.BAD_PLUGINS))

    def end(self, daemon):
        self.assertEqual(daemon.stop(), rig.EX_OK, daemon.errors)

    def sentences(self, reader, pid):
        """The records that have come to syslog: priorities and texts."""
        found = [RECORD.fullmatch(each) for each in reader.datagrams]
        self.assertNotIn(None, found, reader.datagrams)
        for each in found:
            self.assertEqual(int(each[2]), pid)
            self.assertNotIn(b"\n", each[3])
        return [(int(each[1]), each[3].decode()) for each in found]

    def test_syslog_gets_every_record_once_with_its_severity(self):
        syslog = self.reader("dev-log")
        daemon = self.begin(
            f'it {{ type = syslog, socket = "{syslog.path}", facility = local3, format = json }}',
            """actord.log.level = debug, actord.actor.debug.receive = on
               actord.user.flood { behaviour = "flood/Source"
                                   config { messages = 3000, bytes = 10, each_us = 50 } }""")
        daemon.wait_for("actor.receive", lambda each: each["seq"] > 2500)
        self.write("fate", "fail")
        daemon.wait_for("actor.failed")
        self.write("fate", "")
        self.end(daemon)
        syslog.close()
        records = self.sentences(syslog, daemon.process.pid)
        self.assertEqual([json.loads(text) for _, text in records], daemon.records)
        for priority, text in records:
            record = json.loads(text)
            severity = SEVERITIES[record["level"]]
            if record["level"] == "info" and record["event"].startswith(DAEMON_PARTS):
                severity = 5
            self.assertEqual(priority, LOCAL3 * 8 + severity, text)

    def test_a_syslog_daemon_that_is_started_again_gets_the_rest_and_the_lost_are_counted(self):
        syslog = self.reader("dev-log")
        daemon = self.begin(f'it {{ type = syslog, socket = "{syslog.path}", format = json }}')
        daemon.wait_for("daemon.ready")
        syslog.wait_for(b"daemon.ready")
        syslog.close()
        self.write("fate", "fail")
        while "cannot write" not in daemon.errors:
            daemon.wait_for("actor.failed")
        self.write("fate", "")
        again = self.reader("dev-log")
        self.end(daemon)
        again.close()
        texts = self.sentences(syslog, daemon.process.pid) + self.sentences(
            again, daemon.process.pid)
        arrived = [json.loads(text) for _, text in texts]
        missing = [each for each in daemon.records if each not in arrived]
        self.assertIn(daemon.all("actor.failed")[0], missing)
        self.assertEqual([each for each in daemon.records if each in arrived], arrived)
        self.assertIn(f"cannot write to syslog ({syslog.path}): No such file or directory; records "
                      "are lost until it works again\n", daemon.errors)
        lost = re.search(r"works again; (\d+) records? w(as|ere) lost\n", daemon.errors)
        self.assertEqual(int(lost[1]), len(missing), daemon.errors)

    def test_a_start_without_syslog_loses_only_what_comes_before_it(self):
        path = os.path.join(self.folder, "dev-log")
        daemon = self.begin(f'it {{ type = syslog, socket = "{path}" }}')
        daemon.wait_for("daemon.ready")
        syslog = self.reader("dev-log")
        self.end(daemon)
        syslog.close()
        texts = [text for _, text in self.sentences(syslog, daemon.process.pid)]
        self.assertTrue(texts[-1].startswith("INFO  daemon.stopped "))
        self.assertRegex(daemon.errors, r"works again; \d+ records? w(as|ere) lost")

    def test_a_reader_that_takes_nothing_holds_up_neither_the_others_nor_the_stop(self):
        path = os.path.join(self.folder, "dev-log")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as asleep:
            asleep.bind(path)
            daemon = self.begin(
                f'it {{ type = syslog, socket = "{path}" }}',
                """actord.log.level = debug, actord.actor.debug.receive = on
                   actord.user.flood { behaviour = "flood/Source"
                                       config { messages = 20000, bytes = 10, each_us = 50 } }""")
            daemon.wait_for("actor.receive", lambda each: each["seq"] > 15_000)
            begin = time.monotonic()
            self.end(daemon)
            self.assertLess(time.monotonic() - begin, 10)
        self.assertEqual(daemon.all("log.suppressed"), [])
        self.assertIn(f"cannot write to syslog ({path}): it takes nothing; ", daemon.errors)
        self.assertRegex(daemon.errors, r"is not read any more; \d+ records? (is|are) lost\n")

    def test_with_the_output_off_each_sink_gets_what_it_wants(self):
        syslog, journal = self.reader("dev-log"), self.reader("journal")
        log = os.path.join(self.folder, "all.log")
        config = self.write("actord.conf", self.config(f"""
            file {{ type = file, path = "{log}" }}
            syslog {{ type = syslog, socket = "{syslog.path}", level = warning }}
            journal {{ type = journald, socket = "{journal.path}", level = error }}"""))
        daemon = rig.Daemon(["--config", config, "--log-format", "off", "--plugin-path",
                             rig.BAD_PLUGINS, "--set", f'actord.state-dir="{self.state}"'])
        self.addCleanup(daemon.close)
        self.write("fate", "fail")
        syslog.wait_for(b"actor.restarted")
        self.write("fate", "")
        self.assertIn("actor.failed", self.ctl("events", "-e", "actor.failed"))
        self.end(daemon)
        syslog.close()
        journal.close()
        self.assertEqual((daemon.records, daemon.bad_lines, daemon.errors), ([], [], ""))
        with open(log, encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        self.assertEqual(records[-1]["event"], "daemon.stopped")

        def count(*levels):
            return len([each for each in records if each["level"] in levels])
        texts = [text for _, text in self.sentences(syslog, daemon.process.pid)]
        self.assertEqual(len(texts), count("warning", "error"))
        self.assertTrue(any(text.startswith("WARN  actor.restarted /user/a ") for text in texts))
        self.assertEqual(len(journal.datagrams), count("error"))
        self.assertIn(b"\nACTORD_EVENT=actor.failed\n", journal.datagrams[0])

    def test_the_output_has_a_level_of_its_own(self):
        log = os.path.join(self.folder, "all.log")
        daemon = self.begin(f'file {{ type = file, path = "{log}" }}',
                            "actord.log.output-level = error")
        self.write("fate", "fail")
        daemon.wait_for("actor.failed")
        self.write("fate", "")
        self.end(daemon)
        self.assertEqual({each["level"] for each in daemon.records}, {"error"})
        with open(log, encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        self.assertEqual([each for each in records if each["level"] == "error"], daemon.records)


if __name__ == "__main__":
    rig.main()
