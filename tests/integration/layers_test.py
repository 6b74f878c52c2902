# SPDX-License-Identifier: Apache-2.0
"""The sources of a configuration: files, YAML, drop-ins, variables, the command line, secrets."""

import json
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

    def test_a_world_writable_file_is_warned_of(self):
        os.chmod(self.write("actord.conf", ECHO), 0o666)
        daemon = self.start(os.path.join(self.folder, "actord.conf"))
        warning = daemon.wait_for("config.warning")
        self.assertIn("any user may write", warning["msg"])
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

    def test_no_message_shows_a_secret_or_what_it_went_into(self):
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

    def test_a_secret_that_cannot_be_fetched_ends_the_start(self):
        errors = self.refused("vars.secret.pw { file = password }\n")
        self.assertIn("actord.conf:1:25: error: cannot read the secret", errors)
        errors = self.refused("vars.secret.pw { credential = pw }\n",
                              environment={"CREDENTIALS_DIRECTORY": ""})
        self.assertIn("the credential pw does not exist", errors)

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
            vars.secret.keys = [{{ file = password }}, {SECRET}3, {{ id = 1, pw.file = password }}]
            vars.keys = ${{vars.secret.keys}} [{{ file = open }}]
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
                      ("explain", "vars.keys", "--config", config),
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
        self.assertIn("actord.conf:1:31: note: the credential pw exists only", done.stderr)
        done = self.run_ctl("config", "check", config, "--no-environment")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_secret_in_a_world_readable_file_is_warned_of(self):
        path = self.write("actord.conf", f"vars.secret.pw = {SECRET}\n" + ECHO)
        os.chmod(path, 0o644)
        daemon = self.start(path)
        self.assertIn("any user may read", daemon.wait_for("config.warning")["msg"])
        self.assert_stops_in_order(daemon)
        self.assertNotIn(SECRET, daemon.log_tail())
        os.chmod(path, 0o640)
        daemon = self.start(path)
        daemon.wait_for("daemon.ready")
        self.assertEqual(daemon.all("config.warning"), [])
        self.assert_stops_in_order(daemon)

    def test_a_secret_that_only_a_plugin_declares_is_warned_of_as_well(self):
        path = self.write("actord.conf", """
            actord.user.keeper { behaviour = "secretive/Keeper", config.pin = hunter2 }
            """)
        kept = self.write("kept.conf", """
            actord.user.keeper { behaviour = "secretive/Keeper", config.pin { file = password } }
            """)
        self.secret(0o644)
        os.chmod(path, 0o644)
        used_twice = self.write("twice.conf", """
            vars.secret.pin { file = password }
            actord.user.keeper { behaviour = "secretive/Keeper", config.pin = ${vars.secret.pin} }
            """)
        for config, place in ((path, "a secret is written in a file that any user may read"),
                              (kept, f"any user may read the secret {self.folder}/password"),
                              (used_twice, f"any user may read the secret {self.folder}/password")):
            daemon = self.start(config, plugins=(rig.BAD_PLUGINS,))
            daemon.wait_for("daemon.ready")
            self.assertEqual([r["msg"] for r in daemon.all("config.warning")], [place])
            self.assertEqual(daemon.all("config.warning")[0]["config"]["line"], 2)
            running = ("--socket", os.path.join(self.state, "actord.sock"))
            reloaded = self.run_ctl("config", "reload", "--wait", "-o", "json", *running)
            checked = self.run_ctl("config", "check", config, "--plugin-path", rig.BAD_PLUGINS)
            self.assert_stops_in_order(daemon)
            found = [f["message"] for f in json.loads(reloaded.stdout)["findings"]]
            self.assertEqual(found, [place])
            self.assertEqual(checked.stderr.count("any user may read"), 1, checked.stderr)
            tried, status = self.run_to_end(config, "--check", plugins=(rig.BAD_PLUGINS,))
            self.assertEqual(status, rig.EX_OK)
            self.assertEqual(tried.errors.count("any user may read"), 1, tried.errors)
            for output in (checked.stderr, tried.errors):
                self.assertNotIn(SECRET, output)

    def test_secrets_in_lists_are_fetched_like_others(self):
        self.secret()
        config = self.write("actord.conf", """
            vars.secret.keys = [{ file = password }, x]
            actord.user {
              known { behaviour = "secretive/Keeper", config.keys = ${vars.secret.keys} }
              late { behaviour = "secretive/Keeper", config.keys = [y, { env = KEY }] }
            }
            """)
        os.chmod(config, 0o600)
        daemon = self.start(config, plugins=(rig.BAD_PLUGINS,), environment={"KEY": "abc"})
        daemon.wait_for("daemon.ready")
        self.assert_stops_in_order(daemon)
        self.assertEqual([r["lengths"] for r in daemon.all("secretive.knows")],
                         [f"0 {len(SECRET)} 1", "0 1 3"])
        self.assertEqual(daemon.all("config.warning"), [])
        self.assertNotIn(SECRET, daemon.log_tail())

    def test_a_path_of_many_keys_is_no_secret_for_being_written_where_one_is(self):
        self.secret()
        for name in ("files", "file", "credentials", "env"):
            config = self.write("actord.conf", f"""
                actord.user.sup {{ behaviour = "directive_lab/Supervisor" }}
                actord.user.sup.children.{name}.behaviour = "secretive/Keeper"
                actord.user.sup.children.{name}.config.pin.file = password
                """)
            done = self.run_ctl("config", "check", config, "--plugin-path", rig.BAD_PLUGINS)
            self.assertNotIn("secret", done.stderr, name)

    def test_what_a_secret_was_before_is_not_shown(self):
        for was, key, value in ((SECRET, "keys", "[x]"), (f"[{SECRET}, y]", "keys", "[x]"),
                                (SECRET, "pin", '""'), (SECRET, "pin", "null"),
                                (f"[{SECRET}] [y]", "keys", "[x]"),
                                (SECRET, "pin", "{ env = HOME }")):
            config = self.write("actord.conf", f"""
                actord.user.k {{ behaviour = "secretive/Keeper" }}
                actord.user.k.config.{key} = {was}
                actord.user.k.config.{key} = {value}
                """)
            for verb in (("explain", f"actord.user.k.config.{key}"), ("show", "--origin")):
                done = self.run_ctl("config", *verb, config, "--plugin-path", rig.BAD_PLUGINS)
                self.assertNotIn(SECRET, done.stdout + done.stderr, (was, value))

    def test_a_misspelt_member_may_be_the_secret_that_was_meant(self):
        config = self.write("actord.conf", f"""
            actord.user.k {{ behaviour = "secretive/Keeper", config.pinn = {SECRET} }}
            """)
        for verb, shown in ((("show",), "(secret)"), (("explain", "actord.user.k"), "k = {")):
            done = self.run_ctl("config", *verb, config, "--plugin-path", rig.BAD_PLUGINS)
            self.assertIn(shown, done.stdout)
            self.assertNotIn(SECRET, done.stdout + done.stderr)

    def test_a_mistake_beside_what_only_a_plugin_knows_to_be_secret_does_not_show_it(self):
        config = self.write("actord.conf", f"""
            vars.a = {SECRET}, actord.lgo.level = info
            actord.user.k {{ behaviour = "secretive/Keeper", config.pin = ${{vars.a}} }}
            """)
        for verb in ("check", "show"):
            done = self.run_ctl("config", verb, config, "--plugin-path", rig.BAD_PLUGINS)
            self.assertEqual(done.returncode, rig.EX_CONFIG)
            self.assertIn("actord.lgo", done.stderr)
            self.assertNotIn(SECRET, done.stdout + done.stderr)

    def test_a_changed_secret_in_a_list_is_taken_by_a_reload(self):
        self.secret()
        daemon = self.start("""
            actord.user.k { behaviour = "secretive/Keeper", config.keys = [{ file = password }] }
            """, plugins=(rig.BAD_PLUGINS,))
        self.assertEqual(daemon.wait_for("secretive.knows")["lengths"], f"0 {len(SECRET)}")
        daemon.wait_for("daemon.ready")
        self.write("password", SECRET + SECRET)
        running = ("--socket", os.path.join(self.state, "actord.sock"))
        differs = self.run_ctl("config", "diff", *running)
        reloaded = self.run_ctl("config", "reload", "--wait", "-o", "json", *running)
        self.assertEqual(daemon.wait_for("secretive.knows")["lengths"], f"0 {2 * len(SECRET)}")
        self.assert_stops_in_order(daemon)
        self.assertIn("actord.user.k.config.keys", differs.stdout)
        for output in (differs.stdout, differs.stderr, reloaded.stdout, daemon.log_tail()):
            self.assertNotIn(SECRET, output)

    def test_all_errors_of_secrets_in_lists_are_reported_at_once(self):
        self.secret()
        config = self.write("actord.conf", f"""
            actord.log.levle = debug
            actord.user {{
              a {{ behaviour = "secretive/Keeper", config.keys = [{{ file = absent }}, [x]] }}
              b {{ behaviour = "secretive/Keeper"
                  config.keys = [{{ fiel = {SECRET} }}, {{ env = [{SECRET}] }}]
                  config.pin.env = ABSENT }}
              c {{ behaviour = "secretive/Keeper"
                  config.keys = [{{ file = password, env = KEY }}, {{ file = password }}]
                  config.pni = 1 }}
            }}
            """)
        os.chmod(config, 0o600)
        wrong = ['2:24: error: unknown key', '4:75: error: cannot read the secret',
                 '4:85: error: expected a string', '6:34: error: "fiel" does not say where',
                 "6:62: error: a secret's `env` is a name, not a list",
                 '7:36: error: the environment variable ABSENT is not set',
                 '9:34: error: this secret is kept in two places', '10:26: error: unknown key']
        check = self.run_ctl("config", "check", config, "--plugin-path", rig.BAD_PLUGINS)
        tried, status = self.run_to_end(config, "--check", plugins=(rig.BAD_PLUGINS,))
        self.assertEqual((check.returncode, status), (rig.EX_CONFIG, rig.EX_CONFIG))
        refused = self.refused(config, plugins=(rig.BAD_PLUGINS,))
        for output in (check.stderr, tried.errors, refused):
            self.assertNotIn(SECRET, output)
            found = [line for line in output.splitlines() if ": error: " in line]
            self.assertEqual(len(found), len(wrong), output)
            for line, place_and_words in zip(found, wrong):
                self.assertIn("actord.conf:" + place_and_words, line)

    def test_a_malformed_secret_does_not_hide_that_another_is_missing(self):
        errors = self.refused("vars.secret.a { file = absent }\n"
                              "vars.secret.b = [{ file = gone }, { fiel = x }]\n")
        for place in ("1:24: error: cannot read", "2:27: error: cannot read",
                      '2:35: error: "fiel"'):
            self.assertIn("actord.conf:" + place, errors)

    def test_the_config_of_a_missing_behaviour_is_hidden_and_nothing_is_fetched(self):
        config = self.write("actord.conf", f"""
            actord.user.x {{ behaviour = "nowhere/X"
                            config {{ file = {SECRET}, keys = [{{ file = {SECRET} }}]
                                     pin {{ file = {SECRET} }} }} }}
            """)
        os.chmod(config, 0o600)
        errors = self.refused(config)
        self.assertIn("there is no plugin", errors)
        self.assertNotIn("cannot read the secret", errors)
        shown = self.run_ctl("config", "show", "--config", config)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("(secret)", shown.stdout)
        self.assertNotIn(SECRET, shown.stdout + shown.stderr)


if __name__ == "__main__":
    rig.main()
