# SPDX-License-Identifier: Apache-2.0
"""Runs a build by Ninja and says how far it is: build_progress.py TITLE COMMAND...

On a terminal one line is written over: the room, and about how long the rest takes. Elsewhere a
line comes every half minute. What the compilers say is printed whole. The exit status is the
command's. How long a file takes is the mean of its room in the record of ./dev bench --build; how
fast this machine is, and how much it finds in ccache, shows while it builds.
"""

import re
import shutil
import signal
import subprocess
import sys
import time

import build_seconds

STATUS = re.compile(r"\[(\d+)/(\d+)\] (.*)")
EVERY = 30        # seconds between two lines where there is no terminal
ASSUMED_FOR = 20  # seconds until what was measured weighs as much as what was assumed


class Weights:
    """Seconds that a step of the build is expected to take, by the line in which Ninja names it."""

    def __init__(self, record):
        self._record = record
        rooms = [room for room in record.files if room != build_seconds.LINKS]
        files = sum(record.files[room] for room in rooms)
        self._mean = sum(record.seconds[room] for room in rooms) / files if files else 1

    def of(self, step):
        if not step.startswith("Building"):
            return 0
        room = build_seconds.room_of(output_of(step))
        files = self._record.files.get(room)
        return self._record.seconds[room] / files if files else self._mean


def output_of(step):
    return step.rpartition(" ")[2]


def shown(step):
    """The room of a file, or what the step is if it is no compilation."""
    return build_seconds.room_of(output_of(step)) if step.startswith("Building") else step


class Estimate:
    """How long the rest takes, from the seconds of compilers that are done and still to do."""

    def __init__(self, all_steps, jobs):
        self._left, self._done, self._speed = all_steps, 0, jobs

    def finish(self, seconds):
        self._done += seconds
        self._left = max(self._left - seconds, 0)

    def rest(self, elapsed):
        speed = (self._done + self._speed * ASSUMED_FOR) / (elapsed + ASSUMED_FOR)
        return self._left / speed


def about(seconds):
    if seconds < 60:
        return "less than a minute"
    minutes = round(seconds / 60)
    return f"about {minutes} minute{'s' if minutes > 1 else ''}"


class Display:
    """One line that is written over, or a line now and then."""

    def __init__(self, out, columns):
        self._out, self._columns = out, columns  # 0 columns: no terminal
        self._shown, self._due = False, 0

    def progress(self, text, now):
        if self._columns:
            self._out.write("\r\x1b[K" + text[:self._columns - 1])
            self._shown = True
        elif now >= self._due:
            self._out.write(text + "\n")
            self._due = now + EVERY
        self._out.flush()

    def print(self, text):
        self.clear()
        self._out.write(text)
        self._out.flush()

    def clear(self):
        if self._shown:
            self._out.write("\r\x1b[K")
            self._out.flush()
        self._shown = False


def steps_of(command):
    """What the command would do, as Ninja names it."""
    words = ["-n"] if "--build" not in command else ["--", "-n"]
    planned = subprocess.run([*command, *words], text=True, errors="replace", check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return [found.group(3) for found in map(STATUS.match, planned.splitlines()) if found]


def jobs_of(command):
    found = re.search(r"(?:-j|--parallel )(\d+)", " ".join(command))
    return int(found.group(1)) if found else 1


def follow(lines, estimate, weights, display):
    """Shows the lines of Ninja: its own as progress, all others as they are."""
    start = time.monotonic()
    for line in lines:
        found = STATUS.match(line)
        if not found:
            if not line.startswith(("ninja: Entering directory", "ninja: no work to do")):
                display.print(line)
            continue
        done, steps, step = found.groups()
        estimate.finish(weights.of(step))
        now = time.monotonic() - start
        display.progress(
            f"  {done} of {steps}, {about(estimate.rest(now))} left: {shown(step)}", now)
    display.clear()


def main():
    title, command = sys.argv[1], sys.argv[2:]
    weights = Weights(build_seconds.read_record(build_seconds.RECORDED))
    steps = steps_of(command)
    estimate = Estimate(sum(map(weights.of, steps)), jobs_of(command))
    out = sys.stderr
    display = Display(out, shutil.get_terminal_size().columns if out.isatty() else 0)
    if steps:
        display.print(f"{title}, {len(steps)} steps, {about(estimate.rest(0))}\n")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace") as process:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ninja gets it as well, and ends
        follow(process.stdout, estimate, weights, display)
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


if __name__ == "__main__":
    sys.exit(main())
