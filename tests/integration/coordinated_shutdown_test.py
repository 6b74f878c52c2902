# SPDX-License-Identifier: Apache-2.0
"""The phases of a stop: tasks that actors have registered run before the actors are stopped."""

import os
import signal
import subprocess
import urllib.error
import urllib.request

import rig

PLUGINS = (rig.PLUGINS, rig.BAD_PLUGINS)


def worker(name, *tasks, more=""):
    listed = ", ".join(f'"{task}"' for task in tasks)
    return (f'actord.user.{name} {{ behaviour = "shutdown_tasks/Worker", '
            f'config.tasks = [{listed}]{more} }}\n')


class CoordinatedShutdown(rig.ManagedCase):
    def run_up(self, config, *sets):
        daemon = self.start(config, plugins=PLUGINS, sets=sets, environment=self.environment)
        daemon.wait_for("daemon.ready")
        return daemon

    def phases(self, daemon):
        return [record["shutdown"]["phase"] for record in daemon.all("shutdown.phase")]

    def tasks(self, daemon):
        return [f'{record["phase"]}/{record["task"]}'
                for record in daemon.all("shutdown_tasks.begins")]

    def faults(self, daemon):
        return [(record["shutdown"]["task"], record["shutdown"]["fault"])
                for record in daemon.all("shutdown.task-failed")]

    def test_sigterm_runs_the_phases_in_order_and_then_stops_the_actors(self):
        daemon = self.run_up(
            worker("late", "before-actor-system-terminate/done") +
            worker("early", "service-unbind/slow", "before-service-unbind/done"))
        self.assert_stops_in_order(daemon)
        self.assertEqual(self.phases(daemon), ["before-service-unbind", "service-unbind",
                                               "before-actor-system-terminate"])
        events = daemon.events()
        order = [events.index(each) for each in
                 ("daemon.stopping", "shutdown.phase", "shutdown_tasks.begins",
                  "shutdown_tasks.ends", "shutdown_tasks.stopped", "daemon.stopped")]
        self.assertEqual(order, sorted(order), events)
        self.assertEqual(self.tasks(daemon), ["before-service-unbind/done", "service-unbind/slow",
                                              "before-actor-system-terminate/done"])
        self.assertEqual({record["why"] for record in daemon.all("shutdown_tasks.begins")},
                         {"SIGTERM"})
        self.assertEqual(self.faults(daemon), [])

    def test_an_actor_in_a_process_of_its_own_has_tasks_too(self):
        daemon = self.run_up(worker("it", "service-unbind/slow", "service-stop/fails",
                                    "service-stop/own-end", more=", isolation = process"))
        self.assert_stops_in_order(daemon)
        self.assertEqual(self.phases(daemon), ["service-unbind", "service-stop"])
        self.assertEqual(len(daemon.all("shutdown_tasks.ends")), 1)
        self.assertEqual(len(daemon.all("shutdown_tasks.stopped")), 1)

    def test_a_task_that_hangs_or_fails_is_a_warning_and_the_shutdown_goes_on(self):
        daemon = self.run_up(
            worker("it", "service-unbind/hangs", "service-unbind/done", "service-stop/fails",
                   "before-actor-system-terminate/done"),
            "actord.coordinated-shutdown.phases.service-unbind.timeout=400ms")
        self.assert_stops_in_order(daemon)
        self.assertEqual(self.faults(daemon), [("hangs", "timeout"), ("fails", "failed")])
        self.assertEqual(self.phases(daemon), ["service-unbind", "service-stop",
                                               "before-actor-system-terminate"])
        failed = daemon.all("shutdown.task-failed")[1]
        self.assertEqual((failed["level"], failed["actor"]["path"]), ("warning", "/user/it"))
        self.assertEqual(failed["failure"]["message"], "the disk is full")

    def test_with_recover_off_the_actors_are_stopped_at_once_and_the_status_is_70(self):
        daemon = self.run_up(
            worker("it", "service-unbind/hangs", "service-stop/done"),
            "actord.coordinated-shutdown.default-phase-timeout=400ms",
            "actord.coordinated-shutdown.phases.service-unbind.recover=off",
            "actord.coordinated-shutdown.exit-code=7")
        self.assert_stops_in_order(daemon, rig.EX_SOFTWARE)
        self.assertEqual(self.phases(daemon), ["service-unbind"])
        self.assertEqual(self.tasks(daemon), ["service-unbind/hangs"])
        aborted = daemon.all("shutdown.aborted")[0]
        self.assertEqual((aborted["level"], aborted["shutdown"]["phase"], aborted["reason"]),
                         ("error", "service-unbind", "SIGTERM"))
        self.assertIn("aborted in its phase service-unbind", daemon.errors)
        self.assertEqual(len(daemon.all("shutdown_tasks.stopped")), 1)

    def test_a_phase_of_the_operator_runs_in_its_place_and_a_disabled_one_does_not(self):
        daemon = self.run_up(
            worker("it", "flush/done", "service-stop/done", "service-unbind/done",
                   "service-requests-done/done") + """
            actord.coordinated-shutdown.phases {
              flush { depends-on = [service-unbind], timeout = 2 s }
              service-requests-done.depends-on = [flush]
              service-stop.enabled = off
            }
            """)
        self.assert_stops_in_order(daemon)
        self.assertEqual(self.phases(daemon), ["service-unbind", "flush", "service-requests-done"])
        flush = daemon.all("shutdown.phase")[1]["shutdown"]
        self.assertEqual((flush["tasks"], flush["timeout_ms"]), (1, 2000))
        skipped = daemon.all("shutdown.phase-skipped")
        self.assertEqual([(each["level"], each["shutdown"]["phase"]) for each in skipped],
                         [("info", "service-stop")])

    def test_actors_that_end_are_not_waited_for(self):
        daemon = self.run_up(
            worker("gone", "service-unbind/hangs") + worker("stops", "service-unbind/stops") +
            worker("told", "service-unbind/own-end"))
        self.ctl("stop", "/user/gone")
        self.assert_stops_in_order(daemon)
        self.assertEqual(self.faults(daemon), [])
        phase = daemon.all("shutdown.phase")[0]
        self.assertEqual(phase["shutdown"]["tasks"], 2)
        self.assertEqual(len(daemon.all("shutdown_tasks.stopped")), 3)

    def test_an_unknown_phase_in_pre_start_is_a_failed_creation_which_ends_the_start(self):
        daemon = self.start(worker("it", "service-unbnd/done"), plugins=PLUGINS)
        self.assertEqual(daemon.wait(), rig.EX_TEMPFAIL, daemon.log_tail())
        failed = daemon.all("actor.failed")[0]
        self.assertEqual((failed["failure"]["type"], failed["decision"]["directive"]),
                         ("actord::InitializationFailure", "stop"))
        self.assertEqual(failed["failure"]["cause"]["type"], "actord::ShutdownTaskRefused")
        self.assertIn('no phase "service-unbnd"; it has before-service-unbind, service-unbind',
                      failed["failure"]["message"])

    def test_the_exit_status_depends_on_the_reason(self):
        overrides = """
            actord.coordinated-shutdown {
              exit-code = 3
              reason-overrides { SIGINT.exit-code = 4, "actor-lost".exit-code = 5 }
            }
            """
        for number, status in ((signal.SIGTERM, 3), (signal.SIGINT, 4)):
            with self.subTest(number):
                daemon = self.run_up(worker("it", "service-stop/done") + overrides)
                self.assertEqual(daemon.stop(number), status, daemon.log_tail())
                self.assertEqual(daemon.records[-1]["exit"], status)
                self.assertEqual(self.phases(daemon), ["service-stop"])
        fate = self.write("fate", "")
        daemon = self.run_up(
            f'actord.user.lost {{ behaviour = "mortal/Mortal", config.file = "{fate}" }}\n' +
            'actord.actor.guardian-supervisor-strategy = stopping\n' +
            worker("it", "service-stop/done") + overrides, "actord.on-actor-lost=exit")
        self.write("fate", "fail")
        self.assertEqual(daemon.wait(), 5, daemon.log_tail())
        self.assertEqual(daemon.records[-1]["reason"], "actor-lost")
        self.assertEqual(daemon.all("shutdown_tasks.begins")[0]["why"], "actor-lost")

    def test_an_operator_stops_it_from_a_phase_on(self):
        daemon = self.run_up(
            worker("it", "service-unbind/done", "service-stop/slow") +
            "actord.coordinated-shutdown.reason-overrides.operator.exit-code = 6\n")
        refused = self.ctl("shutdown", "--from", "service-stp", status=rig.EX_USAGE)
        self.assertIn("no phase service-stp; it has before-service-unbind, service", refused)
        told = self.ctl("shutdown", "--from", "service-stop", "--reason", "new kernel")
        self.assertEqual(told, "actord is stopping; the phases are service-stop "
                               "before-actor-system-terminate actor-system-terminate\n"
                               "actorctl logs -f shows how it goes\n")
        self.assertEqual(daemon.wait(), 6, daemon.log_tail())
        self.assertEqual(self.phases(daemon), ["service-stop"])
        self.assertEqual(daemon.records[-1]["reason"], "operator")
        asked = daemon.all("admin.command")[-1]
        self.assertEqual(asked["verb"], "daemon.shutdown")
        self.assertIn("new kernel", asked["arguments"])

    def test_a_stop_that_is_under_way_is_not_begun_again(self):
        daemon = self.run_up(worker("it", "service-unbind/hangs"))
        daemon.send(signal.SIGTERM)
        daemon.wait_for("shutdown_tasks.begins")
        self.assertIn("is stopping already", self.ctl("shutdown", status=rig.EX_TEMPFAIL))

    def test_a_second_signal_does_not_wait_for_the_phases(self):
        daemon = self.run_up(worker("it", "service-unbind/hangs"),
                             "actord.coordinated-shutdown.default-phase-timeout=1h")
        daemon.send(signal.SIGTERM)
        daemon.wait_for("shutdown_tasks.begins")
        while daemon.process.poll() is None:
            daemon.send(signal.SIGINT)
            try:
                daemon.wait(patience=0.1)
            except TimeoutError:
                pass
        self.assertEqual(daemon.process.returncode, 128 + signal.SIGINT, daemon.log_tail())
        self.assertIn("second signal", daemon.records[-1]["reason"])

    def test_the_service_manager_gets_the_time_of_a_phase_and_probes_learn_of_the_stop_first(self):
        port = rig.free_port()
        daemon = self.run_up(worker("it", "service-unbind/hangs"),
                             "actord.coordinated-shutdown.phases.service-unbind.timeout=200s",
                             "actord.stop-timeout=50s",
                             f"actord.http.listen=\"127.0.0.1:{port}\"")
        daemon.send(signal.SIGTERM)
        seen = self.manager.wait_for("STATUS=stopping: service-unbind with 1 task")
        self.assertIn("STOPPING=1", seen)
        # All phases, 5 s of grace, stop-timeout, 10 s for the end.
        self.assertIn(f"EXTEND_TIMEOUT_USEC={(5 * 5 + 200 + 5 + 50 + 10) * 10**6}", seen)
        with self.assertRaises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=rig.PATIENCE)
        self.assertEqual(caught.exception.code, 503)
        caught.exception.close()
        self.assertIn("it  shutdown_tasks/Worker", self.ctl("tree"))

    def test_phases_that_no_thread_is_free_for_are_given_up(self):
        for tasks in (("service-unbind/done",), ()):
            with self.subTest(tasks):
                daemon = self.run_up(
                    worker("it", *tasks) +
                    'actord.user.stuck { behaviour = "stuck/Worker", '
                    'config { ms = 60000, times = 0 } }\n',
                    "actord.actor.default-dispatcher.workers=1", "actord.stop-timeout=1s",
                    "actord.coordinated-shutdown.default-phase-timeout=50ms")
                self.ctl("tell", "/user/stuck", "stuck.Work/1")
                daemon.wait_for("actor.stuck")
                self.assertEqual(daemon.stop(), rig.EX_SOFTWARE, daemon.log_tail())
                self.assertEqual(daemon.records[-1]["reason"], "stop-timeout")
                aborted = daemon.all("shutdown.aborted")
                self.assertEqual(len(aborted), len(tasks))  # without tasks nothing is waited for
                self.assertEqual(self.tasks(daemon), [])

    def test_a_check_finds_circles_and_unknown_phases_where_they_stand(self):
        path = self.write("wrong.conf", """actord.coordinated-shutdown.phases {
  one { depends-on = [service-stop, two] }
  two { depends-on = ["one"] }
}
""")
        done = subprocess.run([rig.CTL, "config", "check", path], capture_output=True, text=True,
                              timeout=rig.PATIENCE, check=False, env={**os.environ})
        self.assertEqual(done.returncode, rig.EX_CONFIG)
        said = done.stdout + done.stderr
        self.assertIn(f"{path}:2:37: error: the phases depend on each other in a circle", said)
        self.assertIn("note: one → two → one", said)
        path = self.write("unknown.conf", "actord.coordinated-shutdown.phases.flush.depends-on = "
                                          "[servce-stop]\n")
        done = self.run_ctl("config", "check", path)
        self.assertEqual(done.returncode, rig.EX_CONFIG)
        said = done.stdout + done.stderr
        self.assertIn(f'{path}:1:56: error: unknown phase "servce-stop"', said)
        self.assertIn('help: did you mean "service-stop"?', said)


if __name__ == "__main__":
    rig.main()
