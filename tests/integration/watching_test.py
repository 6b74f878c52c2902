# SPDX-License-Identifier: Apache-2.0
"""What an operator lets the log tell of one actor: actorctl loglevel, trace and timers."""

import json
import os
import subprocess

import rig

CONFIG = """
actord.user {
  echo.behaviour = "echo/Echo"
  a { behaviour = "mortal/Mortal", config { file = "%s" } }
  keeper { behaviour = "secretive/Keeper", config { pin = "1234" } }
  flood { behaviour = "flood/Source", config { messages = 0 } }
}
"""


class Watching(rig.Case):
    def setUp(self):
        super().setUp()
        self.fate = self.write("fate", "")
        self.daemon = self.start(CONFIG % self.fate, plugins=(rig.PLUGINS, rig.BAD_PLUGINS))
        self.daemon.wait_for("daemon.ready")
        self.socket = os.path.join(self.state, "actord.sock")

    def levels(self):
        return json.loads(self.ctl("loglevel", "-o", "json"))

    def starts_of_basin(self):
        """Restarts the flood. Its child is code's own, so the log has its start at debug only."""
        before = len([each for each in self.daemon.records if each["event"] == "actor.started"])
        self.ctl("restart", "/user/flood")
        self.ctl("restart", "/user/a")
        self.daemon.wait_for("actor.restarted", lambda each: each["actor"]["path"] == "/user/a")
        started = [each for each in self.daemon.records if each["event"] == "actor.started"]
        return [each["actor"]["path"] for each in started[before:]]

    def test_one_part_of_the_tree_logs_at_another_level(self):
        self.assertEqual(self.starts_of_basin(), [])
        told = self.ctl("loglevel", "/user/flood", "debug", "--reason", "a look")
        self.assertEqual(told, "/user/flood and all below it log at level debug for 10m\n")
        self.assertEqual(self.starts_of_basin(), ["/user/flood/basin"])
        levels = self.levels()
        self.assertEqual(levels["level"], "info")
        self.assertEqual(levels["actors"][0]["path"], "/user/flood")
        self.assertGreater(levels["actors"][0]["left_ms"], 500_000)
        self.assertRegex(self.ctl("loglevel"), r"(?m)^/user/flood  debug  (5\d\d s|10 min)$")
        self.ctl("loglevel", "/user/flood", "default")
        self.assertEqual(self.starts_of_basin(), [])
        self.assertIn("had no level", self.ctl("loglevel", "/user/flood", "default"))
        self.assertTrue([each for each in self.daemon.records if each["event"] == "admin.command"
                         and "a look" in each["arguments"]])

    def test_a_level_ends_by_itself_and_a_reload_keeps_it(self):
        self.ctl("loglevel", "/user/flood", "debug", "--for", "infinite")
        self.ctl("config", "reload", "--force")
        self.assertEqual(self.levels()["actors"], [{"path": "/user/flood", "level": "debug"}])
        self.ctl("loglevel", "/user/flood", "debug", "--for", "1ms")
        while self.levels()["actors"]:
            pass
        self.assertEqual(self.starts_of_basin(), [])

    def test_wrong_levels_and_times_are_refused(self):
        for words, expected in ((("/user/a",), "needs a level"),
                                (("/user/a", "loud"), "error, warning, info, debug"),
                                (("user/a", "info"), "begins with /"),
                                (("/user/a", "info", "--for", "soon"), "10m")):
            self.assertIn(expected, self.ctl("loglevel", *words, status=rig.EX_USAGE))

    def trace(self, path, count, send):
        """What `trace` prints of the messages that `send` has sent."""
        tracing = subprocess.Popen([rig.CTL, "trace", path, "--count", str(count), "--socket",
                                    self.socket], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.daemon.wait_for("admin.command", lambda each: each["verb"] == "actor.trace")
        send()
        out, err = tracing.communicate(timeout=rig.PATIENCE)
        self.assertEqual(tracing.returncode, 0, err)
        return out.splitlines()

    def test_the_next_messages_of_an_actor_are_shown(self):
        def send():
            for text in ("one", "two", "three"):
                self.ctl("tell", "/user/echo", "echo.Text/1", json.dumps({"text": text}))
        lines = self.trace("/user/echo", 2, send)
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[0], r'^\d{4}-\d\d-\d\d [\d:.]+ echo\.Text/1 \{text: "one"\}$')
        self.assertIn('"two"', lines[1])
        traced = [self.daemon.wait_for("actor.traced")["left"] for _ in lines]
        self.assertEqual(traced, [1, 0])

    def test_a_trace_hides_secrets_and_cuts_what_is_long(self):
        lines = self.trace("/user/keeper", 1, lambda: self.ctl(
            "ask", "/user/keeper", "secretive.Handed/1", '{"pin": "pin-98765"}'))
        self.assertNotIn("98765", lines[0])
        self.assertIn("…", lines[0])
        lines = self.trace("/user/echo", 1, lambda: self.ctl(
            "tell", "/user/echo", "echo.Text/1", json.dumps({"text": "ä" * 3000})))
        self.assertLess(len(lines[0].encode()), 1200)

    def test_a_trace_is_taken_back(self):
        tracing = subprocess.Popen([rig.CTL, "trace", "/user/echo", "--socket", self.socket],
                                   stdout=subprocess.DEVNULL)
        self.daemon.wait_for("admin.command", lambda each: each["verb"] == "actor.trace")
        tracing.terminate()
        tracing.wait()
        self.assertEqual(self.ctl("trace", "/user/echo", "--count", "0"), "")
        self.ctl("ask", "/user/echo", "echo.Text/1")
        self.ctl("restart", "/user/a")
        self.daemon.wait_for("actor.restarted")
        self.assertFalse([each for each in self.daemon.records if each["event"] == "actor.traced"])

    def test_the_timers_of_an_actor_are_listed(self):
        lines = self.ctl("timers", "/user/a").splitlines()
        self.assertRegex(lines[0], r"^KEY +SENDS +IN +THEN EVERY$")
        self.assertRegex(lines[1], r"^look +mortal\.Look/1 +\d+ (ms|ns) +10 ms$")
        whole = json.loads(self.ctl("timers", "/user/a", "-o", "json"))
        self.assertEqual(whole["timers"][0]["every_ms"], 10)
        done = self.run_ctl("timers", "/user/echo", "--socket", self.socket)
        self.assertEqual((done.stdout, done.stderr), ("", "/user/echo has no timers\n"))


if __name__ == "__main__":
    rig.main()
