#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seeded bugs of the core, and whether the simulation finds them.

    mutants.py [NAME…] [--seconds N]   applies each patch NN-name.patch of this folder to a copy of
                                       the sources, builds the simulator there, and runs it until a
                                       rule is broken; exits 1 if one survives N s (default 600)
    mutants.py --check                 only checks that each still applies and compiles
    mutants.py --applies               only checks that each still applies

A patch begins with the bug and the rule that it breaks; a line `profiles: NAME…` names the profiles
that find it, if these are not the usual two. A name may be its number alone. The copy and its build
stay in build/mutants, where the next run continues.
"""

import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import queue
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
COPIED = ("core", "daemon", "plugins", "systemd", "tests", "config", "README.md", "CMakeLists.txt",
          "CMakePresets.json")
USUAL_PROFILES = ("swarm", "hierarchy")
SOUND_FOR = 20  # seconds that the simulator runs first, without a mutant
ROUND = 30  # seconds of one run; the next one continues with other seeds
GRACE = 30  # seconds beyond its time after which a run hangs
SEEDS_APART = 10_000_000


class Mutant:
    def __init__(self, path):
        self.path, self.name = path, path.stem
        text = path.read_text(encoding="utf-8")
        self.files = re.findall(r"^\+\+\+ b/(\S+)", text, re.MULTILINE)
        profiles = re.search(r"^profiles: (.*)$", text, re.MULTILINE)
        self.profiles = tuple(profiles.group(1).split()) if profiles else USUAL_PROFILES

    @property
    def target(self):
        """The target to build again: the profile `step` compiles the core into its own library, the
        others use that of the daemon; the code of a header may be in any program."""
        if any(not file.endswith(".cpp") for file in self.files):
            return "actord-sim"
        if "step" not in self.profiles:
            return "actord-core"
        return "actord-step" if self.profiles == ("step",) else "actord-sim"

    def apply(self, sources, folder):
        """Writes the changed files into `folder`. Returns an error if the patch does not fit."""
        for file in self.files:
            target = folder / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(sources / file, target)
        done = subprocess.run(
            ["patch", "-p1", "--quiet", "--batch", "--fuzz=0", "--no-backup-if-mismatch",
             "--reject-file=-", f"--input={self.path}"],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.stdout if done.returncode else ""


def chosen(names, parser):
    """The mutants with these names or numbers; all if there is no name."""
    mutants = [Mutant(path) for path in sorted(HERE.glob("*.patch"))]
    both = [(mutant.name, mutant.name.split("-")[0]) for mutant in mutants]
    for name in names:
        if not any(name in each for each in both):
            parser.error(f"no such mutant: '{name}'; there are: "
                         + " ".join(mutant.name for mutant in mutants))
    return [mutant for mutant, each in zip(mutants, both)
            if not names or any(name in each for name in names)]


# ---- does it apply and compile -------------------------------------------------------------------

class Includes:
    """Which sources of the core and of the simulation include which headers."""

    def __init__(self):
        core, simulation = ROOT / "core", ROOT / "tests/sim"
        self.direct = {}
        for path in [*core.rglob("*.cpp"), *core.rglob("*.hpp"), *core.rglob("*.h"),
                     *simulation.glob("*.cpp"), *simulation.glob("*.hpp")]:
            found = re.findall(r'^#include ["<]([\w/.]+)[">]', path.read_text(encoding="utf-8"),
                               re.MULTILINE)
            places = [place / name for name in found
                      for place in (core, core / "include", ROOT / "tests")]
            self.direct[path] = {place for place in places if place.exists()}

    def closure(self, path):
        seen, left = set(), [path]
        while left:
            for each in self.direct.get(left.pop(), ()):
                if each not in seen:
                    seen.add(each)
                    left.append(each)
        return seen

    def source_for(self, file, commands):
        """The file itself or, for a header, the source that includes it and little else."""
        path = ROOT / file
        if path.suffix == ".cpp":
            return path
        seeing = [(len(self.closure(source)), source) for source in self.direct
                  if str(source) in commands and path in self.closure(source)]
        return min(seeing)[1]


def compile_commands():
    file = ROOT / "build/release/compile_commands.json"
    commands = {}
    for entry in json.loads(file.read_text(encoding="utf-8")):
        is_known = entry["file"].startswith((str(ROOT / "core"), str(ROOT / "tests/sim/")))
        if is_known and "ACTORD_SIM" not in entry["command"]:
            commands[entry["file"]] = entry
    return commands


def why_not_applied(mutant):
    with tempfile.TemporaryDirectory() as folder:
        return mutant.apply(ROOT, pathlib.Path(folder))


def why_not_sound(mutant, commands, includes):
    with tempfile.TemporaryDirectory() as folder:
        overlay = pathlib.Path(folder)
        if why := mutant.apply(ROOT, overlay):
            return why
        for source in {includes.source_for(file, commands) for file in mutant.files}:
            entry = commands[str(source)]
            words = shlex.split(entry["command"])
            compiler = next(i for i, word in enumerate(words) if re.search(r"(\+\+|gcc|cc)$", word))
            words = words[compiler:]
            for option in ("-o", "-c"):
                at = words.index(option)
                del words[at:at + 2]
            changed = overlay / source.relative_to(ROOT)
            words[1:1] = [f"-I{overlay}/core", f"-I{overlay}/core/include"]
            words += ["-fsyntax-only", str(changed if changed.exists() else source)]
            done = subprocess.run(words, cwd=entry["directory"], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
            if done.returncode:
                return done.stdout
    return ""


def check(mutants, jobs, compiles):
    """Whether all apply and, if `compiles`, compile, too."""
    why_not = why_not_applied
    if compiles:
        commands, includes = compile_commands(), Includes()
        why_not = functools.partial(why_not_sound, commands=commands, includes=includes)
    unsound = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for mutant, why in zip(mutants, pool.map(why_not, mutants)):
            if why:
                unsound += 1
                print(f"{mutant.name} does not apply{' or compile' if compiles else ''}:\n{why}")
    print(f"{len(mutants)} mutants, {len(mutants) - unsound} apply"
          + (" and compile" if compiles else ""))
    return 1 if unsound else 0


# ---- does the simulation kill it -----------------------------------------------------------------

class Tree:
    """The copy of the sources and its build."""

    def __init__(self, folder, jobs):
        self.sources, self.build, self.jobs = folder / "tree", folder / "build", jobs
        self.simulator = self.build / "bin/actord-sim"

    def sync(self):
        wanted = set()
        for name in COPIED:
            top = ROOT / name
            for path in [top] if top.is_file() else top.rglob("*"):
                if path.is_file() and "__pycache__" not in path.parts:
                    wanted.add(path.relative_to(ROOT))
        for path in wanted:
            self.put((ROOT / path).read_bytes(), path)
        for path in [each for each in self.sources.rglob("*") if each.is_file()]:
            if path.relative_to(self.sources) not in wanted:
                path.unlink()

    def put(self, content, path):
        """Leaves unchanged files alone, so that their build results stay valid."""
        target = self.sources / path
        if target.exists() and target.read_bytes() == content:
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)

    def configure(self):
        """Builds without much optimisation, because the result is used for seconds only."""
        subprocess.run(["cmake", "--preset", "release", "-B", str(self.build),
                        "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -DNDEBUG", "--log-level=NOTICE"],
                       cwd=self.sources, stdout=subprocess.DEVNULL, check=True)

    def make(self, target):
        done = subprocess.run(["cmake", "--build", str(self.build), "--parallel", str(self.jobs),
                               "--target", target], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        return done.stdout if done.returncode else ""


class Player(threading.Thread):
    """Runs one profile of the simulator repeatedly; puts into `violations`, once, the violation
    that it found, or "" if there was none in `seconds`."""

    def __init__(self, simulator, profile, seconds, violations):
        super().__init__(daemon=True)
        self.simulator, self.profile, self.violations = simulator, profile, violations
        self.end_at = time.monotonic() + seconds
        self.process, self.is_over = None, threading.Event()

    def run(self):
        seed, violation = 1, ""
        while not violation and not self.is_over.is_set():
            left = self.end_at - time.monotonic()
            if left < 1:
                break
            violation = self.play(seed, min(left, ROUND))
            seed += SEEDS_APART
        self.violations.put((self.profile, violation))

    def play(self, seed, seconds):
        self.process = subprocess.Popen(
            [self.simulator, "--profile", self.profile, "--seed", str(seed), "--seconds",
             f"{seconds:.1f}"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace")
        is_late = threading.Event()
        watchdog = threading.Timer(seconds + GRACE, lambda: (is_late.set(), self.end()))
        watchdog.start()
        last = ""
        try:
            for line in self.process.stdout:
                line = line.strip()
                if line.startswith("violation "):
                    self.end()
                    return line.removeprefix("violation ")
                last = line or last
            status = self.process.wait()
        finally:
            watchdog.cancel()
        if is_late.is_set():
            return "a run that does not end"
        if status == 0 or self.is_over.is_set():
            return ""
        return f"signal {-status}: {last}" if status < 0 else f"exit {status}: {last}"

    def end(self):
        self.is_over.set()
        if self.process is not None:
            self.process.kill()


def play(simulator, profiles, seconds):
    """Runs all profiles at once, until one breaks a rule. Returns its violation, or ""."""
    violations = queue.Queue()
    players = [Player(simulator, profile, seconds, violations) for profile in profiles]
    for player in players:
        player.start()
    try:
        for _ in players:
            profile, violation = violations.get()
            if violation:
                return f"{profile}: {violation}"
        return ""
    finally:
        for player in players:
            player.end()
            player.join()


def kill(mutant, tree, seconds):
    """The result as a line, and whether the mutant was found."""
    sound = {file: (tree.sources / file).read_bytes() for file in mutant.files}
    with tempfile.TemporaryDirectory() as folder:
        overlay = pathlib.Path(folder)
        if why := mutant.apply(tree.sources, overlay):
            return f"does not apply: {why.strip()}", False
        for file in mutant.files:
            tree.put((overlay / file).read_bytes(), file)
    try:
        if why := tree.make(mutant.target):
            return "does not compile:\n" + why, False
        start = time.monotonic()
        violation = play(tree.simulator, mutant.profiles, seconds)
        took = time.monotonic() - start
    finally:
        for file, content in sound.items():
            tree.put(content, file)
    if violation:
        return f"killed in {took:6.1f} s by {violation}", True
    return f"SURVIVED {took:.1f} s of {', '.join(mutant.profiles)}", False


def hunt(mutants, tree, seconds):
    tree.sync()
    tree.configure()
    if why := tree.make("actord-sim"):
        sys.exit("mutants: the sources do not compile as they are:\n" + why)
    profiles = sorted({profile for mutant in mutants for profile in mutant.profiles})
    if violation := play(tree.simulator, profiles, min(seconds, SOUND_FOR)):
        sys.exit(f"mutants: without a mutant, too, there is a violation; {violation}")
    width = max(len(mutant.name) for mutant in mutants)
    survivors = []
    for mutant in mutants:
        line, is_dead = kill(mutant, tree, seconds)
        print(f"{mutant.name:{width}}  {line}", flush=True)
        if not is_dead:
            survivors.append(mutant.name)
    print(f"{len(mutants)} mutants, {len(mutants) - len(survivors)} killed"
          + "".join(f"\nnot killed: {name}" for name in survivors))
    return 1 if survivors else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--applies", action="store_true")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    mutants = chosen(options.names, parser)
    if options.check or options.applies:
        return check(mutants, options.jobs, compiles=options.check)
    return hunt(mutants, Tree(ROOT / "build/mutants", options.jobs), options.seconds)


if __name__ == "__main__":
    sys.exit(main())
