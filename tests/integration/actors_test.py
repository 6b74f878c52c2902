# SPDX-License-Identifier: Apache-2.0
"""What an operator asks and tells one actor with actorctl: tree, inspect, tell, ask, stop."""

import json
import os

import rig

CONFIG = """
actord.user {
  echo.behaviour = "echo/Echo"
  keeper { behaviour = "secretive/Keeper", config { pin = "1234567890" } }
}
"""
POOL = """
actord.user.pool { behaviour = "echo/Echo", router.size = 2 }
"""
STEERED = """
actord.user.echo {
  behaviour = "echo/Echo"
  supervisor-strategy.backoff { min = 1h, max = 1h }
  children.a { behaviour = "mortal/Mortal", config { file = "%s" } }
}
"""
BUSY = """
actord.user.busy { behaviour = "stuck/Worker", config { how = sleep, ms = 6000 } }
"""


class Operated(rig.Case):
    def run_daemon(self, config):
        self.daemon = self.start(config, plugins=(rig.PLUGINS, rig.BAD_PLUGINS))
        self.daemon.wait_for("daemon.ready")

    def ctl(self, *words, status=rig.EX_OK):
        done = self.run_ctl(*words, "--socket", os.path.join(self.state, "actord.sock"))
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done


class Actors(Operated):
    def setUp(self):
        super().setUp()
        self.run_daemon(CONFIG + POOL)

    def test_an_actor_says_what_it_is(self):
        text = self.ctl("inspect", "/user/echo").stdout
        self.assertIn("/user/echo\n", text)
        self.assertRegex(text, r"behaviour +echo/Echo 1.0.0\n")
        self.assertRegex(text, r"configured +\S+/actord.conf:3\n")
        self.assertRegex(text, r"takes +echo.Text/1\n")
        user = json.loads(self.ctl("inspect", "/user", "-o", "json").stdout)
        self.assertEqual([each["name"] for each in user["children"]], ["echo", "keeper", "pool"])

    def test_a_router_says_who_handles_its_messages(self):
        text = self.ctl("inspect", "/user/pool").stdout
        self.assertRegex(text, r"router +round-robin, 2 routees\n +/user/pool/[12]  idle\n")
        router = json.loads(self.ctl("inspect", "/user/pool", "-o", "json").stdout)["router"]
        self.assertEqual(sorted(each["path"] for each in router["routees"]),
                         ["/user/pool/1", "/user/pool/2"])
        self.assertNotIn("router", json.loads(self.ctl("inspect", "/user/echo", "-o",
                                                       "json").stdout))

    def test_a_message_is_answered(self):
        answer = self.ctl("ask", "/user/echo", "echo.Text/1",
                          '{"text":"\u00fc\\n\\u0007"}').stdout
        self.assertEqual(json.loads(answer), {"text": "\u00fc\n\a"})
        whole = self.ctl("ask", "/user/echo", "echo.Text/1", "-o", "json").stdout
        self.assertEqual(json.loads(whole),
                         {"path": "/user/echo", "type": "echo.Text/1", "message": {"text": ""}})
        long = self.write("long.json", json.dumps({"text": "x" * 200000}))
        answer = self.ctl("ask", "/user/echo", "echo.Text/1", "@" + long).stdout
        self.assertEqual(len(json.loads(answer)["text"]), 200000)
        longer = self.write("longer.json", json.dumps({"text": "x" * 300000}))
        self.assertIn("does not fit into a reply",
                      self.ctl("ask", "/user/echo", "echo.Text/1", "@" + longer, status=1).stderr)
        path = self.write("message.json", '{"text": "from a file"}')
        answer = self.ctl("ask", "/user/echo", "echo.Text/1", "@" + path).stdout
        self.assertIn("from a file", answer)

    def test_secret_members_are_neither_shown_nor_logged(self):
        answer = self.ctl("ask", "/user/keeper", "secretive.Handed/1",
                          '{"pin":"0987654321","times":1}').stdout
        self.assertEqual(json.loads(answer), {"pin": "\u2026", "times": 2})
        wrong = self.ctl("tell", "/user/keeper", "secretive.Handed/1",
                         '{"times":"0987654321","pin":[1]}', status=rig.EX_USAGE)
        told = self.daemon.wait_for("admin.command")
        self.assertEqual(told["verb"], "actor.ask")
        self.assertEqual(json.loads(told["arguments"]),
                         {"path": "/user/keeper", "type": "secretive.Handed/1"})
        self.assert_stops_in_order(self.daemon)
        for text in (wrong.stdout + wrong.stderr, json.dumps(self.daemon.records)):
            self.assertNotIn("1234567890", text)

    def test_a_wrong_message_is_refused_with_what_would_be_right(self):
        for words, expected in (
                (("/user/ecko", "echo.Text/1"), 'did you mean "/user/echo"?'),
                (("user/echo", "echo.Text/1"), "write /user/echo"),
                (("/user/$a", "echo.Text/1"), "without a name of its own"),
                (("/user/echo", "echo.Tekst/1"), 'did you mean "echo.Text/1"?'),
                (("/user/echo", "secretive.Handed/1"), "it takes echo.Text/1"),
                (("/user/echo", "actord.Terminated/1"), "takes no actord.Terminated/1"),
                (("/user/echo", "echo.Text/1", '{"tex":"a"}'), 'did you mean "text"?'),
                (("/user/echo", "echo.Text/1", '{"text":{}}'), "text"),
                (("/user/echo", "echo.Text/1", '{"text":'), "is no JSON at line 1, column 9"),
                (("/user/echo", "echo.Text/1", 'include "/etc/passwd"'), "is no JSON"),
                (("/user/echo", "echo.Text/1", '{"text":${HOME}}'), "is no JSON"),
                (("/user/echo", "echo.Text/1", "[]"), "is written as an object")):
            for verb in ("ask", "tell"):
                done = self.ctl(verb, *words, status=rig.EX_USAGE)
                self.assertIn(expected, done.stderr, words)
        self.ctl("ask", "/user/echo", "echo.Text/1", "@/no/such", status=rig.EX_NOINPUT)
        self.assert_stops_in_order(self.daemon)

    def test_a_stop_by_hand_is_no_loss_and_a_start_undoes_it(self):
        self.assertEqual(self.ctl("stop", "/user/echo").stdout, "/user/echo has stopped\n")
        stopped = self.daemon.wait_for("actor.stopped",
                                       lambda each: each["actor"]["path"] == "/user/echo")
        self.assertEqual(stopped["reason"], "stopped")
        self.assertEqual(stopped["stopped_by"], "/system/operator-1")
        self.ctl("inspect", "/user/echo", status=rig.EX_USAGE)
        self.ctl("start", "/user/echo")
        self.ctl("ask", "/user/echo", "echo.Text/1")
        self.ctl("stop", "/user", status=rig.EX_USAGE)
        self.ctl("stop", "/system/log", status=rig.EX_USAGE)
        self.assertEqual(self.daemon.all("daemon.degraded"), [])


class BusyActors(Operated):
    """One of the actors is in a handler that does not return for a while."""

    def setUp(self):
        super().setUp()
        self.run_daemon(CONFIG + BUSY)

    def test_the_tree_is_shown_with_what_does_not_answer(self):
        text = self.ctl("tree").stdout
        self.assertEqual(text.splitlines(), [
            "/user      actord/Guardian",
            "├─ echo    echo/Echo",
            "├─ keeper  secretive/Keeper",
            "└─ busy    no answer"])
        top = json.loads(self.ctl("tree", "/", "-L", "1", "-o", "json").stdout)
        self.assertEqual([(each["name"], each["children_count"]) for each in top["children"]],
                         [("system", 1), ("user", 3)])
        self.assertIn("└─ 3 children", self.ctl("tree", "/", "-L", "1").stdout)
        for level in ("0", "21", "x"):
            self.ctl("tree", "-L", level, status=rig.EX_USAGE)

    def test_an_actor_whose_handler_does_not_return_is_said_not_to_answer(self):
        done = self.ctl("inspect", "/user/busy", status=rig.EX_TEMPFAIL)
        self.assertIn("/user/busy has not answered within 2 s", done.stderr)
        unanswered = self.ctl("ask", "/user/busy", "actord.Identify/1", "--timeout", "1500ms",
                              status=1)
        self.assertRegex(unanswered.stderr,
                         "/user/busy has not answered: actord.Identify/1 to "
                         r"/user/busy was not answered within \d+ m?s \(actord::AskTimeout")
        self.daemon.wait_for("stuck.done")
        self.ctl("inspect", "/user/busy")

    def test_one_that_does_not_stop_in_time_is_told_and_stops_later(self):
        done = self.ctl("stop", "/user/busy", "--timeout", "1s", status=rig.EX_TEMPFAIL)
        self.assertIn("/user/busy has not stopped within 500 ms", done.stderr)
        self.daemon.wait_for("actor.stopped",
                             lambda each: each["actor"]["path"] == "/user/busy")


class Ordered(Operated):
    def setUp(self):
        super().setUp()
        self.fate = self.write("fate", "")
        self.run_daemon(STEERED % self.fate)

    def inspected(self, path):
        return json.loads(self.ctl("inspect", path, "-o", "json").stdout)

    def test_a_suspended_actor_keeps_its_messages_until_it_is_resumed(self):
        suspended = self.ctl("suspend", "/user/echo", "--reason", "a new disk")
        self.assertEqual(suspended.stdout, "/user/echo is suspended\n")
        told = self.daemon.wait_for("admin.command")
        self.assertEqual(told["verb"], "actor.suspend")
        self.assertEqual(json.loads(told["arguments"])["reason"], "a new disk")
        self.assertIn("already", self.ctl("suspend", "/user/echo").stdout)
        self.assertRegex(self.ctl("inspect", "/user/echo").stdout,
                         r"state +suspended, by an operator")
        late = self.ctl("ask", "/user/echo", "echo.Text/1", "--timeout", "1s", status=1)
        self.assertIn("actord::AskTimeout", late.stderr)
        self.assertEqual(self.inspected("/user/echo")["mailbox"]["messages"], 1)
        self.ctl("restart", "/user/echo")
        self.assertEqual(self.inspected("/user/echo")["state"], "suspended")
        self.assertEqual(self.ctl("resume", "/user/echo").stdout, "/user/echo goes on\n")
        self.ctl("ask", "/user/echo", "echo.Text/1")
        self.assertIn("was not suspended", self.ctl("resume", "/user/echo").stdout)

    def test_an_actor_is_restarted(self):
        self.assertEqual(self.ctl("restart", "/user/echo", "--reason", "a repaired index").stdout,
                         "/user/echo was restarted, and is running\n")
        restarted = self.daemon.wait_for("actor.restarted")
        self.assertEqual(restarted["restart"]["cause"], "actord::RestartOrdered")
        self.assertEqual(self.inspected("/user/echo")["restarts"], 1)

    def test_a_back_off_is_ended_by_an_order_to_restart(self):
        self.write("fate", "fail")
        self.daemon.wait_for("actor.backoff")
        self.assertEqual(self.inspected("/user/echo/a")["state"], "backing off")
        self.write("fate", "")
        self.assertEqual(self.ctl("restart", "/user/echo/a").stdout,
                         "/user/echo/a was restarted, and is running\n")
        self.assertEqual(self.inspected("/user/echo/a")["restarts"], 1)

    def test_an_actor_is_killed_and_its_supervisor_decides(self):
        self.assertIn("its supervisor decides", self.ctl("kill", "/user/echo").stdout)
        failed = self.daemon.wait_for("actor.failed")
        self.assertEqual(failed["failure"]["type"], "actord::Killed")
        self.assertEqual(failed["decision"]["directive"], "stop")

    def test_what_cannot_be_ordered_is_refused(self):
        for words, expected in ((("suspend", "/user"), "belongs to actord itself"),
                                (("restart", "/system/log"), "belongs to actord itself"),
                                (("kill", "/user/ecko"), 'did you mean "/user/echo"?'),
                                (("resume", "echo"), "write /user/echo")):
            self.assertIn(expected, self.ctl(*words, status=rig.EX_USAGE).stderr)

    def test_an_actor_that_does_not_return_obeys_later(self):
        self.daemon.stop()
        self.run_daemon(BUSY)
        late = self.ctl("suspend", "/user/busy", "--timeout", "1s", status=rig.EX_TEMPFAIL)
        self.assertIn("the order stays", late.stderr)
        self.assertIn("already", self.ctl("suspend", "/user/busy").stdout)


if __name__ == "__main__":
    rig.main()
