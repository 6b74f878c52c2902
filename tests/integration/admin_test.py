# SPDX-License-Identifier: Apache-2.0
"""The admin socket of the real daemon: permissions, its answers, and hostile clients."""

import grp
import json
import os
import pwd
import resource
import shutil
import signal
import socket
import stat
import struct
import unittest

import rig

ECHO = 'actord { user { echo { behaviour = "echo/Echo" } } }\n'


def frame(text):
    data = text if isinstance(text, bytes) else text.encode()
    return struct.pack(">I", len(data)) + data


def request(verb, arguments=None, number=1):
    return frame(json.dumps({"v": 1, "id": number, "verb": verb, "args": arguments or {}}))


class Admin(rig.Case):
    def setUp(self):
        super().setUp()
        self.socket = os.path.join(self.state, "actord.sock")

    def ready(self, config=ECHO, **keywords):
        daemon = self.start(config, **keywords)
        daemon.wait_for("daemon.ready")
        return daemon

    def connect(self):
        client = socket.socket(socket.AF_UNIX)
        self.addCleanup(client.close)
        client.connect(self.socket)  # waits if too many other clients wait
        client.settimeout(rig.PATIENCE)
        return client

    def ctl(self, *words, **keywords):
        return self.run_ctl(*words, "--socket", self.socket, **keywords)

    def copy_for_everybody(self, *files):
        """Copies the files into the test's folder, where every user may read and run them."""
        os.chmod(self.folder, 0o755)
        for file in files:
            os.chmod(shutil.copy(file, self.folder), 0o755)

    def reload_as_another_user(self):
        """The answer of actorctl to a user that is in none of our groups. The build, and even the
        test's folder, may lie below a folder that only root may enter. Therefore that user starts
        in the test's folder, runs a copy of actorctl, and gets no absolute path."""
        socket_name = os.path.relpath(self.socket, self.folder)
        return self.run_ctl("config", "reload", "--socket", socket_name, executable="./actorctl",
                            environment={"LD_LIBRARY_PATH": "."}, cwd=self.folder,
                            user=1, group=1, extra_groups=())

    def assert_serves(self):
        shown = self.ctl("config", "show", "--running", "-o", "json")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        keys = [value["key"] for value in json.loads(shown.stdout)["values"]]
        self.assertIn("actord.user.echo.behaviour", keys)

    def answer(self, client):
        data = b""
        while len(data) < 4 or len(data) < 4 + struct.unpack(">I", data[:4])[0]:
            more = client.recv(65536)
            if not more:
                return None
            data += more
        return json.loads(data[4:])

    # ---- the socket itself

    def test_it_is_for_owner_and_group_and_gone_at_the_end(self):
        daemon = self.ready()
        mode = os.stat(self.socket).st_mode
        self.assertTrue(stat.S_ISSOCK(mode))
        self.assertEqual(stat.S_IMODE(mode), 0o660)
        self.assert_serves()
        self.assert_stops_in_order(daemon)
        self.assertFalse(os.path.exists(self.socket))

    def test_it_stands_where_the_service_manager_says(self):
        runtime = os.path.join(self.folder, "run")
        os.mkdir(runtime)
        self.socket = os.path.join(runtime, "actord.sock")
        daemon = self.ready(environment={"RUNTIME_DIRECTORY": runtime})
        self.assert_serves()
        self.assert_stops_in_order(daemon)

    def test_a_configured_path_goes_before_and_off_means_none(self):
        self.socket = os.path.join(self.folder, "own.sock")
        daemon = self.ready(sets=[f'actord.admin.socket="{self.socket}"'])
        self.assert_serves()
        self.assert_stops_in_order(daemon)
        daemon = self.ready(sets=["actord.admin.socket=off"])
        self.assertFalse(os.path.exists(self.socket))
        self.assertNotIn("actord.sock", os.listdir(self.state))
        self.assert_stops_in_order(daemon)

    def test_a_second_daemon_with_the_same_state_directory_is_refused(self):
        daemon = self.ready()
        second, status = self.run_to_end(ECHO)
        self.assertEqual(status, rig.EX_TEMPFAIL)
        self.assertIn("another actord is running", second.errors)
        self.assertIn("actord.state-dir", second.errors)
        self.assert_serves()
        self.assert_stops_in_order(daemon)

    def test_a_second_daemon_is_refused_whatever_the_path_of_its_socket(self):
        daemon = self.ready()
        for place in ("off", f'"{self.folder}/other.sock"'):
            second, status = self.run_to_end(ECHO, sets=[f"actord.admin.socket={place}"])
            self.assertEqual(status, rig.EX_TEMPFAIL)
            self.assertIn("another actord uses the state directory " + self.state, second.errors)
        daemon.send(signal.SIGKILL)
        daemon.wait()
        self.assert_stops_in_order(self.ready(sets=["actord.admin.socket=off"]))

    def test_the_socket_of_a_daemon_that_was_killed_is_taken_over(self):
        daemon = self.ready()
        daemon.send(signal.SIGKILL)
        daemon.wait()
        self.assertTrue(os.path.exists(self.socket))
        gone = self.ctl("config", "reload")
        self.assertEqual(gone.returncode, rig.EX_UNAVAILABLE)
        self.assertIn("is actord running?", gone.stderr)
        daemon = self.ready()
        self.assert_serves()
        self.assert_stops_in_order(daemon)

    def test_a_path_too_long_for_a_socket_is_a_fault_of_the_configuration(self):
        path = os.path.join(self.folder, "x" * 120)
        daemon, status = self.run_to_end(ECHO, sets=[f'actord.admin.socket="{path}"'])
        self.assertEqual(status, rig.EX_CONFIG)
        self.assertIn("107 are allowed", daemon.errors)
        self.assertIn("shorter path, or to off", daemon.errors)

    def test_a_file_in_its_place_is_left_alone(self):
        path = self.write("precious", "text")
        daemon, status = self.run_to_end(ECHO, sets=[f'actord.admin.socket="{path}"'])
        self.assertEqual(status, rig.EX_OSERR)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "text")
        self.assertIn("there is a file or folder that is no socket", daemon.errors)
        self.assertFalse(os.path.exists(path + ".lock"))

    # UBSan opens a pipe to look at an object of a type that it has not seen yet.
    @unittest.skipIf(rig.HAS_SANITIZER, "the sanitizer needs a descriptor itself")
    def test_a_client_waits_while_there_is_no_descriptor_and_the_log_says_so(self):
        daemon = self.ready()
        pid = daemon.process.pid
        limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, limits[1]))  # 0 to 2 are always open
        client = self.connect()
        failed = daemon.wait_for("admin.accept-failed")
        self.assertEqual(failed["admin"], {"socket": self.socket, "error": "Too many open files"})
        resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)
        client.sendall(request("no-such-verb"))
        self.assertEqual(self.answer(client)["id"], 1)
        self.assert_stops_in_order(daemon)
        self.assertEqual(len(daemon.all("admin.accept-failed")), 1)

    def test_a_refused_user_learns_which_group_may(self):
        daemon = self.ready()
        if os.geteuid() == 0:
            self.copy_for_everybody(rig.CTL, os.environ["ACTORD_CORE"])
            os.chmod(self.state, 0o755)
            denied = self.reload_as_another_user()
            self.assertEqual(denied.returncode, rig.EX_NOPERM, denied.stderr)
            self.assertIn("root and the user that actord runs as may use it", denied.stderr)
            os.chown(self.socket, -1, grp.getgrnam("adm").gr_gid)
            denied = self.reload_as_another_user()
            self.assertIn("members of the group adm may use it: usermod -aG adm", denied.stderr)
            # The mode alone does not decide: even if all may write to the socket, this user is
            # refused.
            os.chmod(self.socket, 0o666)
            denied = self.reload_as_another_user()
            self.assertEqual(denied.returncode, rig.EX_NOPERM, denied.stderr)
            self.assertIn("may not use this socket", denied.stderr)
            self.assertEqual(daemon.wait_for("admin.denied")["peer"]["uid"], 1)
        self.assert_serves()
        self.assert_stops_in_order(daemon)

    # ---- verbs

    def test_the_running_configuration_is_shown_in_parts_when_it_is_large(self):
        actors = "\n".join(f'a{i} {{ behaviour = "echo/Echo" }}' for i in range(2500))
        echo = 'actord.user { echo { behaviour = "echo/Echo" }\n'
        daemon = self.ready(f"{echo}{actors} }}\n")
        shown = json.loads(self.ctl("config", "show", "--running", "-o", "json").stdout)["values"]
        keys = [value["key"] for value in shown]
        self.assertEqual(len(keys), len(set(keys)))
        self.assertIn("actord.user.a2499.behaviour", keys)
        origin = next(v for v in shown if v["key"] == "actord.user.echo.behaviour")["origin"]
        self.assertRegex(origin, r"actord\.conf:1:\d+$")
        self.assert_stops_in_order(daemon)

    def test_diff_compares_the_running_configuration_with_its_files(self):
        daemon = self.ready()
        self.assertEqual(self.ctl("config", "diff").returncode, rig.EX_OK)
        path = self.write("actord.conf", ECHO + "actord.log.level = debug\n")
        differs = self.ctl("config", "diff", "-o", "json")
        self.assertEqual(differs.returncode, 1, differs.stderr)
        change, = json.loads(differs.stdout)["changes"]
        self.assertEqual(change["key"], "actord.log.level")
        self.assertEqual(change["from"], "info")
        self.assertEqual(change["to"], "debug")
        self.assertEqual(change["to_origin"], f"{path}:2:20")
        self.assertEqual(change["reload"], "live")
        self.write("actord.conf", "actord { user { echo {\n")
        wrong = self.ctl("config", "diff")
        self.assertEqual(wrong.returncode, rig.EX_CONFIG)
        self.assertIn("actord.conf:", wrong.stderr)
        self.assert_stops_in_order(daemon)

    def test_diff_waits_for_a_slow_file_and_other_verbs_do_not(self):
        daemon = self.ready()
        let_go = self.silent_drop_ins(60)
        client = self.connect()
        client.sendall(request("config.diff"))
        for _ in range(5):
            self.assert_serves()
        client.setblocking(False)
        self.assertRaises(BlockingIOError, client.recv, 1)  # it has no answer yet
        let_go()
        client.settimeout(rig.PATIENCE)
        self.assertEqual(self.answer(client)["status"], rig.EX_OK)
        self.assert_stops_in_order(daemon)

    def test_a_diff_that_a_stop_overtakes_says_so(self):
        daemon = self.ready()
        self.silent_drop_ins(60)
        clients = [self.connect() for _ in range(3)]
        for client in clients:
            client.sendall(request("config.diff"))
        self.assert_serves()
        self.assert_stops_in_order(daemon)
        for client in clients:
            answer = self.answer(client)
            self.assertEqual((answer["status"], answer["error"]),
                             (rig.EX_TEMPFAIL, "actord is stopping"))

    def test_reload_prints_the_plan_and_ends_with_the_result(self):
        daemon = self.ready()
        path = self.write("actord.conf", ECHO + "actord.log.level = debug\n")
        dry = self.ctl("config", "reload", "--dry-run")
        self.assertEqual(dry.returncode, rig.EX_OK, dry.stderr)
        self.assertIn("actord.log.level: info → debug", dry.stdout)
        self.assertIn("nothing was changed", dry.stdout)
        self.assertEqual(daemon.all("admin.command"), [])
        done = self.ctl("config", "reload")
        self.assertEqual(done.returncode, rig.EX_OK, done.stderr)
        self.assertIn(f"actord.log.level: info → debug ({path}:2", done.stdout)
        self.assertIn("the new generation is 2", done.stdout)
        command = daemon.wait_for("admin.command")
        self.assertEqual(command["verb"], "config.reload")
        self.assertEqual(command["peer"]["uid"], os.geteuid())
        self.assertEqual(command["peer"]["command"], "actorctl")
        same = json.loads(self.ctl("config", "reload", "-o", "json").stdout)
        self.assertEqual(same["outcome"], "unchanged")
        shown = self.ctl("config", "show", "--running", "--origin")
        self.assertIn(f'actord.log.level = "debug"  # {path}:2:20', shown.stdout)
        self.assertEqual(self.ctl("config", "diff").returncode, rig.EX_OK)
        self.assert_stops_in_order(daemon)

    def test_a_reload_of_what_is_wrong_ends_with_78_and_says_what(self):
        daemon = self.ready()
        self.write("actord.conf", ECHO + "actord.log.levle = debug\n")
        wrong = self.ctl("config", "reload")
        self.assertEqual(wrong.returncode, rig.EX_CONFIG)
        self.assertIn("actord.conf:2:", wrong.stderr)
        self.assertEqual(wrong.stderr.count("unknown key"), 1, wrong.stderr)
        self.assertIn("[E0301]", wrong.stderr)
        self.assertIn("^^^", wrong.stderr)
        self.assertIn('did you mean "level"?', wrong.stderr)
        answer = json.loads(self.ctl("config", "reload", "-o", "json").stdout)
        self.assertEqual(answer["exit"], rig.EX_CONFIG)
        self.assertEqual(answer["findings"][0]["line"], 2)
        self.assertEqual(answer["findings"][0]["code"], "E0301")
        daemon.wait_for("config.rejected")
        self.assert_serves()
        self.assert_stops_in_order(daemon)

    def test_a_plan_longer_than_an_answer_may_be_is_sent_in_part(self):
        def many(restarts):
            return "".join(f'actord.user.a{i} {{ behaviour = "echo/Echo", '
                           f'supervisor-strategy.max-restarts = {restarts} }}\n'
                           for i in range(600))

        daemon = self.ready(ECHO + many(5))
        self.write("actord.conf", ECHO + many(6))
        for words in (("--dry-run",), ()):
            planned = self.ctl("config", "reload", "-o", "json", *words)
            self.assertEqual(planned.returncode, rig.EX_OK, planned.stderr + daemon.log_tail())
            plan = json.loads(planned.stdout)["plan"]
            self.assertEqual((len(plan["steps"]), plan["steps_left_out"]), (500, 100))
        self.assert_serves()

    def test_values_longer_than_an_answer_may_be_are_cut(self):
        def with_text(letter):
            return ECHO + 'vars.long = "' + letter * 2_000_000 + '"\n'

        daemon = self.ready(with_text("a"))
        shown = self.ctl("config", "show", "--running")
        self.assertEqual(shown.returncode, rig.EX_OK, shown.stderr)
        self.assertIn("a... (2000000 bytes)", shown.stdout)
        self.write("actord.conf", with_text("b") + "".join(f"actord.no{i} = 1\n"
                                                            for i in range(20_000)))
        refused = self.ctl("config", "reload", "-o", "json")
        self.assertEqual(refused.returncode, rig.EX_CONFIG, refused.stdout[:500])
        self.assertGreater(json.loads(refused.stdout)["findings_left_out"], 100)
        self.assert_serves()
        self.assert_stops_in_order(daemon)

    def test_keys_that_wait_for_a_restart_are_marked_where_the_running_ones_are_shown(self):
        self.ready()
        self.write("actord.conf", ECHO + "actord.name = renamed\n")
        self.assertEqual(self.ctl("config", "reload").returncode, rig.EX_OK)
        diff = self.ctl("config", "diff")
        self.assertEqual(diff.returncode, rig.EX_OK, diff.stderr)
        self.assertEqual(diff.stdout,
                         "no difference\nnote: actord.name needs a restart of actord\n")
        shown = self.ctl("config", "show", "--running")
        self.assertIn('actord.name = "renamed"  # needs a restart of actord\n', shown.stdout)

    def test_a_reload_that_leaves_an_actor_behind_says_so_with_its_status(self):
        self.ready()
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            self.write("actord.conf", ECHO + 'actord.user.site { behaviour = "static_site/Site", '
                       f'config {{ root = /, port = {taken.getsockname()[1]} }} }}\n')
            reload = self.ctl("config", "reload")
        self.assertEqual(reload.returncode, rig.EX_TEMPFAIL, reload.stdout + reload.stderr)
        self.assertIn("1 actor could not be created", reload.stderr)
        self.assertIn("could not be created: /user/site: ", reload.stdout)

    def test_force_says_what_it_did_and_nothing_where_there_was_nothing_to_force(self):
        daemon = self.ready()
        refused = self.ctl("config", "reload")
        self.assertNotIn("force", refused.stdout)
        self.assertNotIn("forced", daemon.wait_for("config.reloaded"))
        dry = self.ctl("config", "reload", "--dry-run", "--force")
        self.assertIn("with --force every actor would get the configuration again\n", dry.stdout)
        forced = self.ctl("config", "reload", "--force")
        self.assertEqual(forced.returncode, rig.EX_OK, forced.stderr)
        self.assertIn("nothing has changed; generation 1 stays\n"
                      "forced: every actor got the configuration again", forced.stdout)
        self.assertIs(daemon.wait_for("config.reloaded")["forced"], True)
        answer = json.loads(self.ctl("config", "reload", "--force", "-o", "json").stdout)
        self.assertEqual((answer["outcome"], answer["forced"]), ("unchanged", True))
        daemon.wait_for("config.reloaded")
        self.write("actord.conf", ECHO + "actord.log.level = debug\n")
        changed = self.ctl("config", "reload", "--force", "-o", "json")
        self.assertNotIn("forced", json.loads(changed.stdout))
        self.assertNotIn("forced", daemon.wait_for("config.reloaded"))
        self.assert_stops_in_order(daemon)

    def test_a_reload_is_waited_for_unless_the_operator_says_otherwise(self):
        daemon = self.ready()
        self.write("actord.conf", ECHO + "actord.log.levle = debug\n")
        for words in ((), ("--wait",)):
            self.assertEqual(self.ctl("config", "reload", *words).returncode, rig.EX_CONFIG)
            daemon.wait_for("config.rejected")
        self.write("actord.conf", ECHO + "actord.log.level = debug\n")
        asked = self.ctl("config", "reload", "--no-wait")
        self.assertEqual(asked.returncode, rig.EX_OK, asked.stderr)
        self.assertIn("accepted the request", asked.stdout)
        daemon.wait_for("config.reloaded")
        answer = json.loads(self.ctl("config", "reload", "--no-wait", "-o", "json").stdout)
        self.assertEqual(answer, {"outcome": "accepted"})
        self.assert_stops_in_order(daemon)

    def test_a_refusal_that_is_known_at_once_is_no_success_without_waiting_either(self):
        absent = self.ctl("config", "reload", "--no-wait")
        self.assertEqual(absent.returncode, rig.EX_UNAVAILABLE)
        for word in ("--wait", "--dry-run"):
            wrong = self.ctl("config", "reload", "--no-wait", word)
            self.assertEqual(wrong.returncode, rig.EX_USAGE)
            self.assertIn(f"--no-wait and {word} cannot be combined", wrong.stderr)
        daemon = self.ready('actord.user { stubborn { behaviour = "stubborn/Stubborn" } }\n',
                            plugins=(rig.PLUGINS, rig.BAD_PLUGINS))
        daemon.send(signal.SIGTERM)
        daemon.wait_for("stubborn.stays")
        stopping = self.ctl("config", "reload", "--no-wait")
        self.assertEqual(stopping.returncode, rig.EX_TEMPFAIL, stopping.stdout)
        self.assertIn("actord is stopping", stopping.stderr)

    def test_a_reload_prints_what_needs_a_restart(self):
        self.ready()
        text = ECHO + "actord.name = renamed\nactord.boot.on-failure = degrade\n"
        keys = ["actord.name", "actord.boot.on-failure"]
        self.write("actord.conf", text)
        refused = self.ctl("config", "reload", "--all-or-nothing")
        self.assertEqual(refused.returncode, rig.EX_CONFIG)
        self.assertIn("these keys need a restart of actord: actord.name", refused.stderr)
        line = f"needs a restart of actord: {', '.join(keys)}\n"
        self.assertIn(line, refused.stdout)
        for outcome in ("generation is 2", "generation 2 stays"):
            reloaded = self.ctl("config", "reload")
            self.assertEqual(reloaded.returncode, rig.EX_OK, reloaded.stderr)
            self.assertIn(line, reloaded.stdout)
            self.assertIn(outcome, reloaded.stdout)
        self.assertEqual(json.loads(self.ctl("config", "reload", "-o", "json").stdout)["pending"],
                         keys)
        self.write("actord.conf", text + "actord.nme = x\n")
        wrong = self.ctl("config", "reload", "-o", "json")
        self.assertEqual(wrong.returncode, rig.EX_CONFIG)
        self.assertEqual(json.loads(wrong.stdout)["pending"], keys)  # of the earlier reload

    # ---- the audit

    def assert_is_this_user(self, record, command):
        peer = record["peer"]
        self.assertEqual((peer["uid"], peer["user"], peer["command"]),
                         (os.geteuid(), pwd.getpwuid(os.geteuid()).pw_name, command))
        self.assertGreater(peer["pid"], 0)
        return peer

    def test_the_audit_is_written_whatever_the_level_of_the_log_is(self):
        quiet = ECHO + "actord.log.level = error\n"
        daemon = self.start(quiet)
        daemon.wait_for("plugin.loaded")
        self.write("actord.conf", quiet + "actord.name = renamed\n")
        reload = self.ctl("config", "reload")
        self.assertEqual(reload.returncode, rig.EX_OK, reload.stderr)
        command = daemon.wait_for("admin.command")
        asking = self.assert_is_this_user(command, "actorctl")
        self.assertEqual((command["verb"], command["arguments"], asking["gid"]),
                         ("config.reload", "{}", os.getegid()))
        reloaded = daemon.wait_for("config.reloaded")
        self.assertEqual(reloaded["peer"], asking)
        self.assertIn(str(asking["pid"]), reloaded["asked_by"])
        self.write("actord.conf", "actord.nme = x\n")
        self.assertEqual(self.ctl("config", "reload", "--force").returncode, rig.EX_CONFIG)
        command = daemon.wait_for("admin.command")
        self.assertEqual(json.loads(command["arguments"]), {"force": True})
        self.assertEqual(daemon.wait_for("config.rejected")["peer"], command["peer"])
        self.assert_only_audited(daemon)

    def test_a_reload_by_a_signal_names_its_sender(self):
        daemon = self.ready()
        daemon.send(signal.SIGHUP)
        reloaded = daemon.wait_for("config.reloaded")
        self.assertEqual(reloaded["asked_by"], "SIGHUP")
        with open("/proc/self/comm", encoding="utf-8") as name:
            peer = self.assert_is_this_user(reloaded, name.read().strip())
        self.assertEqual(peer["pid"], os.getpid())
        self.assertNotIn("gid", peer)  # a signal does not tell it
        self.assert_stops_in_order(daemon)

    def assert_only_audited(self, daemon):
        """Nothing else was written at this level: neither starts nor what is no audit."""
        self.assertEqual(daemon.stop(), rig.EX_OK, daemon.log_tail())
        self.assertEqual(set(daemon.events()), {"plugin.loaded", "admin.command",
                                                "config.reloaded", "config.rejected"})

    # ---- explanations

    def explain(self, key, *words):
        done = self.ctl("config", "explain", "--running", key, *words)
        self.assertEqual(done.returncode, rig.EX_OK, done.stderr)
        return json.loads(done.stdout) if words else done.stdout

    def test_the_running_daemon_explains_its_keys(self):
        self.ready()
        level = self.explain("actord.log.level", "-o", "json")
        self.assertEqual((level["value"], level["running"]["generation"],
                          level["running"]["since_generation"], level["running"]["is_pending"]),
                         ("info", 1, 1, False))
        start = level["running"]["since"]
        path = self.write("actord.conf", ECHO + "actord.log.level = debug\nactord.name = other\n")
        self.assertEqual(self.ctl("config", "reload").returncode, rig.EX_OK)
        self.write("actord.conf", ECHO + "actord.log.level = error\n")  # not read by the daemon
        level = self.explain("actord.log.level", "-o", "json")
        self.assertEqual((level["value"], level["from"]["origin"]), ("debug", f"{path}:2:20"))
        self.assertEqual(level["running"]["since_generation"], 2)
        self.assertGreater(level["running"]["since"], start)
        name = self.explain("actord.name", "-o", "json")
        self.assertEqual((name["value"], name["running"]["since"]), ("actord", start))
        self.assertEqual(name["running"]["pending"],
                         {"origin": f"{path}:3:15", "text": "actord.name = other"})
        text = self.explain("actord.name")
        self.assertIn(f"in the running daemon since {start}, generation 1 of 2\n", text)
        self.assertIn(f"pending  actord.name = other  {path}:3:15; needs a restart", text)
        self.assertIn("generation 1 of 2", self.explain("/user/echo"))

    def test_a_key_that_the_running_daemon_does_not_know_ends_with_1(self):
        self.ready()
        for key, help_text in (("actord.log.levle", "actord.log.level"),
                               ("/user/eco", "/user/echo")):
            done = self.ctl("config", "explain", "--running", key)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f'did you mean "{help_text}"?', done.stderr)
        wrong = self.ctl("config", "explain", "--running", "actord.name", "a.conf")
        self.assertEqual(wrong.returncode, rig.EX_USAGE)
        self.assertIn("--running and a.conf cannot be combined", wrong.stderr)

    def test_unknown_verbs_and_arguments_are_refused(self):
        daemon = self.ready()
        for verb, arguments in (("config.relaod", {}), ("config.reload", {"dryrun": True}),
                                ("config.reload", {"dry_run": "yes"}),
                                ("config.show", {"all": True}), ("config.explain", {}),
                                ("config.explain", {"key": 1}), ("", {})):
            client = self.connect()
            client.sendall(request(verb, arguments))
            answer = self.answer(client)
            self.assertEqual(answer["status"], rig.EX_USAGE, answer)
            self.assertTrue(answer["error"])
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.all("admin.command"), [])

    # ---- hostile clients

    def test_bytes_that_are_no_requests_do_no_harm(self):
        daemon = self.ready()
        for data in (b"\xff\xff\xff\xff" + b"x" * 100, b"\0\0\0\0", frame(b"\xff\xfe"), frame("[]"),
                     frame("{"), frame('{"v":1}'), frame("[" * 100_000), b"GET / HTTP/1.0\r\n\r\n",
                     frame(json.dumps({"v": 2, "id": 1, "verb": "config.show"}))):
            client = self.connect()
            client.sendall(data)
            answer = self.answer(client)
            self.assertEqual(answer["status"], rig.EX_USAGE, answer)
            self.assertEqual(client.recv(1), b"")
            self.assert_serves()
        self.assert_stops_in_order(daemon)

    def test_two_hundred_silent_clients_keep_no_other_out(self):
        daemon = self.ready()
        silent = [self.connect() for _ in range(200)]
        for client in silent[:100]:
            try:
                client.sendall(b"\0\0\1\0half of a request")
            except (BrokenPipeError, ConnectionResetError):
                pass  # the daemon closed it to make room
        for _ in range(5):
            self.assert_serves()
        self.assert_stops_in_order(daemon)

    def test_a_client_that_does_not_read_keeps_no_other_waiting(self):
        daemon = self.ready()
        client = self.connect()
        many = request("config.show") * 2000
        client.setblocking(False)
        try:
            client.send(many)
        except BlockingIOError:
            pass
        for _ in range(5):
            self.assert_serves()
        self.assert_stops_in_order(daemon)

    def test_a_client_that_goes_away_in_the_middle_is_forgotten(self):
        daemon = self.ready()
        for size in (1, 4, 10, None):
            for _ in range(20):
                client = socket.socket(socket.AF_UNIX)
                client.connect(self.socket)
                client.sendall(request("config.show")[:size])
                client.close()
        self.assert_serves()
        self.assert_stops_in_order(daemon)

    def test_a_daemon_that_does_not_answer_in_time_is_given_up(self):
        listening = socket.socket(socket.AF_UNIX)
        self.addCleanup(listening.close)
        os.makedirs(self.state)
        listening.bind(self.socket)
        listening.listen()
        late = self.ctl("config", "show", "--running", "--timeout", "50ms")
        self.assertEqual(late.returncode, rig.EX_TEMPFAIL)
        self.assertIn("did not answer within 50 ms", late.stderr)


if __name__ == "__main__":
    rig.main()
