# SPDX-License-Identifier: Apache-2.0
"""What a check finds of the folders, files, ports and URLs that actors need, and what a start and a
reload make of it."""

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import unittest

import rig

SITE = """
actord.user.site {{
  behaviour = "static_site/Site"
  config {{ root = "{root}", port = {port} }}
}}
"""
DEGRADE = ("actord.boot.on-failure=degrade",)


class Resources(rig.Case):
    def site(self, root, port=0):
        return self.write("actord.conf", SITE.format(root=root, port=port))

    def check(self, config, *words):
        return self.run_ctl("config", "check", "--plugin-path", rig.PLUGINS,
                            "--set", f'actord.state-dir="{self.state}"', *words, config)

    def check_by_daemon(self, config, *words):
        return subprocess.run(
            [rig.BIN, "--check", "--plugin-path", rig.PLUGINS, *words, config],
            capture_output=True, text=True, timeout=rig.PATIENCE, check=False)

    def finds(self, config, *says, status=rig.EX_CONFIG, words=()):
        """Both checks end with that status and print these texts."""
        for checked in (self.check(config, *words), self.check_by_daemon(config, *words)):
            self.assertEqual(checked.returncode, status, checked.stderr)
            for text in says:
                self.assertIn(text, checked.stderr)
        return checked

    @contextlib.contextmanager
    def listening(self):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            yield listener.getsockname()[1]


class Check(Resources):
    def test_a_missing_folder_is_found_at_its_value(self):
        absent = os.path.join(self.folder, "absent")
        self.finds(self.site(absent), f"there is no folder {absent} [E0402]",
                   "actord.conf:4:19: error:", f"{self.folder}/actord.conf")

    def test_a_file_is_no_folder(self):
        file = self.write("file", "x")
        self.finds(self.site(file), f"{file} is no folder")

    def test_a_bad_url_is_found_at_its_value(self):
        config = self.write("actord.conf", 'actord.user.c {\n  behaviour = "crawler/Master"\n'
                            '  config { start = "htp:/nowhere" }\n}\n')
        self.finds(config, "actord.conf:3:20: error: this is not an absolute URL")

    def test_two_values_that_exclude_each_other_are_found_by_the_plugin(self):
        config = self.write("actord.conf", """actord.user.s {
          behaviour = "static_site/Site"
          config { root = /, host = 0.0.0.0, faults { error-rate = 0.7, reset-rate = 0.5 } }
        }""")
        checked = self.finds(config, "actord.conf:3:37: error: actord.user.s.config.host: must be",
                             "actord.conf:3:86: error: actord.user.s.config.faults.reset-rate: "
                             "must be at most 1 together with error-rate")
        self.assertEqual(checked.stderr.count("error:"), 2, checked.stderr)

    def test_an_absent_key_that_is_at_fault_is_named(self):
        config = self.write("actord.conf", 'actord.user.n {\n  behaviour = '
                            '"reliable_network/Experiment"\n  config { mode = resend\n'
                            '    chaos { loss = 0.7, duplicate = 0.5 } }\n}\n')
        self.finds(config, "actord.conf:4:", "chaos: loss, answer-loss and duplicate")

    def test_all_findings_of_all_actors_are_reported_at_once(self):
        config = self.write("actord.conf", """actord.user {
          a { behaviour = "static_site/Site", config { root = /absent/a } }
          b { behaviour = "static_site/Site", config { root = /absent/b, prot = 1 } }
          c { behaviour = "crawler/Master", config { start = "x" } }
        }""")
        self.finds(config, "actord.conf:2:", "/absent", 'unknown key "actord.user.b.config.prot"',
                   "actord.conf:4:")

    def test_a_busy_port_is_a_warning(self):
        with self.listening() as port:
            config = self.site("/", port)
            checked = self.finds(config, f"port {port} is in use", "[W0402]", status=rig.EX_OK)
            self.assertIn("configuration ok", checked.stdout)
            self.finds(config, f"port {port} is in use", words=("--strict",))
        self.assertNotIn("in use", self.finds(config, status=rig.EX_OK).stderr)

    def test_the_port_of_the_running_daemon_is_no_finding(self):
        port = rig.free_port()
        daemon = self.start(self.site("/", port))
        daemon.wait_for("daemon.ready")
        config = os.path.join(self.folder, "actord.conf")
        checked = self.check(config)
        self.assertEqual((checked.returncode, checked.stderr), (rig.EX_OK, ""))
        # under another key the port is another actor's
        other = self.write("other.conf", SITE.format(root="/", port=port).replace("site {", "x {"))
        self.assertIn(f"port {port} is in use", self.check(other).stderr)
        self.assert_stops_in_order(daemon)

    def test_a_check_without_environment_looks_at_nothing(self):
        checked = self.check(self.site("/absent"), "--no-environment")
        self.assertEqual(checked.returncode, rig.EX_OK, checked.stderr)

    def test_a_folder_that_is_a_credential_is_not_looked_at(self):
        config = self.write("actord.conf", "vars.secret.root { credential = root }\n" +
                            SITE.format(root="x", port=0).replace('"x"', "${vars.secret.root}"))
        checked = self.check(config)
        self.assertEqual(checked.returncode, rig.EX_OK, checked.stderr)
        self.assertNotIn("no folder", checked.stderr)

    def test_an_extra_brace_is_reported_where_it_stands(self):
        config = self.write("actord.conf", "actord {\n  user {\n    echo { behaviour = "
                            '"echo/Echo" } }\n  }\n  log { level = info }\n}\n')
        self.finds(config, "actord.conf:3:38: error: a } that is probably too many")

    def test_no_secret_is_suspected_beside_an_unknown_behaviour(self):
        config = self.write("actord.conf", 'actord.user.x { behaviour = "static_site/Sait", '
                            "config { root = / } }\n")
        os.chmod(config, 0o644)
        checked = self.finds(config, 'unknown behaviour "static_site/Sait"')
        self.assertNotIn("secret", checked.stderr)
        self.assertNotIn("warning", checked.stderr)


class AsAnotherUser(Resources):
    def setUp(self):
        super().setUp()
        self.open = tempfile.mkdtemp(prefix="actord-open-", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.open, ignore_errors=True)
        os.chmod(self.open, 0o755)
        self.closed = os.path.join(self.open, "closed")
        os.mkdir(self.closed, 0o700)

    @unittest.skipUnless(os.geteuid() == 0, "only root can look as another user")
    def test_root_judges_for_the_named_user(self):
        config = self.site(self.closed)
        self.finds(config, status=rig.EX_OK)
        self.finds(config, f"user nobody may not read the folder {self.closed}",
                   status=rig.EX_NOPERM, words=("--user", "nobody"))
        os.chmod(self.closed, 0o755)
        self.finds(config, status=rig.EX_OK, words=("--user", "nobody"))

    @unittest.skipIf(os.geteuid() == 0, "root can judge for anyone")
    def test_another_user_says_that_this_was_not_judged(self):
        self.finds(self.site(self.closed), "whether user root may use this was not judged",
                   status=rig.EX_OK, words=("--user", "root"))

    def test_an_unknown_user_is_a_mistake_on_the_command_line(self):
        checked = self.check(self.site(self.closed), "--user", "no-such-user-here")
        self.assertEqual(checked.returncode, rig.EX_USAGE, checked.stderr)
        self.assertIn("there is no user no-such-user-here", checked.stderr)


class Start(Resources):
    def test_a_missing_folder_ends_the_start_with_its_place(self):
        absent = os.path.join(self.folder, "absent")
        daemon, status = self.run_to_end(self.site(absent))
        self.assertEqual(status, rig.EX_CONFIG, daemon.log_tail())
        self.assertIn(f"actord.conf:4:19: error: there is no folder {absent}", daemon.errors)
        self.assertEqual(daemon.all("actor.started"), [])
        self.assert_clean_log(daemon)

    def test_a_busy_port_ends_the_start_with_75(self):
        with self.listening() as port:
            daemon, status = self.run_to_end(self.site("/", port))
        self.assertEqual(status, rig.EX_TEMPFAIL, daemon.log_tail())

    def test_degraded_it_runs_without_that_actor_and_says_why(self):
        absent = os.path.join(self.folder, "absent")
        daemon = self.start(self.site(absent), sets=DEGRADE)
        degraded = daemon.wait_for("daemon.degraded")
        self.assertEqual((degraded["actors"], degraded["up"]), (1, 0))
        self.assertIn("/user/site could not be created: ", degraded["down"][0])
        self.assertIn(f"actord.conf:4:19: there is no folder {absent}", degraded["down"][0])
        self.assertEqual(daemon.all("daemon.ready")[0]["lost"], 1)
        self.assertIn(f"there is no folder {absent}",
                      [r["msg"] for r in daemon.all("config.warning")])
        self.assertEqual(daemon.all("site.listening"), [])
        self.assert_stops_in_order(daemon)

    def test_degraded_the_config_that_the_plugin_rejects_builds_no_actor(self):
        text = SITE.format(root="/", port=0).replace("port", "host = 0.0.0.0, port")
        daemon = self.start(text, sets=DEGRADE)
        degraded = daemon.wait_for("daemon.degraded")
        self.assertIn("host: must be localhost", degraded["down"][0])
        self.assertEqual(daemon.all("site.listening"), [])
        self.assert_stops_in_order(daemon)


class Reload(Resources):
    def reload(self, *words):
        return self.run_ctl("config", "reload", "--wait", "--socket",
                            os.path.join(self.state, "actord.sock"), *words)

    def test_a_reload_tries_a_refused_actor_again(self):
        absent = os.path.join(self.folder, "absent")
        daemon = self.start(self.site(absent), sets=DEGRADE)
        daemon.wait_for("daemon.ready")
        again = self.reload()
        self.assertEqual(again.returncode, rig.EX_TEMPFAIL, again.stdout + again.stderr)
        self.assertIn("/user/site", again.stdout)
        self.assertIn(f"there is no folder {absent}", again.stdout + again.stderr)
        os.mkdir(absent)
        done = self.reload()
        self.assertEqual(done.returncode, rig.EX_OK, done.stdout + done.stderr)
        self.assertIn("create /user/site", done.stdout)
        daemon.wait_for("site.listening")
        self.assertIn("nothing has changed", self.reload().stdout)
        self.assert_stops_in_order(daemon)

    def test_a_reload_with_a_missing_folder_changes_nothing(self):
        daemon = self.start(self.site("/"))
        daemon.wait_for("site.listening")
        absent = os.path.join(self.folder, "absent")
        self.site(absent)
        refused = self.reload()
        self.assertEqual(refused.returncode, rig.EX_CONFIG, refused.stdout + refused.stderr)
        self.assertIn(f"there is no folder {absent}", refused.stderr)
        rejected = daemon.wait_for("config.rejected")
        self.assertIn("actord.conf:4", rejected["errors"][0])
        self.assertEqual(daemon.all("actor.stopped"), [])
        self.assert_stops_in_order(daemon)

    def test_a_running_actor_keeps_running_when_its_folder_is_gone(self):
        root = os.path.join(self.folder, "root")
        os.mkdir(root)
        daemon = self.start(self.site(root))
        daemon.wait_for("site.listening")
        os.rmdir(root)
        self.write("actord.conf", SITE.format(root=root, port=0) + "actord.log.level = debug\n")
        done = self.reload()
        self.assertEqual(done.returncode, rig.EX_OK, done.stdout + done.stderr)
        self.assertIn(f"warning: there is no folder {root}", done.stderr)
        self.assertEqual(daemon.all("actor.stopped"), [])
        self.assert_stops_in_order(daemon)


if __name__ == "__main__":
    rig.main()
