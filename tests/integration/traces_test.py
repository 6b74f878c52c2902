# SPDX-License-Identifier: Apache-2.0
"""A request is followed through the actors that it reaches: actorctl ask --trace, story."""

import json
import os
import re

import rig

CONFIG = """
actord {
  tracing { %s }
  user.echo.behaviour = "echo/Echo"
}
"""
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
HEADER = f"00-{TRACE}-00f067aa0ba902b7-01"
BOTH = ("/user/echo", "/system/operator-1")
QUESTION = ("/user/echo", "echo.Text/1", '{"text": "hello"}')


class Traces(rig.Case):
    def boot(self, tracing=""):
        self.daemon = self.start(CONFIG % tracing)
        self.daemon.wait_for("daemon.ready")

    def spans(self, trace, *paths):
        """The steps of these actors, when all are there, by path."""
        found = {}
        while not found.keys() >= set(paths):
            line = self.daemon.wait_for("actor.span", lambda each: each["trace"]["id"] == trace)
            found[line["actor"]["path"]] = line
        return found

    def test_a_question_is_followed_to_its_answer(self):
        self.boot()
        asked = self.run_ctl("ask", *QUESTION, "--trace",
                             "--socket", os.path.join(self.state, "actord.sock"))
        self.assertEqual(json.loads(asked.stdout)["text"], "hello")
        hint = re.fullmatch(r"actorctl story ([0-9a-f]{32}) shows what comes of it\n", asked.stderr)
        trace = hint[1]
        self.spans(trace, *BOTH)
        told = self.ctl("story", trace)
        self.assertRegex(told, rf"(?m)^trace {trace}$")
        self.assertRegex(told, r"(?m)^ *AFTER +WAITED +TOOK  MESSAGE +ACTOR +OUTCOME$")
        self.assertRegex(told, r"(?m)^ +0 us +\d+ us +\d+ us  echo\.Text/1 +/user/echo +handled$")
        self.assertRegex(told, r"(?m)^ *\d+ us +\d+ us +\d+ us    echo\.Text/1 +/system/operator-1 "
                               r"+handled$")
        self.assertTrue(told.endswith("what was logged meanwhile\n  nothing\n"), told)

    def test_a_trace_that_began_elsewhere_goes_on(self):
        self.boot()
        self.ctl("ask", *QUESTION, "--traceparent", HEADER)
        spans = self.spans(TRACE, *BOTH)
        self.assertEqual(spans["/user/echo"]["span"]["parent_id"], "00f067aa0ba902b7")
        self.assertEqual(spans["/system/operator-1"]["span"]["parent_id"],
                         spans["/user/echo"]["span"]["id"])

    def test_one_that_is_not_recorded_leaves_nothing(self):
        self.boot()
        self.ctl("ask", *QUESTION, "--traceparent", HEADER[:-1] + "0")
        self.ctl("tell", *QUESTION)
        told = self.ctl("logs", "--trace", TRACE, "-e", "actor.span", "-o", "json")
        self.assertEqual(told, "")
        nothing = self.ctl("story", "0" * 31 + "1", status=1)
        self.assertIn("the log has nothing about a trace", nothing)

    def test_what_is_no_header_and_a_daemon_that_takes_none_say_so(self):
        self.boot()
        self.assertIn('"00-1-2-3" is no W3C traceparent',
                      self.ctl("ask", *QUESTION, "--traceparent", "00-1-2-3", status=rig.EX_USAGE))
        self.write("actord.conf", CONFIG % "enabled = off")
        self.ctl("config", "reload")
        self.assertIn("switched traces off: actord.tracing.enabled",
                      self.ctl("tell", *QUESTION, "--trace", status=rig.EX_USAGE))

    def test_with_the_ratio_1_each_message_from_outside_begins_a_trace(self):
        self.boot("sample-ratio = 1")
        self.ctl("ask", *QUESTION)
        spans = [self.daemon.wait_for("actor.span") for _ in BOTH]
        self.assertEqual({line["actor"]["path"] for line in spans}, set(BOTH))
        self.assertEqual(len({line["trace"]["id"] for line in spans}), 1)
        first = [line["actor"]["path"] for line in spans if "parent_id" not in line["span"]]
        self.assertEqual(first, ["/user/echo"])


if __name__ == "__main__":
    rig.main()
