# SPDX-License-Identifier: Apache-2.0
"""actorctl as a program: completion in shells, explanations with plugins, output into pipes."""

import json
import os
import shutil
import subprocess

import rig


CONFIG = """
actord.user.site {
  behaviour = "static_site/Site"
  config { root = "/usr", port = 8765 }
  children.echo { behaviour = "echo/Echo" }
}
actord.actor.deployment { "/user/site/*" { dispatcher = blocking-io } }
x-note."$(touch expanded)" = 1
"""


class Completion(rig.Case):
    def setUp(self):
        super().setUp()
        self.config = self.write("own.conf", CONFIG)
        self.environment = {"PATH": os.path.dirname(rig.CTL) + ":" + os.environ["PATH"]}

    def run_shell(self, *words, **keywords):
        return subprocess.run(words, text=True, capture_output=True, timeout=rig.PATIENCE,
                              check=False, cwd=self.folder,
                              env={**os.environ, **self.environment}, **keywords)

    def bash(self, *words):
        """The completions that bash offers for the last of the words."""
        script = ('source <("$0" completion bash)\n'
                  'COMP_WORDS=("$@")\nCOMP_CWORD=$(($# - 1))\n"_$1"\n'
                  'printf "%s\\n" "${COMPREPLY[@]}"\n')
        done = self.run_shell("bash", "-c", script, rig.CTL, *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [line for line in done.stdout.split("\n") if line]

    def actorctl(self, *words):
        return self.bash("actorctl", *words)

    def test_bash_completes_verbs_options_words_and_files(self):
        self.assertEqual(self.actorctl("conf"), ["config"])
        self.assertIn("explain", self.actorctl("config", ""))
        self.assertEqual(self.actorctl("config", "exp"), ["explain"])
        self.assertEqual(self.actorctl("config", "check", "--str"), ["--strict"])
        self.assertEqual(self.actorctl("config", "check", "--format", "g"), ["gcc"])
        self.assertEqual(self.actorctl("config", "check", "--format", "=", "g"), ["gcc"])
        self.assertEqual(self.actorctl("config", "unit", "dur"), ["duration"])
        self.assertEqual(self.actorctl("config", "unit", "duration", "d"), [])
        self.assertEqual(self.actorctl("completion", "f"), ["fish"])
        path = self.write("a name with blanks.conf", "")
        self.assertEqual(self.actorctl("config", "check", path[:-5]), [path])
        self.assertEqual(self.actorctl("config", "explain", "actord.name", path[:-5]), [path])

    def test_bash_completes_the_verbs_behind_help(self):
        self.assertEqual(self.actorctl("help", "c"), ["completion", "config", "crash"])
        self.assertEqual(self.actorctl("help", "config", "exp"), ["explain"])
        self.assertEqual(self.actorctl("help", "completion", ""), [])

    def test_bash_completes_the_keys_and_actors_of_the_configuration(self):
        explain = ("config", "explain", "--config", self.config)
        self.assertIn("actord.log.level", self.actorctl("config", "explain", "actord.log."))
        self.assertEqual(self.actorctl(*explain, "actord.user.site.config.p"),
                         ["actord.user.site.config.port"])
        self.assertEqual(self.actorctl(*explain, 'actord.actor.deployment.\\"'),
                         ['actord.actor.deployment."/user/site/*"',
                          'actord.actor.deployment."/user/site/*".dispatcher'])
        self.assertEqual(self.actorctl(*explain, "/user/"), ["/user/site", "/user/site/echo"])
        self.assertEqual(self.actorctl("config", "show", self.config, "--set", "actord.log.lev"),
                         ["actord.log.level="])
        self.assertEqual(self.actorctl(*explain, "x-note."), ['x-note."$(touch expanded)"'])
        self.assertFalse(os.path.exists(os.path.join(self.folder, "expanded")))

    def test_bash_completes_running_actors_and_the_ids_of_failures(self):
        fate = self.write("fate", "")
        daemon = self.start('actord.user { echo.behaviour = "echo/Echo"\n'
                            f'  a {{ behaviour = "mortal/Mortal", config.file = "{fate}" }} }}',
                            plugins=(rig.PLUGINS, rig.BAD_PLUGINS))
        daemon.wait_for("daemon.ready")
        self.environment["ACTORD_SOCKET"] = os.path.join(self.state, "actord.sock")
        self.assertEqual(self.actorctl("inspect", "/us"), ["/user"])
        self.assertEqual(self.actorctl("inspect", "/user/"), ["/user/echo", "/user/a"])
        self.assertEqual(self.actorctl("ask", "/user/e"), ["/user/echo"])
        self.assertEqual(self.actorctl("tell", "/user/echo", "ec"), ["echo.Text/1"])
        self.write("fate", "fail")
        failed = daemon.wait_for("actor.failed")["failure"]["id"]
        self.write("fate", "")
        daemon.wait_for("actor.restarted")
        self.assertIn(failed, self.actorctl("story", failed[:4]))
        tree = self.run_shell(rig.CTL, "tree", "/", "-o", "name").stdout
        self.assertEqual(tree, "/\n/system\n/system/log\n/user\n/user/echo\n/user/a\n")
        daemon.stop()
        self.assertEqual(self.actorctl("inspect", "--config", self.config, "/user/"),
                         ["/user/site", "/user/site/echo"])

    def test_bash_completes_the_command_line_of_actord(self):
        self.assertEqual(self.bash("actord", "--plugin"), ["--plugin-path"])
        self.assertEqual(self.bash("actord", "--log-level", "d"), ["debug"])
        self.assertEqual(self.bash("actord", self.config[:-5]), [self.config])
        self.assertEqual(self.bash("actord", "--config", self.config[:-5]), [self.config])
        self.assertEqual(self.bash("actord", self.config, "--set", "actord.user.site.config.p"),
                         ["actord.user.site.config.port="])

    def test_every_option_of_actord_is_completed_and_understood(self):
        for option in self.bash("actord", "--"):
            done = self.run_shell(rig.BIN, option)
            self.assertNotIn("unknown option", done.stderr)

    def test_fish_completes_the_same(self):
        if not shutil.which("fish"):
            return  # this shell is not installed
        script = self.write("actorctl.fish", self.run_ctl("completion", "fish").stdout)

        def fish(line):
            done = self.run_shell("fish", "--no-config", "-c",
                                  f"source {script}; complete -C '{line}'")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return [each.split("\t")[0] for each in done.stdout.splitlines()]

        self.assertEqual(fish("actorctl conf"), ["config"])
        self.assertEqual(fish("actorctl config exp"), ["explain"])
        self.assertEqual(fish("actorctl help config exp"), ["explain"])
        explain = f"actorctl config explain -c {self.config} "
        self.assertEqual(fish(explain + "/user/site/"), ["/user/site/echo"])
        self.assertEqual(fish(explain + "actord.user.site.config.p"),
                         ["actord.user.site.config.port"])
        self.assertEqual(fish("actord --log-level d"), ["debug"])
        self.assertEqual(fish(f"actord {self.config} --set actord.user.site.config.p"),
                         ["actord.user.site.config.port="])

    def test_the_scripts_for_other_shells_are_understood_by_them(self):
        for shell, arguments in (("zsh", ["-n"]), ("fish", ["--no-execute"])):
            if not shutil.which(shell):
                continue  # this shell is not installed
            script = self.write("script", self.run_ctl("completion", shell).stdout)
            done = self.run_shell(shell, *arguments, script)
            self.assertEqual(done.returncode, 0, done.stderr)


class Explain(rig.Case):
    def explain(self, key, config=CONFIG, *words):
        path = self.write("own.conf", config)
        done = self.run_ctl("config", "explain", key, "--config", path, "--plugin-path",
                            rig.PLUGINS, *words)
        self.assertEqual(done.returncode, rig.EX_OK, done.stderr)
        return done.stdout

    def explained(self, key, config=CONFIG):
        return json.loads(self.explain(key, config, "-o", "json"))

    def test_a_key_of_a_plugin_is_explained_with_what_the_plugin_declares(self):
        port = self.explained("actord.user.site.config.port")
        self.assertEqual((port["value"], port["type"], port["set"]), ("8765", "uint16", True))
        self.assertIn({"origin": "the default of static_site/Site", "text": port["default"]},
                      port["overrides"])
        most = self.explained("/user/site")["key"]
        self.assertEqual(most, "actord.user.site")
        unset = self.explained("actord.user.site.config.max-connections")
        self.assertEqual((unset["value"], unset["default"], unset["range"], unset["set"]),
                         ("256", "256", "1 to 65536", False))
        self.assertIn("A key in the config of static_site/Site", unset["doc"])
        text = self.explain("actord.user.site.config.max-connections")
        self.assertIn("max-connections = 256", text)
        self.assertIn("the default of static_site/Site\n", text)
        needed = self.explained("actord.user.site.config.root",
                                CONFIG.replace('root = "/usr", ', ""))
        self.assertEqual(needed["remark"], "not set: static_site/Site needs it")
        self.assertIn("max-connections", self.explained("actord.user.site.config")["members"])

    def test_the_keys_that_are_listed_can_be_explained(self):
        path = self.write("own.conf", CONFIG)
        listed = self.run_ctl("config", "keys", path, "-o", "json")
        keys = json.loads(listed.stdout)["keys"]
        self.assertIn("actord.user.site.children.echo.behaviour", keys)
        for key in {*keys[::5], *(key for key in keys if key.startswith("actord.user"))}:
            self.explain(key)


class Ctl(rig.Case):
    def test_an_answer_that_cannot_be_written_is_no_success(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([rig.CTL, "config", "schema"], stdout=full, check=False,
                                  timeout=rig.PATIENCE)
        self.assertEqual(done.returncode, rig.EX_OSERR)

    def test_the_standard_configuration_is_looked_for_where_the_service_has_it(self):
        if os.path.exists("/etc/actord/actord.conf"):
            return  # this machine runs actord
        done = self.run_ctl("config", "check")
        self.assertEqual(done.returncode, rig.EX_NOINPUT)
        self.assertIn("/etc/actord/actord.conf", done.stderr)

    def test_a_check_and_a_reload_end_with_the_status_of_the_error(self):
        echo = 'actord.user.echo { behaviour = "echo/Echo" }\n'
        config = self.write("actord.conf", echo)
        daemon = self.start(config, plugins=(rig.PLUGINS, rig.BAD_PLUGINS))
        daemon.wait_for("daemon.ready")
        socket = os.path.join(self.state, "actord.sock")
        for status, text in ((rig.EX_DATAERR, echo + 'actord.user.it.behaviour = "text/It"\n'),
                             (rig.EX_CONFIG, echo + "actord.no-such-key = 1\n"),
                             (rig.EX_NOINPUT, None)):
            if text is None:
                os.remove(config)
            else:
                self.write("actord.conf", text)
            checked = self.run_ctl("config", "check", config, "-p", rig.PLUGINS,
                                   "-p", rig.BAD_PLUGINS)
            self.assertEqual(checked.returncode, status, checked.stderr)
            reloaded = self.run_ctl("config", "reload", "--socket", socket)
            self.assertEqual(reloaded.returncode, status, reloaded.stderr)
            listed = self.run_ctl("config", "files", config)
            self.assertIn(config, listed.stdout)
            self.assertEqual(listed.returncode, rig.EX_NOINPUT if text is None else rig.EX_OK)
        self.assertRegex(self.run_ctl("--help").stdout, r"\n +65  ")
        self.assert_stops_in_order(daemon)

    def test_the_daemon_of_the_user_is_found_without_being_named(self):
        state = os.path.join(self.folder, "actord")
        daemon = self.start('actord.user { echo { behaviour = "echo/Echo" } }',
                            sets=[f'actord.state-dir="{state}"'])
        daemon.wait_for("daemon.ready")
        if not os.path.exists("/run/actord/actord.sock"):
            shown = self.run_ctl("config", "show", "--running",
                                 environment={"XDG_STATE_HOME": self.folder})
            self.assertEqual(shown.returncode, rig.EX_OK, shown.stderr)
        named = self.run_ctl("config", "show", "--running",
                             environment={"ACTORD_SOCKET": os.path.join(state, "actord.sock")})
        self.assertEqual(named.returncode, rig.EX_OK, named.stderr)
        self.assert_stops_in_order(daemon)


if __name__ == "__main__":
    rig.main()
