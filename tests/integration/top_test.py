# SPDX-License-Identifier: Apache-2.0
"""actorctl top: which actors do the most, and what single actors have done, in the metrics, too."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

import rig

CONFIG = """
actord.metrics.actors = %s
actord.user {
  echo.behaviour = "echo/Echo"
  a { behaviour = "mortal/Mortal", config { file = "%s" } }
  flood {
    behaviour = "flood/Source"
    config { messages = %d, bytes = 10, each_us = 50 }
  }
}
"""


class Top(rig.Case):
    messages = 1_000_000  # that flood: a minute of work at least

    def setUp(self):
        super().setUp()
        self.fate = self.write("fate", "")

    def config(self, counted):
        return CONFIG % (counted, self.fate, self.messages)

    def boot(self, counted="configured"):
        self.daemon = self.start(self.config(counted),
                                 plugins=(rig.PLUGINS, rig.BAD_PLUGINS))
        self.daemon.wait_for("daemon.ready")
        self.socket = os.path.join(self.state, "actord.sock")

    def top(self, *words):
        answer = json.loads(self.ctl("top", "-o", "json", "-d", "300ms", *words))
        return {each["path"]: each for each in answer["actors"]}

    def counts(self):
        """By path: messages, failures, restarts, from the metrics."""
        found = re.findall(r'^actord_actor_(\w+)_total\{path="(.*)"\} (\d+)$', self.ctl("metrics"),
                           re.M)
        return {(name, path): int(value) for name, path, value in found}

    def test_messages_failures_and_restarts_of_a_configured_actor_are_counted_exactly(self):
        self.boot()
        before = self.counts()
        for _ in range(7):
            self.ctl("ask", "/user/echo", "echo.Text/1")
        self.write("fate", "fail")
        self.daemon.wait_for("actor.failed")
        self.write("fate", "")
        self.daemon.wait_for("actor.restarted")
        after = self.counts()
        self.assertEqual(after["messages", "/user/echo"] - before["messages", "/user/echo"], 7)
        self.assertEqual(after["failures", "/user/echo"], 0)
        self.assertGreaterEqual(after["failures", "/user/a"], 1)
        self.assertEqual(after["failures", "/user/a"], after["restarts", "/user/a"])
        shown = self.top()["/user/a"]
        self.assertEqual(shown["restarts"], self.counts()["restarts", "/user/a"])

    def test_the_busiest_come_first_and_code_s_own_are_counted_if_all_are(self):
        self.messages = 100_000_000  # so that the source is busy, too
        self.boot()
        rows = self.top("--sort", "busy")
        self.assertEqual(set(list(rows)[:2]), {"/user/flood", "/user/flood/basin"})
        self.assertNotIn("per_second", rows["/user/flood/basin"])
        self.assertGreater(rows["/user/flood/basin"]["busy"], 0.5)
        self.write("actord.conf", self.config("all"))
        self.ctl("config", "reload")
        rows = self.top("--sort", "rate", "-n", "3")
        self.assertEqual(len(rows), 3)
        self.assertGreater(rows["/user/flood/basin"]["per_second"], 100)
        self.write("actord.conf", self.config("none"))
        self.ctl("config", "reload")
        self.assertNotIn("per_second", self.top("--sort", "mailbox")["/user/flood/basin"])
        self.assertEqual(self.counts(), {})

    def test_the_fullest_mailboxes_come_first(self):
        self.boot()
        self.ctl("suspend", "/user/echo")
        for _ in range(3):
            self.ctl("tell", "/user/echo", "echo.Text/1")
        self.ctl("stop", "/user/flood")
        rows = self.top("--sort", "mailbox")
        self.assertEqual(rows["/user/echo"]["messages"], 3)
        waiting = [each["messages"] for each in rows.values() if "messages" in each]
        self.assertEqual(waiting, sorted(waiting, reverse=True))
        # What the flood has left may wait in /system/log for a moment.
        self.assertEqual(next(path for path in rows if path.startswith("/user/")), "/user/echo")

    def test_an_actor_whose_handler_does_not_return_says_nothing_of_its_mailbox(self):
        self.daemon = self.start(
            'actord.user.it { behaviour = "stuck/Worker", config { how = sleep, ms = 5000 } }\n',
            plugins=(rig.BAD_PLUGINS,))
        self.daemon.wait_for("daemon.ready")
        self.socket = os.path.join(self.state, "actord.sock")
        row = self.top()["/user/it"]
        self.assertTrue(row["silent"])
        self.assertGreater(row["busy"], 0.9)
        self.assertRegex(self.ctl("top", "-d", "100ms"), r"(?m)^ *100\.0 .* \? .*/user/it$")

    def test_the_output_without_a_terminal_is_a_table(self):
        self.boot()
        text = self.ctl("top", "-d", "100ms", "-n", "2")
        lines = text.splitlines()
        self.assertRegex(lines[0], r"^3 of 3 configured actors are up; \d+(\.\d)? messages/s; ")
        self.assertRegex(lines[2], r"^ *BUSY% +MSG/S +WAITING +FAILED +RESTARTS +PATH$")
        self.assertEqual(len(lines), 5)
        self.assertEqual(lines[1], "")
        self.assertIn("only configured actors are counted (actord.metrics.actors)",
                      self.ctl("top", "-d", "100ms", "--sort", "restarts"))
        self.assertNotIn("\x1b", text)
        self.assertEqual(len(self.ctl("top", "-o", "name", "-d", "100ms").split()) >= 3, True)

    def screen(self, rows, columns):
        """What `top` prints on a terminal of that size, until its second screen begins."""
        own, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        top = subprocess.Popen([rig.CTL, "top", "-d", "100ms", "--socket", self.socket],
                               stdin=subprocess.DEVNULL, stdout=other, stderr=subprocess.PIPE,
                               env=dict(os.environ, TERM="xterm"))
        os.close(other)
        seen = b""
        deadline = time.monotonic() + rig.PATIENCE
        while seen.count(b"\x1b[2J") < 2 and time.monotonic() < deadline:
            if select.select([own], [], [], 1)[0]:
                seen += os.read(own, 65536)
        top.terminate()
        top.communicate()
        os.close(own)
        return seen.split(b"\x1b[2J")[1].decode()

    def test_a_screen_is_as_large_as_the_terminal(self):
        self.boot("all")
        for rows, columns in ((24, 80), (40, 120), (5, 30)):
            text = self.screen(rows, columns)
            plain = re.sub(r"\x1b\[\d*[A-Za-z]", "", text)
            lines = plain.replace("\r", "").splitlines()
            with self.subTest(rows=rows, columns=columns):
                self.assertLess(len(lines), rows, plain)
                for line in lines:
                    self.assertLessEqual(len(line), columns, plain)
        self.assertIn("\x1b[32m", text)

    def test_keys_choose_the_order_and_end_it(self):
        """In a session of its own, of which the terminal is that of standard input, too."""
        self.boot()
        terminal, other = pty.openpty()
        self.addCleanup(os.close, terminal)
        former = termios.tcgetattr(terminal)[3]  # before `top` can have changed it
        pid = os.fork()
        if pid == 0:
            os.login_tty(other)
            os.environ["TERM"] = "xterm"
            os.execv(rig.CTL, [rig.CTL, "top", "-d", "5s", "--socket", self.socket])
        os.close(other)
        for key, title in ((b"w", "WAITING"), (b"r", "RESTARTS"), (b"x", "RESTARTS")):
            os.write(terminal, key)
            self.read_until(terminal, f"{title}↓".encode())
        self.assertFalse(termios.tcgetattr(terminal)[3] & termios.ECHO)
        os.write(terminal, b"q")
        self.read_until(terminal, None)
        self.assertEqual(os.waitpid(pid, 0)[1], 0)
        self.assertEqual(termios.tcgetattr(terminal)[3], former)

    def read_until(self, terminal, expected):
        """`expected` is None for the end."""
        seen = b""
        deadline = time.monotonic() + rig.PATIENCE
        while expected is None or expected not in seen:
            self.assertLess(time.monotonic(), deadline, seen)
            if select.select([terminal], [], [], 1)[0]:
                try:
                    seen += os.read(terminal, 65536)
                except OSError:  # there is no process left on the other side
                    self.assertIsNone(expected, seen)
                    return

    def test_wide_tables_have_more_columns(self):
        self.boot()
        self.assertRegex(self.ctl("top", "-d", "100ms", "-o", "wide"),
                         r"(?m)^ *BUSY%.* MESSAGES  PATH$")
        self.assertRegex(self.ctl("tree", "-o", "table"),
                         r"(?m)^PATH +STATE +RESTARTS +WAITING\n/user  ")
        self.assertRegex(self.ctl("tree", "/user/flood", "-o", "wide"),
                         r"(?m)^/user/flood/basin +running +\d+ +\d+ +0  flood/Basin$")
        self.write("fate", "fail")
        self.daemon.wait_for("actor.failed")
        self.write("fate", "")
        self.assertRegex(self.ctl("failures", "-n", "1", "-o", "table"),
                         r"(?m)^WHEN +ID +ACTOR +CAUSE +VERDICT\n.* /user/a +mortal::\w+ +restart$")
        self.assertIn("the file says so", self.ctl("failures", "-n", "1", "-o", "wide"))

    def test_wrong_words_are_refused_with_what_is_right(self):
        self.boot()
        for words, expected in ((("--sort", "age"), "busy"), (("--delay", "1h"), "100ms to 10s"),
                                (("-n", "0"), "from 1 to 1000")):
            self.assertIn(expected, self.ctl("top", *words, status=rig.EX_USAGE))


if __name__ == "__main__":
    rig.main()
