# SPDX-License-Identifier: Apache-2.0
"""Measures actord beside its peers: ./dev bench. Each run is a process of its own; the programs
take turns, so that all see the same moods of the machine."""

import argparse
import os
import sys

import build_seconds
import catalogue
import contestants
import instructions
import plot
import results

EXIT_OFF, EXIT_USAGE, EXIT_FAILED = 1, 64, 70


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(EXIT_USAGE, f"bench: {message}\n")


def positive(text):
    number = int(text)
    if number <= 0:
        raise ValueError(text)
    return number


def parser():
    p = Parser(prog="./dev bench", allow_abbrev=False)
    p.add_argument("rows", nargs="*", metavar="ROW")
    p.add_argument("--tree", required=True, help=argparse.SUPPRESS)
    p.add_argument("--jobs", type=positive, default=1, help=argparse.SUPPRESS)
    p.add_argument("--json", action="store_true", help="an array instead of the table")
    p.add_argument("--plot", action="store_true", help="a picture, too")
    p.add_argument("--no-peers", action="store_true", help="actord alone")
    p.add_argument("--workers", type=positive, help="threads; else one for each CPU")
    p.add_argument("--runs", type=positive, default=5, help="of each row; else 5")
    p.add_argument("--instructions", action="store_true",
                   help="count instructions instead, and compare them with those recorded")
    p.add_argument("--build", action="store_true",
                   help="count the seconds of compilers instead; a row is a room, as core/actor")
    p.add_argument("--record", action="store_true",
                   help="with --instructions or --build: record them")
    return p


def contestants_for(options):
    ours = contestants.actord(options.tree, options.workers)
    if options.no_peers:
        return ours, []
    caf = contestants.caf(options.tree, options.workers)
    erlang = contestants.erlang(options.tree, options.workers)
    if caf is None:
        say("CAF is not installed: going without")
    if not erlang:
        say("Erlang is not installed: going without")
    return ours, [*erlang, *([caf] if caf else [])]


def measure_row(row, ours, peers, runs):
    """Values by figure, by contestant."""
    takers = [ours, *(peer for peer in peers if peer.has(row))]
    values = {taker.name: {} for taker in takers}
    for run in range(runs):
        say(f"{row}: run {run + 1} of {runs}")
        for taker in takers:
            contestants.touch_memory()
            for figure, value in taker.run(row).items():
                values[taker.name].setdefault(figure, []).append(value)
    return values


def result_of(figure, values, ours):
    summaries = {name: results.summary(each[figure.name]) for name, each in values.items()
                 if figure.name in each}
    return results.Result(figure, summaries.pop(ours.name), summaries)


def measure(options, figures):
    ours, peers = contestants_for(options)
    found = []
    for row in dict.fromkeys(figure.row for figure in figures):
        values = measure_row(row, ours, peers, options.runs)
        found += [result_of(figure, values, ours) for figure in figures if figure.row == row]
    order = [figure.name for figure in figures]
    found.sort(key=lambda result: order.index(result.figure.name))
    columns = [peer.name for peer in peers if any(peer.name in each.peers for each in found)]
    sys.stdout.write(results.as_json(found) if options.json else results.table(found, columns))
    if options.plot:
        path = os.path.join(options.tree, "bench.svg")
        with open(path, "w", encoding="utf-8") as file:
            file.write(plot.svg(found))
        say(f"the picture is {path}")
    return 0


def count_instructions(options):
    rows = instructions.chosen(options.rows)
    recorded = instructions.read_counts(instructions.RECORDED)
    base = instructions.read_counts(instructions.BASE)
    counts, is_off = {}, False
    print(instructions.HEAD, flush=True)
    for row, now in instructions.counts_of(options.tree, rows, options.jobs):
        counts[row.name] = now
        before = recorded.get(row.name)
        is_off = is_off or bool(instructions.verdict(now, before))
        print(instructions.line(row, now, before, base.get(row.name)), flush=True)
    if options.record:
        instructions.record(counts, instructions.RECORDED)
        say(f"recorded in {instructions.RECORDED}")
        return 0
    if is_off:
        say(f"beyond {instructions.TOLERANCE:.0%} of what is recorded: mend it, or, if it is meant,"
            " ./dev bench --instructions --record")
    return EXIT_OFF if is_off else 0


def time_build(options):
    recorded = build_seconds.read_record(build_seconds.RECORDED)
    base = build_seconds.read_record(build_seconds.BASE)
    now = build_seconds.measure(options.rows, options.jobs)
    print(build_seconds.HEAD)
    for row in now.rows():
        print(build_seconds.line(row, now, recorded, base))
    say(f"the yardstick took {now.yardstick:.2f} s, when recorded {recorded.yardstick:.2f} s; "
        "changes are in yardsticks")
    if options.record:
        build_seconds.record(now, build_seconds.RECORDED)
        say(f"recorded in {build_seconds.RECORDED}")
        return 0
    if not any(build_seconds.verdict_of(row, now, recorded) for row in now.rows()):
        return 0
    say(f"beyond {build_seconds.TOLERANCE:.0%} of what is recorded: mend it, or, if it is meant,"
        " ./dev bench --build --record")
    return EXIT_OFF


def main():
    options = parser().parse_args()
    try:
        if options.build:
            return time_build(options)
        if options.instructions:
            return count_instructions(options)
        return measure(options, catalogue.chosen(options.rows))
    except KeyError as unknown:
        say(f"no such row: {unknown}; there are {' '.join(catalogue.ROWS)}, and their figures "
            f"{' '.join(catalogue.NAMES)}")
        return EXIT_USAGE
    except (instructions.NoSuchRow, build_seconds.NoSuchRoom) as unknown:
        say(str(unknown))
        return EXIT_USAGE
    except (contestants.Failed, instructions.NotCounted, build_seconds.NotBuilt) as failure:
        say(str(failure))
        return EXIT_FAILED


if __name__ == "__main__":
    sys.exit(main())
