# SPDX-License-Identifier: Apache-2.0
"""What the daemon tells about its past: actorctl logs, events, failures and story."""

import json
import os
import signal
import subprocess

import rig

CONFIG = """
actord.user {
  a { behaviour = "mortal/Mortal", config { file = "%s" } }
  echo.behaviour = "echo/Echo"
}
"""


class History(rig.Case):
    def setUp(self):
        super().setUp()
        self.fate = self.write("fate", "")
        self.boot()

    def boot(self, **keywords):
        self.daemon = self.start(CONFIG % self.fate, plugins=(rig.PLUGINS, rig.BAD_PLUGINS),
                                 **keywords)
        self.daemon.wait_for("daemon.ready")

    def kept_events(self):
        with open(os.path.join(self.state, "history", "events.jsonl"), encoding="utf-8") as file:
            return file.read()

    def lines(self, *words):
        return [json.loads(line) for line in self.ctl(*words, "-o", "json").splitlines()]

    def test_a_failure_is_listed_and_its_story_told(self):
        failed = self.have_actor_fail()
        name = failed["id"]
        listed = self.ctl("failures")
        self.assertRegex(listed, r"(?m)^\d\d:\d\d:\d\d\.\d{3} ERROR actor.failed /user/a "
                                 r"mortal::Broken: the file says so:\\nSTOPPING=1 → restart "
                                 r"\(.*id=")
        story = self.ctl("story", name)
        for expected in (r"failure " + name, r"actor +/user/a, mortal/Mortal",
                         r"cause +mortal::Broken: the file says so",
                         r"also actord::Error, std::runtime_error, std::exception",
                         r"in +receive of mortal.Look/1",
                         r"verdict +restart by /user: ",
                         r"actor.restarted /user/a restarted"):
            self.assertRegex(story, expected)
        self.assertEqual(self.lines("failures")[0]["failure"], failed)
        whole = json.loads(self.ctl("story", name, "-o", "json"))
        self.assertEqual([each["event"] for each in whole][:2],
                         ["actor.failed", "actor.restarted"])

    def test_frequent_failures_are_counted_exactly(self):
        self.assert_stops_in_order(self.daemon)
        self.boot(sets=("actord.log.failure-burst=5",))
        self.write("fate", "fail")
        self.daemon.wait_for("log.suppressed")
        self.write("fate", "")
        self.assert_stops_in_order(self.daemon)
        logged = sum(each.get("count", 1) for each in self.daemon.records
                     if each["event"] == "actor.failed" or each.get("of") == "actor.failed")
        self.boot()
        for by, key in (("cause", "mortal::Broken"), ("plugin", "mortal")):
            groups = json.loads(self.ctl("failures", "--by", by, "-o", "json"))
            self.assertEqual([(each[by], each["count"], each["verdicts"]) for each in groups],
                             [(key, logged, {"restart": logged})])
        self.assertIn(f"mortal::Broken  {logged} failures: {logged} restart",
                      self.ctl("failures", "--by", "cause"))
        self.assertIn(f"/user/a  {logged} failures", self.ctl("failures", "--by", "actor"))

    def test_failures_survive_a_restart_and_kill_9(self):
        first = self.have_actor_fail()["id"]
        self.assert_stops_in_order(self.daemon)
        self.boot()
        second = self.have_actor_fail()["id"]
        # Events are in the file a tenth of a second after they were logged, on an idle machine.
        while f'"{second}"' not in self.kept_events():
            self.assertEqual(len(self.lines("failures")), 2)
        self.daemon.send(signal.SIGKILL)
        self.daemon.wait()
        self.boot()
        known = self.lines("failures", "--since", "1h")
        self.assertEqual([each["failure"]["id"] for each in known], [first, second])
        self.assertIn("restart by /user", self.ctl("story", first))
        self.assertEqual(self.lines("failures", "--since", "0s"), [])

    def test_what_changed_before_a_failure_is_told(self):
        self.ctl("tell", "/user/echo", "echo.Text/1", '{"text":"x"}')
        failed = self.have_actor_fail()
        around = [each["event"] for each in
                  self.lines("events", "--around", failed["id"])]
        for earlier, later in (("daemon.starting", "admin.command"),
                               ("admin.command", "actor.failed"),
                               ("actor.failed", "actor.restarted")):
            self.assertLess(around.index(earlier), around.index(later), around)

    def test_logs_are_filtered(self):
        self.have_actor_fail()
        everything = self.lines("logs", "-n", "all")
        self.assertEqual([each["seq"] for each in everything],
                         list(range(1, len(everything) + 1)))
        own = self.lines("logs", "/user/a", "-n", "all")
        self.assertEqual({each["actor"]["path"] for each in own}, {"/user/a"})
        self.assertEqual(self.lines("logs", "/user/a", "-n", "1"), own[-1:])
        self.assertEqual({each["level"] for each in self.lines("logs", "--level", "warning")},
                         {"error", "warning"})
        self.assertEqual([each["event"] for each in self.lines("logs", "-e", "daemon.*")],
                         ["daemon.starting", "daemon.ready"])
        self.assertEqual(self.lines("logs", "/user/b"), [])

    def test_logs_are_followed(self):
        follower = subprocess.Popen(
            [rig.CTL, "logs", "-f", "-e", "actor.failed", "-o", "json",
             "--socket", os.path.join(self.state, "actord.sock")],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(follower.stderr.close)
        self.addCleanup(follower.stdout.close)
        self.addCleanup(follower.wait)
        self.addCleanup(follower.kill)
        failed = self.have_actor_fail()
        self.assertEqual(json.loads(follower.stdout.readline())["failure"], failed)
        self.assert_stops_in_order(self.daemon)
        self.assertEqual(follower.wait(rig.PATIENCE), rig.EX_UNAVAILABLE)

    def test_mistakes_are_told(self):
        for words, status, expected in (
                (("story", "nope-1"), 1, "nothing about a failure nope-1"),
                (("events", "--around", "nope-1"), 1, "nothing about a failure nope-1"),
                (("failures", "--since", "yesterday"), rig.EX_USAGE, "write a duration"),
                (("logs", "-n", "-3"), rig.EX_USAGE, "--lines takes a number or all"),
                (("logs", "--level", "fatal"), rig.EX_USAGE, "level")):
            self.assertIn(expected, self.ctl(*words, status=status))

    def test_a_history_that_cannot_be_written_is_told_and_does_no_harm(self):
        self.assert_stops_in_order(self.daemon)
        folder = os.path.join(self.state, "history")
        os.rename(folder, folder + ".old")
        self.write(os.path.join(self.state, "history"), "no folder")
        self.boot()
        told = [each["history"]["error"] for each in self.daemon.records
                if each["event"] == "log.history-unwritable"]
        self.assertEqual(len(told), 1)
        self.assertIn(folder, told[0])
        self.have_actor_fail()
        self.assertEqual(len(self.lines("failures")), 1)
        self.assert_stops_in_order(self.daemon)


if __name__ == "__main__":
    rig.main()
