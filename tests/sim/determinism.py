# SPDX-License-Identifier: Apache-2.0
"""Two processes that run the same seeds see the same: python3 determinism.py ACTORD_SIM

The addresses of the two differ, so an order that depends on addresses shows. The script also checks
the last line of the output, and the answer to an option that does not exist.
"""

import re
import subprocess
import sys

LAST_LINE = re.compile(r"\d+ schedules, \d+ events, \d+ schedules/s, 0 violations")


def play(program, *options):
    done = subprocess.run([program, *options], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout
    assert LAST_LINE.fullmatch(lines[-1]), lines[-1]
    assert re.fullmatch(r"trace [0-9a-f]{16}", lines[-2]), lines[-2]
    return lines[-2]


def main(program):
    for profile, seeds in (("swarm", "300"), ("hierarchy", "5"), ("small", "5")):
        options = ("--profile", profile, "--seeds", seeds)
        assert play(program, *options) == play(program, *options), profile
        one = ("--profile", profile, "--seed", "3")
        assert play(program, *one) != play(program, "--profile", profile, "--seed", "4"), profile
    wrong = subprocess.run([program, "--sede", "1"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 64, wrong.returncode
    assert "Did you mean --seed?" in wrong.stderr, wrong.stderr


main(sys.argv[1])
