# SPDX-License-Identifier: Apache-2.0
"""What the developer's script says before it installs or builds anything."""

import os
import re
import subprocess
import unittest

import rig

DEV = os.path.join(os.environ["ACTORD_SOURCE"], "dev")


class Dev(rig.Case):
    def dev(self, *words):
        """The exit status, the output and the errors; with a state directory that no daemon has."""
        done = subprocess.run([DEV, *words], capture_output=True, text=True, check=False,
                              timeout=rig.PATIENCE, cwd=self.folder,
                              env={**os.environ, "XDG_STATE_HOME": self.folder})
        return done.returncode, done.stdout, done.stderr

    def test_the_help_has_each_verb(self):
        status, nothing, errors = self.dev("there-is-no-such-verb")
        self.assertEqual((status, nothing), (rig.EX_USAGE, ""))
        verbs = errors.rpartition("there are: ")[2].split()
        self.assertIn("run", verbs)
        status, text, _ = self.dev("help")
        self.assertEqual(status, 0)
        described = re.findall(r"^  ([a-z]+) ", text, re.MULTILINE)
        self.assertEqual(described, [verb for verb in verbs if verb != "help"])
        for line in text.splitlines():
            self.assertLessEqual(len(line), 100)

    def test_without_a_daemon_ctl_says_how_to_start_one(self):
        # Statuses of actorctl, which need not be built for this.
        for words, expected in ((("status",), 3), (("status", "-o", "json"), 3), (("tree",), 69),
                                (("ask", "/user/echo", "echo.Text/1"), 69)):
            status, nothing, errors = self.dev("ctl", *words)
            self.assertEqual((status, nothing), (expected, ""), words)
            self.assertIn("./dev run", errors)
            self.assertNotIn("building", errors)

    def test_a_configuration_that_does_not_exist_is_missed_before_the_build(self):
        status, _, errors = self.dev("run", "none.conf")
        self.assertEqual(status, rig.EX_NOINPUT)
        self.assertIn(os.path.join(self.folder, "none.conf"), errors)
        self.assertNotIn("building", errors)


if __name__ == "__main__":
    unittest.main()
