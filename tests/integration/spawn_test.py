# SPDX-License-Identifier: Apache-2.0
"""actorctl spawn: actors that are in no configuration."""

import json
import os

import rig

CONFIG = """
actord.user {
  a { behaviour = "mortal/Mortal", config { file = "%s" } }
  keeper { behaviour = "secretive/Keeper", config { pin = "1234" } }
  echo.behaviour = "echo/Echo"
}
"""


class Spawn(rig.Case):
    def setUp(self):
        super().setUp()
        self.fate = self.write("fate", "")
        self.daemon = self.start(CONFIG % self.fate, plugins=(rig.PLUGINS, rig.BAD_PLUGINS))
        self.daemon.wait_for("daemon.ready")

    def test_an_actor_is_created_and_outlives_its_restart_and_reloads(self):
        told = self.ctl("spawn", "mortal/Mortal", json.dumps({"file": self.fate}), "--name", "b")
        self.assertEqual(told, "/user/b is there, until it stops or actord does\n")
        self.ctl("config", "reload", "--force")
        self.ctl("restart", "/user/b")
        self.assertIn("mortal/Mortal", self.ctl("inspect", "/user/b"))
        self.write("fate", "fail")
        self.daemon.wait_for("actor.failed", lambda each: each["actor"]["path"] == "/user/b")
        self.write("fate", "")
        self.daemon.wait_for("actor.restarted", lambda each: each["actor"]["path"] == "/user/b")
        self.ctl("stop", "/user/b")
        self.assertIn("there is no actor /user/b", self.ctl("inspect", "/user/b",
                                                            status=rig.EX_USAGE))
        self.ctl("spawn", "mortal/Mortal", json.dumps({"file": self.fate}), "--name", "b")

    def test_the_name_is_that_of_the_behaviour_unless_given(self):
        refused = self.ctl("spawn", "echo/Echo", status=rig.EX_USAGE)
        self.assertIn("there is an actor /user/echo already", refused)
        self.ctl("stop", "/user/echo")
        self.ctl("spawn", "echo/Echo")
        self.assertIn("hello", self.ctl("ask", "/user/echo", "echo.Text/1", '{"text": "hello"}'))

    def test_what_is_wrong_is_refused_with_what_is_right(self):
        for words, expected in (
                (("echo/Eco",), 'did you mean "echo/Echo"?'),
                (("echo/Echo", "--name", "a b"), "invalid character ' '"),
                (("echo/Echo", "{", "--name", "x"), "the config is no JSON"),
                (("echo/Echo", "[]", "--name", "x"), "an object"),
                (("echo/Echo", '{"tune": 1}', "--name", "x"), "takes no config"),
                (("mortal/Mortal", '{"file": [1]}', "--name", "x"), "file")):
            with self.subTest(words):
                self.assertIn(expected, self.ctl("spawn", *words, status=rig.EX_USAGE))
        self.assertNotIn("/user/x", self.ctl("tree", "-o", "name"))

    def test_one_that_is_kept_is_of_the_configuration_from_now_on(self):
        file = os.path.join(self.folder, "conf.d", "spawned-b.conf")
        told = self.ctl("spawn", "mortal/Mortal", json.dumps({"file": self.fate}), "--name", "b",
                        "--persist")
        self.assertEqual(told, f"/user/b is there, and {file} keeps it\n")
        self.assertEqual(os.stat(file).st_mode, os.stat(self.write("actord.conf",
                                                                   CONFIG % self.fate)).st_mode)
        self.assertIn("spawned-b.conf:", self.ctl("inspect", "/user/b"))
        self.ctl("stop", "/user/b")
        again = self.ctl("spawn", "echo/Echo", "--name", "b", "--persist", status=rig.EX_USAGE)
        self.assertIn("the configuration has an actor b already", again)
        self.daemon.close()
        self.daemon = self.start(os.path.join(self.folder, "actord.conf"),
                                 plugins=(rig.PLUGINS, rig.BAD_PLUGINS))
        self.daemon.wait_for("daemon.ready")
        self.assertIn("mortal/Mortal", self.ctl("inspect", "/user/b"))
        os.remove(file)
        self.ctl("config", "reload")
        self.assertNotIn("/user/b", self.ctl("tree", "-o", "name"))

    def test_one_that_is_kept_brings_its_plugin(self):
        wish = ("spawn", "directive_lab/Supervisor", "--name", "n")
        self.assertIn("no loaded plugin has", self.ctl(*wish, status=rig.EX_USAGE))
        self.ctl(*wish, "--persist")
        self.assertIn("directive_lab/Supervisor", self.ctl("inspect", "/user/n"))

    def test_one_that_cannot_be_kept_leaves_no_file(self):
        folder = os.path.join(self.folder, "conf.d")
        wrong = self.ctl("spawn", "echo/Eco", "--name", "c", "--persist", status=rig.EX_CONFIG)
        self.assertIn('did you mean "echo/Echo"?', wrong)
        self.assertEqual(os.listdir(folder), [])
        self.write("actord.conf", "actord.usr = 1\n")
        wrong = self.ctl("spawn", "echo/Echo", "--name", "c", "--persist", status=rig.EX_CONFIG)
        self.assertIn("unknown key", wrong)
        self.assertEqual(os.listdir(folder), [])
        self.write("actord.conf", CONFIG % self.fate)
        self.write("conf.d/spawned-c.conf", "")
        taken = self.ctl("spawn", "echo/Echo", "--name", "c", "--persist", status=rig.EX_OSERR)
        self.assertIn("spawned-c.conf: File exists", taken)

    def test_a_config_is_not_logged(self):
        self.ctl("spawn", "secretive/Keeper", '{"pin": "pin-98765"}', "--name", "k", "--reason",
                 "a test")
        told = self.daemon.wait_for("admin.command")
        self.assertIn("a test", told["arguments"])
        self.assertNotIn("98765", json.dumps(self.daemon.records))


if __name__ == "__main__":
    rig.main()
