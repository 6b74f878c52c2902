# SPDX-License-Identifier: Apache-2.0
"""From the values of runs to medians, ratios, a table and JSON."""

import json
import statistics
from dataclasses import dataclass

from catalogue import MORE


@dataclass(frozen=True)
class Summary:
    median: float
    least: float
    most: float


def summary(values):
    return Summary(statistics.median(values), min(values), max(values))


def ratio(figure, ours, theirs):
    """How many times as good as theirs ours is: above 1 we lead, whichever way is better. None
    where it cannot be said, as with nothing against nothing."""
    good, bad = (ours, theirs) if figure.better == MORE else (theirs, ours)
    if bad == 0:
        return None if good == 0 else float("inf")
    return good / bad


def reaches(figure, value):
    """Whether it is what it must be; None if it need not be anything."""
    if figure.must is None:
        return None
    return value >= figure.must if figure.better == MORE else value <= figure.must


@dataclass(frozen=True)
class Result:
    figure: object
    ours: Summary
    peers: dict  # by name

    def ratio(self, peer):
        return ratio(self.figure, self.ours.median, self.peers[peer].median)

    def best_peer(self):
        """Of those measured here, the one that leaves us the smallest lead; None without any."""
        return min(self.peers, key=self.ratio, default=None)

    def best_quoted(self):
        return min(self.figure.quoted, default=None,
                   key=lambda peer: ratio(self.figure, self.ours.median, self.figure.quoted[peer]))


def as_json(results):
    """An array, a figure a line."""
    def of(result):
        peers = {name: {"median": theirs.median, "min": theirs.least, "max": theirs.most,
                        "ratio": result.ratio(name)}
                 for name, theirs in result.peers.items()}
        return {"row": result.figure.name, "median": result.ours.median, "min": result.ours.least,
                "max": result.ours.most, "unit": result.figure.unit, "peers": peers}
    lines = ",\n ".join(json.dumps(rounded(of(result)), allow_nan=False) for result in results)
    return f"[{lines}]\n"


def rounded(value):
    """To six digits; what JSON has no word for becomes null."""
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, float):
        return float(f"{value:.6g}") if abs(value) != float("inf") else None
    return value


# ---- for people ----------------------------------------------------------------------------------


def short(value):
    """Three digits and a letter: 20.8M, 0.052, 364."""
    if value is None:
        return ""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{value / (1e3 if letter == 'k' else size):.3g}{letter}"
    if abs(value) >= 1000:
        return f"{value:.0f}"
    return f"{value:.3g}"


def must(figure, value):
    if figure.must is None:
        return ""
    bound = (">= " if figure.better == MORE else "<= ") + short(figure.must)
    return bound if reaches(figure, value) else bound + " MISSED"


def lead(times, over):
    return "" if times is None else f"{short(times)} x {over}"


def table(results, peers):
    """`peers` are the names of the columns, in order."""
    head = ["row", "actord", "min", "max", "unit", "must be", *peers, "ahead of the best", "quoted"]
    lines = []
    for result in results:
        best, other = result.best_peer(), result.best_quoted()
        ours = result.ours
        lines.append([
            result.figure.name, short(ours.median), short(ours.least), short(ours.most),
            result.figure.unit, must(result.figure, ours.median),
            *(short(result.peers[peer].median) if peer in result.peers else "" for peer in peers),
            lead(result.ratio(best), best) if best else "",
            lead(ratio(result.figure, ours.median, result.figure.quoted[other]),
                 f"{other} ({short(result.figure.quoted[other])})") if other else ""])
    return aligned([head, *lines], left={0, 4, 5, len(head) - 2, len(head) - 1})


def aligned(lines, left):
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]

    def text(line):
        cells = (cell.ljust(width) if i in left else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(line, widths)))
        return "  ".join(cells).rstrip()
    return "\n".join(map(text, lines)) + "\n"
