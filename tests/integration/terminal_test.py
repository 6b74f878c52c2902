# SPDX-License-Identifier: Apache-2.0
"""What a person sees: the daemon runs at a pseudo-terminal of a given size."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unicodedata
import unittest

import crawl_test
import rig
import site_model

ESCAPE = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])")
FAILURE = re.compile(r"^(\S+ )?(E|ERROR) .*→ restart")


def columns_of(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


class Screen:
    """The lines that a terminal without a limited height shows after these bytes."""

    def __init__(self, data):
        self.lines = [""]
        self.widest = 0
        self.erased = 0
        text = data.decode()
        at = 0
        column = 0
        while at < len(text):
            sequence = ESCAPE.match(text, at)
            if sequence:
                assert sequence[2] in "mK", f"an unexpected sequence: {sequence[0]!r}"
                if sequence[2] == "K":
                    self.lines[-1] = self.lines[-1][:column]
                    self.erased += 1
                at = sequence.end()
                continue
            char = text[at]
            at += 1
            if char == "\r":
                column = 0
            elif char == "\n":
                self.lines.append("")
                column = 0
            else:
                assert char.isprintable(), f"an unexpected character: {char!r}"
                self.lines[-1] = self.lines[-1][:column] + char
                column += 1
                self.widest = max(self.widest, columns_of(self.lines[-1]))


class Terminal(crawl_test.CrawlCase):
    def watch(self, columns, rows, *arguments, until="sqlite3", term="xterm", pages=40,
              probability=0.3, by=signal.SIGTERM, **more):
        """Runs the crawler of a small site until a text is on the screen, and then ends it by a
        signal."""
        chaos = site_model.Chaos(probability=probability, seed=7, max_attempts=9)
        config = os.path.join(self.folder, "terminal.conf")
        with open(config, "w", encoding="utf-8") as file:
            file.write(crawl_test.crawl_config(self.small_site(pages), rig.free_port(), chaos))
        main, other = pty.openpty()
        self.addCleanup(os.close, main)
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {**os.environ, "TERM": term, **more}
        environment.pop("NO_COLOR", None)
        environment.update({key: value for key, value in more.items() if key == "NO_COLOR"})
        process = subprocess.Popen(
            [rig.BIN, "--config", config, "--plugin-path", rig.PLUGINS,
             "--set", f'actord.state-dir="{self.state}"', *arguments],
            stdin=subprocess.DEVNULL, stdout=other, stderr=other, env=environment)
        os.close(other)
        self.addCleanup(process.kill)
        data = b""
        end = time.monotonic() + rig.PATIENCE
        is_asked_to_stop = False
        while time.monotonic() < end:
            if not select.select([main], [], [], 0.1)[0]:
                continue
            try:
                more_data = os.read(main, 65536)
            except OSError:  # the other end is closed
                break
            data += more_data
            if not is_asked_to_stop and until.encode() in data:
                process.send_signal(by)
                is_asked_to_stop = True
        status = 0 if by == signal.SIGTERM else -by
        self.assertEqual(process.wait(rig.PATIENCE), status, data.decode()[-2000:])
        self.data = data
        return Screen(data)

    def test_a_crawl_at_80_columns_fits_and_ends_with_its_summary(self):
        screen = self.watch(80, 24, "--set", "actord.user.site.config.faults.latency=40ms",
                            "--set", "actord.log.failure-burst=off", pages=200, probability=0.05)
        self.assertLessEqual(screen.widest, 80)
        failures = [line for line in screen.lines if FAILURE.match(line)]
        self.assertGreater(len(failures), 0, screen.lines)
        told = re.search(r"^  failures +([0-9]+),", "\n".join(screen.lines), re.MULTILINE)
        self.assertEqual(len(failures), int(told[1]), "each failure is one line")
        for line in failures:
            self.assertRegex(line, r" [0-9a-z]+-[0-9a-z]+$", "the id is the last word")
        self.assertFalse([line for line in screen.lines if "actor.restarted" in line],
                         "a restart only confirms the verdict")
        labels = [line.split()[0] for line in screen.lines if re.match("  [a-z]", line)]
        places = [labels.index(label) for label in ("pages", "dead", "failures", "index")]
        self.assertEqual(places, sorted(places))
        self.assertGreater(screen.erased, 0, "progress is written over")
        self.assertFalse([line for line in screen.lines if "progress" in line],
                         "the line of progress goes when the crawl has ended")
        self.assertIn("daemon.stopped", [line for line in screen.lines if line][-1])

    def test_a_wider_window_shows_more_of_a_failure(self):
        screen = self.watch(120, 40)
        self.assertLessEqual(screen.widest, 120)
        self.assertTrue([line for line in screen.lines if "RetrievalException: chaos" in line])

    def test_a_narrow_window_is_no_reason_to_crash(self):
        self.assertLessEqual(self.watch(10, 5).widest, 10)

    def test_a_dumb_terminal_gets_neither_colours_nor_movements(self):
        self.watch(80, 24, term="dumb")
        self.assertNotIn(b"\x1b", self.data)
        self.assertEqual(self.data.replace(b"\r\n", b"").count(b"\r"), 0)

    def test_verbose_shows_each_record(self):
        screen = self.watch(80, 24, "-v", "--set", "actord.log.failure-burst=off",
                            "--set", "actord.user.site.config.faults.latency=40ms", pages=200,
                            probability=0.05)
        text = "\n".join(screen.lines)
        failures = int(re.search(r"crawl.failures=([0-9]+)", text)[1])
        self.assertGreater(failures, 0)
        self.assertEqual(text.count(" actor.failed "), failures)
        self.assertEqual(text.count(" actor.restarted "), failures)
        for event in ("actor.started", "actor.stopped", "crawler.progress", "summary.index="):
            self.assertIn(event, text)
        self.assertEqual(screen.erased, 0)

    @unittest.skipIf(rig.HAS_SANITIZER, "a sanitizer writes its own report")
    def test_the_record_of_a_crash_takes_the_line_of_progress(self):
        screen = self.watch(80, 24, "--set", "actord.user.site.config.faults.latency=40ms",
                            pages=200, until="in_progress=", by=signal.SIGABRT)
        record = json.loads([line for line in screen.lines if line][-1])
        self.assertEqual(record["event"], "daemon.crashed")

    def test_no_color_keeps_the_layout_and_drops_the_colours(self):
        self.watch(80, 24, NO_COLOR="1")
        self.assertFalse(re.search(rb"\x1b\[[0-9;]*m", self.data))


if __name__ == "__main__":
    rig.main()
