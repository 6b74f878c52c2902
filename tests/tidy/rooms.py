#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The picture of rooms and arrows: what each room of core and daemon includes.

    rooms.py [ROOT]       prints a line for each room: its floor, its name, its files and lines, and
                          the rooms that it includes, with the number of includes
"""

import collections
import os
import sys

from floors import ROOMS
from rules import floor_of
from source import read_tree


def rooms_of(tree):
    """The rooms as (floor, name, files, lines, {included room: number of includes}), by floor."""
    files, lines, arrows = collections.Counter(), collections.Counter(), {}
    floors = {}
    for file in tree.files.values():
        if not file.path.endswith((".cpp", ".hpp", ".h")):
            continue
        room, floor = floor_of(file.path)
        if floor is None:
            continue
        floors[room] = floor
        files[room] += 1
        lines[room] += len(file.lines)
        included = arrows.setdefault(room, collections.Counter())
        for _, _, target in file.includes:
            other = "include" if target.startswith("actord/") else target.split("/")[0]
            if other != room and "/" in target and (other in ROOMS or other == "include"):
                included[other] += 1
    return [(floors[room], room, files[room], lines[room], arrows[room])
            for room in sorted(floors, key=lambda name: (floors[name], name))]


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(here))
    for floor, room, files, lines, arrows in rooms_of(read_tree(root)):
        targets = ", ".join(f"{name} {count}" for name, count in arrows.most_common())
        print(f"{floor:2}  {room:10} {files:3} files {lines:6} lines  -> {targets or '-'}")


if __name__ == "__main__":
    main()
