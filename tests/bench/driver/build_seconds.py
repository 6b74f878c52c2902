# SPDX-License-Identifier: Apache-2.0
"""Seconds of CPU time that compilers take for each room, in all, and for the plugin of an author.

Everything is compiled once, without ccache, in a folder of its own. The seconds of two machines are
not comparable, nor those of one machine beside other loads. So the same source of the standard
library alone, the yardstick, is compiled before and after, and a change is one in yardsticks.
"""

import concurrent.futures
import json
import os
import shutil
import statistics
import subprocess
import tempfile
from dataclasses import dataclass, field

import timed

TOLERANCE = 0.10
LEAST = 5  # seconds; below, a room varies by more than the tolerance
BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(BENCH))
RECORDED = os.path.join(BENCH, "build_seconds.json")
BASE = os.path.join(BENCH, "build_seconds_base.json")  # only read
FOLDER = os.path.join(ROOT, "build", "timed")
LOG = os.path.join(FOLDER, "compiler_seconds")

PRECOMPILED, LINKS = "precompiled headers", "links"
RUN, EVERYTHING = "./dev run", "everything"
# What ./dev run builds where no file is named.
RUN_TARGETS = ("actord", "actord-host-program", "crawler", "static_site")
SIZE = "echo.so, stripped"
AUTHOR = ("g++", "-std=c++20", "-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden",
          "-fno-gnu-unique", "-Icore/include", "-c")

YARDSTICK = """
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>
int main(int argc, char** argv) {
  std::map<std::string, std::function<bool(const std::string&)>> all;
  for (int i = 1; i < argc; ++i)
    all[argv[i]] = [wanted = std::string(argv[i])](const auto& text) { return text == wanted; };
  std::vector<std::string> words(argv, argv + argc);
  std::sort(words.begin(), words.end());
  for (const auto& [name, is_wanted] : all)
    std::cout << name << std::any_of(words.begin(), words.end(), is_wanted) << '\\n';
}
"""


class NotBuilt(Exception):
    pass


class NoSuchRoom(Exception):
    pass


@dataclass
class Record:
    """What one build has taken. `files` says how many each room has, `size` the plugin's bytes."""
    yardstick: float
    seconds: dict = field(default_factory=dict)  # by row: a room, a sum, or a figure of an author
    files: dict = field(default_factory=dict)    # by room
    size: int = 0

    def before(self, other, row):
        """What the other record has for the row; None if nothing."""
        return (other.size or None) if row == SIZE else other.seconds.get(row)

    def value(self, row):
        return self.size if row == SIZE else self.seconds[row]

    def change(self, other, row):
        """By how much the row differs from the other record's; None if that has none."""
        before = self.before(other, row)
        if not before:
            return None
        scale = 1 if row == SIZE else other.yardstick / self.yardstick
        return self.value(row) / before * scale - 1

    def rows(self):
        return [*self.seconds, *([SIZE] if self.size else [])]


def room_of(output):
    """The folder whose CMakeLists.txt names what is compiled into this file."""
    if output.endswith(".gch"):
        return PRECOMPILED
    folder, is_object, _ = output.rpartition("CMakeFiles/")
    if not is_object:
        return LINKS
    return folder.rstrip("/") or PRECOMPILED  # the root compiles nothing else


def read_log(path):
    """Seconds by file."""
    seconds = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            spent, _, output = line.rstrip("\n").partition(" ")
            if output:
                seconds[output] = float(spent)
    return seconds


def by_room(seconds_of_files):
    """Seconds and number of files, by room."""
    seconds, files = {}, {}
    for output in sorted(seconds_of_files):
        room = room_of(output)
        seconds[room] = seconds.get(room, 0) + seconds_of_files[output]
        files[room] = files.get(room, 0) + 1
    return seconds, files


def yardstick(jobs, rounds=3):
    """Seconds of as many compilations at once as a build has, each several times."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "yardstick.cpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write(YARDSTICK)

        def compile_once(_):
            return spent("g++", "-std=c++20", "-O2", "-c", "-o", os.devnull, source)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(compile_once, range(jobs * rounds)))


def spent(*command):
    status, seconds = timed.seconds_of(command, cwd=ROOT)
    if status != 0:
        raise NotBuilt(f"{' '.join(command)}: exit status {status}")
    return seconds


def of_an_author():
    """What someone waits for who writes a plugin, in seconds by row, and the size of one."""
    with tempfile.TemporaryDirectory() as folder:
        header, echo = os.path.join(folder, "header.cpp"), "plugins/echo/echo.cpp"
        with open(header, "w", encoding="utf-8") as file:
            file.write("#include <actord/actord.hpp>\n")
        made, plugin = os.path.join(folder, "made.o"), os.path.join(folder, "made.so")

        def median(source, option):
            return statistics.median(spent(*AUTHOR, option, "-o", made, source) for _ in range(3))
        seconds = {"header alone, -O0": median(header, "-O0"), "echo, -O0": median(echo, "-O0"),
                   "echo, -O2": median(echo, "-O2")}
        spent("g++", "-shared", "-Wl,--version-script=core/include/actord/plugin.map",
              "-Wl,--exclude-libs,ALL", "-Wl,--build-id", "-o", plugin, made)
        spent("strip", plugin)
        return seconds, os.path.getsize(plugin)


def configure():
    """A tree of its own, each of whose compilers and linkers is timed."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    launcher = f"python3;-B;-S;{os.path.abspath(timed.__file__)};{LOG}"
    steps = ("CXX_COMPILER", "C_COMPILER", "CXX_LINKER", "C_LINKER")
    done = subprocess.run(
        ["cmake", "--preset", "release", "-B", FOLDER, "--log-level=NOTICE", "-DACTORD_CCACHE=OFF",
         *(f"-DCMAKE_{step}_LAUNCHER={launcher}" for step in steps)],
        cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise NotBuilt("cmake could not configure")
    open(LOG, "w", encoding="utf-8").close()  # what CMake has tried out does not count


def asked_of_ninja(*words):
    """The lines that a tool of Ninja prints."""
    return subprocess.run(["ninja", "-C", FOLDER, "-t", *words], text=True, check=True,
                          stdout=subprocess.PIPE).stdout.splitlines()


def outputs_of(rooms):
    """The files that are compiled in these rooms."""
    outputs = {}
    for line in asked_of_ninja("targets", "all"):
        output, _, rule = line.rpartition(": ")
        if "_COMPILER__" in rule:
            outputs.setdefault(room_of(output), []).append(output)
    for room in rooms:
        if room not in outputs:
            raise NoSuchRoom(f"no such room: {room}; there are {', '.join(sorted(outputs))}")
    return [output for room in rooms for output in outputs[room]]


def needed_by(targets):
    """The files that are compiled and linked for these targets."""
    return {*targets, *asked_of_ninja("inputs", *targets)}


def measure(rooms, jobs):
    """Builds the rooms, or everything, and says what that took."""
    configure()
    targets = outputs_of(rooms)
    sticks = yardstick(jobs)
    progress = os.path.join(os.path.dirname(timed.__file__), "build_progress.py")
    build = ["ninja", "-C", FOLDER, f"-j{jobs}", *targets]
    built = subprocess.run(["python3", "-B", progress, "bench: building", *build], check=False)
    if built.returncode != 0:
        raise NotBuilt("the build failed")
    sticks += yardstick(jobs)
    by_file = read_log(LOG)
    seconds, files = by_room(by_file)
    if rooms:
        return Record(statistics.median(sticks), {room: seconds[room] for room in rooms},
                      {room: files[room] for room in rooms})
    run = needed_by(RUN_TARGETS)
    seconds[RUN] = sum(spent for output, spent in by_file.items() if output in run)
    seconds[EVERYTHING] = sum(by_file.values())
    of_author, size = of_an_author()
    return Record(statistics.median(sticks), {**seconds, **of_author}, files, size)


def verdict(change, is_small):
    """What is to be said of a row beside the recorded one; empty if it is as it was."""
    if is_small:
        return ""
    if change is None:
        return "not recorded yet"
    if change > TOLERANCE:
        return "more than recorded"
    if change < -TOLERANCE:
        return "fewer than recorded: record that"
    return ""


HEAD = (f"{'compiler seconds':25} {'now':>9} {'recorded':>9} {'change':>8} {'base':>9} "
        f"{'change since base':>17}")


def verdict_of(row, now, recorded):
    is_small = row in now.files and now.seconds[row] < LEAST and (
        recorded.seconds.get(row, 0) < LEAST)
    return verdict(now.change(recorded, row), is_small)


def line(row, now, recorded, base):
    """A row below HEAD, with a hyphen where a record has none."""
    def shown(value):
        return "-" if value is None else f"{value}" if row == SIZE else f"{value:.1f}"

    def by(record):
        change = now.change(record, row)
        return "-" if change is None else f"{change:+.1%}"
    return (f"{row:25} {shown(now.value(row)):>9} {shown(now.before(recorded, row)):>9} "
            f"{by(recorded):>8} {shown(now.before(base, row)):>9} {by(base):>17}  "
            f"{verdict_of(row, now, recorded)}").rstrip()


def read_record(path):
    if not os.path.exists(path):
        return Record(1)
    with open(path, encoding="utf-8") as file:
        read = json.load(file)
    return Record(read["yardstick"], read["seconds"], read["files"], read["bytes"])


def record(now, path=RECORDED):
    """Replaces all rows; those that were not built this time keep their length in yardsticks."""
    compiler = subprocess.run(["c++", "-dumpfullversion"], stdout=subprocess.PIPE, text=True,
                              check=True).stdout.strip()
    seconds, files, size = now.seconds, now.files, now.size
    if EVERYTHING not in seconds:
        old = read_record(path)
        scale = now.yardstick / old.yardstick
        seconds = {**{row: value * scale for row, value in old.seconds.items()}, **seconds}
        files, size = {**old.files, **files}, old.size
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"compiler": f"g++ {compiler}", "yardstick": round(now.yardstick, 3),
                   "seconds": {row: round(value, 2) for row, value in seconds.items()},
                   "files": files, "bytes": size}, file, indent=2)
        file.write("\n")
