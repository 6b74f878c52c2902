#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the tree against the rules of the project that no compiler checks.

    tidy.py [ROOT]        prints every finding as path:line: [rule] what; exits 1 when there is one
"""

import os
import sys

from rules import RULES
from source import read_tree


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(here))
    tree = read_tree(root)
    findings = sorted(
        (path, line, name, what) for name, look in RULES.items() for path, line, what in look(tree))
    for path, line, name, what in findings:
        print(f"{path}:{line}: [{name}] {what}")
    print(f"tidy: {len(RULES)} rules, {len(tree.files)} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
