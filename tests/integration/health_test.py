# SPDX-License-Identifier: Apache-2.0
"""What actord says of its configured actors is so: the status, daemon.degraded, daemon.healthy; and
what was lost comes back."""

import json
import os
import socket

import rig

LOOSE = "actord.actor.guardian-supervisor-strategy = stopping\n"
MORTAL = '{name} {{ behaviour = "mortal/Mortal", config {{ file = "{file}" }}, {rest} }}\n'


class HealthCase(rig.ManagedCase):
    def run_mortals(self, *names, rest="", sets=(), head=LOOSE):
        nodes = "".join(MORTAL.format(name=name, file=self.file_of(name), rest=rest)
                        for name in names)
        self.text = head + "actord.user {\n" + nodes + "}\n"
        daemon = self.start(self.text, sets=sets, environment=self.environment,
                            plugins=(rig.PLUGINS, rig.BAD_PLUGINS))
        daemon.wait_for("daemon.ready")
        return daemon

    def file_of(self, name):
        return os.path.join(self.folder, name + ".word")

    def tell(self, name, word):
        new = self.write("new.word", word)
        os.replace(new, self.file_of(name))

    def ctl(self, *words):
        return self.run_ctl(*words, "--socket", os.path.join(self.state, "actord.sock"))


class Status(HealthCase):
    def test_it_follows_an_actor_that_fails_and_comes_back(self):
        daemon = self.run_mortals("a", "b")
        self.manager.wait_for("STATUS=2 of 2 configured actors are up")
        self.tell("a", "fail")
        degraded = daemon.wait_for("daemon.degraded")
        self.assertEqual((degraded["actors"], degraded["up"]), (2, 1))
        self.assertEqual(len(degraded["down"]), 1)
        self.assertIn("/user/a has failed and was stopped: mortal::Broken", degraded["down"][0])
        told = self.manager.wait_for("STATUS=1 of 2 configured actors are up; /user/a has failed")
        self.assertNotIn("STOPPING=1", told)  # a newline in the failure's text begins no assignment
        self.tell("a", "")
        started = self.ctl("start", "/user/a")
        self.assertEqual((started.returncode, started.stdout), (0, "/user/a is up\n"))
        self.manager.wait_for("STATUS=2 of 2 configured actors are up")
        healthy = daemon.wait_for("daemon.healthy")
        self.assertEqual((healthy["actors"], healthy["up"]), (2, 2))
        # both lines are 5 s apart at least
        self.assertGreaterEqual(healthy["duration_ms"], 5000 - 50)
        self.assert_stops_in_order(daemon)

    def test_a_normal_end_is_told_and_degrades_nothing(self):
        daemon = self.run_mortals("a", "b")
        self.tell("a", "stop")
        self.manager.wait_for("STATUS=1 of 2 configured actors are up; /user/a has ended")
        stopped = daemon.wait_for("actor.stopped")
        self.assertEqual((stopped["reason"], stopped["stopped_by"]), ("stopped", "/user/a"))
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.all("daemon.degraded"), [])

    def test_the_normal_end_of_a_permanent_actor_degrades(self):
        daemon = self.run_mortals("a", "b", rest="lifetime = permanent")
        self.tell("a", "stop")
        self.assertEqual(daemon.wait_for("daemon.degraded")["down"], ["/user/a has ended"])
        self.assert_stops_in_order(daemon)

    def test_a_back_off_longer_than_five_seconds_degrades_and_a_shorter_one_does_not(self):
        for delay, is_degraded in (("6 s", True), ("5 s", False)):
            with self.subTest(delay):
                strategy = (f"backoff {{ min = {delay}, max = {delay}, random-factor = 0 }}")
                daemon = self.run_mortals(
                    "a", head=f"actord.actor.guardian-supervisor-strategy {{ {strategy} }}\n")
                self.tell("a", "fail")
                status = f"STATUS=0 of 1 configured actor is up; /user/a waits {delay} "
                self.manager.wait_for(status)
                self.tell("a", "")
                if is_degraded:
                    self.assertIn(f"/user/a waits {delay} to start again: mortal::Broken",
                                  daemon.wait_for("daemon.degraded")["down"][0])
                    self.assertEqual(self.ctl("start", "/user/a").returncode, 0)
                    daemon.wait_for("daemon.healthy")
                else:
                    daemon.wait_for("actor.restarted")
                    self.assertEqual(daemon.all("daemon.degraded"), [])
                self.assert_stops_in_order(daemon)


class Policy(HealthCase):
    def test_exit_stops_actord_with_69_when_an_actor_is_lost(self):
        daemon = self.run_mortals("a", "b", sets=["actord.on-actor-lost=exit"])
        self.tell("a", "stop")  # a normal end is no loss
        daemon.wait_for("actor.stopped")
        self.tell("b", "fail")
        self.assertEqual(daemon.wait(), 69)
        self.assertEqual(daemon.records[-1]["reason"], "actor-lost")
        self.assertIn("/user/b has failed and was stopped", daemon.records[-1]["error"])
        self.assertIn("actord: error: /user/b has failed", daemon.errors)

    def test_ignore_writes_no_line_and_the_status_is_true_all_the_same(self):
        daemon = self.run_mortals("a", "b", sets=["actord.on-actor-lost=ignore"])
        self.tell("a", "fail")
        self.manager.wait_for("STATUS=1 of 2 configured actors are up; /user/a has failed")
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.all("daemon.degraded"), [])

    def test_a_loss_at_the_start_is_up_to_boot_on_failure(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            site = ('actord.user.site { behaviour = "static_site/Site", '
                    f'config {{ root = "/", port = {port} }} }}\n')
            daemon = self.start(site, environment=self.environment,
                                sets=["actord.boot.on-failure=degrade",
                                      "actord.on-actor-lost=exit"])
            self.assertEqual(daemon.wait_for("daemon.ready")["lost"], 1)
            daemon.wait_for("daemon.degraded")
            self.manager.wait_for("STATUS=0 of 1 configured actor is up")
        started = self.ctl("start", "/user/site")
        self.assertEqual(started.returncode, 0, started.stderr)
        daemon.wait_for("daemon.healthy")
        self.assert_stops_in_order(daemon)


class Start(HealthCase):
    def test_each_request_is_answered_with_what_became_of_it(self):
        daemon = self.run_mortals("a")
        running = self.ctl("start", "/user/a")
        self.assertEqual((running.returncode, running.stdout), (0, "/user/a is running already\n"))
        unknown = self.ctl("start", "/user/aa")
        self.assertEqual(unknown.returncode, rig.EX_USAGE)
        self.assertIn('did you mean "/user/a"?', unknown.stderr)
        internal = self.ctl("start", "/system/log")
        self.assertEqual(internal.returncode, rig.EX_USAGE)
        self.assertIn("is not an actor of the configuration", internal.stderr)
        self.tell("a", "stop")
        daemon.wait_for("actor.stopped")
        self.tell("a", "")
        answer = self.ctl("start", "/user/a", "-o", "json")
        self.assertEqual(json.loads(answer.stdout), {"path": "/user/a", "outcome": "started"})
        self.assert_stops_in_order(daemon)
        self.assertEqual([r["verb"] for r in daemon.all("admin.command")], ["actor.start"] * 4)

    def test_an_actor_that_cannot_be_created_is_75_with_the_reason(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            daemon = self.start('actord.user.site { behaviour = "static_site/Site", '
                                f'config {{ root = "/", port = {port} }} }}\n',
                                sets=["actord.boot.on-failure=degrade"])
            daemon.wait_for("daemon.ready")
            failed = self.ctl("start", "/user/site")
            self.assertEqual(failed.returncode, rig.EX_TEMPFAIL)
            self.assertIn("/user/site could not be created: ", failed.stderr)
        self.assert_stops_in_order(daemon)

    def test_a_child_needs_its_parent(self):
        nodes = MORTAL.format(name="a", file=self.file_of("a"), rest="children { b {} }")
        daemon = self.start(LOOSE + "actord.user {" + nodes + "}",
                            plugins=(rig.PLUGINS, rig.BAD_PLUGINS))
        daemon.wait_for("daemon.ready")
        self.tell("a", "fail")
        daemon.wait_for("actor.stopped", lambda r: r["actor"]["path"] == "/user/a")
        self.tell("a", "")
        orphan = self.ctl("start", "/user/a/b")
        self.assertEqual(orphan.returncode, rig.EX_TEMPFAIL)
        self.assertIn("actorctl start /user/a", orphan.stderr)
        self.assertEqual(self.ctl("start", "/user/a").returncode, 0)
        self.assertEqual(self.ctl("start", "/user/a/b").stdout, "/user/a/b is running already\n")
        self.assert_stops_in_order(daemon)


class Reload(HealthCase):
    def test_it_starts_again_what_is_lost_and_only_forced_what_has_ended(self):
        daemon = self.run_mortals("a", "b")
        self.tell("a", "fail")
        daemon.wait_for("actor.stopped")
        self.tell("b", "stop")
        daemon.wait_for("actor.stopped")
        for name in "ab":
            self.tell(name, "")
        planned = self.ctl("config", "reload", "--dry-run")
        self.assertIn("create /user/a", planned.stdout)
        self.assertIn("it has failed and was stopped: mortal::Broken", planned.stdout)
        done = self.ctl("config", "reload")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("these actors were started again; generation 1 stays", done.stdout)
        self.assertNotIn("/user/b", done.stdout)
        reloaded = daemon.wait_for("config.reloaded")
        self.assertIn("create /user/a", reloaded["changes"][0])
        forced = self.ctl("config", "reload", "--force")
        self.assertIn("create /user/b", forced.stdout)
        self.assertIn("it has ended", forced.stdout)
        for name in "ab":
            running = self.ctl("start", f"/user/{name}")
            self.assertEqual(running.stdout, f"/user/{name} is running already\n")
        quiet = self.ctl("config", "reload")
        self.assertIn("nothing has changed; generation 1 stays", quiet.stdout)
        self.assert_stops_in_order(daemon)


if __name__ == "__main__":
    rig.main()
