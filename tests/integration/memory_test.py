# SPDX-License-Identifier: Apache-2.0
"""Messages that wait faster than they are handled are told of before the kernel ends actord."""

import os
import unittest

import rig

MIB = 1 << 20
FLOOD = """
actord.actor.message-memory-max = 1 MiB
actord.user.f {{ behaviour = "flood/Source", config {{ {} }} }}
"""


class Memory(rig.ManagedCase):
    def run_flood(self, config, head=FLOOD):
        return self.start(head.format(config), plugins=(rig.BAD_PLUGINS,),
                          environment=self.environment)

    def test_a_mailbox_that_grows_is_named_with_its_messages(self):
        daemon = self.run_flood("messages = 60000, each-us = 200")
        told = daemon.wait_for("mailbox.highwater", lambda each: "mailbox" in each)
        self.assertGreaterEqual(told["in_use_bytes"], MIB // 4)
        self.assertEqual(told["limit_bytes"], MIB)
        self.assertEqual(told["mailbox"]["path"], "/user/f/basin")
        self.assertGreater(told["mailbox"]["depth"], 1000)
        self.assertEqual(told["message"]["type"], "flood.Drop/1")
        self.assertRegex(told["mailboxes"][0],
                         r"^/user/f/basin: \d+ messages, most of them flood.Drop/1$")
        self.manager.wait_for("STATUS=1 of 1 configured actor is up; messages take up ")
        self.assert_stops_in_order(daemon)

    def test_one_whose_handler_does_not_return_is_named_and_the_end_is_told(self):
        daemon = self.run_flood("messages = 60000, first-ms = 2000")
        told = daemon.wait_for("mailbox.highwater")
        self.assertIn("/user/f/basin: \u2265 1 message, its handler has not returned",
                      told["mailboxes"])
        relieved = daemon.wait_for("mailbox.relieved")
        self.assertLess(relieved["in_use_bytes"], MIB // 8)
        seen = self.manager.wait_for("STATUS=1 of 1 configured actor is up")
        while any("messages take up" in line for line in seen):
            seen = self.manager.wait_for("STATUS=1 of 1 configured actor is up")
        self.assert_stops_in_order(daemon)

    def test_few_messages_are_not_told_of(self):
        daemon = self.run_flood("messages = 1000")
        daemon.wait_for("daemon.ready")
        self.manager.wait_for("STATUS=1 of 1 configured actor is up")
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.all("mailbox.highwater"), [])

    @unittest.skipIf("ACTORD_SANITIZED" in os.environ, "a sanitizer needs more memory than that")
    def test_the_memory_of_a_control_group_is_told_of_before_it_is_used_up(self):
        group = rig.Group(self, "memory", {"memory.limit_in_bytes": 1024 * MIB})
        # It reads the limit of its group at the start.
        held = self.silent_drop_ins()
        daemon = self.run_flood("messages = 1000000, bytes = 20000, each-us = 5000",
                                head='include "conf.d/00-silent.conf"\n' + FLOOD.replace(
                                    "actord.actor.message-memory-max = 1 MiB", ""))
        group.add(daemon)
        held()
        told = daemon.wait_for("mailbox.highwater")
        self.assertEqual(told["memory"]["limit_bytes"], 1024 * MIB)
        self.assertLess(told["memory"]["resident_bytes"], 1024 * MIB)
        self.assertEqual(told["mailbox"]["path"], "/user/f/basin")
        # Without swap the kernel ends it a moment later.
        daemon.process.kill()


if __name__ == "__main__":
    rig.main()
