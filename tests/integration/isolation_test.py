# SPDX-License-Identifier: Apache-2.0
"""Actors in host processes, by the plugin that dies in every way (supervision.md 181): what a death
means for the actor, for its neighbours and for the daemon."""

import json
import os
import re
import signal
import time
import unittest

import rig

HOSTED = '{ behaviour = "crash_lab/Victim", isolation = process%s }\n'
ALONE = HOSTED % ", worker.group = per-actor"
PAIR = HOSTED % ', worker.group = "shared:pair"'
ECHO = 'actord.user.echo.behaviour = "echo/Echo"\n'
QUICK = "actord.worker { stuck-timeout = 500 ms, memory-max = 512 MiB }\n"
STORM = "actord.actor.restart-storm = off\n"  # restarts are counted, and none is delayed

SIGNALS = {"null_dereference": "SIGSEGV", "null_call": "SIGSEGV", "stack_overflow": "SIGSEGV",
           "bus_error": "SIGBUS", "divide_by_zero": "SIGFPE", "illegal_instruction": "SIGILL",
           "abort": "SIGABRT", "double_free": "SIGABRT", "corrupt_heap": "SIGABRT",
           "terminate": "SIGABRT", "kill_self": "SIGKILL"}
EXITS = {"exit": 3, "quick_exit": 3, "underscore_exit": 3, "replace_process": 0, "leave_child": 3}
HANGS = ("endless_loop", "block_forever", "stop_self")


def crash(name):
    """The type chain of that end, down to WorkerCrash."""
    between = ["actord::crash::Signal"] if name.startswith("SIG") or name == "Hang" else []
    return [f"actord::crash::{name}", *between, "actord::WorkerCrash"]


def said_of(pid, name):
    """What the kernel says of a process in that file; nothing if it is gone."""
    try:
        with open(f"/proc/{pid}/{name}", encoding="utf-8") as file:
            return file.read()
    except (FileNotFoundError, ProcessLookupError):  # before the file was opened, or read
        return ""


def state_and_parent(pid):
    """As the kernel tells them; "X" and "0" if the process is gone."""
    stat = said_of(pid, "stat")
    return stat.rsplit(")", 1)[1].split()[:2] if stat else ["X", "0"]


def is_running(pid):
    return state_and_parent(pid)[0] not in "ZX"


def children_of(pid):
    return [int(name) for name in os.listdir("/proc")
            if name.isdigit() and state_and_parent(name)[1] == str(pid)]


@unittest.skipIf(rig.HAS_SANITIZER, "the sanitizer reports the crash")
class Isolation(rig.Case):
    def boot(self, config, **keywords):
        self.daemon = self.start(STORM + config, **keywords)
        self.daemon.wait_for("daemon.ready")
        return self.daemon

    # ---- the laboratory, by actorctl

    def ask(self, path, message="crash_lab.GetCount/1", fields=None):
        return json.loads(self.ctl("ask", path, message, json.dumps(fields or {})))

    def tell(self, path, message, **fields):
        self.ctl("tell", path, message, json.dumps(fields))

    def die(self, path, how, **fields):
        self.tell(path, "crash_lab.Die/1", how=how, **fields)

    def count(self, path, by=3):
        """Gives the actor some state, and returns what it says of itself."""
        self.tell(path, "crash_lab.Count/1", by=by)
        return self.ask(path)

    def failed(self, path):
        return self.daemon.wait_for("actor.failed", lambda r: r["actor"]["path"] == path)

    def seen(self, event, path, number=1):
        """The record of that number, from 1, of that event of the actor. It may stand anywhere in
        the log, as what happens to several actors is in no order."""
        while True:
            found = [r for r in self.daemon.all(event) if r["actor"]["path"] == path]
            if len(found) >= number:
                return found[number - 1]
            self.daemon.wait_for(event)

    def restarted(self, path):
        return self.daemon.wait_for("actor.restarted", lambda r: r["actor"]["path"] == path)

    def assert_new(self, path, before):
        """Another instance in another process, which has lost its state."""
        after = self.ask(path)
        self.assertEqual(after["count"], 0)
        self.assertNotEqual(after["instance"], before["instance"])
        self.assertNotEqual(after["process"], before["process"])
        return after

    def wait_until_gone(self, pid):
        deadline = time.monotonic() + rig.PATIENCE
        while is_running(pid):
            self.assertLess(time.monotonic(), deadline, f"process {pid} is still there")

    def assert_echo_answers(self):
        text = self.ask("/user/echo", "echo.Text/1", {"text": "hello"})
        self.assertEqual(text, {"text": "hello"})

    # ---- every way to die, and a restart

    def test_181a_a_signal_is_a_failure_of_the_actor_that_was_busy(self):
        self.boot("actord.user.victim " + ALONE + ECHO)
        for how, name in SIGNALS.items():
            with self.subTest(how):
                before = self.count("/user/victim")
                self.die("/user/victim", how)
                failed = self.failed("/user/victim")
                self.assertEqual(failed["failure"]["types"][:3], crash(name))
                self.assertEqual(failed["failure"]["phase"], "receive")
                self.assertEqual(failed["message"]["type"], "crash_lab.Die/1")
                self.assertEqual(failed["decision"]["directive"], "restart")
                self.restarted("/user/victim")
                self.assert_new("/user/victim", before)
                self.assert_echo_answers()
        self.assert_stops_in_order(self.daemon)  # the line of the last one may come late
        told = {record["worker"]["pid"]: record for record in self.daemon.all("worker.crashed")}
        self.assertEqual(len(told), len(SIGNALS))
        self.assertEqual([record["signal"] for record in told.values()], list(SIGNALS.values()))

    def test_181a_an_exit_is_a_failure_whatever_its_status(self):
        self.boot("actord.user.victim " + ALONE + ECHO)
        for how, status in EXITS.items():
            with self.subTest(how):
                ended = len(self.daemon.all("worker.crashed"))
                before = self.count("/user/victim")
                self.die("/user/victim", how)
                self.assertEqual(self.failed("/user/victim")["failure"]["types"][:2], crash("Exit"))
                self.restarted("/user/victim")
                self.assert_new("/user/victim", before)
                self.assert_echo_answers()
                while len(self.daemon.all("worker.crashed")) == ended:
                    self.daemon.wait_for("worker.crashed")
                self.assertEqual(self.daemon.all("worker.crashed")[-1]["exit"], status)
        self.assert_stops_in_order(self.daemon)

    def test_code_that_does_not_return_is_killed_and_holds_up_no_other_actor(self):
        self.boot(QUICK + "actord.user.victim " + ALONE + ECHO)
        for how in HANGS:
            with self.subTest(how):
                before = self.count("/user/victim")
                self.die("/user/victim", how)
                self.assert_echo_answers()
                failed = self.failed("/user/victim")
                self.assertEqual(failed["failure"]["types"][:3], crash("Hang"))
                self.restarted("/user/victim")
                self.assert_new("/user/victim", before)
                self.wait_until_gone(before["process"])
        self.assert_stops_in_order(self.daemon)  # the line of the last one may come late
        self.assertEqual([record["reason"] for record in self.daemon.all("worker.killed")],
                         ["hang"] * len(HANGS))
        self.assertGreaterEqual(len(self.daemon.all("worker.stuck")), len(HANGS))

    def test_a_thread_of_the_plugin_ends_the_process_as_well(self):
        self.boot(QUICK + "actord.user.victim " + ALONE)
        for how, name in (("null_dereference", "SIGSEGV"), ("throw_exception", "SIGABRT"),
                          ("exit", "Exit"), ("block_forever", "Hang")):
            with self.subTest(how):
                before = self.count("/user/victim")
                self.die("/user/victim", how, on_own_thread=True)
                self.assertEqual(self.failed("/user/victim")["failure"]["type"],
                                 f"actord::crash::{name}")
                self.restarted("/user/victim")
                self.assert_new("/user/victim", before)

    def test_an_exception_and_a_refused_allocation_are_failures_in_the_same_process(self):
        self.boot("actord.worker.memory-max = 512 MiB\nactord.user.victim " + ALONE)
        for how, name in (("throw_exception", "std::runtime_error"), ("leak", "std::bad_alloc")):
            before = self.count("/user/victim")
            self.die("/user/victim", how)
            self.assertEqual(self.failed("/user/victim")["failure"]["type"], name)
            self.restarted("/user/victim")
            after = self.ask("/user/victim")
            self.assertEqual((after["count"], after["process"]), (0, before["process"]))
            self.assertNotEqual(after["instance"], before["instance"])
        self.assertEqual(self.daemon.all("worker.crashed"), [])

    def test_a_process_without_its_thread_is_replaced(self):
        self.boot(QUICK + "actord.user.victim " + ALONE + ECHO)
        before = self.count("/user/victim")
        self.die("/user/victim", "exit_thread")
        self.assertIn("actord::WorkerCrash", self.failed("/user/victim")["failure"]["types"])
        self.restarted("/user/victim")
        self.assert_new("/user/victim", before)
        self.wait_until_gone(before["process"])
        self.assert_echo_answers()

    def test_a_process_without_descriptors_goes_on_or_is_replaced(self):
        self.boot(QUICK + "actord.user.victim " + ALONE + ECHO)
        before = self.count("/user/victim")
        self.die("/user/victim", "close_descriptors")
        after = self.ask("/user/victim")
        self.assertIn(after["count"], (0, 3))
        self.assert_echo_answers()
        self.die("/user/victim", "null_dereference")
        self.restarted("/user/victim")
        self.assert_new("/user/victim", before)

    # ---- what is kept

    def test_181b_messages_that_wait_are_handled_by_the_next_instance(self):
        self.boot(QUICK + "actord.user.victim " + ALONE)
        before = self.count("/user/victim")
        self.die("/user/victim", "block_forever")
        for _ in range(5):
            self.tell("/user/victim", "crash_lab.Count/1", by=1)
        after = self.ask("/user/victim")
        self.assertEqual(after["count"], 5)
        self.assertNotEqual(after["process"], before["process"])
        self.assertEqual(self.daemon.all("deadletter"), [])

    def test_181j_a_message_that_ends_the_process_twice_is_poison(self):
        self.boot("actord.user.victim " + ALONE + "actord.actor.guardian-supervisor-strategy "
                  "{ max-restarts = 1, decider.default = default-decider }\n")
        for _ in range(3):
            self.die("/user/victim", "null_dereference")
        self.seen("actor.restarted", "/user/victim", 2)
        while len(self.daemon.all("deadletter")) < 2:
            self.daemon.wait_for("deadletter")
        self.assertEqual([letter["reason"] for letter in self.daemon.all("deadletter")],
                         ["poison"] * 2)
        self.assertEqual(self.ask("/user/victim")["count"], 0)
        self.assertEqual(len(self.daemon.all("actor.failed")), 2)

    # ---- what operators see

    def workers(self):
        told = json.loads(self.ctl("workers", "-o", "json"))
        return told["workers"], {each["plugin"]: each for each in told["plugins"]}

    def test_operators_see_the_processes_and_how_those_before_have_ended(self):
        self.boot("actord.user { one %s\ntwo %s\nother %s }" % (PAIR, PAIR, ALONE))
        shared, alone = self.ask("/user/one", "crash_lab.GetCount/1")["process"], \
            self.count("/user/other")
        hosts, _ = self.workers()
        by_process = {each["process"]: each for each in hosts if each["state"] == "ready"}
        self.assertEqual(set(by_process), {shared, alone["process"]})
        self.assertEqual((by_process[shared]["group"], by_process[shared]["actors"]),
                         ("shared:pair", 2))
        own = by_process[alone["process"]]
        self.assertEqual((own["plugin"], own["group"], own["actor"], own["actors"]),
                         ("crash_lab", "per-actor", "/user/other", 1))
        self.assertGreater(own["resident_bytes"], 1 << 20)
        inspected = json.loads(self.ctl("inspect", "/user/other", "-o", "json"))
        self.assertEqual(inspected["process"], alone["process"])
        self.assertRegex(self.ctl("inspect", "/user/other"),
                         rf"(?m)^  process +{alone['process']}$")
        self.die("/user/other", "null_dereference")
        self.restarted("/user/other")
        after = self.assert_new("/user/other", alone)
        self.seen("worker.crashed", "/user/other")
        self.assertEqual(self.workers()[1]["crash_lab"],
                         {"plugin": "crash_lab", "started": 3, "stopped": 0, "crashed": 1,
                          "killed": 0})
        self.assertIn(str(after["process"]), self.ctl("workers", "-o", "name").split())
        told = self.ctl("workers")
        self.assertRegex(told, rf"(?m)^ +{shared}  crash_lab  shared:pair +ready +2 ")
        self.assertRegex(told, r"(?m)^crash_lab +3 +0 +1 +0$")
        metrics = dict(line.rsplit(" ", 1) for line in self.ctl("metrics").splitlines())
        self.assertEqual(metrics['actord_workers{plugin="crash_lab",state="ready"}'], "2")
        self.assertEqual(metrics['actord_worker_actors{plugin="crash_lab"}'], "3")
        self.assertEqual(metrics['actord_workers_crashed_total{plugin="crash_lab"}'], "1")
        self.assertEqual(
            metrics['actord_workers_killed_total{plugin="crash_lab",reason="hang"}'], "0")
        self.assertGreater(
            int(metrics['actord_worker_resident_memory_bytes{plugin="crash_lab"}']), 1 << 20)

    def test_without_isolation_there_is_no_process_to_see(self):
        self.boot(ECHO)
        told = self.run_ctl("workers", "--socket", os.path.join(self.state, "actord.sock"))
        self.assertEqual((told.returncode, told.stdout), (0, ""))
        self.assertIn("no actor lives in a process of its own", told.stderr)
        self.assertNotIn("actord_worker", self.ctl("metrics"))
        self.assertNotIn("process", json.loads(self.ctl("inspect", "/user/echo", "-o", "json")))

    # ---- what the strategy says

    def boss(self, strategy, children="victim " + ALONE):
        return f"actord.user.boss {{ supervisor-strategy {{ {strategy} }}\n" \
               f"children {{ {children} }} }}\n"

    def test_181e_resume_is_a_restart_because_there_is_no_instance(self):
        self.boot(self.boss("decider.default = resume"))
        before = self.count("/user/boss/victim")
        self.die("/user/boss/victim", "null_dereference")
        self.restarted("/user/boss/victim")
        self.assert_new("/user/boss/victim", before)

    def test_stop_and_escalate_and_back_off_are_as_for_an_exception(self):
        path = "/user/boss/victim"
        self.boot(self.boss('decider { "actord::crash::SIGSEGV" = stop, default = restart }\n'
                            "backoff { min = 10 ms, max = 20 ms }"))
        before = self.count(path)
        self.die(path, "abort")
        self.daemon.wait_for("actor.backoff", lambda r: r["actor"]["path"] == path)
        self.restarted(path)
        self.assert_new(path, before)
        self.die(path, "null_dereference")
        stopped = self.daemon.wait_for("actor.stopped", lambda r: r["actor"]["path"] == path)
        self.assertEqual(stopped["reason"], "failed")
        self.daemon.close()
        self.boot(self.boss("decider.default = escalate"))
        before = self.count(path)
        self.die(path, "null_dereference")
        failed = self.failed(path)
        self.assertEqual(failed["decision"]["path"][0]["supervisor"], "/user/boss")
        self.daemon.wait_for("actor.restarted", lambda r: r["actor"]["path"] == "/user/boss")
        self.daemon.wait_for("actor.started", lambda r: r["actor"]["path"] == path)
        self.assert_new(path, before)

    def test_all_for_one_restarts_siblings_in_their_own_processes(self):
        self.boot(self.boss("type = all-for-one, decider.default = restart",
                            "one " + ALONE + "two " + ALONE))
        before = {name: self.count(f"/user/boss/{name}") for name in ("one", "two")}
        self.assertNotEqual(before["one"]["process"], before["two"]["process"])
        self.die("/user/boss/one", "null_dereference")
        self.failed("/user/boss/one")
        self.restarted("/user/boss/two")
        self.assert_new("/user/boss/one", before["one"])
        after = self.ask("/user/boss/two")
        self.assertEqual((after["count"], after["process"]), (0, before["two"]["process"]))

    # ---- neighbours

    def test_181h_actors_in_the_same_process_fail_with_it_uncharged(self):
        self.boot(self.boss("max-restarts = 1, decider.default = restart",
                            "one " + PAIR + "two " + PAIR + "other " + ALONE))
        other = self.count("/user/boss/other")
        for number, how in enumerate(("null_dereference", "abort"), 1):
            before = self.count("/user/boss/two")
            self.assertEqual(self.ask("/user/boss/one")["process"], before["process"])
            self.die("/user/boss/one", how)
            peer = self.seen("actor.failed", "/user/boss/two", number)
            self.assertEqual(peer["failure"]["types"][:2],
                             ["actord::PeerCrash", "actord::WorkerCrash"])
            self.seen("actor.restarted", "/user/boss/two", number)
            self.assert_new("/user/boss/two", before)
        self.assertEqual(self.seen("actor.stopped", "/user/boss/one")["reason"], "limit")
        self.assertEqual(self.ask("/user/boss/other"), other)

    def test_a_child_that_an_isolated_actor_spawns_lives_in_its_process(self):
        self.boot(self.boss("decider.default = restart"))
        path = "/user/boss/victim"
        before = self.count(path)
        self.ask(path, "crash_lab.NewChild/1", {"name": "child"})
        self.assertEqual(self.count(path + "/child")["process"], before["process"])
        self.die(path + "/child", "null_dereference")
        self.seen("actor.restarted", path)  # by the failure that is escalated, or as a peer
        self.seen("actor.stopped", path + "/child")
        self.assert_new(path, before)

    # ---- hooks

    def dying_in(self, moment):
        deaths = os.path.join(self.folder, "deaths-" + moment)
        config = f"config {{ dies-in = {moment.replace('_', '-')}, how = null-dereference, " \
                 f'times = 1, deaths = "{deaths}" }}'
        return HOSTED % f", worker.group = per-actor, {config}"

    def test_181k_a_death_while_it_is_created_is_an_initialization_failure(self):
        for moment in ("constructor", "pre_start"):
            with self.subTest(moment):
                self.boot(self.boss('decider { "actord::InitializationFailure" = restart }',
                                    "victim " + self.dying_in(moment)))
                failed = next(record for record in self.daemon.records
                              if record["event"] == "actor.failed")
                self.assertEqual(failed["failure"]["type"], "actord::InitializationFailure")
                self.assertEqual(failed["failure"]["cause"]["type"], "actord::crash::SIGSEGV")
                self.assertEqual(self.ask("/user/boss/victim")["count"], 0)
                self.daemon.close()

    def test_181k_a_death_in_a_hook_of_a_restart_does_not_keep_it_from_restarting(self):
        for moment in ("pre_restart", "post_restart", "post_stop"):
            with self.subTest(moment):
                self.boot(self.boss('decider { "actord::InitializationFailure" = restart\n'
                                    "default = restart }", "victim " + self.dying_in(moment)))
                before = self.count("/user/boss/victim")
                self.die("/user/boss/victim", "throw_exception")
                self.restarted("/user/boss/victim")
                self.assert_new("/user/boss/victim", before)
                self.daemon.close()

    def test_181k_a_supervisor_that_dies_while_it_decides_fails_itself(self):
        self.boot("actord.user.victim " + self.dying_in("decide"))
        self.ask("/user/victim", "crash_lab.NewChild/1", {"name": "child"})
        self.die("/user/victim/child", "throw_exception")
        failed = self.failed("/user/victim")
        self.assertEqual(failed["failure"]["type"], "actord::crash::SIGSEGV")
        self.assertEqual(failed["failure"]["phase"], "decide")
        self.restarted("/user/victim")

    # ---- from outside

    def test_a_signal_from_outside_ends_or_stops_the_process_and_the_actor_fails(self):
        self.boot(QUICK + "actord.user.victim " + ALONE)
        before = self.count("/user/victim")
        os.kill(before["process"], signal.SIGKILL)
        self.assertEqual(self.failed("/user/victim")["failure"]["types"][:3], crash("SIGKILL"))
        self.restarted("/user/victim")
        before = self.assert_new("/user/victim", before)
        os.kill(before["process"], signal.SIGSTOP)
        self.assertEqual(self.ask("/user/victim")["count"], 0)  # the next process answers
        self.assertIn("actord::WorkerCrash", self.failed("/user/victim")["failure"]["types"])
        self.wait_until_gone(before["process"])

    def test_no_process_outlives_the_daemon(self):
        self.boot("actord.user.victim " + ALONE)
        pid = self.ask("/user/victim")["process"]
        self.assertNotEqual(pid, self.daemon.process.pid)
        self.assert_stops_in_order(self.daemon)
        self.wait_until_gone(pid)
        self.boot("actord.user.victim " + ALONE)
        pid = self.ask("/user/victim")["process"]
        self.daemon.send(signal.SIGKILL)
        self.wait_until_gone(pid)

    # ---- what is told

    def test_hosts_go_on_and_new_ones_come_when_their_zygote_was_killed(self):
        daemon = self.boot("actord.worker.spare = 0\nactord.user.lab " + ALONE)
        before = self.count("/user/lab")

        def zygote():
            """A host is called so, too, before it has its own name."""
            deadline = time.monotonic() + rig.PATIENCE
            while len(found := [pid for pid in children_of(daemon.process.pid)
                                if "actord-host\0zygote" in said_of(pid, "cmdline")]) != 1:
                self.assertLess(time.monotonic(), deadline, found)
            return found[0]

        killed = zygote()
        os.kill(killed, signal.SIGKILL)
        self.assertEqual(self.ask("/user/lab"), before)
        for number in (1, 2):  # the first one starts without a zygote, the second one by a new one
            self.die("/user/lab", "abort")
            self.seen("actor.restarted", "/user/lab", number)
            self.count("/user/lab")
        self.assertNotEqual(zygote(), killed)

    def test_a_line_for_each_step_of_a_process(self):
        self.boot(QUICK + "actord.user.victim " + ALONE)
        pid = self.ask("/user/victim")["process"]
        self.die("/user/victim", "null_dereference")
        told = self.daemon.wait_for("worker.crashed")
        started = next(record for record in self.daemon.all("worker.started")  # all is read now
                       if record["worker"]["pid"] == pid)
        self.assertEqual(started["plugin"]["name"], "crash_lab")
        self.assertIn("spare", started["worker"])
        self.assertEqual((told["level"], told["worker"]["pid"], told["signal"]),
                         ("error", pid, "SIGSEGV"))
        self.assertTrue(any(re.search(r"crash_lab\.so", line) for line in told["stack"]),
                        told["stack"])

    # ---- the configuration

    def test_181l_a_reload_moves_the_actor(self):
        config = 'actord.user.victim { behaviour = "crash_lab/Victim"\n%s }\n'
        self.boot(config % "isolation = thread")
        before = self.count("/user/victim")
        self.assertEqual(before["process"], self.daemon.process.pid)
        self.write("actord.conf", STORM + config % "isolation = process")
        self.ctl("config", "reload")
        after = self.assert_new("/user/victim", before)
        self.tell("/user/victim", "crash_lab.Count/1", by=2)
        self.write("actord.conf",
                   STORM + config % "isolation = process, worker.group = per-actor")
        self.ctl("config", "reload")
        self.restarted("/user/victim")
        self.assert_new("/user/victim", after)

    def test_isolation_by_plugin_and_by_pattern(self):
        plain = 'actord.user.%s.behaviour = "crash_lab/Victim"\n'
        self.boot(plain % "one" + plain % "two" + "actord.user.two.isolation = thread\n"
                  "actord.plugins.isolation.crash_lab = process\n" + plain % "three" +
                  'actord.actor.deployment."/user/three".isolation = thread\n')
        own = self.daemon.process.pid
        self.assertNotEqual(self.ask("/user/one")["process"], own)
        self.assertEqual(self.ask("/user/two")["process"], own)
        self.assertEqual(self.ask("/user/three")["process"], own)

    def spawned(self, name):
        """Spawns a victim by order of the operator, and returns what it says of itself."""
        self.ctl("spawn", "crash_lab/Victim", "--name", name)
        return self.count("/user/" + name)

    def test_a_rejected_reload_changes_nothing_for_actors_that_are_not_configured(self):
        config = ('actord.user.boss { behaviour = "crash_lab/Victim", isolation = thread }\n'
                  "actord.plugins.isolation.crash_lab = %s\n")
        self.boot(config % "thread")
        own = self.daemon.process.pid
        self.write("actord.conf", STORM + config % "process" +
                   'actord.user.slip.behaviour = "crash_lab/Nothing"\n')
        self.run_ctl("config", "reload", "--socket", os.path.join(self.state, "actord.sock"))
        self.daemon.wait_for("config.rejected")
        self.assertEqual(self.spawned("first")["process"], own)
        self.write("actord.conf", STORM + config % "process")
        self.ctl("config", "reload")
        self.assertNotEqual(self.spawned("second")["process"], own)

    def test_actors_of_a_retired_build_go_on_beside_those_of_another_build(self):
        self.boot('actord.plugins.isolation.crash_lab = process\n')
        self.ctl("plugin", "load", "crash_lab")
        self.assertNotEqual(self.spawned("older")["process"], self.daemon.process.pid)
        self.ctl("plugin", "retire", "crash_lab")
        self.ctl("plugin", "load", "crash_lab")
        self.spawned("newer")
        self.assertEqual(self.count("/user/older", by=2)["count"], 5)
        for path in ("/user/older", "/user/newer"):
            before = self.ask(path)
            self.die(path, "null_dereference")
            self.restarted(path)
            self.assert_new(path, before)

    def test_182c_a_breaker_is_that_of_all_processes_and_outlives_them(self):
        self.boot("actord.circuit-breaker.crash_lab { max-failures = 3, reset-timeout = 1 h }\n"
                  "actord.user.one " + ALONE + "actord.user.two " + ALONE +
                  'actord.user.inside.behaviour = "crash_lab/Victim"\n')

        def call(name, fails=True):
            return tuple(self.ask(f"/user/{name}", "crash_lab.Call/1", {"fails": fails}).values())

        self.assertEqual(call("one"), (True, True))
        self.assertEqual(call("two"), (True, True))
        before = self.ask("/user/one")
        self.die("/user/one", "null_dereference")
        self.restarted("/user/one")
        self.assert_new("/user/one", before)
        self.assertEqual(call("inside"), (True, False))
        changed = self.daemon.wait_for("breaker.changed")
        self.assertEqual((changed["actor"]["path"], changed["breaker"]["failures"]),
                         ("/user/inside", 3))
        for name in ("one", "two", "inside"):
            self.assertEqual(call(name, fails=False), (False, False))
        told = json.loads(self.ctl("breakers", "-o", "json"))["breakers"]
        self.assertEqual([(each["name"], each["state"], each["failed"], each["refused"])
                          for each in told], [("crash_lab", "open", 3, 3)])

    def test_auto_isolates_after_the_first_crash_of_the_daemon(self):
        config = 'actord.user.victim { behaviour = "crash_lab/Victim", isolation = auto }\n'
        self.boot(config)
        self.assertEqual(self.count("/user/victim")["process"], self.daemon.process.pid)
        # It may end before it has answered.
        self.run_ctl("tell", "/user/victim", "crash_lab.Die/1", '{"how":"null_dereference"}',
                     "--socket", os.path.join(self.state, "actord.sock"))
        self.assertEqual(self.daemon.wait(), -signal.SIGSEGV)
        self.boot(config)
        before = self.count("/user/victim")
        self.assertNotEqual(before["process"], self.daemon.process.pid)
        self.die("/user/victim", "abort")
        self.restarted("/user/victim")
        self.assert_new("/user/victim", before)


if __name__ == "__main__":
    rig.main()
