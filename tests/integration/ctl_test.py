# SPDX-License-Identifier: Apache-2.0
"""actorctl as a program: completion in shells, verification by systemd, output into pipes."""

import os
import shutil
import subprocess

import rig


class Ctl(rig.Case):
    def completions(self, *words):
        """The completions that bash offers for the last of the words."""
        script = ('source <("$0" completion bash)\n'
                  'COMP_WORDS=("$@")\nCOMP_CWORD=$(($# - 1))\n_actorctl\n'
                  'printf "%s\\n" "${COMPREPLY[@]}"\n')
        done = subprocess.run(["bash", "-c", script, rig.CTL, "actorctl", *words], text=True,
                              capture_output=True, timeout=rig.PATIENCE, check=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.split("\n")[:-1]

    def test_bash_completes_verbs_options_words_keys_and_files(self):
        self.assertEqual(self.completions("conf"), ["config"])
        self.assertIn("explain", self.completions("config", ""))
        self.assertEqual(self.completions("config", "exp"), ["explain"])
        self.assertEqual(self.completions("config", "check", "--str"), ["--strict"])
        self.assertEqual(self.completions("config", "check", "--format", "g"), ["gcc"])
        self.assertEqual(self.completions("config", "unit", "dur"), ["duration"])
        self.assertIn("actord.log.level", self.completions("config", "explain", "actord.log."))
        self.assertEqual(self.completions("completion", "f"), ["fish"])
        path = self.write("a name with blanks.conf", "")
        self.assertEqual(self.completions("config", "check", path[:-5]), [path])

    def test_the_scripts_for_other_shells_are_understood_by_them(self):
        for shell, arguments in (("zsh", ["-n"]), ("fish", ["--no-execute"])):
            if not shutil.which(shell):
                continue  # this shell is not installed
            script = self.write("script", self.run_ctl("completion", shell).stdout)
            done = subprocess.run([shell, *arguments, script], capture_output=True, text=True,
                                  timeout=rig.PATIENCE, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)

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
