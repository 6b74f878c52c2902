# SPDX-License-Identifier: Apache-2.0
"""Where a failure was thrown: failure.stack, actord.failures.stacktrace."""

import unittest

import rig

CONFIG = """
actord.failures.stacktrace = %s
actord.user.a { behaviour = "mortal/Mortal", config { file = "%s" } }
"""


@unittest.skipIf(any(rig.SANITIZERS), "a sanitizer has a __cxa_throw() of its own")
class ThrowSite(rig.Case):
    def setUp(self):
        super().setUp()
        self.fate = self.write("fate", "")

    def boot(self, which):
        self.daemon = self.start(CONFIG % (which, self.fate), plugins=(rig.BAD_PLUGINS,))
        self.daemon.wait_for("daemon.ready")

    def test_the_first_failure_of_a_class_has_the_calls_that_led_to_it(self):
        self.boot("first")
        first, second = self.have_actor_fail(), self.have_actor_fail()
        self.assertRegex(first["stack"][0], r"^mortal::Mortal::look\(.*\).* \(mortal\.so\)$")
        self.assertNotIn("stack", second)
        story = self.ctl("story", first["id"])
        self.assertRegex(story, r"(?m)^  thrown in +mortal::Mortal::look\(")
        self.assertNotIn("libactord-core", story)

    def test_every_failure_has_them_or_none(self):
        self.boot("all")
        for _ in range(3):
            self.assertIn("mortal.so", self.have_actor_fail()["stack"][0])
        self.write("actord.conf", CONFIG % ("none", self.fate))
        self.ctl("config", "reload")
        self.assertNotIn("stack", self.have_actor_fail())


if __name__ == "__main__":
    rig.main()
