# SPDX-License-Identifier: Apache-2.0
"""The programs that are measured, each of which prints lines "figure value unit" for a row."""

import contextlib
import mmap
import os
import shutil
import subprocess

PATIENCE = 600  # seconds for one run; then it hangs

# What there is on CAF and on Erlang; the rest is about actord alone.
PEER_ROWS = frozenset("pingpong ring many2one forkjoin big tree1m spawnstop idle_bytes failure1 "
                      "failure1000 ask ask_sleeping timers".split())
SUPERVISOR_ROWS = frozenset(("failure1", "failure1000"))

MEMORY = 1 << 30  # bytes; more than most rows take


class Failed(Exception):
    """A run that ended badly: there is no figure where there is no right result."""


class Contestant:
    def __init__(self, name, rows, command, environment=None):
        """`command(row)` is what to run; `rows` None: all."""
        self.name, self._rows, self._command = name, rows, command
        self._environment = {**os.environ, **(environment or {})}

    def has(self, row):
        return self._rows is None or row in self._rows

    def run(self, row):
        """Values by figure, of one run."""
        try:
            done = subprocess.run(self._command(row), stdout=subprocess.PIPE, text=True,
                                  stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False,
                                  env=self._environment)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Failed(f"{self.name}: {row}: {error}") from error
        if done.returncode != 0:
            raise Failed(f"{self.name}: {row} ended with status {done.returncode}")
        return parsed(done.stdout)


def touch_memory():
    """Has the kernel hand out memory and take it back, if there is so much. The first to touch
    memory that is new to a virtual machine waits for the host to find it, some 5 ms for 2 MiB:
    chance, which otherwise decides on rows with long backlogs."""
    # In a process of its own: the peak of this one counts as a peak of each that it starts.
    child = os.fork()
    if child != 0:
        os.waitpid(child, 0)
        return
    try:
        size = min(MEMORY, os.sysconf("SC_AVPHYS_PAGES") * mmap.PAGESIZE // 4)
        with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
            with contextlib.suppress(OSError):  # there may be no huge pages
                memory.madvise(mmap.MADV_HUGEPAGE)
            for page in range(0, size, mmap.PAGESIZE):
                memory[page] = 1
    finally:
        os._exit(0)


def parsed(text):
    values = {}
    for line in text.splitlines():
        name, value, _unit = line.split()
        values[name] = float(value)
    return values


def actord(build, workers):
    program = os.path.join(build, "bin", "actord-bench")

    def command(row):
        return [program, row, "--raw", "--runs", "1", *_workers(workers)]
    return Contestant("actord", None, command)


def caf(build, workers):
    """None where CAF is not installed, and so was not built."""
    program = os.path.join(build, "tests", "bench", "peers", "caf-bench")
    if not os.path.exists(program):
        return None
    return Contestant("caf", PEER_ROWS, lambda row: [program, row, *_workers(workers)])


def erlang(build, workers):
    """Raw processes, and the supervisor of OTP; none where Erlang is not installed."""
    if shutil.which("erlc") is None or shutil.which("erl") is None:
        return []
    sources = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                           "peers", "erlang")
    out = os.path.join(build, "tests", "bench", "peers", "erlang")
    os.makedirs(out, exist_ok=True)
    modules = [os.path.join(sources, name) for name in sorted(os.listdir(sources))
               if name.endswith(".erl")]
    subprocess.run(["erlc", "-o", out, *modules], check=True)
    schedulers = [] if workers is None else ["+S", f"{workers}:{workers}"]

    def command(suffix):
        return lambda row: ["erl", "-noshell", "-pa", out, "+P", "3000000", *schedulers,
                            "-s", "bench_rows", "main", row + suffix]
    # Its crash dump would be half a minute of writing.
    calm = {"ERL_CRASH_DUMP": "/dev/null"}
    return [Contestant("erlang", PEER_ROWS, command(""), calm),
            Contestant("erlang_supervisor", SUPERVISOR_ROWS, command("_supervisor"), calm)]


def _workers(workers):
    return [] if workers is None else ["--workers", str(workers)]
