# SPDX-License-Identifier: Apache-2.0
"""Plugins that are put into their folder while actord runs: actord.plugins.autoload."""

import json
import os
import shutil
import time

import rig

CONFIG = """
actord.plugins { autoload = %s, path = %s }
actord.user.a { behaviour = "mortal/Mortal", config { file = "%s" } }
"""

# Keeps two workers busy with messages.
LOAD = 'actord.user.load { behaviour = "flood/Source", config { messages = 4000000000 } }'

# A file of tests/bad_plugins, the event that tells of it, and words of its reason.
BAD = (("text", "plugin.rejected", "not an ELF file"),
       ("cut_off", "plugin.rejected", "cut off"),
       ("no_note", "plugin.rejected", "no note"),
       ("other_abi", "plugin.rejected", "abi differs"),
       ("other_sanitizer", "plugin.rejected", "san differs"),
       ("wrong_name", "plugin.rejected", "right_name"),
       ("executable_stack", "plugin.rejected", "executable stack"),
       ("unresolved", "plugin.rejected", "function_that_nobody_has"),
       ("no_entry", "plugin.rejected", "does not export"),
       ("null_entry", "plugin.rejected", "returns no table"),
       ("short_table", "plugin.rejected", "too short"),
       ("broken_failures", "plugin.rejected", "list of failures"),
       ("static_throws", "plugin.rejected", "a static initialiser throws"),
       ("static_killed", "plugin.broken", "SIG"),
       ("static_aborts", "plugin.broken", "SIGABRT"),
       ("static_exits", "plugin.broken", "exit status"),
       ("static_leaves", "plugin.broken", "exit status"),
       ("static_endless", "plugin.broken", "has not ended"),
       ("static_lies", "plugin.rejected", ""))


class PluginWatch(rig.Case):
    def setUp(self):
        super().setUp()
        self.fate = self.write("fate", "")
        self.plugins = os.path.join(self.folder, "plugins")
        os.mkdir(self.plugins)
        self.drop("mortal", rig.BAD_PLUGINS)

    def boot(self, autoload, *folders, also=""):
        self.folders = json.dumps(folders or [self.plugins])
        self.daemon = self.start(CONFIG % (autoload, self.folders, self.fate) + also,
                                 plugins=())
        self.daemon.wait_for("daemon.ready")

    def path(self, name):
        return os.path.join(self.plugins, name + ".so")

    def drop(self, name, folder=rig.PLUGINS):
        return shutil.copyfile(os.path.join(folder, name + ".so"), self.path(name))

    def renew(self, name):
        """Another build: the same code, and a byte that nobody reads."""
        with open(self.path(name), "ab") as file:
            file.write(b"\0")

    def plugin(self, name):
        lines = self.ctl("plugin", "list", "-o", "json").splitlines()
        found = [each for each in map(json.loads, lines) if each["name"] == name]
        return found[-1] if found else None

    def settle(self):
        """Whatever the daemon has still to say of its folders is in the log then."""
        self.ctl("plugin", "rescan")

    # ---- what is put there

    def test_on_actors_of_a_plugin_that_is_copied_there_are_created_under_load(self):
        self.drop("flood", rig.BAD_PLUGINS)
        self.boot("on", also=LOAD)
        self.drop("echo")
        loaded = self.daemon.wait_for("plugin.loaded")
        self.assertEqual(loaded["plugin"]["file"], self.path("echo"))
        self.ctl("spawn", "echo/Echo")
        self.assertIn("hi", self.ctl("ask", "/user/echo", "echo.Text/1", '{"text": "hi"}'))

    def test_on_one_that_is_renamed_into_the_folder_is_seen_and_names_of_drafts_are_not(self):
        self.boot("on")
        for draft in (".echo.so.Xa3b9z", "echo.so.dpkg-new", "echo.so~", "echo.so.tmp"):
            shutil.copy(os.path.join(rig.PLUGINS, "echo.so"), os.path.join(self.plugins, draft))
        self.settle()
        self.assertEqual(self.ctl("plugin", "list", "-o", "name"), "mortal\n")
        os.rename(os.path.join(self.plugins, "echo.so.dpkg-new"), self.path("echo"))
        self.assertEqual(self.daemon.wait_for("plugin.loaded")["plugin"]["name"], "echo")

    def test_verify_tells_of_it_once_and_an_order_or_the_configuration_loads_it(self):
        self.boot("verify")
        self.drop("echo")
        verified = self.daemon.wait_for("plugin.verified")["plugin"]
        self.assertEqual(verified["behaviours"], ["Echo"])
        self.assertEqual(self.plugin("echo")["state"], "verified")
        self.assertIn("no loaded plugin has",
                      self.ctl("spawn", "echo/Echo", status=rig.EX_USAGE))
        self.settle()
        self.assertEqual(len(self.daemon.all("plugin.verified")), 1)
        self.assertEqual(self.ctl("plugin", "load", "echo"), "echo 1.0.0 is loaded: echo/Echo\n")
        self.ctl("spawn", "echo/Echo")
        self.drop("directive_lab")
        self.daemon.wait_for("plugin.verified")
        self.ctl("spawn", "directive_lab/Supervisor", "--name", "n", "--persist")
        self.assertEqual(self.plugin("directive_lab")["state"], "loaded")
        self.assertNotIn("newer", self.plugin("directive_lab"))

    def test_off_looks_at_nothing_until_it_is_asked_to(self):
        self.boot("off")
        self.drop("echo")
        self.assertIsNone(self.plugin("echo"))
        self.assertIn("verified", self.ctl("plugin", "rescan"))
        self.daemon.wait_for("plugin.verified")

    def test_a_reload_switches_it_on(self):
        self.drop("echo")
        self.boot("off")
        self.write("actord.conf", CONFIG % ("on", self.folders, self.fate))
        self.ctl("config", "reload")
        self.assertEqual(self.daemon.wait_for("plugin.loaded")["plugin"]["name"], "echo")

    def test_a_folder_that_is_made_later_and_one_that_is_made_again_are_watched(self):
        late = os.path.join(self.folder, "a", "late")
        self.boot("on", self.plugins, late)
        os.makedirs(late)
        shutil.copy(os.path.join(rig.PLUGINS, "echo.so"), late)
        self.daemon.wait_for("plugin.loaded", lambda each: each["plugin"]["name"] == "echo")
        shutil.rmtree(late)
        os.makedirs(late)
        shutil.copy(os.path.join(rig.PLUGINS, "directive_lab.so"), late)
        self.daemon.wait_for("plugin.loaded",
                             lambda each: each["plugin"]["name"] == "directive_lab")

    # ---- what is no good

    def test_each_bad_file_is_told_of_once_with_what_to_do_and_the_daemon_lives(self):
        self.boot("on")
        for name, event, words in BAD:
            if rig.HAS_SANITIZER and event == "plugin.broken":
                continue  # a sanitizer has statuses of its own
            with self.subTest(name):
                self.drop(name, rig.BAD_PLUGINS)
                told = self.daemon.wait_for(("plugin.rejected", "plugin.broken"))
                self.assertEqual((told["event"], told["plugin"]["name"]), (event, name))
                self.assertIn(words, told["reason"])
                self.assertNotEqual(told["help"], "")
                self.assertEqual(told["plugin"]["file"], self.path(name))
                self.assertEqual(self.plugin(name)["state"], event[len("plugin."):])
        told = len(self.daemon.all("plugin.rejected") + self.daemon.all("plugin.broken"))
        os.utime(self.path("text"))
        self.drop("no_note", rig.BAD_PLUGINS)
        self.settle()
        again = len(self.daemon.all("plugin.rejected") + self.daemon.all("plugin.broken"))
        self.assertEqual(told, again)
        self.assertIn("mortal/Mortal", self.ctl("inspect", "/user/a"))
        self.assert_stops_in_order(self.daemon)

    def test_a_file_that_others_may_change_is_rejected_until_that_is_mended(self):
        self.boot("on")
        shutil.copy(os.path.join(rig.PLUGINS, "echo.so"), os.path.join(self.plugins, "draft"))
        os.chmod(os.path.join(self.plugins, "draft"), 0o666)
        os.rename(os.path.join(self.plugins, "draft"), self.path("echo"))
        told = self.daemon.wait_for("plugin.rejected")
        self.assertEqual(told["help"], "chmod go-w " + self.path("echo"))
        os.chmod(self.path("echo"), 0o644)
        self.daemon.wait_for("plugin.loaded", lambda line: line["plugin"]["name"] == "echo")

    def test_links_and_changes_of_the_mode_are_seen(self):
        self.boot("on")
        other = os.path.join(self.folder, "other.so")
        shutil.copyfile(os.path.join(rig.PLUGINS, "echo.so"), other)
        os.symlink(other, self.path("echo"))
        self.daemon.wait_for("plugin.loaded", lambda line: line["plugin"]["name"] == "echo")
        shutil.copyfile(os.path.join(rig.PLUGINS, "directive_lab.so"), other + "2")
        os.link(other + "2", self.path("directive_lab"))
        self.daemon.wait_for("plugin.loaded",
                             lambda line: line["plugin"]["name"] == "directive_lab")

    def test_what_is_no_regular_file_is_rejected_and_delays_nothing(self):
        self.boot("on")
        os.mkfifo(self.path("fifo"))
        os.mkdir(self.path("folder"))
        os.symlink("/dev/zero", self.path("zero"))
        self.drop("echo")
        self.daemon.wait_for("plugin.loaded", lambda line: line["plugin"]["name"] == "echo")
        self.ctl("plugin", "rescan")
        for name in ("fifo", "zero"):
            self.assertEqual(self.plugin(name)["state"], "rejected")
        self.assert_stops_in_order(self.daemon)

    def test_a_start_from_a_fifo_is_refused(self):
        os.mkfifo(self.path("echo"))
        _, status = self.run_to_end('actord.user.echo.behaviour = "echo/Echo"\n',
                                    plugins=(self.plugins,))
        self.assertEqual(status, rig.EX_DATAERR)

    def test_a_list_that_is_too_long_begins_with_what_is_loaded(self):
        self.boot("off")
        for number in range(600):
            with open(self.path(f"f{number}"), "w", encoding="ascii") as file:
                file.write("x")
        self.ctl("plugin", "rescan")
        done = self.run_ctl("plugin", "list", "--socket", os.path.join(self.state, "actord.sock"))
        self.assertRegex(done.stdout.splitlines()[1], r"^mortal .* loaded ")
        self.assertRegex(done.stderr, r"\d+ more are left out, which are not loaded")

    def test_a_stop_does_not_wait_for_a_file_that_is_being_tried(self):
        self.boot("verify")
        self.drop("static_endless", rig.BAD_PLUGINS)
        self.drop("echo")
        self.daemon.wait_for("plugin.verified")
        began = time.monotonic()
        self.assert_stops_in_order(self.daemon)
        if not any(rig.SANITIZERS):
            self.assertLess(time.monotonic() - began, 4)  # a trial may take 5 s

    # ---- what is loaded already

    def test_another_build_of_a_loaded_plugin_waits_for_the_next_start(self):
        self.boot("on")
        self.renew("mortal")
        told = self.daemon.wait_for("plugin.discovered")
        self.assertEqual(told["loaded"]["version"], "1.0.0")
        self.assertIn("newer file waits: 1.0.0", self.ctl("plugin", "list"))
        self.drop("mortal", rig.BAD_PLUGINS)
        self.settle()
        self.assertNotIn("newer", self.plugin("mortal"))
        self.assertEqual(len(self.daemon.all("plugin.loaded")), 1)

    def test_a_plugin_that_is_needed_is_not_retired_and_another_makes_room_for_a_newer_build(self):
        self.boot("off")
        needed = self.ctl("plugin", "retire", "mortal", status=rig.EX_USAGE)
        self.assertIn("needs the plugin mortal for /user/a", needed)
        self.drop("echo")
        self.ctl("plugin", "load", "echo")
        self.ctl("spawn", "echo/Echo", "--name", "old")
        self.assertIn("echo 1.0.0 is retired", self.ctl("plugin", "retire", "echo"))
        self.daemon.wait_for("plugin.retired")
        self.assertIn("no loaded plugin has",
                      self.ctl("spawn", "echo/Echo", "--name", "no", status=rig.EX_USAGE))
        self.renew("echo")
        self.ctl("plugin", "load", "echo")
        self.ctl("spawn", "echo/Echo", "--name", "new")
        for each in ("old", "new"):
            self.ctl("restart", "/user/" + each)
            self.assertIn("hi", self.ctl("ask", "/user/" + each, "echo.Text/1", '{"text": "hi"}'))
        states = [json.loads(line)["state"]
                  for line in self.ctl("plugin", "list", "-o", "json").splitlines()]
        self.assertEqual(states, ["retired", "loaded", "loaded"])
        self.assert_stops_in_order(self.daemon)

    def test_the_same_build_is_loaded_again_after_it_was_retired(self):
        self.boot("on")
        self.drop("echo")
        self.daemon.wait_for("plugin.loaded")
        self.ctl("plugin", "retire", "echo")
        self.settle()
        self.assertEqual(self.plugin("echo")["state"], "verified")
        self.ctl("plugin", "load", "echo")
        self.ctl("spawn", "echo/Echo")
        self.assert_stops_in_order(self.daemon)


if __name__ == "__main__":
    rig.main()
