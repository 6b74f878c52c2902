# SPDX-License-Identifier: Apache-2.0
"""Instructions per message, ask, actor …, counted by callgrind: the same on a busy machine as on a
quiet one.

A row is run twice on one worker, short and long; the difference is that of the messages alone, as
whatever starts and ends costs the same both times. The program reads the clock of
counting/clock.cpp, so that what it does is independent of how fast valgrind is.
"""

import concurrent.futures
import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass

TOLERANCE = 0.01
BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RECORDED = os.path.join(BENCH, "instructions.json")
BASE = os.path.join(BENCH, "instructions_base.json")  # only read
PATIENCE = 600  # seconds for one run; then it hangs


@dataclass(frozen=True)
class Row:
    name: str  # of actord-bench
    unit: str  # of which it does `short` and then `long`
    short: int = 60_000
    long: int = 600_000


ROWS = (
    # Start and end differ by some 100 000 instructions from run to run.
    Row("pingpong", "message", long=2_400_000),
    Row("many2one", "message", long=2_400_000),
    Row("forkjoin", "message", long=2_400_000),
    Row("ask", "ask"),
    Row("spawnstop", "actor"),
    # A throw takes eleven thousand instructions.
    Row("failure_resume", "failure", 6_000, 60_000),
    Row("failure_restart", "failure", 6_000, 60_000),
    Row("failure_no_throw", "failure"),
    Row("timer", "timer"),
    Row("watch", "watch"),
    Row("stash", "message"),
    Row("crossing", "message"),
)


class NotCounted(Exception):
    pass


class NoSuchRow(Exception):
    pass


def chosen(names):
    """The rows of these names, in the order of ROWS; of no names: all."""
    for name in names:
        if name not in (row.name for row in ROWS):
            raise NoSuchRow(f"instructions of {name} are not counted; there are "
                            f"{' '.join(row.name for row in ROWS)}")
    return [row for row in ROWS if not names or row.name in names]


def counted(build, row, length):
    program = os.path.join(build, "bin", "actord-bench")
    clock = os.path.join(build, "tests", "bench", "libactord-bench-clock.so")
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out",
                 program, row, "--length", str(length), "--workers", "1"],
                env={**os.environ, "LD_PRELOAD": clock}, timeout=PATIENCE,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        except subprocess.TimeoutExpired as error:
            raise NotCounted(f"{row}: {error}") from error
    found = re.search(r"Collected : (\d+)", done.stderr)
    # Where the clock is missing, the dynamic linker says so and starts the program without it.
    has_clock = "cannot be preloaded" not in done.stderr
    if done.returncode != 0 or found is None or not has_clock:
        raise NotCounted(f"{row}: {done.stderr}")
    return int(found.group(1))


def per_unit(build, row, count=counted):
    return (count(build, row.name, row.long) - count(build, row.name, row.short)) / (
        row.long - row.short)


def counts_of(build, rows, jobs):
    """Each row with its count, in their order; as many are counted at a time as there are jobs."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from zip(rows, pool.map(lambda row: per_unit(build, row), rows))


def change(now, before):
    return now / before - 1


def verdict(now, recorded):
    """What is to be said of a count beside the recorded one; empty if it is as it was."""
    if recorded is None:
        return "not recorded yet"
    by = change(now, recorded)
    if by > TOLERANCE:
        return "more than recorded"
    if by < -TOLERANCE:
        return "fewer than recorded: record that"
    return ""


HEAD = (f"{'instructions per':25} {'now':>9} {'recorded':>9} {'change':>8} {'base':>9} "
        f"{'change since base':>17}")


def line(row, now, recorded, base):
    """A row below HEAD; recorded and base are None where there is none."""
    def shown(count):
        return "-" if count is None else f"{count:.2f}"

    def by(before):
        return "-" if before is None else f"{change(now, before):+.2%}"
    return (f"{row.name:17}{row.unit:8} {now:9.2f} {shown(recorded):>9} {by(recorded):>8} "
            f"{shown(base):>9} {by(base):>17}  {verdict(now, recorded)}").rstrip()


def read_counts(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)["instructions"]


def record(counts, path=RECORDED):
    """Rows that were not counted this time stay as they are."""
    compiler = subprocess.run(["c++", "-dumpfullversion"], stdout=subprocess.PIPE, text=True,
                              check=True).stdout.strip()
    all_counts = {**read_counts(path), **{row: round(n, 2) for row, n in counts.items()}}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"compiler": f"g++ {compiler}", "instructions": all_counts}, file, indent=2)
        file.write("\n")
