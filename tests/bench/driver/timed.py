# SPDX-License-Identifier: Apache-2.0
"""Starts a compiler, and notes what it has taken: timed.py LOG COMPILER ARGUMENT...

A line of LOG is the seconds of CPU time, user and system, of the compiler and all that it started,
and the file that it wrote. Ninja's own log has the time that passed, which depends on what else the
machine does."""

import os
import subprocess
import sys


def seconds_of(command, **options):
    """The exit status of the command, and its seconds of CPU time."""
    with subprocess.Popen(command, **options) as process:
        _pid, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


def output_of(command):
    """What follows -o; empty where there is none."""
    return next((word for flag, word in zip(command, command[1:]) if flag == "-o"), "")


def main():
    log, command = sys.argv[1], sys.argv[2:]
    status, seconds = seconds_of(command)
    with open(log, "a", encoding="utf-8") as file:  # a line is one write, so it stays whole
        file.write(f"{seconds:.3f} {output_of(command)}\n")
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
