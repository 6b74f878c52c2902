# SPDX-License-Identifier: Apache-2.0
"""Where a configuration comes from: files, YAML, drop-ins, variables, the command line, secrets."""

import os

import rig

ECHO = 'actord { user { first { behaviour = "echo/Echo" } } }\n'
SECRET = "hunter2"


class Layers(rig.Case):
    def names(self, daemon):
        """The configuration files that were read, in order, without their folder."""
        starting = daemon.wait_for("daemon.starting")
        return [os.path.relpath(name, self.folder) for name in starting["config"]["files"]]

    def test_drop_ins_are_read_in_the_order_of_their_names_and_skipped_by_them(self):
        self.write("conf.d/60-last.conf", "actord.log.level = info\n")
        self.write("conf.d/50-more.yaml", "actord: {user: {second: {behaviour: echo/Echo}}}\n")
        self.write("conf.d/10-debug.json", '{"actord": {"log": {"level": "debug"}}}\n')
        self.write("conf.d/70-broken.conf~", "{")
        self.write("conf.d/.80-broken.conf", "{")
        self.write("conf.d/90-broken.conf.dpkg-old", "{")
        self.write("conf.d/README", "{")
        daemon = self.start(ECHO)
        self.assertEqual(self.names(daemon), ["actord.conf", "conf.d/10-debug.json",
                                              "conf.d/50-more.yaml", "conf.d/60-last.conf"])
        self.assertEqual(daemon.wait_for("daemon.ready")["actors"], 2)
        self.assert_stops_in_order(daemon)

    def test_drop_ins_can_be_masked_and_left_out(self):
        self.write("conf.d/10-masked.conf", "")
        os.symlink("/dev/null", os.path.join(self.folder, "conf.d/20-masked.conf"))
        self.write("conf.d/30-more.conf", "actord.user.second.behaviour = echo/Echo\n")
        daemon = self.start(ECHO)
        self.assertEqual(self.names(daemon), ["actord.conf", "conf.d/30-more.conf"])
        self.assert_stops_in_order(daemon)
        daemon = self.start(ECHO, "--no-drop-ins")
        self.assertEqual(self.names(daemon), ["actord.conf"])
        self.assert_stops_in_order(daemon)

    def test_what_is_wrong_in_a_drop_in_names_its_place(self):
        self.write("conf.d/50-x.yaml", "actord:\n  log:\n    levle: debug\n")
        daemon, status = self.run_to_end(ECHO)
        self.assertEqual(status, rig.EX_CONFIG)
        self.assertIn("conf.d/50-x.yaml:3:", daemon.errors)
        self.assertIn('did you mean "level"', daemon.errors)

    def test_a_drop_in_or_folder_that_cannot_be_read_ends_the_start(self):
        self.write("conf.d/10-x.conf", "actord.log.level = debug\n")
        os.symlink("nowhere", os.path.join(self.folder, "conf.d/20-x.conf"))
        daemon, status = self.run_to_end(ECHO)
        self.assertEqual(status, rig.EX_NOINPUT)
        self.assertIn("20-x.conf", daemon.errors)
        self.write("other/conf.d", "no folder\n")
        daemon, status = self.run_to_end(self.write("other/actord.conf", ECHO))
        self.assertEqual(status, rig.EX_CONFIG)
        self.assertIn("conf.d: error: cannot read the folder", daemon.errors)

    def test_later_files_go_over_earlier_ones(self):
        more = self.write("more.yml", "actord: {user: {second: {behaviour: echo/Echo}}}\n")
        daemon = self.start(ECHO, "--config", more)
        self.assertEqual(self.names(daemon), ["actord.conf", "more.yml"])
        self.assertEqual(daemon.wait_for("daemon.ready")["actors"], 2)
        self.assert_stops_in_order(daemon)

    def test_variables_go_over_files_and_the_command_line_over_variables(self):
        variables = {"ACTORD_SET_actord_name": "from-variable",
                     "ACTORD_SET_actord_dead__letters_log": "5"}
        daemon = self.start("actord.name = from-file\n" + ECHO, environment=variables)
        self.assertEqual(daemon.wait_for("daemon.ready")["system"], "from-variable")
        self.assert_stops_in_order(daemon)
        daemon = self.start(ECHO, environment=variables, sets=["actord.name=from-command-line"])
        self.assertEqual(daemon.wait_for("daemon.ready")["system"], "from-command-line")
        self.assert_stops_in_order(daemon)

    def test_a_wrong_variable_is_named(self):
        daemon, status = self.run_to_end(
            ECHO, environment={"ACTORD_SET_actord_log_level": "{ debug }"})
        self.assertEqual(status, rig.EX_CONFIG)
        self.assertIn("ACTORD_SET_actord_log_level:1:1: error: ", daemon.errors)

    def test_a_file_that_everybody_may_write_to_is_warned_of(self):
        os.chmod(self.write("actord.conf", ECHO), 0o666)
        daemon = self.start(os.path.join(self.folder, "actord.conf"))
        warning = daemon.wait_for("config.warning")
        self.assertIn("everybody may write", warning["msg"])
        self.assert_stops_in_order(daemon)


class Yaml(rig.Case):
    def test_the_example_crawls_as_its_twin_does(self):
        site = os.path.join(self.folder, "site")
        self.write("site/index.html", "<title>One</title><a href=two.html>two</a>")
        self.write("site/two.html", "<title>Two</title>")
        port = rig.free_port()
        found = []
        for example in ("crawler.yaml", "crawler.conf"):
            daemon = self.start(os.path.join(rig.EXAMPLES, example), sets=[
                f'actord.user.site.config.root="{site}"', f"actord.user.site.config.port={port}",
                f'actord.user.crawler.config.start="http://127.0.0.1:{port}/index.html"'])
            found.append(daemon.wait_for("crawler.finished")["crawl"]["pages"])
            self.assert_stops_in_order(daemon)
        self.assertEqual(found, [2, 2])

    def test_an_error_of_syntax_points_at_its_place(self):
        daemon, status = self.run_to_end(self.write("actord.yaml", "actord:\n  name: a: b\n"))
        self.assertEqual(status, rig.EX_CONFIG)
        self.assertIn("actord.yaml:2:10: error: YAML: ", daemon.errors)

    def test_what_yaml_lets_pass_is_refused_where_it_hides_a_mistake(self):
        daemon, status = self.run_to_end(
            self.write("actord.yml", "actord:\n  name: a\n  name: b\n"))
        self.assertEqual(status, rig.EX_CONFIG)
        self.assertIn("actord.yml:3:3: error: the key \"name\" stands twice", daemon.errors)


class Secrets(rig.Case):
    def secret(self, mode=0o600):
        os.chmod(self.write("password", SECRET + "\n"), mode)

    def refused(self, config, **keywords):
        daemon, status = self.run_to_end(config, **keywords)
        self.assertEqual(status, rig.EX_CONFIG, daemon.errors)
        self.assertNotIn(SECRET, daemon.errors)
        return daemon.errors

    def test_no_message_shows_one_or_what_it_went_into(self):
        self.secret()
        errors = self.refused(
            "vars.secret.pw { file = password }\nactord.name = \"no name: \"${vars.secret.pw}\n")
        self.assertIn("actord.conf:2:15: error: expected a name", errors)
        self.assertIn("got a string", errors)
        self.assertIn("a secret may not be used here: it would be shown in logs", errors)
        errors = self.refused(f"vars.secret.pw = {SECRET}, actord.log.level = ${{vars.secret.pw}}")
        self.assertIn("actord.conf:1:", errors)
        for key, value in (("actord.user.e.behaviour", "${vars.secret.pw}/x"),
                           ("actord.plugins.path", "[${vars.secret.pw}]")):
            errors = self.refused(f"vars.secret.pw = {SECRET}\n{key} = {value}\n")
            self.assertIn("actord.conf:2:", errors)
            self.assertIn("a secret may not be used here", errors)

    def test_one_that_cannot_be_fetched_ends_the_start(self):
        errors = self.refused("vars.secret.pw { file = password }\n")
        self.assertIn("actord.conf:1:25: error: cannot read the secret", errors)
        errors = self.refused("vars.secret.pw { credential = pw }\n",
                              environment={"CREDENTIALS_DIRECTORY": ""})
        self.assertIn("there is no credential pw", errors)

    def test_credentials_reach_the_actors(self):
        site = os.path.join(self.folder, "site")
        os.makedirs(site)
        self.write("credentials/root", site + "\n")
        config = """
            vars.secret.root { credential = root }
            actord.user.site { behaviour = "static_site/Site"
                               config { root = ${vars.secret.root}, port = 0 } }
            """
        folder = os.path.join(self.folder, "credentials")
        os.chmod(os.path.join(folder, "root"), 0o600)
        daemon = self.start(config, environment={"CREDENTIALS_DIRECTORY": folder})
        daemon.wait_for("daemon.ready")
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.all("config.warning"), [])

    def test_actorctl_shows_none_of_the_file_and_none_of_the_daemon(self):
        self.secret()
        config = self.write("actord.conf", f"""
            vars.secret {{ pw {{ file = password }}, pin = {SECRET}1 }}
            vars.url = "u:"${{vars.secret.pw}}${{vars.secret.pin}}"@h"
            vars.url = ${{vars.url}}"x"
            """ + ECHO)
        other = self.write("other.conf", f"vars.secret.pin = {SECRET}2\n" + ECHO)
        os.chmod(config, 0o600)
        os.chmod(other, 0o600)
        daemon = self.start(config)
        daemon.wait_for("daemon.ready")
        running = ("--socket", os.path.join(self.state, "actord.sock"))
        for words in (("check", config, "--strict"), ("show", "--config", config, "--origin"),
                      ("show", "--config", config, "-o", "json"), ("render", config),
                      ("files", config), ("diff", config, other), ("show", "--running", *running),
                      ("explain", "vars.url", "--config", config),
                      ("explain", "vars.secret.pin", "--config", config, "-o", "json"),
                      ("diff", *running)):
            done = self.run_ctl("config", *words)
            self.assertNotIn(SECRET, done.stdout + done.stderr, words)
            self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertIn('vars.url = "(secret)"',
                      self.run_ctl("config", "show", "--config", config).stdout)
        self.assert_stops_in_order(daemon)

    def test_a_check_by_hand_needs_no_credentials(self):
        config = self.write("actord.conf", "vars.secret.pw { credential = pw }\n" + ECHO)
        done = self.run_ctl("config", "check", config, "--strict")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("actord.conf:1:31: note: the credential pw is only there", done.stderr)
        done = self.run_ctl("config", "check", config, "--no-environment")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_one_in_a_file_that_everybody_may_read_is_warned_of(self):
        path = self.write("actord.conf", f"vars.secret.pw = {SECRET}\n" + ECHO)
        os.chmod(path, 0o644)
        daemon = self.start(path)
        self.assertIn("everybody may read", daemon.wait_for("config.warning")["msg"])
        self.assert_stops_in_order(daemon)
        self.assertNotIn(SECRET, daemon.story())
        os.chmod(path, 0o640)
        daemon = self.start(path)
        daemon.wait_for("daemon.ready")
        self.assertEqual(daemon.all("config.warning"), [])
        self.assert_stops_in_order(daemon)


if __name__ == "__main__":
    rig.main()
