# SPDX-License-Identifier: Apache-2.0
"""What becomes of the file of a plugin that is loaded: nothing happens to its actors."""

import os
import shutil

import rig

CONFIG = """
actord.failures.stacktrace = all
actord.user.a { behaviour = "mortal/Mortal", config { file = "%s" } }
"""


class PluginFiles(rig.Case):
    def setUp(self):
        super().setUp()
        self.fate = self.write("fate", "")
        self.plugins = os.path.join(self.folder, "plugins")
        os.mkdir(self.plugins)
        self.file = shutil.copy(os.path.join(rig.BAD_PLUGINS, "mortal.so"), self.plugins)
        self.daemon = self.start(CONFIG % self.fate, plugins=(self.plugins,))
        self.daemon.wait_for("daemon.ready")

    def overwrite(self):
        with open(self.file, "r+b") as file:
            file.write(bytes(os.path.getsize(self.file)))

    def shorten(self):
        os.truncate(self.file, 0)

    def delete(self):
        os.remove(self.file)

    def test_an_actor_goes_on_when_its_file_is_overwritten_shortened_and_deleted(self):
        loaded = self.daemon.all("plugin.loaded")[0]["plugin"]
        self.assertEqual(loaded["file"], self.file)
        for change in (self.overwrite, self.shorten, self.delete):
            with self.subTest(change.__name__):
                change()
                failure = self.have_actor_fail()
                if not any(rig.SANITIZERS):  # which have a __cxa_throw() of their own
                    self.assertRegex(failure["stack"][0],
                                     r"^mortal::Mortal::look\(.*\).* \(mortal\.so\)$")
                self.assertIn("mortal/Mortal", self.ctl("inspect", "/user/a"))
        self.assert_stops_in_order(self.daemon)


if __name__ == "__main__":
    rig.main()
