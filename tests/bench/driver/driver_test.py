# SPDX-License-Identifier: Apache-2.0
"""The arithmetic and the output of the driver."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from unittest import mock

import bench
import build_progress
import build_seconds
import catalogue
import contestants
import instructions
import plot
import results
from catalogue import LESS, MORE, Figure

RATE = Figure("rate", "row", "msg/s", MORE, 100, {"old": 50.0, "older": 10.0})
TIME = Figure("time", "row", "us", LESS, 2)


def result(figure, ours, **peers):
    return results.Result(figure, results.summary(ours),
                          {name: results.summary(values) for name, values in peers.items()})


class Arithmetic(unittest.TestCase):
    def test_summary(self):
        self.assertEqual(results.summary([3, 1, 5, 2, 4]), results.Summary(3, 1, 5))
        self.assertEqual(results.summary([4, 1]), results.Summary(2.5, 1, 4))

    def test_ratio_is_above_one_where_we_lead(self):
        self.assertEqual(results.ratio(RATE, 10, 5), 2)
        self.assertEqual(results.ratio(TIME, 5, 10), 2)
        self.assertEqual(results.ratio(TIME, 0, 10), float("inf"))
        self.assertIsNone(results.ratio(TIME, 0, 0))

    def test_reaches(self):
        self.assertTrue(results.reaches(RATE, 100))
        self.assertFalse(results.reaches(RATE, 99))
        self.assertTrue(results.reaches(TIME, 2))
        self.assertFalse(results.reaches(TIME, 2.1))
        self.assertIsNone(results.reaches(Figure("f", "r", "s", LESS), 1))

    def test_best_peer_is_the_one_that_comes_closest(self):
        one = result(RATE, [100], slow=[10], fast=[80])
        self.assertEqual(one.best_peer(), "fast")
        self.assertEqual(one.best_quoted(), "old")
        other = result(TIME, [1], slow=[10], fast=[3])
        self.assertEqual((other.best_peer(), other.ratio("fast")), ("fast", 3))
        self.assertIsNone(other.best_quoted())
        self.assertIsNone(result(TIME, [1]).best_peer())


class Output(unittest.TestCase):
    def test_json(self):
        both = [result(RATE, [100.0, 300.0, 200.0], erlang=[50.0]), result(TIME, [0.0])]
        self.assertEqual(json.loads(results.as_json(both)), [
            {"row": "rate", "median": 200, "min": 100, "max": 300, "unit": "msg/s",
             "peers": {"erlang": {"median": 50, "min": 50, "max": 50, "ratio": 4}}},
            {"row": "time", "median": 0, "min": 0, "max": 0, "unit": "us", "peers": {}}])

    def test_json_has_no_infinity(self):
        text = results.as_json([result(TIME, [0.0], caf=[1.0])])
        self.assertIsNone(json.loads(text)[0]["peers"]["caf"]["ratio"])

    def test_table(self):
        text = results.table([result(RATE, [99.0], caf=[33.0]), result(TIME, [1.0])], ["caf"])
        head, rate, time = text.splitlines()
        self.assertIn("caf", head)
        self.assertIn(">= 100 MISSED", rate)
        self.assertIn("3 x caf", rate)
        self.assertIn("1.98 x old (50)", rate)
        self.assertNotIn("MISSED", time)

    def test_short(self):
        self.assertEqual([results.short(value) for value in
                          (20_830_000, 4_500_000_000, 71_000, 1345.8, 364.5, 0.0521, 0, None)],
                         ["20.8M", "4.5G", "71k", "1346", "364", "0.0521", "0", ""])

    def test_plot_is_xml_and_takes_any_result(self):
        text = plot.svg([result(RATE, [99.0], caf=[33.0]), result(TIME, [0.0], caf=[0.0])])
        self.assertIn("rate", "".join(xml.etree.ElementTree.fromstring(text).itertext()))
        plot.svg([])


class Choice(unittest.TestCase):
    def test_all(self):
        names = [figure.name for figure in catalogue.chosen([])]
        self.assertEqual(names, (
            "pingpong pingpong_cpus ring many2one many2one_peak_mb forkjoin big tree1m "
            "tree1m_peak_mb spawnstop idle_bytes failure1 failure1_p50_us failure1_p99_us "
            "failure1000 ask_p50_us ask_p999_us ask_sleeping_p50_us ask_sleeping_p99_us "
            "timers_p50_late_us timers_cpu_s timers_insert_ns log_lines boundary_ratio "
            "idle_wakeups idle_rss_mb boot_ms boot100k_s router_ratio").split())

    def test_by_row_and_by_figure(self):
        def names(*words):
            return [figure.name for figure in catalogue.chosen(words)]
        self.assertEqual(names("ask"), ["ask_p50_us", "ask_p999_us"])
        self.assertEqual(names("ask_p999_us"), ["ask_p999_us"])
        self.assertEqual(names("hocon")[:2], ["hocon_ms", "hocon_bytes"])
        self.assertEqual(len(names("savina")), 11)
        self.assertEqual(names("pingpong"), ["pingpong", "pingpong_cpus"])
        with self.assertRaises(KeyError):
            names("pongping")


class Programs(unittest.TestCase):
    def test_lines_of_a_run(self):
        self.assertEqual(contestants.parsed("ring 1.5e6 msg/s\nring_cpus 1 CPUs\n"),
                         {"ring": 1.5e6, "ring_cpus": 1})

    def test_a_bad_end_is_no_figure(self):
        bad = contestants.Contestant("bad", None, lambda row: ["false"])
        with self.assertRaises(contestants.Failed):
            bad.run("ring")

    def test_memory_touched_before_a_run_is_not_in_its_peak(self):
        contestants.touch_memory()
        peak = contestants.Contestant("peak", None, lambda row: [
            sys.executable, "-c", "import resource\n"
            "print('kb', resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, 'kB')"])
        self.assertLess(peak.run("ring")["kb"], contestants.MEMORY / 1024 / 4)


class Instructions(unittest.TestCase):
    ROW = instructions.Row("ring", "hop", 3_000, 9_000)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.recorded = os.path.join(folder.name, "recorded.json")
        self.base = os.path.join(folder.name, "base.json")
        instructions.record({"ask": 1000, "watch": 500}, self.recorded)
        instructions.record({"ask": 2000}, self.base)

    def count(self, now, *words):
        """The exit status and the lines of --instructions where each row takes `now`."""
        out = io.StringIO()
        argv = ["bench", "--tree", "", "--instructions", *words]
        with mock.patch.multiple(instructions, RECORDED=self.recorded, BASE=self.base,
                                 per_unit=lambda _build, _row: now), \
                mock.patch.object(sys, "argv", argv), \
                contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            status = bench.main()
        return status, out.getvalue().splitlines()

    def test_what_both_runs_have_cancels_out(self):
        def count(_build, name, length):
            self.assertEqual(name, "ring")
            return 1_000_000 + 123 * length
        self.assertEqual(instructions.per_unit("", self.ROW, count), 123)

    def test_both_lengths_are_whole_batches(self):
        for row in instructions.ROWS:
            for length in (row.short, row.long):
                # Of senders, of receivers, of spawned actors, of watchers, of stashed messages.
                for batch in (20, 60, 1_000, 10, 10):
                    self.assertEqual(length % batch, 0, row.name)

    def test_verdict(self):
        self.assertEqual(instructions.verdict(100.9, 100), "")
        self.assertEqual(instructions.verdict(99.1, 100), "")
        self.assertIn("more", instructions.verdict(101.1, 100))
        self.assertIn("record", instructions.verdict(98.9, 100))
        self.assertIn("record", instructions.verdict(98.9, None))

    def test_line_says_both_changes(self):
        self.assertEqual(instructions.line(self.ROW, 110, 100, 200).split(),
                         "ring hop 110.00 100.00 +10.00% 200.00 -45.00% more than recorded".split())
        self.assertEqual(instructions.line(self.ROW, 110, 110, None).split(),
                         "ring hop 110.00 110.00 +0.00% - -".split())
        self.assertEqual(instructions.line(self.ROW, 110, None, 110).split(),
                         "ring hop 110.00 - - 110.00 +0.00% not recorded yet".split())

    def test_choice(self):
        self.assertEqual(instructions.chosen([]), list(instructions.ROWS))
        self.assertEqual([row.name for row in instructions.chosen(["watch", "ask"])],
                         ["ask", "watch"])
        with self.assertRaises(instructions.NoSuchRow):
            instructions.chosen(["ring"])

    def test_only_a_change_against_the_record_is_an_error(self):
        status, (_head, ask) = self.count(1001, "ask")
        self.assertEqual((status, ask.split()), (
            0, "ask ask 1001.00 1000.00 +0.10% 2000.00 -49.95%".split()))
        self.assertEqual(self.count(1011, "ask")[0], bench.EXIT_OFF)
        self.assertEqual(self.count(1, "ring")[0], bench.EXIT_USAGE)
        self.assertEqual(len(self.count(1)[1]), 1 + len(instructions.ROWS))

    def test_a_record_leaves_the_base_and_other_rows_alone(self):
        self.assertEqual(self.count(1234, "ask", "--record")[0], 0)
        self.assertEqual(instructions.read_counts(self.recorded), {"ask": 1234, "watch": 500})
        self.assertEqual(instructions.read_counts(self.base), {"ask": 2000})

    def test_every_row_is_recorded(self):
        names = [row.name for row in instructions.ROWS]
        self.assertEqual(sorted(instructions.read_counts(instructions.RECORDED)), sorted(names))
        self.assertLessEqual(set(instructions.read_counts(instructions.BASE)), set(names))

    def test_without_its_clock_nothing_is_counted(self):
        ignored = "object 'clock.so' from LD_PRELOAD cannot be preloaded: ignored.\n"

        def counted(stderr):
            done = subprocess.CompletedProcess([], 0, stderr=stderr)
            with mock.patch.object(subprocess, "run", return_value=done):
                return instructions.counted("", "ask", 1)
        self.assertEqual(counted("Collected : 12\n"), 12)
        with self.assertRaises(instructions.NotCounted):
            counted(ignored + "Collected : 12\n")


class BuildSeconds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.recorded = os.path.join(folder.name, "recorded.json")
        self.base = os.path.join(folder.name, "base.json")
        build_seconds.record(self.built(a=100.0, b=1.0), self.recorded)
        build_seconds.record(self.built(a=200.0), self.base)

    @staticmethod
    def built(yardstick=2.0, **rooms):
        return build_seconds.Record(
            yardstick, {**rooms, build_seconds.EVERYTHING: sum(rooms.values())},
            {room: 10 for room in rooms}, 4000)

    def time(self, now, *words):
        """The exit status and the lines of --build where it takes what `now` says."""
        out = io.StringIO()
        argv = ["bench", "--tree", "", "--build", *words]
        with mock.patch.multiple(build_seconds, RECORDED=self.recorded, BASE=self.base,
                                 measure=lambda _rooms, _jobs: now), \
                mock.patch.object(sys, "argv", argv), \
                contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            status = bench.main()
        return status, out.getvalue().splitlines()

    def test_a_room_is_the_folder_that_names_the_source(self):
        self.assertEqual([build_seconds.room_of(output) for output in (
            "core/actor/CMakeFiles/actord-actor.dir/cell.cpp.o",
            "daemon/ctl/CMakeFiles/actord-ctl.dir/Unity/unity_0_cxx.cxx.o",
            "daemon/CMakeFiles/actord.dir/main.cpp.o",
            "tests/CMakeFiles/actord-test-pch.dir/cmake_pch.hxx.gch",
            "CMakeFiles/actord-pch.dir/pch/actord-pch.cpp.o",
            "lib/libactord-core.so.0.1.0")],
            ["core/actor", "daemon/ctl", "daemon", build_seconds.PRECOMPILED,
             build_seconds.PRECOMPILED, build_seconds.LINKS])

    def test_a_compiler_is_timed_and_its_status_kept(self):
        log = os.path.join(self.folder, "log")

        def timed(*command):
            return subprocess.run([sys.executable, "-B", build_seconds.timed.__file__, log,
                                   *command], check=False).returncode
        self.assertEqual(timed("sh", "-c", "exit 3", "-o", "core/a/CMakeFiles/x.dir/a.o"), 3)
        self.assertEqual(timed("true", "-o", "core/a/CMakeFiles/x.dir/b.o"), 0)
        self.assertEqual(timed("true"), 0)  # no output: no compilation
        seconds, files = build_seconds.by_room(build_seconds.read_log(log))
        self.assertEqual((list(seconds), files), (["core/a"], {"core/a": 2}))

    def test_a_change_is_one_in_yardsticks(self):
        now, before = self.built(yardstick=3.0, a=150.0), self.built(yardstick=2.0, a=100.0)
        self.assertAlmostEqual(now.change(before, "a"), 0)
        self.assertAlmostEqual(now.change(before, build_seconds.SIZE), 0)
        self.assertIsNone(now.change(build_seconds.Record(1), "a"))

    def test_only_a_change_beyond_the_tolerance_is_an_error(self):
        status, (_head, room, all_rooms, size) = self.time(self.built(a=109.0))
        self.assertEqual((status, room.split()), (
            0, "a 109.0 100.0 +9.0% 200.0 -45.5%".split()))
        self.assertEqual(all_rooms.split()[0], build_seconds.EVERYTHING)
        self.assertEqual(size.split()[-5:], "4000 4000 +0.0% 4000 +0.0%".split())
        status, lines = self.time(self.built(a=111.0))
        self.assertEqual((status, lines[1].split()[6:]), (
            bench.EXIT_OFF, "more than recorded".split()))
        self.assertEqual(self.time(self.built(a=89.0))[0], bench.EXIT_OFF)
        self.assertEqual(self.time(self.built(a=100.0, new=9.0))[0], bench.EXIT_OFF)

    def test_a_small_room_may_vary(self):
        self.assertEqual(self.time(self.built(a=100.0, b=3.0))[0], 0)
        self.assertEqual(self.time(self.built(a=95.0, b=6.0))[0], bench.EXIT_OFF)

    def test_a_record_of_everything_forgets_rooms_that_are_gone(self):
        self.assertEqual(self.time(self.built(a=120.0), "--record")[0], 0)
        self.assertEqual(build_seconds.read_record(self.recorded).seconds,
                         {"a": 120, build_seconds.EVERYTHING: 120})
        self.assertEqual(build_seconds.read_record(self.base).seconds["a"], 200)

    def test_a_record_of_one_room_leaves_the_others_alone(self):
        now = build_seconds.Record(4.0, {"a": 300.0}, {"a": 12})
        self.assertEqual(self.time(now, "a", "--record")[0], 0)
        record = build_seconds.read_record(self.recorded)
        self.assertEqual((record.yardstick, record.seconds["a"], record.files["a"]), (4, 300, 12))
        self.assertEqual((record.seconds["b"], record.size), (2, 4000))  # as many yardsticks

    def test_the_base_is_there(self):
        base = build_seconds.read_record(build_seconds.BASE)
        self.assertLessEqual({"core/actor", build_seconds.RUN}, set(base.seconds))


class BuildProgress(unittest.TestCase):
    RECORD = build_seconds.Record(1, {"core/actor": 100.0, "plugins/echo": 5.0},
                                  {"core/actor": 10, "plugins/echo": 1})
    STEP = "Building CXX object core/actor/CMakeFiles/actord-actor.dir/cell.cpp.o"

    def test_a_file_weighs_as_much_as_others_of_its_room(self):
        weights = build_progress.Weights(self.RECORD)
        self.assertEqual(weights.of(self.STEP), 10)
        self.assertEqual(weights.of("Building C object new/CMakeFiles/x.dir/a.c.o"), 105 / 11)
        self.assertEqual(weights.of("Linking CXX executable bin/actord"), 0)

    def test_an_estimate_learns_how_fast_the_machine_is(self):
        estimate = build_progress.Estimate(600, 2)
        self.assertEqual(estimate.rest(0), 300)
        estimate.finish(300)
        self.assertAlmostEqual(estimate.rest(1000), 300 / (340 / 1020))
        estimate.finish(1000)
        self.assertEqual(estimate.rest(1000), 0)

    def test_about(self):
        self.assertEqual([build_progress.about(seconds) for seconds in (3, 61, 200)],
                         ["less than a minute", "about 1 minute", "about 3 minutes"])

    def follow(self, columns, *lines):
        out = io.StringIO()
        weights = build_progress.Weights(self.RECORD)
        build_progress.follow(lines, build_progress.Estimate(20, 1), weights,
                              build_progress.Display(out, columns))
        return out.getvalue()

    def test_a_terminal_has_one_line_and_what_compilers_say(self):
        text = self.follow(50, f"[1/2] {self.STEP}\n", "FAILED: x\n", "error: no ;\n")
        progress, said = text.split("FAILED", 1)
        self.assertTrue(progress.startswith("\r\x1b[K  1 of 2, less than a minute left: core/act"))
        self.assertLess(len(progress.splitlines()[-1]), 60)
        self.assertEqual(said, ": x\nerror: no ;\n")

    def test_elsewhere_a_line_comes_now_and_then(self):
        text = self.follow(0, *(f"[{i}/9] {self.STEP}\n" for i in range(1, 10)))
        self.assertEqual(text, "  1 of 9, less than a minute left: core/actor\n")

    def test_the_status_is_that_of_the_build(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "build.ninja"), "w", encoding="utf-8") as file:
                file.write("rule no\n command = echo why >&2; exit 3\n"
                           " description = Building $out\nbuild x: no\n")
            done = subprocess.run(
                [sys.executable, "-B", build_progress.__file__, "building", "ninja", "-C", folder],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("building, 1 steps, less than a minute\n", done.stderr)
        self.assertIn("\nwhy\nninja: build stopped", done.stderr)


if __name__ == "__main__":
    unittest.main()
