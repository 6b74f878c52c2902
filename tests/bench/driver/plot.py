# SPDX-License-Identifier: Apache-2.0
"""The results as a picture: for each figure how good the peers are, where actord is 1."""

import math
from xml.sax.saxutils import escape

from results import ratio

LINE, LEFT, WIDTH, TOP, RIGHT = 26, 190, 640, 60, 150
COLOURS = {"erlang": "#a90533", "erlang_supervisor": "#d98aa0", "caf": "#1f6fb2"}
QUOTED, OURS, MUST = "#999999", "#1a7f37", "#bf8700"


def points_of(result):
    """(how good where actord is 1, what, colour, whether it was measured here)"""
    ours = result.ours.median
    for name, theirs in result.peers.items():
        yield ratio(result.figure, theirs.median, ours), name, COLOURS.get(name, QUOTED), True
    for name, value in result.figure.quoted.items():
        yield ratio(result.figure, value, ours), name, QUOTED, False
    if result.figure.must:
        yield ratio(result.figure, result.figure.must, ours), "must be", MUST, True


def drawable(times):
    return times is not None and 0 < times < float("inf")


def svg(results):
    rows = [(result, [point for point in points_of(result) if drawable(point[0])])
            for result in results]
    exponents = [math.log10(point[0]) for _, points in rows for point in points]
    low, high = math.floor(min(exponents, default=-1)), math.ceil(max(exponents, default=0))
    low, high = min(low, -1), max(high, 1)

    def x(times):
        return LEFT + (math.log10(times) - low) / (high - low) * WIDTH

    height = TOP + LINE * len(rows) + 30
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + RIGHT}" '
           f'height="{height}" font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>',
           '<text x="10" y="20" font-size="15">How good the others are, where actord is 1 '
           '(further left: further behind)</text>',
           legend()]
    for exponent in range(low, high + 1):
        at, colour = x(10 ** exponent), OURS if exponent == 0 else "#dddddd"
        out.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{TOP - 8}" y2="{height - 24}" '
                   f'stroke="{colour}"/>')
        out.append(f'<text x="{at:.1f}" y="{height - 8}" text-anchor="middle">'
                   f'{10 ** exponent:g}</text>')
    for i, (result, points) in enumerate(rows):
        y = TOP + LINE * i + LINE / 2
        out.append(f'<text x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">'
                   f'{escape(result.figure.name)}</text>')
        out.append(f'<text x="{LEFT + WIDTH + 10}" y="{y + 4:.1f}">'
                   f'{result.ours.median:.4g} {escape(result.figure.unit)}</text>')
        out.extend(mark(x(times), y, what, colour, is_measured)
                   for times, what, colour, is_measured in points)
    return "\n".join([*out, "</svg>"]) + "\n"


def mark(at, y, what, colour, is_measured):
    title = f"<title>{escape(what)}</title>"
    if what == "must be":
        return (f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{y - 9:.1f}" y2="{y + 9:.1f}" '
                f'stroke="{colour}" stroke-width="3">{title}</line>')
    fill = colour if is_measured else "white"
    return (f'<circle cx="{at:.1f}" cy="{y:.1f}" r="5" fill="{fill}" stroke="{colour}">'
            f'{title}</circle>')


def legend():
    entries = [("erlang", COLOURS["erlang"], True),
               ("erlang_supervisor", COLOURS["erlang_supervisor"], True),
               ("caf", COLOURS["caf"], True), ("quoted", QUOTED, False), ("must be", MUST, True)]
    out = []
    for i, (what, colour, is_measured) in enumerate(entries):
        at = LEFT + 130 * i
        out.append(mark(at, 38, what, colour, is_measured))
        out.append(f'<text x="{at + 10}" y="42">{what}</text>')
    return "\n".join(out)
