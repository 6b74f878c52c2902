# SPDX-License-Identifier: Apache-2.0
"""Mailboxes that the operator limits and orders: what becomes of messages from outside, what
actorctl and the log tell, what a reload changes, and what a configuration must not say.
"""

import json
import subprocess

import rig

CONFIG = """
actord.user.echo {
  behaviour = "echo/Echo"
  mailbox { capacity = 2, overflow = %s, priority = ["echo.Text/1", "*"] }
}
"""


class Mailboxes(rig.Case):
    def begin(self, overflow):
        self.config = self.write("actord.conf", CONFIG % overflow)
        self.daemon = self.start(self.config)
        self.daemon.wait_for("daemon.ready")
        self.ctl("suspend", "/user/echo")

    def tell(self, text, **expected):
        return self.ctl("tell", "/user/echo", "echo.Text/1", json.dumps({"text": text}), **expected)

    def mailbox(self):
        return json.loads(self.ctl("inspect", "/user/echo", "-o", "json"))["mailbox"]

    def lost(self):
        """The messages for which there was no room."""
        letters = self.ctl("deadletters", "list", "--reason", "mailbox-full", "-o", "name").split()
        return [json.loads(self.ctl("deadletters", "show", each, "-o", "json")) for each in letters]

    def test_one_that_fails_its_senders_refuses_what_comes_from_outside(self):
        self.begin("fail-sender")
        self.tell("one")
        self.tell("two")
        refused = self.tell("three", status=rig.EX_TEMPFAIL)
        self.assertIn("the mailbox of /user/echo is full", refused)
        self.assertEqual(self.lost(), [])
        failed = self.ctl("ask", "/user/echo", "echo.Text/1", '{"text": "four"}',
                          status=1)
        self.assertIn("mailbox-full (actord::MailboxFull)", failed)
        self.ctl("resume", "/user/echo")
        self.ctl("ask", "/user/echo", "echo.Text/1", '{"text": "five"}')
        self.assert_stops_in_order(self.daemon)

    def test_one_that_drops_the_oldest_keeps_the_newest(self):
        self.begin("drop-old")
        for text in ("one", "two", "three"):
            self.tell(text)
        line = self.daemon.wait_for("mailbox.overflow")
        self.assertEqual((line["actor"]["path"], line["mailbox"]["capacity"],
                          line["mailbox"]["policy"], line["overflows"]),
                         ("/user/echo", 2, "drop-old", 1))
        told = self.ctl("inspect", "/user/echo")
        self.assertRegex(told, r"(?m)^  limit +2 messages, then drop-old; 1 came on top so far$")
        self.assertRegex(told, r"(?m)^  order +echo\.Text/1, \*$")
        self.assertEqual(self.mailbox()["messages"], 3)
        self.ctl("resume", "/user/echo")
        self.ctl("ask", "/user/echo", "echo.Text/1", '{"text": "four"}')
        self.assertEqual([letter["message"] for letter in self.lost()], [{"text": "one"}])
        self.assert_stops_in_order(self.daemon)

    def test_a_reload_with_another_mailbox_puts_another_actor_in_the_place(self):
        self.begin("drop-new")
        self.ctl("resume", "/user/echo")
        self.write("actord.conf", CONFIG % "wait")
        planned = self.ctl("config", "reload", "--dry-run")
        self.assertIn("replace /user/echo mailbox.overflow: drop-new → wait", planned)
        self.ctl("config", "reload")
        self.assertEqual(self.mailbox()["overflow"], "wait")
        self.assert_stops_in_order(self.daemon)

    def test_a_type_that_no_plugin_has_is_an_error_of_the_configuration(self):
        wrong = self.write("wrong.conf", (CONFIG % "wait").replace("echo.Text/1", "echo.Txt/1"))
        done = subprocess.run([rig.BIN, wrong, "--check", "--plugin-path", rig.PLUGINS],
                              capture_output=True, text=True, timeout=rig.PATIENCE, check=False)
        self.assertEqual(done.returncode, rig.EX_CONFIG, done.stderr)
        self.assertIn('unknown message "echo.Txt/1"', done.stderr)
        self.assertIn('did you mean "echo.Text/1"?', done.stderr)


if __name__ == "__main__":
    rig.main()
