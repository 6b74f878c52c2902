# SPDX-License-Identifier: Apache-2.0
"""actorctl plugin: what is said of plugins, with and without a daemon."""

import json
import os
import shutil

import rig


class PluginFiles(rig.Case):
    """No daemon is needed."""

    def plugin(self, verb, path, *words, status=rig.EX_OK):
        done = self.run_ctl("plugin", verb, path, *words)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout if status == rig.EX_OK or "json" in words else done.stderr

    def bad(self, name):
        return os.path.join(rig.BAD_PLUGINS, name + ".so")

    def test_a_sound_file_is_ok(self):
        echo = os.path.join(rig.PLUGINS, "echo.so")
        self.assertRegex(self.plugin("verify", echo),
                         rf"^ok: {echo} is echo 1\.0\.0 for interface 1\.\d+, with 1 behaviour and "
                         r"1 message\n$")
        told = json.loads(self.plugin("verify", echo, "-o", "json"))
        self.assertEqual((told["ok"], told["name"], told["warnings"]), (True, "echo", []))

    def test_a_file_that_is_refused_tells_what_is_wrong_where_and_how_to_mend_it(self):
        for name, what in (("text", "not an ELF file"), ("other_abi", "abi differs"),
                           ("unresolved", "function_that_nobody_has"),
                           ("static_aborts", "SIGABRT"), ("short_table", "too short")):
            with self.subTest(name):
                told = self.plugin("verify", self.bad(name), status=rig.EX_DATAERR)
                self.assertIn(self.bad(name), told)
                self.assertIn(what, told)
                self.assertGreater(len(told.splitlines()), 1, told)
                as_json = json.loads(self.plugin("verify", self.bad(name), "-o", "json",
                                                 status=rig.EX_DATAERR))
                self.assertIn(what, as_json["error"])
                self.assertNotEqual(as_json["help"], "")
        self.assertIn("there is no file", self.plugin("verify", "./no.so", status=rig.EX_NOINPUT))

    def test_who_may_change_the_file_is_judged_by_the_rule_that_is_asked_for(self):
        file = shutil.copy(os.path.join(rig.PLUGINS, "echo.so"), self.folder)
        self.plugin("verify", file)  # below /tmp
        self.assertIn("can change what is loaded",
                      self.plugin("verify", file, "--trust", "strict", status=rig.EX_DATAERR))
        os.chmod(file, 0o666)
        self.assertIn("chmod go-w " + file, self.plugin("verify", file, status=rig.EX_DATAERR))

    def test_a_file_is_inspected(self):
        told = self.plugin("inspect", os.path.join(rig.PLUGINS, "echo.so"))
        self.assertRegex(told, r"(?m)^  echo/Echo")
        self.assertRegex(told, r"(?m)^    handles +echo\.Text/1$")
        self.assertRegex(told, r"(?m)^  echo\.Text/1 +text: ")
        self.assertNotIn("actord.", told)
        told = json.loads(self.plugin("inspect", self.bad("mortal"), "-o", "json"))
        self.assertEqual(told["failures"], ["mortal::Broken"])
        self.assertEqual(told["behaviours"][0]["config"][0]["key"], "file")
        self.plugin("inspect", self.bad("text"), status=rig.EX_DATAERR)


class PluginOrders(rig.Case):
    def setUp(self):
        super().setUp()
        self.daemon = self.start('actord.user.echo.behaviour = "echo/Echo"\n')
        self.daemon.wait_for("daemon.ready")

    def test_the_daemon_inspects_what_it_has_loaded(self):
        self.assertRegex(self.ctl("plugin", "inspect", "echo"), r"(?m)^  echo/Echo")
        self.assertIn('no plugin "nothing" is loaded',
                      self.ctl("plugin", "inspect", "nothing", status=rig.EX_USAGE))

    def test_what_cannot_be_loaded_is_refused(self):
        for name, what, status in (("../echo", "no name of a plugin", rig.EX_USAGE),
                                   ("absent", "there is no plugin", rig.EX_USAGE)):
            with self.subTest(name):
                self.assertIn(what, self.ctl("plugin", "load", name, status=status))
        self.assertEqual(self.ctl("plugin", "load", "echo"), "echo 1.0.0 is loaded: echo/Echo\n")
        self.assertIn('no plugin "absent" is loaded',
                      self.ctl("plugin", "retire", "absent", status=rig.EX_USAGE))

    def test_orders_are_in_the_log(self):
        self.ctl("plugin", "load", "directive_lab")
        told = self.daemon.wait_for("admin.command")
        self.assertEqual((told["verb"], json.loads(told["arguments"])),
                         ("plugin.load", {"name": "directive_lab"}))

    def test_the_list_has_all_forms(self):
        self.assertRegex(self.ctl("plugin", "list"), r"(?m)^echo +1\.0\.0 +loaded +echo/Echo *$")
        self.assertIn(os.path.join(rig.PLUGINS, "echo.so"),
                      self.ctl("plugin", "list", "-o", "wide"))
        self.assertEqual(self.ctl("plugin", "list", "-o", "name"), "echo\n")


if __name__ == "__main__":
    rig.main()
