# SPDX-License-Identifier: Apache-2.0
"""Wrong inputs: each ends the start with its own exit status and one screen of advice."""

import json
import os
import shutil
import signal
import socket
import subprocess
import unittest

import rig

ECHO = 'actord { user { echo { behaviour = "echo/Echo" } } }\n'
# The folder of a process is immutable, so even root cannot write into it.
UNWRITABLE = "/proc/self"


class Refused(rig.Case):
    def refused(self, status, config, *arguments, says=(), **keywords):
        daemon, got = self.run_to_end(config, *arguments, **keywords)
        self.assertEqual(got, status, daemon.log_tail())
        self.assert_one_screen(daemon)
        for words in says if isinstance(says, (list, tuple)) else (says,):
            self.assertIn(words, daemon.errors)
        self.assertNotIn("daemon.ready", daemon.events())
        self.assert_clean_log(daemon)
        if daemon.records:
            self.assertEqual(daemon.records[-1]["exit"], status)
        return daemon


    def run_program(self, words, *arguments, plugins=None, environment=None):
        """By default with the plugins of self.place."""
        return subprocess.run(
            [*words, "-s", f"actord.state-dir={self.folder}", "-p", plugins or self.place,
             *arguments],
            capture_output=True, text=True, timeout=rig.PATIENCE, check=False,
            env={**os.environ, **(environment or {})})


class CommandLine(Refused):
    def test_an_unknown_option(self):
        self.refused(rig.EX_USAGE, ECHO, "--no-such-option", says="no-such-option")


class Configuration(Refused):
    def test_a_file_that_does_not_exist(self):
        path = os.path.join(self.folder, "absent.conf")
        self.refused(rig.EX_NOINPUT, path, says=path)

    def test_a_syntax_error_is_shown_with_its_place_and_a_caret(self):
        daemon = self.refused(rig.EX_CONFIG, "actord {\n  user { echo { behaviour } }\n}\n",
                              says="actord.conf:2:17: error:")
        lines = daemon.errors.splitlines()
        at = next(i for i, line in enumerate(lines) if "  user { echo { \u2026 } }" in line)
        self.assertEqual(lines[at + 1].index("^"), lines[at].index("\u2026"), daemon.errors)

    def test_an_unknown_key_with_what_was_meant(self):
        self.refused(rig.EX_CONFIG, "actord.log { levle = info }\n",
                     says=("actord.conf:1:", "levle", 'did you mean "level"?'))

    def test_a_value_of_the_wrong_type(self):
        self.refused(rig.EX_CONFIG, "actord.actor.default-dispatcher { workers = many }\n",
                     says=("actord.conf:1:45: error:", "many"))

    def test_an_actor_that_is_named_twice(self):
        self.refused(rig.EX_CONFIG, """
            actord.user {
              echo { behaviour = "echo/Echo" }
              echo { behaviour = "echo/Echo" }
            }
            """, says=("actord.conf:4:", "duplicate actor name", "actord.conf:3"))

    def test_a_file_that_includes_itself(self):
        self.write("a.conf", 'include "b.conf"\n')
        self.write("b.conf", 'include "a.conf"\n')
        self.refused(rig.EX_CONFIG, os.path.join(self.folder, "a.conf"),
                     says=("b.conf:1:", "a.conf"))

    def test_a_hundred_thousand_brackets(self):
        self.refused(rig.EX_CONFIG, "a = " + "[" * 100_000 + "\n", says="actord.conf:1:")

    def test_a_reference_to_nothing(self):
        self.refused(rig.EX_CONFIG, "actord.name = ${no.such.key}\n",
                     says=("actord.conf:1:15", "no.such.key"))

    def test_many_errors_fit_on_one_screen(self):
        config = "actord {\n" + "".join(f"  wrong{n} = {n}\n" for n in range(500)) + "}\n"
        self.refused(rig.EX_CONFIG, config, says=("actord.conf:2:", "more"))

    def test_a_wrong_override_says_that_it_was_one(self):
        self.refused(rig.EX_CONFIG, ECHO, sets=["actord.log.level=loud"], says=("--set", "loud"))

    def test_an_unknown_behaviour_with_those_there_are(self):
        self.refused(rig.EX_CONFIG, ECHO.replace("/Echo", "/Ecco"),
                     says=("actord.conf:1:", "echo/Ecco", "echo/Echo"))

    def test_all_errors_are_reported_in_the_order_of_the_file(self):
        config = """
            actord.log.level = loud
            actord.user {
              absent { behaviour = "nowhere/It", config { unknown = 1 } }
              echo { behaviour = "echo/Ecco" }
              store { behaviour = "data_store/Listener", config { totl = 1 } }
            }
            vars.secret { a = { file = "absent-a" }, b = { file = "absent-b" } }
            """
        for arguments in ((), ("--check",)):
            daemon = self.refused(rig.EX_CONFIG, config, *arguments, says=(
                "actord.conf:2:32: error: expected one of",
                'actord.conf:4:36: error: there is no plugin "nowhere"',
                "actord.conf:5:34: error: unknown behaviour", "actord.conf:6:", "totl",
                "absent-a", "absent-b"))
            lines = [int(line.split(":")[1]) for line in daemon.errors.splitlines()
                     if ": error: " in line]
            self.assertEqual(lines, [2, 4, 5, 6, 8, 8], daemon.errors)

    def test_a_key_that_the_behaviour_does_not_take(self):
        self.refused(rig.EX_CONFIG, """
            actord.user.site { behaviour = "static_site/Site", config { rooot = /usr } }
            """, says=("actord.conf:2:", "rooot", "root"))


class Plugins(Refused):
    def test_the_folders_of_the_command_line_come_before_the_others_and_not_instead(self):
        empty = os.path.join(self.folder, "empty")
        os.mkdir(empty)
        for words in ([rig.BIN, "--check"], [rig.CTL, "config", "check"]):
            done = self.run_ctl_like(words, ECHO, "-p", empty)
            self.assertEqual(done.returncode, rig.EX_OK, done.stderr)

    def run_ctl_like(self, words, config, *arguments):
        path = self.write("actord.conf", config)
        return subprocess.run([*words, path, "-s", f"actord.state-dir={self.folder}", *arguments],
                              capture_output=True, text=True, timeout=rig.PATIENCE, check=False)

    def plugin(self, status, name, says, **keywords):
        return self.refused(status, f'actord {{ user {{ it {{ behaviour = "{name}/It" }} }} }}\n',
                            says=says, plugins=(rig.PLUGINS, rig.BAD_PLUGINS), **keywords)

    def test_a_plugin_that_is_in_none_of_the_folders(self):
        self.plugin(rig.EX_CONFIG, "absent", ("actord.conf:1:", "absent", rig.PLUGINS))

    def test_a_file_that_is_no_plugin(self):
        self.plugin(rig.EX_DATAERR, "text", ("text.so", "not an ELF file"))
        self.plugin(rig.EX_DATAERR, "no_note", ("no_note.so", "note"))
        self.plugin(rig.EX_DATAERR, "cut_off", ("cut_off.so", "cut off"))

    def test_a_plugin_of_another_interface(self):
        self.plugin(rig.EX_DATAERR, "other_abi",
                    ("abi differs", "99.0", "this daemon has 1.", "rebuild"))
        self.plugin(rig.EX_DATAERR, "other_sanitizer", ("san differs", "imagined"))

    def test_a_plugin_that_would_make_stacks_executable(self):
        self.plugin(rig.EX_DATAERR, "executable_stack", "executable stack")

    def test_a_plugin_whose_entry_or_table_is_wrong(self):
        for name in ("null_entry", "no_entry", "short_table", "unresolved"):
            with self.subTest(name):
                self.plugin(rig.EX_DATAERR, name, f"{name}.so")

    def test_a_plugin_whose_static_initialiser_throws(self):
        for name, why in (("static_throws", "too early"),
                          ("static_foreign", "than a std::exception")):
            for arguments in ((), ("--check",)):
                with self.subTest(name, arguments=arguments):
                    config = f'actord {{ user {{ it {{ behaviour = "{name}/It" }} }} }}\n'
                    self.refused(rig.EX_DATAERR, config, *arguments,
                                 plugins=(rig.PLUGINS, rig.BAD_PLUGINS),
                                 says=("actord.conf:1:", f"{name}.so", "static initialiser", why))

    def test_a_plugin_whose_static_initialiser_exits(self):
        for name, call in (("static_exits", "_exit(0)"), ("static_leaves", "exit(3)")):
            with self.subTest(name):
                self.state = os.path.join(self.folder, name)  # without a crash before
                daemon = self.plugin(rig.EX_DATAERR, name, (
                    f"the plugin {rig.BAD_PLUGINS}/{name}.so calls {call} while it is loaded",))
                self.assertEqual(daemon.events(),
                                 ["daemon.starting", "daemon.crashed", "daemon.stopped"])
                self.assertIn(f"{name}.so", daemon.records[-1]["error"])

    def test_a_check_outlives_static_initialisers_and_says_what_they_do(self):
        for name, why in (("exits", "exit status 0"), ("killed", "SIGKILL"), ("aborts", "SIGABRT"),
                          ("endless", "has not ended")):
            config = f'actord.user.it {{ behaviour = "static_{name}/It" }}\n'
            for words in ([rig.BIN, "--check"], [rig.CTL, "config", "check"]):
                with self.subTest(name, words=words):
                    done = self.run_ctl_like(words, config, "-p", rig.BAD_PLUGINS)
                    self.assertEqual(done.returncode, rig.EX_DATAERR, done.stderr)
                    self.assertIn("actord.conf:1:", done.stderr)
                    self.assertIn(f"static_{name}.so: it cannot be loaded", done.stderr)
                    self.assertIn(why, done.stderr)

    def test_a_plugin_is_named_while_its_static_initialiser_does_not_return(self):
        daemon = self.start('actord.user.it { behaviour = "static_endless/It" }',
                            plugins=(rig.BAD_PLUGINS,))
        slow = daemon.wait_for("plugin.slow")
        self.assertEqual(slow["level"], "warning")
        self.assertEqual(slow["plugin"]["file"], f"{rig.BAD_PLUGINS}/static_endless.so")
        self.assertGreaterEqual(slow["duration_ms"], 3000)
        self.assertEqual(daemon.stop(), 128 + signal.SIGTERM)
        self.assertIn("static_endless.so was being loaded",
                      daemon.wait_for("daemon.stopped")["reason"])

    def test_what_a_plugin_prints_while_loaded_is_not_in_the_answer_of_actorctl(self):
        config = self.write("actord.conf", 'actord.user.it.behaviour = "static_talks/It"\n')
        for verb in ("check", "show"):
            done = self.run_ctl("config", verb, config, "-o", "json",
                                "--plugin-path", rig.BAD_PLUGINS)
            self.assertEqual(done.returncode, 0, done.stderr)
            json.loads(done.stdout)
            self.assertNotIn("banner", done.stdout + done.stderr)

    def test_a_plugin_that_refuses_to_start(self):
        self.plugin(rig.EX_DATAERR, "attach_refuses", "the licence has run out")


class Trust(Refused):
    """A plugin that others could change is refused before any of its code runs."""

    def setUp(self):
        super().setUp()
        self.place = os.path.join(self.folder, "plugins")
        os.mkdir(self.place, 0o755)
        self.file = shutil.copy(os.path.join(rig.BAD_PLUGINS, "static_talks.so"), self.place)
        os.chmod(self.file, 0o644)
        self.config = self.write("actord.conf", 'actord.user.it.behaviour = "static_talks/It"\n')

    def check(self, *arguments, environment=None):
        return self.run_program([rig.BIN, "--check", self.config], *arguments,
                                environment=environment)

    def assert_refused(self, done, *says):
        self.assertEqual(done.returncode, rig.EX_DATAERR, done.stderr)
        self.assertNotIn("banner", done.stdout + done.stderr)
        for words in ("actord.conf:1:", f"{self.file}: others than root", *says):
            self.assertIn(words, done.stderr)

    def test_a_file_and_a_folder_that_others_may_write(self):
        self.assertEqual(self.check().returncode, rig.EX_OK)
        os.chmod(self.file, 0o666)
        os.chmod(self.place, 0o777)
        for words in ([rig.BIN], [rig.BIN, "--check"], [rig.CTL, "config", "check"]):
            with self.subTest(words):
                self.assert_refused(
                    self.run_program([*words, self.config]),
                    f"the folder {self.place} belongs to", "has mode 0777", "has mode 0666",
                    f"chmod go-w {self.place} {self.file}")

    def test_what_only_shows_a_configuration_runs_no_code_either(self):
        key = "actord.user.it.config.lives"
        self.file = shutil.copy(os.path.join(rig.BAD_PLUGINS, "curious.so"), self.place)
        self.config = self.write("actord.conf", 'actord.user.it.behaviour = "curious/Cat"\n')
        for mode, is_read in ((0o644, True), (0o666, False)):
            os.chmod(self.file, mode)
            with self.subTest(mode=oct(mode)):
                done = self.run_program([rig.CTL, "config", "explain", key, self.config])
                self.assertEqual("int32" in done.stdout, is_read, done.stdout + done.stderr)

    def test_a_reload_is_refused_and_the_daemon_goes_on(self):
        daemon = self.start(ECHO, plugins=(rig.PLUGINS, self.place))
        starting = daemon.wait_for("daemon.starting")
        self.assertEqual(starting["plugins"], {"trust": "developer"})
        daemon.wait_for("daemon.ready")
        os.chmod(self.file, 0o646)
        self.write("actord.conf", ECHO + 'actord.user.it.behaviour = "static_talks/It"\n')
        daemon.send(signal.SIGHUP)
        self.assertIn("has mode 0646", json.dumps(daemon.wait_for("config.rejected")))
        self.assertNotIn("banner", daemon.errors)
        self.assert_stops_in_order(daemon)

    def test_the_service_takes_nothing_from_a_folder_that_everybody_may_write(self):
        # the shell's process id becomes that of actord, as with a process that systemd starts
        shell = ["/bin/sh", "-c", 'SYSTEMD_EXEC_PID=$$ exec "$0" "$@"', rig.BIN]
        for arguments in ((), ("--check",)):
            with self.subTest(arguments):
                done = self.run_program([*shell, self.config, *arguments])
                self.assert_refused(done, "others than root can change")
                self.assertIn("/usr/lib/actord/plugins", done.stderr)
        self.assertEqual(json.loads(self.run_program([*shell, self.config]).stdout.splitlines()[0])
                         ["plugins"], {"trust": "strict"})

    def test_the_setting_stands_above_what_has_started_actord(self):
        self.assert_refused(self.check("-s", "actord.plugins.trust=strict"))
        for trust in ("developer", "auto"):
            done = self.check("-s", f"actord.plugins.trust={trust}",
                              environment={"SYSTEMD_EXEC_PID": "1"})
            self.assertEqual(done.returncode, rig.EX_OK, done.stderr)

    @unittest.skipIf(os.getuid() != 0, "only root may give files away")
    def test_a_file_of_another_user(self):
        stranger = 4_000_123
        os.chown(self.file, stranger, -1)
        self.assert_refused(self.check(), f"belongs to uid {stranger}", f"chown root: {self.file}")
        done = self.check(environment={"SUDO_UID": str(stranger)})
        self.assertEqual(done.returncode, rig.EX_OK, done.stderr)


class Scan(Refused):
    """Plugins are looked at in a process without rights."""

    CONFIG = """actord.user.it {
  behaviour = "curious/Cat"
  config { lives = 7, names = [ "tom", "garfield" ] }
}
"""

    def look(self, *words, config=CONFIG, plugins=rig.BAD_PLUGINS):
        return self.run_program([*words, self.write("actord.conf", config)], plugins=plugins)

    def test_a_plugin_that_is_looked_at_can_do_nothing_to_others(self):
        for words in ([rig.BIN, "--check"], [rig.CTL, "config", "check"]):
            with self.subTest(words):
                done = self.look(*words)
                self.assertEqual(done.returncode, rig.EX_CONFIG, done.stderr)
                self.assertIn("actord.conf:3:20: error: actord.user.it.config.lives: "
                              "loaded: nothing; validated: nothing", done.stderr)
                self.assertIn("actord.conf:3:40: error: actord.user.it.config.names[1]: "
                              "not this name", done.stderr)
                self.assertNotIn("keeps rights", done.stderr)

    def test_a_start_runs_the_plugin_with_the_rights_of_the_daemon(self):
        done = self.look(rig.BIN)
        self.assertEqual(done.returncode, rig.EX_CONFIG, done.stderr)
        self.assertIn("loaded: write connect fork", done.stderr)
        self.assertIn("validated: write connect fork", done.stderr)

    def test_a_plugin_that_only_its_owner_may_read_is_looked_at_too(self):
        place = os.path.join(self.folder, "plugins")
        os.mkdir(place, 0o700)
        file = shutil.copy(os.path.join(rig.BAD_PLUGINS, "curious.so"), place)
        os.chmod(file, 0o700)
        self.assertIn("loaded: nothing", self.look(rig.BIN, "--check", plugins=place).stderr)

    def test_a_plugin_that_answers_in_actords_place_is_refused(self):
        for name, why in (("lies", "its table has no name"),
                          ("floods", "it answers with more than 4 MiB")):
            config = f'actord.user.it.behaviour = "static_{name}/It"\n'
            for words in ([rig.BIN, "--check"], [rig.CTL, "config", "check"],
                          [rig.CTL, "config", "show"],
                          [rig.CTL, "config", "explain", "actord.user.it.config"]):
                with self.subTest(name, words=words):
                    done = self.look(*words, config=config)
                    if "check" in words[-1]:
                        self.assertEqual(done.returncode, rig.EX_DATAERR, done.stderr)
                        self.assertIn(why, done.stderr)
                    else:
                        self.assertEqual(done.returncode, rig.EX_OK, done.stderr)

    def test_a_validate_that_crashes_or_does_not_return_is_a_finding(self):
        for lives, why in ((0, "its validate() ends the process by SIGABRT"),
                           (-1, "its validate() has not ended after 5 s")):
            with self.subTest(lives):
                done = self.look(rig.CTL, "config", "check",
                                 config=self.CONFIG.replace("7", str(lives)))
                self.assertEqual(done.returncode, rig.EX_CONFIG, done.stderr)
                self.assertIn("actord.conf:2:15: error: curious/Cat: its config cannot be "
                              f"validated: {why}", done.stderr)


class Boot(Refused):
    def site(self, port, root=None):
        return ('actord { user { site { behaviour = "static_site/Site", config { root = '
                f'{json.dumps(root or self.folder)}, port = {port} }} }} }} }}\n')

    def test_a_port_that_is_in_use(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            daemon = self.refused(rig.EX_TEMPFAIL, self.site(port),
                                  says=("/user/site", f"127.0.0.1:{port}", "actord.conf:1"))
        stopped = [record["actor"]["path"].split("#")[0] for record in daemon.all("actor.stopped")]
        self.assertEqual(stopped[-4:], ["/user", "/system/log", "/system", "/"])

    def test_a_creation_that_the_guardian_cannot_judge(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            self.refused(
                rig.EX_TEMPFAIL, self.site(taken.getsockname()[1]), says="/user",
                sets=["actord.actor.guardian-supervisor-strategy.decider.default=escalate"])

    def test_the_start_does_not_wait_for_an_actor_that_is_created_again_and_again(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            rule = 'decider."actord::InitializationFailure"=restart'
            daemon = self.start(self.site(taken.getsockname()[1]) + ECHO,
                                sets=[f"actord.actor.guardian-supervisor-strategy.{rule}"])
            self.assertEqual(daemon.wait_for("daemon.ready")["lost"], 0)
            self.assertEqual([record["actor"]["path"] for record in daemon.all("actor.started")
                              if record["actor"]["path"].startswith("/user/")], ["/user/echo"])
            self.assert_stops_in_order(daemon)

    def test_degraded_it_goes_on_without_that_actor(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            daemon = self.start(self.site(taken.getsockname()[1]),
                                sets=["actord.boot.on-failure=degrade"])
            self.assertEqual(daemon.wait_for("daemon.ready")["lost"], 1)
            self.assertIn("/user/site could not be created: ",
                          daemon.wait_for("daemon.degraded")["down"][0])
            self.assert_stops_in_order(daemon)

    def test_a_state_directory_that_cannot_be_written(self):
        self.state = UNWRITABLE
        daemon = self.refused(rig.EX_NOPERM, ECHO, says=(f"the folder {UNWRITABLE}:", "--set"))
        self.assertEqual(daemon.events(), ["daemon.starting", "daemon.stopped"])

    def test_a_state_directory_that_is_no_folder_is_seen_by_a_check_too(self):
        self.state = self.write("file", "")
        for arguments in ((), ("--check",)):
            self.refused(rig.EX_OSERR, ECHO, *arguments, says=(self.state, "File exists"))

    def test_a_site_whose_folder_is_missing(self):
        absent = os.path.join(self.folder, "absent")
        self.refused(rig.EX_CONFIG, self.site(rig.free_port(), absent),
                     says=("actord.conf:1:", f"there is no folder {absent}"))

    def test_an_index_that_cannot_be_written(self):
        os.makedirs(self.state)
        os.symlink(UNWRITABLE, os.path.join(self.state, "crawler"))
        self.refused(rig.EX_NOPERM, """
            actord.user.crawler {
              behaviour = "crawler/Master", config { start = "http://127.0.0.1:1/index.html" }
            }
            """, says=("/user/crawler", "crawler", "actord.conf:2"))


if __name__ == "__main__":
    rig.main()
