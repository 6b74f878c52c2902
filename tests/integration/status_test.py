# SPDX-License-Identifier: Apache-2.0
"""actorctl status: on one screen what is up and what is not, and the exit status that says so."""

import json
import os

import rig

CONFIG = """
actord.user {
  echo.behaviour = "echo/Echo"
  a { behaviour = "mortal/Mortal", config { file = "%s" } }
}
actord.actor.guardian-supervisor-strategy = %s
"""
BACKOFF = """
actord.user.echo {
  behaviour = "echo/Echo"
  supervisor-strategy.backoff { min = 1h, max = 1h, random-factor = 0 }
  children.a { behaviour = "mortal/Mortal", config { file = "%s" } }
}
"""
BUSY = """
actord.user {
  echo.behaviour = "echo/Echo"
  busy { behaviour = "stuck/Worker", config { how = sleep, ms = 8000 } }
}
"""


class Status(rig.Case):
    def setUp(self):
        super().setUp()
        self.fate = self.write("fate", "")

    def boot(self, config):
        self.daemon = self.start(config, plugins=(rig.PLUGINS, rig.BAD_PLUGINS))
        self.daemon.wait_for("daemon.ready")

    def ctl(self, *words, status=0):
        done = self.run_ctl(*words, "--socket", os.path.join(self.state, "actord.sock"))
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def as_json(self, status=0):
        return json.loads(self.ctl("status", "-o", "json", status=status))

    def test_all_is_well(self):
        self.boot(CONFIG % (self.fate, "default"))
        text = self.ctl("status")
        for expected in (r"\Aactord is running\n", r"daemon +actord \S+, pid \d+, for \d+ second",
                         r"actors +2 of 2 configured actors are up\n",
                         r"failures +none in the last hour\n",
                         r"messages +\d+ handled, 0 failed, 0 not delivered; \d+ a second now\n",
                         r"memory +\d+ MiB of \d+ MiB; messages \d+ (KiB|B) of \d+ MiB\n",
                         r"config +generation 1\n"):
            self.assertRegex(text, expected)
        self.assertFalse(self.as_json()["degraded"])

    def test_a_lost_actor_is_told_with_its_failure(self):
        self.boot(CONFIG % (self.fate, "stopping"))
        self.write("fate", "fail")
        self.daemon.wait_for("actor.stopped")
        text = self.ctl("status", status=2)
        self.assertIn("actord is running, and degraded\n", text)
        self.assertIn("1 of 2 configured actors are up\n", text)
        self.assertRegex(text, r"down +/user/a has failed and was stopped: mortal::Broken: the ")
        self.assertRegex(text, r"failures +1 mortal::Broken in the last hour: 1 stop; /user/a\n")
        whole = self.as_json(status=2)
        self.assertEqual([each["path"] for each in whole["down"]], ["/user/a"])
        self.assertEqual(whole["messages"]["failed"], 1)

    def test_one_that_waits_for_its_restart_is_told_with_the_time(self):
        self.boot(BACKOFF % self.fate)
        self.write("fate", "fail")
        self.daemon.wait_for("actor.backoff")
        text = self.ctl("status", status=2)
        self.assertRegex(text, r"waiting +/user/echo/a starts again in (59|60) minutes: "
                               r"mortal::Broken: the file says so:\\nSTOPPING=1\n")

    def test_where_messages_wait_is_told(self):
        self.boot(BUSY)
        self.ctl("suspend", "/user/echo")
        for _ in range(3):
            self.ctl("tell", "/user/echo", "echo.Text/1")
        text = self.ctl("status")
        self.assertRegex(text, r"waiting in +/user/echo: 3 messages, most of them echo.Text/1\n")
        self.assertEqual(self.as_json()["mailboxes"],
                         [{"path": "/user/echo", "messages": 3, "most": "echo.Text/1"}])

    def test_one_that_does_not_return_is_told(self):
        self.boot(BUSY)
        self.ctl("tell", "/user/busy", "actord.PoisonPill/1")
        self.assertRegex(self.ctl("status"), r"no answer +/user/busy: its handler has not returned")

    def test_the_last_reload_is_told(self):
        self.boot(CONFIG % (self.fate, "default"))
        told = r"config generation 2; the last reload, \d seconds? ago by .*, was "
        self.write("actord.conf", CONFIG % (self.fate, "stopping"))
        self.ctl("config", "reload")
        self.assertRegex(" ".join(self.ctl("status").split()), told + "applied")
        self.write("actord.conf", "actord.user.a.behaviour = 7")
        self.ctl("config", "reload", status=rig.EX_CONFIG)
        self.assertRegex(" ".join(self.ctl("status").split()), told + "rejected: ")

    def test_without_a_daemon_the_exit_status_is_3(self):
        done = self.run_ctl("status", "--socket", os.path.join(self.folder, "none.sock"))
        self.assertEqual(done.returncode, 3)
        self.assertIn("no daemon answers", done.stderr)


if __name__ == "__main__":
    rig.main()
