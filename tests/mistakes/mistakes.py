#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Typical mistakes of people who write plugins and configurations, and what they read then.

    mistakes.py [FILE...]     the mistakes in these files of this folder, else all of them

Its line `expects: ...` is a part of the first error of the compiler, or of the first finding of
`actord --check`. Prints what was said; exits 1 if it was something else. Sources are compiled by
$CXX, and by clang++ if there is one. $ACTORD_BIN and $ACTORD_PLUGINS name the daemon and the folder
of its plugins.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HEADERS = HERE.parents[1] / "core/include"
COMPILERS = [c for c in dict.fromkeys((os.environ.get("CXX", "g++"), "clang++")) if shutil.which(c)]
DIAGNOSTIC = re.compile(r"^.*?:\d+:\d+: (?:fatal )?((?:error|warning|note): .*)$", re.MULTILINE)


def output_of(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          encoding="utf-8", errors="replace", check=False,
                          env={**os.environ, "LC_ALL": "C.UTF-8"})
    return done.stdout


def first_error(compiler, file):
    text = output_of(compiler, "-std=c++20", "-fsyntax-only", "-I", str(HEADERS), str(file))
    return next((found for found in DIAGNOSTIC.findall(text) if found.startswith("error")), text)


def first_finding(file):
    with tempfile.TemporaryDirectory() as state:  # there may be no $HOME
        text = output_of(os.environ["ACTORD_BIN"], "--plugin-path", os.environ["ACTORD_PLUGINS"],
                         "--set", f'actord.state-dir="{state}"', "--check", str(file))
    return next(iter(DIAGNOSTIC.findall(text)), text)


def main(names):
    files = [HERE / name for name in names] or sorted([*HERE.glob("*.cpp"), *HERE.glob("*.conf")])
    is_right = True
    for file in files:
        expected = re.search(r"^(?://|#) expects: (.*)$", file.read_text(encoding="utf-8"),
                             re.MULTILINE).group(1)
        if file.suffix == ".conf":
            said = [("actord", first_finding(file))]
        else:
            said = [(compiler, first_error(compiler, file)) for compiler in COMPILERS]
        for who, line in said:
            print(f"{file.name} ({who}): {line}")
            if expected not in line:
                is_right = False
                print(f"    expected: {expected}")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
