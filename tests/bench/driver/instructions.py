# SPDX-License-Identifier: Apache-2.0
"""Instructions per message, counted by callgrind: the same on a busy machine as on a quiet one.

A row is run twice on one worker, short and long; the difference is that of the messages alone, as
whatever starts, warms up and ends costs the same both times.
"""

import json
import os
import re
import subprocess
import tempfile

TOLERANCE = 0.03
SHORT, LONG = 400_000, 2_400_000
ROWS = ("pingpong", "many2one")
BASELINE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                        "instructions.json")


class NotCounted(Exception):
    pass


def counted(program, row, messages):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out",
             program, row, "--length", str(messages), "--workers", "1"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or found is None:
        raise NotCounted(f"{row}: {done.stderr}")
    return int(found.group(1))


def per_message(program, row, count=counted):
    return (count(program, row, LONG) - count(program, row, SHORT)) / (LONG - SHORT)


def change(now, recorded):
    return now / recorded - 1


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


def read_baseline(path=BASELINE):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)["instructions_per_message"]


def write_baseline(counts, path=BASELINE):
    compiler = subprocess.run(["c++", "-dumpfullversion"], stdout=subprocess.PIPE, text=True,
                              check=True).stdout.strip()
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"compiler": f"g++ {compiler}",
                   "instructions_per_message": {row: round(n, 2) for row, n in counts.items()}},
                  file, indent=2)
        file.write("\n")
