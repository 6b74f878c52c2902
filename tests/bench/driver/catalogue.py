# SPDX-License-Identifier: Apache-2.0
"""What is measured: each figure, the run it comes out of, which way is better, what it must reach.

`quoted` are medians of other peers that no package of Debian brings. They were measured once, on
another machine (two cores of an AMD EPYC), and are shown as that: quoted.
"""

from dataclasses import dataclass, field

MORE, LESS = "more", "less"

PONY, CAF_MAIN, CAF_1_1 = "Pony 0.69.1", "CAF main", "CAF 1.1.0"
SOBJECTIZER, SKYNET = "SObjectizer 5.8.4", "skynet 1.8"
SPDLOG = "spdlog, synchronous"


@dataclass(frozen=True)
class Figure:
    name: str
    row: str  # of actord-bench and of the peers: one run yields all its figures
    unit: str
    better: str
    must: float = None  # at least or at most, on two cores
    quoted: dict = field(default_factory=dict)
    is_default: bool = True


def quoted(*values, peers=(PONY, CAF_MAIN, CAF_1_1, SOBJECTIZER, SKYNET)):
    return {peer: value for peer, value in zip(peers, values) if value is not None}


FIGURES = (
    Figure("pingpong", "pingpong", "msg/s", MORE, 45e6,
           quoted(7.3e6, 5.7e6, 6.0e6, 6.3e6, 10.8e6)),
    Figure("pingpong_cpus", "pingpong", "CPUs", LESS, 1.1),
    Figure("ring", "ring", "msg/s", MORE, 45e6, quoted(6.1e6, 5.4e6, 6.0e6, 6.0e6, 7.5e6)),
    Figure("many2one", "many2one", "msg/s", MORE, 35e6, quoted(32e6, 5.1e6, 5.8e6, 4.4e6, 6.2e6)),
    Figure("many2one_peak_mb", "many2one", "MB", LESS, 64, quoted(303, 339, 290, 1069, 653)),
    Figure("forkjoin", "forkjoin", "msg/s", MORE, 25e6, quoted(21e6, 3.8e6, 4.1e6, 4.3e6, 6.3e6)),
    Figure("big", "big", "msg/s", MORE, 28e6, quoted(27.6e6, 7.5e6, 7.6e6, 11e6, 7.1e6)),
    Figure("tree1m", "tree1m", "s", LESS, 0.10, quoted(0.22, 0.51, 0.48, 2.8, 5.4)),
    Figure("tree1m_peak_mb", "tree1m", "MB", LESS, 20, quoted(191, 5, None, 1663, 2226)),
    Figure("spawnstop", "spawnstop", "actors/s", MORE, 5e6,
           quoted(0.94e6, 0.97e6, 1.0e6, 0.25e6, 0.60e6)),
    Figure("idle_bytes", "idle_bytes", "bytes", LESS, 256, quoted(618, 1242, 1255, 2042, 1993)),
    Figure("failure1", "failure1", "failures/s", MORE, 500e3, quoted(None, 82e3, 35e3, 50e3)),
    Figure("failure1_p50_us", "failure1", "us", LESS, 2, quoted(None, 11, 26, 20)),
    Figure("failure1_p99_us", "failure1", "us", LESS, 5, quoted(None, 32, 53, 28)),
    Figure("failure1000", "failure1000", "failures/s", MORE, 1.2e6,
           quoted(None, 116e3, 484e3, 238e3)),
    Figure("ask_p50_us", "ask", "us", LESS, 0.08, quoted(0.27, 0.39, 0.37, 0.34, 0.21)),
    Figure("ask_p999_us", "ask", "us", LESS, 0.25, quoted(2.2, 0.83, 0.67, 0.59, 0.28)),
    Figure("ask_sleeping_p50_us", "ask_sleeping", "us", LESS, 0.5,
           quoted(None, 0.57, 0.61, 7.5, 0.84)),
    Figure("ask_sleeping_p99_us", "ask_sleeping", "us", LESS, 2.4,
           quoted(None, 3.7, 5.5, 14, 2.4)),
    # skynet's come early, so they are not late.
    Figure("timers_p50_late_us", "timers", "us", LESS, 30, quoted(None, 57, 2.4e6, 60)),
    Figure("timers_cpu_s", "timers", "s", LESS, 0.1, quoted(None, 1.4, 8.2, 2.6, 0.08)),
    Figure("timers_insert_ns", "timers", "ns", LESS, 60, quoted(None, 334, 61e3, 372, 152)),
    Figure("log_lines", "log_lines", "lines/s", MORE, 8e6, {SPDLOG: 4.4e6}),
    Figure("boundary_ratio", "boundary_ratio", "x", LESS, 1.15),
    Figure("idle_wakeups", "idle_daemon", "1/s", LESS, 0),
    Figure("idle_rss_mb", "idle_daemon", "MB", LESS, 12),
    Figure("boot_ms", "boot_ms", "ms", LESS, 30),
    Figure("boot100k_s", "boot100k_s", "s", LESS, 1),
    Figure("router_ratio", "router", "x", MORE, 0.9),
    # Only where they are named.
    Figure("router_refs", "router", "msg/s", MORE, is_default=False),
    Figure("router_pool", "router", "msg/s", MORE, is_default=False),
    Figure("failure1_p90_us", "failure1", "us", LESS, is_default=False),
    Figure("failure1_p999_us", "failure1", "us", LESS, is_default=False),
    Figure("failure1_max_us", "failure1", "us", LESS, is_default=False),
    Figure("boundary_pingpong", "boundary_ratio", "x", LESS, 1.15, is_default=False),
    Figure("boundary_many2one", "boundary_ratio", "x", LESS, 1.15, is_default=False),
    *(Figure(f"savina_{program}_ms", "savina", "ms", LESS, is_default=False)
      for program in ("thread_ring", "chameneos", "dictionary", "producer_consumer",
                      "philosophers", "barber", "bank", "sieve", "n_queens", "a_star",
                      "fork_join")),
    Figure("isolation_hot_us", "isolation", "us", LESS, 0.5, is_default=False),
    Figure("isolation_cold_us", "isolation", "us", LESS, 40, is_default=False),
    Figure("isolation_in_process_us", "isolation", "us", LESS, is_default=False),
    Figure("isolation_socket_us", "isolation", "us", LESS, is_default=False),
    Figure("isolation_one_way", "isolation", "msg/s", MORE, 2e6, is_default=False),
    Figure("isolation_one_way_in_process", "isolation", "msg/s", MORE, is_default=False),
    Figure("crash_kill_spare_ms", "isolation_crash", "ms", LESS, 0.8, is_default=False),
    Figure("crash_kill_cold_ms", "isolation_crash", "ms", LESS, 2, is_default=False),
    Figure("crash_segv_spare_ms", "isolation_crash", "ms", LESS, 0.3, is_default=False),
    Figure("spawn_exec_ms", "isolation_crash", "ms", LESS, is_default=False),
    Figure("spawn_host_ms", "isolation_crash", "ms", LESS, is_default=False),
    Figure("kill_to_pidfd_ms", "isolation_crash", "ms", LESS, is_default=False),
    Figure("isolation_kills", "isolation_kills", "kills", MORE, is_default=False),
    Figure("isolation_kills_p99_us", "isolation_kills", "us", LESS, is_default=False),
    Figure("isolation_control_p99_us", "isolation_kills", "us", LESS, is_default=False),
    Figure("isolation_kills_ratio", "isolation_kills", "x", LESS, 1.5, is_default=False),
    Figure("isolation_stops", "isolation_stops", "stops", MORE, is_default=False),
    Figure("isolation_stops_p99_us", "isolation_stops", "us", LESS, is_default=False),
    Figure("isolation_stops_control_us", "isolation_stops", "us", LESS, is_default=False),
    Figure("isolation_stops_ratio", "isolation_stops", "x", LESS, 1.5, is_default=False),
    Figure("log_lifecycle_ns", "log_lifecycle", "ns", LESS, 60, is_default=False),
    Figure("log_lifecycle_ratio", "log_lifecycle", "x", LESS, is_default=False),
    Figure("wake_p50_us", "wake", "us", LESS, is_default=False),
    Figure("wake_p99_us", "wake", "us", LESS, is_default=False),
    *(Figure(f"persist_{events}", "persist", "events/s", MORE, is_default=False)
      for events in (1, 32, 256, 2048)),
    *(Figure(f"persist_raw_{events}", "persist", "events/s", MORE, is_default=False)
      for events in (1, 32, 256, 2048)),
    Figure("persist_ratio_1", "persist", "x", MORE, 0.8, is_default=False),
    Figure("persist_ratio_32", "persist", "x", MORE, is_default=False),
    Figure("persist_ratio_256", "persist", "x", MORE, is_default=False),
    Figure("persist_ratio_2048", "persist", "x", MORE, 0.8, is_default=False),
    Figure("persist_recovery_one", "persist_recovery", "s/GB", LESS, 2, is_default=False),
    Figure("persist_recovery_mixed", "persist_recovery", "s/GB", LESS, is_default=False),
    Figure("persist_worker_ns", "persist_worker", "ns", LESS, 1000, is_default=False),
    Figure("hocon_ms", "hocon", "ms", LESS, 50, is_default=False),
    Figure("hocon_bytes", "hocon", "B/B", LESS, 20, is_default=False),
    Figure("hocon_10mb_s", "hocon", "s", LESS, 1, is_default=False),
    Figure("hocon_chain_ms", "hocon", "ms", LESS, 10, is_default=False),
    Figure("hocon_append_ms", "hocon", "ms", LESS, 50, is_default=False),
)

NAMES = tuple(figure.name for figure in FIGURES)
ROWS = tuple(dict.fromkeys(figure.row for figure in FIGURES))


def chosen(words):
    """The figures that words name: figures, or rows, which are all their figures; none: the
    default ones. Raises KeyError with the word that names nothing."""
    if not words:
        return [figure for figure in FIGURES if figure.is_default]
    for word in words:
        if word not in NAMES and word not in ROWS:
            raise KeyError(word)
    return [figure for figure in FIGURES
            if figure.name in words or (figure.row in words and (
                figure.is_default or not any(other.is_default for other in FIGURES
                                             if other.row == figure.row)))]
