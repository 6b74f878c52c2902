# SPDX-License-Identifier: Apache-2.0
"""What the JSON Schema of the log accepts and what it rejects. That every line of every other test
is accepted is checked by rig.py."""

import copy
import os
import sys
import unittest

try:
    import log_schema
except ImportError:
    print("this needs a validator of JSON Schema: apt-get install python3-jsonschema")
    sys.exit(77)  # status 77 skips the test (CMakeLists.txt)

LINE = {"ts": "2024-05-01T10:32:01.123456Z", "level": "warning", "msg": "a sentence", "seq": 7,
        "pid": 1, "tid": 2, "boot": "b00t", "system": "demo", "schema": "actord.log/2"}
ACTOR = {"path": "/user/x", "uid": "u", "incarnation": 1, "behaviour": "echo/Echo"}
STEP = {"supervisor": "/user", "directive": "escalate", "rule": "r", "config_origin": "a.conf:3"}
FAILED = {**LINE, "event": "actor.failed", "actor": ACTOR,
          "failure": {"id": "f1", "type": "a::B", "types": ["a::B"], "message": "no",
                      "phase": "receive", "details": {"errno": 5, "deep": {"er": [1]}}},
          "supervisor": {"path": "/user", "strategy": "one-for-one"},
          "decision": {"directive": "stop", "denied": "restart", "rule": "a::B",
                       "config_origin": "default", "path": [STEP, STEP]},
          "restart": {"count": 3, "max": 3, "delay_ms": 0.5}}
RESTARTED = {**LINE, "event": "actor.restarted", "actor": ACTOR, "failure": {"id": "f1"}}
OWN = {**LINE, "event": "crawler.finished", "pages": 3, "fields": {"seq": 1}}

RIGHT = (FAILED, RESTARTED, OWN,
         {**RESTARTED, "failure": {"type": "a::B"}, "collateral_of": "f2"},
         {**LINE, "event": "plugin.event", "plugin": {"event": "daemon.stopped", "x": 1}, "y": 2},
         {**LINE, "event": "actor.failed", "truncated": True},
         {**LINE, "event": "log.suppressed", "of": "chatter", "count": 3})


def with_value(record, path, value):
    """A copy of the record with another value at the path. None: without the member."""
    changed = copy.deepcopy(record)
    at = changed
    *steps, last = path
    for step in steps:
        at = at[step]
    if value is None:
        del at[last]
    else:
        at[last] = value
    return changed


WRONG = (
    # a member of every line
    (OWN, ["ts"], "yesterday", "ts"),
    (OWN, ["seq"], None, "'seq'"),
    (OWN, ["schema"], "actord.log/1", "schema"),
    (OWN, ["level"], "fatal", "level"),
    # names of events
    (FAILED, ["event"], "actor.exploded", "actor.exploded"),
    (FAILED, ["event"], None, "'event'"),
    # fields that are not in the table
    (FAILED, ["extra"], 1, "'extra'"),
    (FAILED, ["actor", "extra"], 1, "'extra'"),
    (FAILED, ["decision", "path", 1, "extra"], 1, "'extra'"),
    (RESTARTED, ["fields"], {"a": 1}, "{'a': 1}"),
    # fields that are missing
    (FAILED, ["supervisor"], None, "'supervisor'"),
    (FAILED, ["failure", "id"], None, "'id'"),
    (FAILED, ["decision", "path", 1, "rule"], None, "'rule'"),
    (RESTARTED, ["failure"], {}, "'id'"),
    (RESTARTED, ["collateral_of"], "f2", "valid under each"),
    # values of another kind
    (FAILED, ["actor", "incarnation"], "1", "actor.incarnation"),
    (FAILED, ["actor", "incarnation"], -1, "actor.incarnation"),
    (FAILED, ["failure", "types"], "a::B", "failure.types"),
    (FAILED, ["failure", "phase"], "lunch", "failure.phase"),
    (FAILED, ["decision", "denied"], True, "decision.denied"),
    (FAILED, ["restart", "delay_ms"], "1 s", "restart.delay_ms"),
    (RESTARTED, ["level"], "error", "level"),
)


class LogSchema(unittest.TestCase):
    def test_the_schema_is_one(self):
        log_schema.Validator.check_schema(log_schema.SCHEMA)

    def test_lines_as_the_table_says_are_accepted(self):
        for record in RIGHT:
            with self.subTest(event=record["event"]):
                self.assertIsNone(log_schema.departure(record))
                self.assertTrue(log_schema.WHOLE.is_valid(record))

    def test_a_line_that_departs_is_rejected_with_the_field_and_the_fault(self):
        for record, path, value, word in WRONG:
            with self.subTest(path=path, value=value):
                changed = with_value(record, path, value)
                self.assertIn(word, log_schema.departure(changed))
                self.assertFalse(log_schema.WHOLE.is_valid(changed))

    def test_each_event_has_a_definition_and_a_condition(self):
        conditions = [rule["if"]["properties"]["event"].get("const")
                      for rule in log_schema.SCHEMA["else"]["allOf"]]
        self.assertEqual(sorted(name for name in conditions if name), sorted(log_schema.BY_EVENT))

    def test_the_page_has_every_event(self):
        with open(os.path.join(log_schema.ROOT, "core/log/events.md"), encoding="utf-8") as page:
            text = page.read()
        for event in log_schema.BY_EVENT:
            self.assertIn(f"\n### `{event}`\n", text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
