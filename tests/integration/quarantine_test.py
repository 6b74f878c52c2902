# SPDX-License-Identifier: Apache-2.0
"""What comes of an actor or a plugin in which actord has crashed, when actord starts again
(supervision.md 179k)."""

import json
import os
import shutil
import signal
import struct
import unittest

import rig

BESIDE = 'actord.user.beside.behaviour = "echo/Echo"\n'
CRASHER = 'actord.user.boss.children.crasher { behaviour = "crashing/Crasher"\n config.how = %s }\n'
PATH = "/user/boss/crasher"
SIGSEGV = -signal.SIGSEGV


# In front of the build id in the note of an ELF file.
BUILD_ID = struct.pack("<III4s", 4, 20, 3, b"GNU\0")


def other_build(plugin):
    """Replaces the file of a plugin by one with the same code and another build id."""
    with open(plugin, "rb") as file:
        code = bytearray(file.read())
    code[code.index(BUILD_ID) + len(BUILD_ID)] ^= 0xff
    with open(plugin + ".new", "wb") as file:
        file.write(code)
    os.replace(plugin + ".new", plugin)


def strategy(text):
    return f"actord.user.boss.supervisor-strategy {{ {text} }}\n"


@unittest.skipIf(rig.HAS_SANITIZER, "the sanitizer reports the crash")
class Quarantine(rig.Case):
    PLUGINS = (rig.PLUGINS, rig.BAD_PLUGINS)

    def run_until_crash(self, config, status=SIGSEGV, **keywords):
        daemon, got = self.run_to_end(config, plugins=self.PLUGINS, **keywords)
        self.assertEqual(got, status, daemon.log_tail())
        return daemon

    def run_until_ready(self, config, **keywords):
        daemon = self.start(config, plugins=self.PLUGINS, **keywords)
        daemon.wait_for("daemon.ready")
        return daemon

    def own_plugin(self, name):
        """A copy of that plugin in a folder of its own, from which it is loaded."""
        folder = os.path.join(self.folder, "plugins")
        os.makedirs(folder, exist_ok=True)
        self.PLUGINS = (rig.PLUGINS, folder)
        return shutil.copy(f"{rig.BAD_PLUGINS}/{name}.so", folder)

    def kept(self, name):
        return os.path.join(self.state, "crash", name)

    def crashes(self):
        return [json.loads(line) for line in self.ctl("crash", "list", "-o", "json").splitlines()]

    def status(self):
        """What a degraded daemon tells."""
        return self.run_ctl("status", "--socket", f"{self.state}/actord.sock").stdout

    # ---- the crash as a failure

    def test_the_actor_fails_with_the_crash_before_it_is_created(self):
        config = CRASHER % "pointer" + strategy('decider { "actord::crash::SIGSEGV" = stop }')
        crashed = self.run_until_crash(config + BESIDE)
        told = crashed.all("daemon.crashed")[0]
        self.assertIn("/crashing.so+0x", told["stack"][0])
        daemon = self.start(config + BESIDE, plugins=self.PLUGINS)
        found = daemon.wait_for("daemon.crash-found")
        failed = daemon.wait_for("actor.failed")
        daemon.wait_for("daemon.ready")
        self.assertEqual(found["crash"]["id"], told["boot"])
        self.assertEqual(found["crash"]["charged"], PATH)
        self.assertEqual(found["actor"]["path"], PATH)
        self.assertEqual(found["message"]["type"], "crashing.Crash/1")
        self.assertEqual(found["plugin"]["name"], "crashing")
        self.assertRegex(found["stack"][0], r"crashing::Crasher::crash.*\(crashing\.so\)")
        self.assertEqual(failed["actor"]["path"], PATH)
        self.assertEqual(failed["failure"]["types"][:3],
                         ["actord::crash::SIGSEGV", "actord::crash::Signal", "actord::WorkerCrash"])
        self.assertEqual(failed["failure"]["details"]["crash"], told["boot"])
        self.assertEqual(failed["failure"]["phase"], "crash")
        self.assertEqual(failed["decision"]["rule"], "actord::crash::SIGSEGV")
        self.assertEqual(failed["decision"]["directive"], "stop")
        self.assertEqual(daemon.all("config.warning"), [])
        self.ctl("ask", "/user/beside", "echo.Text/1", '{"text":"hello"}')
        self.assertIn("crashing::Crasher::crash", self.ctl("crash", "show", told["boot"]))
        self.assert_stops_in_order(daemon)

    def test_the_restart_limit_counts_crashes_until_a_stop_in_order(self):
        config = (CRASHER % "pointer" + BESIDE + strategy("max-restarts = 1") +
                  "actord.crashes.quarantine-after = off\n")
        self.run_until_crash(config)
        self.run_until_crash(config)
        daemon = self.run_until_ready(config)
        failed = daemon.all("actor.failed")
        self.assertEqual(failed[0]["decision"]["denied"], "restart")
        self.assertEqual(daemon.all("actor.quarantined"), [])
        self.assert_stops_in_order(daemon)
        again = self.run_until_crash(config)
        self.assertEqual(again.all("actor.failed"), [], "no crash counts after a stop in order")
        self.run_until_crash(config)
        self.run_until_ready(config)
        self.assertEqual([each["charged"] for each in self.crashes()], 4 * [PATH])

    def test_the_back_off_delays_the_actor_and_not_the_others(self):
        config = (CRASHER % "pointer" + BESIDE +
                  strategy("backoff { min = 1 hour, max = 9 hours, random-factor = 0 }"))
        self.run_until_crash(config)
        daemon = self.run_until_ready(config)
        waits = daemon.all("actor.backoff")[0]
        self.assertEqual(waits["actor"]["path"], PATH)
        self.assertEqual(waits["restart"]["delay_ms"], 3_600_000)
        self.assertIn(f"{PATH} starts again in 59 minutes", self.status())

    def test_an_exit_is_charged_as_a_crash(self):
        config = ('actord.user.exiter { behaviour = "exiting/Exiter"\n'
                  ' config { call = exit, place = handler } }\n')
        self.run_until_crash(config, rig.EX_SOFTWARE)
        again = self.run_until_crash(config, rig.EX_SOFTWARE)
        failed = again.all("actor.failed")[0]
        self.assertEqual(failed["failure"]["type"], "actord::crash::Exit")
        self.assertEqual(again.all("daemon.crash-found")[0]["call"], "exit(0)")

    def test_the_configured_actor_is_charged_for_what_its_code_creates(self):
        config = ('actord.user.spawner { behaviour = "crashing/Spawner"\n config.how = pointer }\n')
        self.run_until_crash(config)
        again = self.run_until_crash(config)
        found = again.all("daemon.crash-found")[0]
        self.assertEqual(found["actor"]["path"], "/user/spawner/crasher-1")
        self.assertEqual(found["crash"]["charged"], "/user/spawner")

    def test_a_signal_from_outside_is_kept_and_charged_to_nothing(self):
        self.run_until_ready(BESIDE).stop(signal.SIGSEGV)
        daemon = self.run_until_ready(BESIDE)
        self.assertNotIn("charged", daemon.all("daemon.crash-found")[0]["crash"])
        self.assertEqual(daemon.all("actor.failed"), [])
        shown = self.ctl("crash", "show", self.crashes()[0]["id"])
        self.assertIn("SIGSEGV, which another process has sent", shown)
        self.assertIn("charged     nothing", shown)

    # ---- quarantine

    def test_an_actor_that_crashes_at_every_start_is_in_quarantine_and_the_others_run(self):
        config = CRASHER % "pointer" + BESIDE
        for _ in range(3):
            self.run_until_crash(config)
        daemon = self.run_until_ready(config)
        quarantined = daemon.all("actor.quarantined")
        self.assertEqual([each["actor"]["path"] for each in quarantined], [PATH])
        self.ctl("ask", "/user/beside", "echo.Text/1", '{"text":"hello"}')
        self.assertIn(f"{PATH} is in quarantine", self.status())
        self.assertEqual(len(self.crashes()), 3)
        self.assertIn("in quarantine", self.ctl("crash", "list"))
        self.assertIn(f"which actorctl start {PATH} ends", self.ctl("crash", "show"))
        self.ctl("config", "reload", "--force")
        self.assertIn(f"{PATH} is in quarantine", self.status())
        self.assert_stops_in_order(daemon)
        daemon = self.run_until_ready(config)
        self.assertEqual(len(daemon.all("actor.quarantined")), 1, "a stop in order does not end it")
        self.run_ctl("start", PATH, "--socket", f"{self.state}/actord.sock")
        self.assertEqual(daemon.wait(), SIGSEGV, "an operator ends it")
        daemon = self.run_until_crash(config)
        self.assertEqual(daemon.all("actor.quarantined"), [])

    def test_on_daemon_crash_may_be_quarantine_at_once(self):
        config = CRASHER % "abort" + BESIDE + "actord.on-daemon-crash = quarantine\n"
        self.run_until_crash(config, -signal.SIGABRT)
        daemon = self.run_until_ready(config)
        self.assertEqual(len(daemon.all("actor.quarantined")), 1)
        self.assertEqual(daemon.all("actor.failed"), [])

    def test_another_build_of_the_plugin_ends_the_quarantine(self):
        plugin = self.own_plugin("crashing")
        config = CRASHER % "pointer" + BESIDE + "actord.on-daemon-crash = quarantine\n"
        self.run_until_crash(config)
        self.run_until_ready(config).stop()
        other_build(plugin)
        self.run_until_crash(config)

    def test_behind_a_back_off_supervisor_the_quarantine_is_that_of_both(self):
        config = BESIDE + ('actord.user.crasher { behaviour = "crashing/Crasher"\n'
                           ' config.how = pointer\n'
                           ' backoff-supervisor { mode = on-failure, min = 1 hour,'
                           '  max = 1 hour } }\n')
        self.run_until_crash(config)
        daemon = self.run_until_ready(config)
        self.assertEqual(daemon.all("actor.failed")[0]["actor"]["path"], "/user/crasher/crasher")
        self.assertEqual(len(daemon.all("actor.backoff")), 1)
        self.assert_stops_in_order(daemon)
        config += "actord.on-daemon-crash = quarantine\n"
        self.run_until_crash(config)
        daemon = self.run_until_ready(config)
        self.assertEqual(daemon.all("actor.quarantined")[0]["actor"]["path"], "/user/crasher")

    def test_a_plugin_that_crashes_while_it_is_loaded_is_not_loaded_any_more(self):
        config = BESIDE + 'actord.user.it { behaviour = "static_aborts/It"\n }\n'
        for _ in range(3):
            self.run_until_crash(config, -signal.SIGABRT)
        daemon = self.run_until_ready(config)
        quarantined = daemon.all("actor.quarantined")[0]
        self.assertEqual(quarantined["actor"]["path"], "/user/it")
        self.assertEqual(quarantined["actor"]["behaviour"], "static_aborts/It")
        self.assertEqual(quarantined["plugin"]["name"], "static_aborts")
        self.assertIn("in quarantine", daemon.all("config.warning")[0]["msg"])
        self.ctl("ask", "/user/beside", "echo.Text/1", '{"text":"hello"}')
        refused = self.ctl("start", "/user/it", status=rig.EX_TEMPFAIL)
        self.assertIn("static_aborts.so has ended actord", refused)
        self.assertIn("put another build of its file there, and reload", refused)
        self.assertIn("in quarantine", self.ctl("crash", "show"))
        self.assert_stops_in_order(daemon)

    def test_another_build_of_such_a_plugin_is_loaded_by_a_reload_and_its_actors_start(self):
        plugin = self.own_plugin("crashing")
        config = (BESIDE + "actord.on-daemon-crash = quarantine\n"
                  "actord.actor.guardian-supervisor-strategy.decider.default = stop\n" +
                  "".join(f'actord.user.{name} {{ behaviour = "crashing/Crasher"\n {rest}\n'
                          " config.how = %s }\n" for name, rest in (
                              ("plain", ""), ("behind", "backoff-supervisor"
                               " { mode = on-failure, min = 1 hour, max = 1 hour }"))))
        self.run_until_crash(config % ("thread", "child"))
        daemon = self.run_until_ready(config % ("thread", "child"))
        self.assertEqual({each["actor"]["path"] for each in daemon.all("actor.quarantined")},
                         {"/user/plain", "/user/behind"})
        self.assertIn("crashing.so, in quarantine", self.ctl("crash", "list"))
        self.assertNotIn("/user/plain", self.ctl("config", "reload"), "nothing is started")
        other_build(plugin)
        self.write("actord.conf", config % ("child", "child"))
        self.ctl("config", "reload")
        for path in ("/user/plain", "/user/behind/behind"):
            self.assertIn("crashing/Crasher", self.ctl("inspect", path))
        self.assertNotIn("in quarantine", self.ctl("crash", "list"))
        self.assert_stops_in_order(daemon)

    def test_an_actor_and_its_plugin_may_both_be_in_quarantine(self):
        self.own_plugin("crashing")
        once = BESIDE + "actord.on-daemon-crash = quarantine\n"
        one = CRASHER % "pointer" + once
        other = 'actord.user.other { behaviour = "crashing/Crasher"\n config.how = thread }\n'
        self.run_until_crash(one)
        self.run_until_crash(one + other)
        daemon = self.run_until_ready(one + other)
        self.assertEqual(len(daemon.all("actor.quarantined")), 2)
        self.ctl("start", PATH, status=rig.EX_TEMPFAIL)
        self.assertNotIn(PATH, self.ctl("tree"))

    def test_the_crash_of_a_child_process_is_none_of_actord(self):
        children = ('actord.user.crasher { behaviour = "crashing/Crasher"\n config.how = child }\n'
                    'actord.user.exiter { behaviour = "exiting/Exiter"\n'
                    " config { call = _exit, place = child } }\n")
        daemon = self.run_until_ready(children)
        for name in ("crasher", "exiter"):
            self.ctl("inspect", f"/user/{name}")  # which has handled the message
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.errors, "")
        daemon = self.run_until_ready(BESIDE)
        self.assertEqual(daemon.all("daemon.crash-found"), [])

    def test_a_crash_waits_for_its_judgement_until_the_actors_have_started(self):
        config = CRASHER % "pointer" + strategy('decider { "actord::crash::Signal" = stop }')
        self.run_until_crash(config)
        _, status = self.run_to_end(config.replace("crashing/Crasher", "crashing/Missing"),
                                    plugins=self.PLUGINS)
        self.assertEqual(status, rig.EX_CONFIG)
        daemon = self.run_until_ready(config)
        self.assertEqual(len(daemon.all("actor.failed")), 1)
        self.assert_stops_in_order(daemon)

    def test_neither_another_build_nor_another_behaviour_answers_for_a_crash(self):
        plugin = self.own_plugin("crashing")
        quarantine = BESIDE + "actord.on-daemon-crash = quarantine\n"
        self.run_until_crash(CRASHER % "pointer" + quarantine)
        other_build(plugin)
        daemon = self.run_until_crash(CRASHER % "pointer" + quarantine)
        self.assertEqual(daemon.all("actor.quarantined"), [])
        self.assertNotIn("charged", daemon.all("daemon.crash-found")[0]["crash"])
        echo = 'actord.user.boss.children.crasher.behaviour = "echo/Echo"\n'
        daemon = self.run_until_ready(echo + quarantine)
        self.assertEqual(daemon.all("actor.quarantined"), [])

    def test_an_exit_is_forgiven_to_another_build_too(self):
        plugin = self.own_plugin("exiting")
        config = ('actord.user.exiter { behaviour = "exiting/Exiter"\n'
                  " config { call = exit, place = handler } }\n"
                  "actord.on-daemon-crash = quarantine\n")
        self.run_until_crash(config, rig.EX_SOFTWARE)
        self.run_until_ready(config).stop()
        other_build(plugin)
        self.run_until_crash(config, rig.EX_SOFTWARE)

    # ---- the records

    def test_an_export_has_places_and_events_of_the_run_and_the_oldest_crash_goes_first(self):
        config = (CRASHER % "pointer" + BESIDE +
                  "actord.crashes { quarantine-after = 2, keep = 1 }\n")
        self.run_until_crash(config)
        last = self.run_until_crash(config).all("daemon.crashed")[0]["boot"]
        self.run_until_ready(config)
        self.assertEqual([each["id"] for each in self.crashes()], [last])
        text = self.ctl("crash", "export", last)
        self.assertRegex(text, r"code at +/.*crashing\.so\+0x[0-9a-f]+  build id [0-9a-f]{40}")
        self.assertIn("daemon.crashed", text)
        whole = json.loads(self.ctl("crash", "export", last, "-o", "json"))
        self.assertTrue(all(event["boot"] == last for event in whole["events"]))
        mode = os.stat(self.kept(f"{last}.json")).st_mode & 0o777
        self.assertEqual(mode, 0o600)

    def test_damaged_records_are_told_and_do_not_stop_the_start(self):
        self.run_until_ready(BESIDE).stop()
        deep = '{"boot":"a","signal":"SIGSEGV","ts":"t","pid":1,"x":' + 50_000 * "["
        for name, text in (("pending", "no record"), ("ledger.json", '{"crashes": 7}'),
                           ("pending", '{"boot": "../../x"}\n'), ("pending", '{"boot":"a"}'),
                           ("pending", deep), ("ledger.json", 50_000 * "["),
                           ("ledger.json", 5_000_000 * " ")):
            with self.subTest(name=name, text=text[:20]):
                self.write(f"state/crash/{name}", text)
                daemon = self.run_until_ready(BESIDE)
                told = daemon.all("daemon.crash-unrecorded") + daemon.all("daemon.crash-found")
                self.assertEqual(len(told), 1, daemon.log_tail())
                daemon.stop()
                os.remove(self.kept(name))

    def test_what_is_no_file_in_their_place_is_told_and_left_alone(self):
        self.run_until_ready(BESIDE).stop()
        precious = self.write("precious", "stays")
        for name in ("pending", "ledger.json"):
            for make in (os.mkfifo, os.mkdir, lambda path: os.symlink(precious, path)):
                if os.path.exists(self.kept(name)):
                    os.remove(self.kept(name))
                make(self.kept(name))
                daemon = self.run_until_ready(BESIDE)
                self.assertGreaterEqual(len(daemon.all("daemon.crash-unrecorded")), 1)
                daemon.stop()
                (os.rmdir if make is os.mkdir else os.remove)(self.kept(name))
        with open(precious, encoding="utf-8") as file:
            self.assertEqual(file.read(), "stays")
        shutil.rmtree(self.kept(""))
        self.write("state/crash", "in the way")
        daemon = self.run_until_ready(BESIDE)
        self.assertIn("state/crash", daemon.all("daemon.crash-unrecorded")[0]["crash"]["error"])
        self.assertEqual(self.crashes(), [])
        self.assertIn("no crash with the id",
                      self.ctl("crash", "show", "../ledger", status=rig.EX_USAGE))
        self.assertIn("no crash of actord is known",
                      self.ctl("crash", "show", status=rig.EX_USAGE))

    def test_odd_records_are_left_out_and_one_of_the_future_goes_first(self):
        config = CRASHER % "pointer" + BESIDE + "actord.crashes.keep = 1\n"
        self.run_until_crash(config)
        self.run_until_ready(config + strategy('decider { "actord::WorkerCrash" = stop }')).stop()
        real = self.crash_files()
        with open(self.kept(real[0]), encoding="utf-8") as file:
            crash = json.load(file)
        for name, change in (("a", {"actor": 5}), ("b", {"stack": [[]]}), ("c", {"crash": 7})):
            self.write(f"state/crash/{name}.json", json.dumps({**crash, **change, "boot": name}))
        os.mkfifo(self.kept("d.json"))
        later = {**crash, "boot": "later", "crash": {**crash["crash"], "id": "later",
                                                      "wall_ns": crash["crash"]["wall_ns"] * 2}}
        self.write("state/crash/later.json", json.dumps(later))
        last = self.run_until_crash(CRASHER % "abort" + BESIDE + "actord.crashes.keep = 1\n",
                                    -signal.SIGABRT).all("daemon.crashed")[0]["boot"]
        daemon = self.run_until_ready(BESIDE + "actord.crashes.keep = 1\n")
        self.assertEqual([each["id"] for each in self.crashes()], [last])
        self.assert_stops_in_order(daemon)

    def crash_files(self):
        names = os.listdir(self.kept(""))
        return [name for name in names if name not in ("pending", "ledger.json")]


if __name__ == "__main__":
    rig.main()
