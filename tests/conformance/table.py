#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The conformance table: a line per item of the specifications that is shown: supervision, HOCON,
and a line per cell of the matrix of companions.

    table.py --build FOLDER          runs every conformance program of a build and prints, sorted,
                                     `ok 23 without …`, `ok HOCON commas: a …`, `ok matrix ask:
                                     after call, restart` or `FAIL 23 …` with what the case said
                                     below, at last `N passed, N failed`; exits 1 if anything failed
    table.py --build FOLDER --list   runs no case: only lists the items that no case shows
    table.py … --patience SECONDS    how long one program may take (default 900)

A program is bin/conformance* of the build. Its doctest cases have names that begin with the number
of their item of core/actor/supervision.md, or with `HOCON` and the section of HOCON.md (or of the
reader's additions) whose rule they show, or with `matrix` and the companion that they play in each
of its cells (tests/conformance/supervision/matrix.hpp); each cell has a line of its own. A program
may also be a Python test of tests/integration that takes `--items` (it prints such lines itself,
and with `--items --list` only the items with their names). A case without an item appears only when
it fails. A case that ends its program has failed; the program is started again after that case.
"""

import argparse
import os
import pathlib
import re
import string
import subprocess
import sys

from specification import PAGE, Specification

ROOT = pathlib.Path(__file__).resolve().parents[2]
FORMULAS = "0"  # the section of the formulas in core/actor/supervision.md
HOCON = ("JSON", "comments", "root braces", "separator", "commas", "whitespace", "duplicate keys",
         "layers", "unquoted", "multi-line", "Unicode", "strings joined", "lists joined",
         "objects joined", "path expressions", "paths as keys", "substitutions", "optional",
         "hidden", "circles", "self-references", "+=", "environment", "include", ".json",
         "numeric keys", "conversion", "units", "durations", "sizes", "periods", "errors", "stress",
         *(f"pitfall {number}" for number in range(1, 26)))
MATRIX = ("balancing pool", "balancing pool, judged above", "resized pool",
          "resized pool, judged above", "group", "scatter-gather", "scatter-gather, judged above",
          "tail chopping", "tail chopping, judged above", "consistent hashing", "state machine",
          "circuit breaker", "half-open circuit breaker", "shared circuit breaker",
          "half-open shared breaker", "persist", "persist_async", "durable state", "recovery",
          "at-least-once sender", "at-least-once receiver", "ask", "retry", "pipe", "stash",
          "unstash", "timers", "receive timeout", "shutdown task", "back-off on stop",
          "back-off on failure", "back-off while down")

BEGINS = "case begins: "
PASSED, FAILED = "case passed", "case failed"
CELL_PASSED, CELL_FAILED = "cell passed: ", "cell failed: "


def expected():
    """Every item that must be shown, in order: "1", …, "168a", …, "HOCON comments", …, and at last
    "matrix ask", …"""
    page = Specification((ROOT / PAGE).read_text(encoding="utf-8"))
    return (page.to_be_shown() + [f"HOCON {section}" for section in HOCON] +
            [f"matrix {companion}" for companion in MATRIX])


def item_of(name):
    """The item that a case's name begins with, or None."""
    found = re.match(r"(\d+[a-z]?) |((?:HOCON|matrix) [^:]+): ", name)
    return found and (found.group(1) or found.group(2))


def named(item, what):
    """The name of a line of that item."""
    return f"{item}{'' if item[0].isdigit() else ':'} {what}"


def order_of(item):
    """Sorts by number, then letter; then HOCON by section; then the matrix by companion; cases
    without an item come last."""
    if item is None:
        return (sys.maxsize, "")
    for place, (prefix, sections) in enumerate((("HOCON ", HOCON), ("matrix ", MATRIX))):
        section = item.removeprefix(prefix)
        if section != item:
            index = sections.index(section) if section in sections else len(sections)
            return (sys.maxsize - 2 + place, f"{index:03}")
    number = item.rstrip(string.ascii_lowercase)
    return (int(number), item[len(number):])


class Line:
    """The result of one case, or of one of its cells."""

    def __init__(self, name, passed, text="", cells=()):
        self.name, self.passed, self.text, self.cells = name, passed, text, cells

    @property
    def item(self):
        return item_of(self.name)

    def __str__(self):
        line = f"{'ok' if self.passed else 'FAIL'} {self.name}"
        below = "" if self.passed else self.text.strip("\n")
        return line + "".join(f"\n    {each}" for each in below.splitlines())


def run(command, patience, environment=None):
    """The output of a program, and how it ended: "" if it exited by itself with 0 or 1."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace",
                          env={**os.environ, **(environment or {})}) as process:
        try:
            output, _ = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
            return output, f"did not end within {patience:g} s"
    if process.returncode in (0, 1):
        return output, ""
    if process.returncode < 0:
        return output, f"ended by signal {-process.returncode}"
    return output, f"ended with status {process.returncode}"


# ---- programs of doctest cases -------------------------------------------------------------------

def read_cases(output, ending):
    """The lines of all cases that began. After an abnormal end the last case has failed."""
    lines, name, text, cells = [], None, [], []
    for each in output.splitlines():
        if each.startswith(BEGINS):
            name, text, cells = each[len(BEGINS):].strip(), [], []
        elif each in (PASSED, FAILED) and name is not None:
            lines.append(Line(name, each == PASSED, "\n".join(text), cells))
            name = None
        elif each.startswith((CELL_PASSED, CELL_FAILED)) and name is not None:
            cells.append(Line(named(item_of(name) or name, each[len(CELL_PASSED):]),
                              each.startswith(CELL_PASSED), "\n".join(text)))
            text = []
        elif name is not None:
            text.append(each)
    if name is not None:
        lines.append(Line(name, False, "\n".join([*text, f"the program {ending or 'broke off'}"]),
                          cells))
    elif ending and lines:
        lines[-1].passed = False
        lines[-1].text += f"\nthe program {ending}"
    return lines


def run_program(program, patience):
    lines = []
    while True:
        output, ending = run([program, "--reporters=console,case-lines,cell-lines",
                              "--no-colors=true", f"--first={len(lines) + 1}"], patience)
        more = read_cases(output, ending)
        lines += more
        if not ending:
            return lines
        if not more:
            if not lines:
                lines.append(Line(f"{program.name} {ending}", False, output))
            return lines


def names_in_program(program):
    output, ending = run([program, "--list-test-cases", "--no-colors=true"], 60)
    if ending:
        sys.exit(f"{program} {ending}:\n{output}")
    return [line.strip() for line in output.splitlines() if not line.startswith(("[", "="))]


# ---- Python tests --------------------------------------------------------------------------------

def read_items(output):
    """The `ok` and `FAIL` lines of a script, with what follows each."""
    lines = []
    for each in output.splitlines():
        found = re.match(r"(ok|FAIL) (\d+[a-z]? .*)", each)
        if found:
            lines.append(Line(found.group(2), found.group(1) == "ok"))
        elif lines:
            lines[-1].text += each + "\n"
    return lines


def run_script(script, build, patience):
    output, ending = run([sys.executable, "-B", script, "--items"], patience, places(build))
    lines = read_items(output)
    if ending or not lines:
        lines.append(Line(f"{script.name} {ending or 'showed nothing'}", False, output))
    return lines


def names_in_script(script, build):
    output, ending = run([sys.executable, "-B", script, "--items", "--list"], 60, places(build))
    if ending:
        sys.exit(f"{script} {ending}:\n{output}")
    return output.splitlines()


def places(build):
    """Where the tests of the real daemon find its files; see tests/integration/CMakeLists.txt."""
    return {"ACTORD_BIN": str(build / "bin/actord"), "ACTORCTL_BIN": str(build / "bin/actorctl"),
            "ACTORD_PLUGINS": str(build / "plugins"),
            "ACTORD_BAD_PLUGINS": str(build / "tests/bad_plugins"),
            "ACTORD_EXAMPLES": str(ROOT / "config/examples")}


# ---- the table -----------------------------------------------------------------------------------

def programs_of(build):
    return sorted(path for path in (build / "bin").glob("conformance*") if os.access(path, os.X_OK))


def scripts():
    return [path for path in sorted((ROOT / "tests/integration").glob("*_test.py"))
            if '"--items"' in path.read_text(encoding="utf-8")]


def gap(item, what):
    return Line(named(item, what), False)


def gaps(items):
    shown = set(items)
    missing = [gap(item, "nobody shows this item")
               for item in expected() if item not in shown]
    known = {FORMULAS, None, *expected()}
    strange = [gap(item, "is no item of the specification")
               for item in sorted(shown - known, key=order_of)]
    return missing + strange


def list_gaps(build):
    names = [name for program in programs_of(build) for name in names_in_program(program)]
    names += [name for script in scripts() for name in names_in_script(script, build)]
    shown = {item_of(name) for name in names}
    for line in gaps(shown):
        print(line)
    print(f"{len(shown & set(expected()))} of {len(expected())} items shown")
    return 1 if gaps(shown) else 0


def print_table(build, patience):
    lines = [line for program in programs_of(build) for line in run_program(program, patience)]
    lines += [line for script in scripts() for line in run_script(script, build, patience)]
    lines += gaps(line.item for line in lines)
    lines += [cell for line in lines for cell in line.cells]
    lines = [line for line in lines if line.item or not line.passed]
    lines.sort(key=lambda line: order_of(line.item))
    for line in lines:
        print(line)
    failed = sum(not line.passed for line in lines)
    print(f"{len(lines) - failed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--patience", type=float, default=900)
    options = parser.parse_args()
    build = options.build.resolve()
    if not programs_of(build):
        sys.exit(f"{build} has no conformance program")
    return list_gaps(build) if options.list else print_table(build, options.patience)


if __name__ == "__main__":
    sys.exit(main())
