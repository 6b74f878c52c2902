# SPDX-License-Identifier: Apache-2.0
"""Savina's programs in the daemon, on threads: each ends with the result that it has to have, at
its start and when it is asked to run again. A wrong setting is refused with its place."""

import json
import os
import unittest

import rig

EXAMPLE = os.path.join(rig.EXAMPLES, "savina.conf")
# Sizes that a daemon with a sanitizer runs in seconds. Columns: node, settings, program, result.
SMALL = [
    ("thread-ring", "actors = 100, hops = 20050", "ThreadRing", 50),
    ("chameneos", "chameneos = 100, meetings = 10000", "Chameneos", 20000),
    ("dictionary", "operations = 500, writes = 1, clients = 1, keys = 1",
     "ConcurrentDictionary", 500),
    ("producer-consumer", "producers = 10, consumers = 20, items = 100, capacity = 5",
     "ProducerConsumer", 999 * 1000 // 2),
    ("philosophers", "philosophers = 20, meals = 200", "Philosophers", 4000),
    ("barber", "customers = 500, chairs = 20", "SleepingBarber", 500),
    ("bank", "accounts = 100, transfers = 5000, balance = 70", "BankTransaction", 7000),
    ("sieve", "limit = 20000, primes-per-actor = 100", "Sieve", 2262),
    ("n-queens", "queens = 8, split-rows = 3", "NQueens", 92),
    ("a-star", "side = 5, walls = 0, seed = 1", "AStar", 24),
    ("fork-join", "forks = 300, tasks = 10", "ForkJoin", 2999 * 3000 // 2),
]
# Of the example, where the sizes alone decide them.
RESULTS = {"ThreadRing": 0, "Chameneos": 400000, "ProducerConsumer": 39999 * 40000 // 2,
           "Philosophers": 100000, "SleepingBarber": 5000, "BankTransaction": 200000,
           "Sieve": 9592, "NQueens": 14200, "ForkJoin": 59999 * 60000 // 2}


def small_programs(isolation="thread"):
    return "\n".join(
        f'actord.user.{node} {{\n  behaviour = "savina/{program}", isolation = {isolation}\n'
        f'  config {{ {settings}, deadline = 10m }}\n}}'
        for node, settings, program, _ in SMALL)


class Savina(rig.Case):
    def finished(self, daemon):
        records = [daemon.wait_for("savina.finished") for _ in SMALL]
        return {record["savina"]["program"]: record["savina"] for record in records}

    def assert_undisturbed(self, daemon):
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.errors, "")
        for event in ("actor.failed", "deadletter"):
            self.assertEqual(daemon.all(event), [])

    def test_the_example_has_eleven_right_results(self):
        daemon = self.start(EXAMPLE, sets=[f"actord.user.{node}.config.deadline=10m"
                                           for node, _, _, _ in SMALL])
        found = self.finished(daemon)
        self.assertEqual(set(found), {program for _, _, program, _ in SMALL})
        for program, result in RESULTS.items():
            with self.subTest(program):
                self.assertEqual(found[program]["result"], result)
        for savina in found.values():
            self.assertGreater(savina["messages"], 1000)
            self.assertGreater(savina["milliseconds"], 0)
        self.assert_undisturbed(daemon)

    def test_each_program_runs_again_when_it_is_asked(self):
        daemon = self.start(small_programs())
        found = self.finished(daemon)
        for node, _, program, result in SMALL:
            with self.subTest(program):
                self.assertEqual(found[program]["result"], result)
                for _ in range(2):
                    answer = json.loads(self.ctl("ask", f"/user/{node}", "savina.Run/1"))
                    self.assertEqual((answer["program"], answer["result"]), (program, result))
        self.assert_undisturbed(daemon)
        self.assertEqual(len(daemon.all("savina.finished")), 3 * len(SMALL))

    # The threads of a host process learn through the daemon what another one has done before.
    @unittest.skipIf("thread" in os.environ.get("ACTORD_SANITIZED", ""),
                     "the thread sanitizer does not see what another process puts in order")
    def test_the_results_are_right_in_host_processes_as_well(self):
        daemon = self.start(small_programs(isolation="process"))
        found = self.finished(daemon)
        for _, _, program, result in SMALL:
            self.assertEqual(found[program]["result"], result)
        self.assert_undisturbed(daemon)

    def test_a_wrong_setting_is_refused_with_its_place(self):
        for program, settings, why in (
                ("Sieve", "limit = 1", "limit"), ("NQueens", "queens = 20", "queens"),
                ("AStar", "wals = 0.5", "walls"),
                ("ConcurrentDictionary", "clients = 9, keys = 8", "as many as there are clients")):
            with self.subTest(settings):
                daemon, status = self.run_to_end(
                    f'actord.user.program {{\n behaviour = "savina/{program}"\n'
                    f'  config {{ {settings} }}\n}}')
                self.assertEqual(status, rig.EX_CONFIG, daemon.log_tail())
                self.assertIn(why, daemon.log_tail() + daemon.errors)
                self.assertRegex(daemon.log_tail() + daemon.errors, r":3:\d+")
                self.assertEqual(daemon.all("actor.started"), [])


if __name__ == "__main__":
    rig.main()
