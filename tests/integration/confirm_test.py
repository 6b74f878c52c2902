# SPDX-License-Identifier: Apache-2.0
"""A reload that takes itself back, and one that is taken back: actorctl config confirm, revert."""

import json
import os
import re

import rig

CONFIG = """
actord {
  log.level = %s
  user.echo.behaviour = "echo/Echo"
  %s
}
"""
MORE = 'user.more.behaviour = "echo/Echo"'


class Confirm(rig.Case):
    def setUp(self):
        super().setUp()
        self.daemon = self.start(CONFIG % ("info", ""))
        self.daemon.wait_for("daemon.ready")

    def reload(self, level, more, *words):
        self.write("actord.conf", CONFIG % (level, more))
        return self.ctl("config", "reload", *words)

    def names(self):
        return self.ctl("tree", "-o", "name").split()

    def left_ms(self):
        return json.loads(self.ctl("status", "-o", "json")).get("unconfirmed_ms", 0)

    def test_what_is_not_confirmed_goes(self):
        told = self.reload("info", MORE, "--confirm", "5s")
        self.assertIn("unless actorctl config confirm comes within 5 s", told)
        self.assertIn("/user/more", self.names())
        reloaded = self.daemon.wait_for("config.reloaded")
        self.assertEqual(reloaded["confirm_within_ms"], 5000)
        back = self.daemon.wait_for("config.reloaded")
        self.assertEqual(back["asked_by"], "actord, as nothing has confirmed it")
        self.assertEqual(back["generation"], 3)
        self.assertNotIn("/user/more", self.names())
        self.assertEqual(self.left_ms(), 0)
        # The files still have it.
        self.assertIn("/user/more", self.ctl("config", "reload", "--dry-run"))

    def test_what_is_confirmed_stays(self):
        self.reload("info", MORE, "--confirm", "1 hour")
        self.assertGreater(self.left_ms(), 3_500_000)
        self.assertRegex(self.ctl("status"), r"(?m)^  unconfirmed +for 59 minutes; then the config")
        self.assertEqual(self.ctl("config", "confirm"), "generation 2 stays\n")
        self.assertEqual(self.left_ms(), 0)
        self.assertIn("no reload waits", self.ctl("config", "confirm", status=rig.EX_USAGE))

    def test_a_later_reload_confirms_or_waits_with_the_earlier_ones(self):
        self.reload("info", MORE, "--confirm", "1 hour")
        self.reload("debug", MORE, "--confirm", "1 hour")
        self.ctl("config", "revert")
        self.assertNotIn("/user/more", self.names())
        self.assertEqual(self.left_ms(), 0)
        self.reload("info", MORE, "--confirm", "1 hour")
        self.reload("debug", MORE)
        self.assertEqual(self.left_ms(), 0)
        self.ctl("config", "revert")
        self.assertIn("/user/more", self.names())

    def test_a_reload_is_taken_back_without_the_files(self):
        self.assertIn("no configuration before this one",
                      self.ctl("config", "revert", status=rig.EX_USAGE))
        self.reload("info", MORE)
        self.write("actord.conf", "actord.usr = 1\n")
        told = self.ctl("config", "revert")
        self.assertIn("/user/more", told)
        self.assertTrue(re.search(r"(?m)^reloaded; the new generation is 3$", told), told)
        self.assertIn("the files still have what was taken back", told)
        self.assertNotIn("/user/more", self.names())
        self.ctl("config", "revert")
        self.assertIn("/user/more", self.names())

    def kept(self):
        path = os.path.join(self.state, "last-good", *self.folder.split("/"), "actord.conf")
        with open(path, encoding="utf-8") as file:
            return file.read()

    def test_the_files_of_the_last_good_configuration_are_kept(self):
        first = CONFIG % ("info", "")
        second = CONFIG % ("info", MORE)
        self.ctl("status")  # is answered after what comes with daemon.ready
        self.assertEqual(self.kept(), first)
        self.reload("info", MORE, "--confirm", "1 hour")
        self.assertEqual(self.kept(), first)
        self.ctl("config", "confirm")
        self.assertEqual(self.kept(), second)
        self.ctl("config", "revert")
        self.assertEqual(self.kept(), first)
        self.write("actord.conf", "actord.usr = 1\n")
        self.ctl("config", "reload", status=rig.EX_CONFIG)
        self.assertEqual(self.kept(), first)
        folder = os.path.join(self.state, "last-good")
        self.assertEqual(os.stat(folder).st_mode & 0o777, 0o700)
        self.assertEqual([name for name in os.listdir(self.state) if "good" in name],
                         ["last-good"])
        self.daemon.close()
        again = self.start(os.path.join(folder, *self.folder.split("/"), "actord.conf"))
        again.wait_for("daemon.ready")

    def test_a_time_that_makes_no_sense_is_refused(self):
        for wrong in ("0s", "2d", "soon"):
            self.assertIn("1s to 1 day", self.ctl("config", "reload", "--confirm", wrong,
                                                  status=rig.EX_USAGE))


if __name__ == "__main__":
    rig.main()
