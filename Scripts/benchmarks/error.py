"""How far the reported round trips are from a packet capture of the same queries."""

import bisect
import contextlib
import os
import platform

from benchmarks import clients
from benchmarks.capture import capture
from benchmarks.processes import hogs
from benchmarks.servers import delaying
from benchmarks.table import quantile, table

QUERIES = 200
RATE = 25
DELAY_MS = 20
TOOLS = {
    "dnstempo": clients.dnstempo,
    "dig -u": clients.dig,
    "kdig": clients.kdig,
    "dnsperf -v": clients.dnsperf,
}


def error():
    """Prints the errors of each program, idle and under load."""
    if os.geteuid() != 0:
        raise SystemExit("bench: error captures packets, which takes root: sudo Scripts/bench error")
    cores = os.cpu_count()
    rows = {name: [name] for name in TOOLS}
    shares = []
    for load in (0, 2 * cores):
        with delaying(DELAY_MS) as port, hogs(load):
            for name, measure in TOOLS.items():
                rows[name] += one(name, measure, port)
            shares.append([f"{load} CPU hogs" if load else "idle", *kernel_shares(port)])
    print(f"Error of the round trip in µs against a packet capture: {QUERIES} queries,")
    print(f"{RATE} a second, behind a {DELAY_MS} ms delay; {cores} cores, {platform.machine()}.\n")
    columns = [f"{load} {part}" for load in ("idle", f"{2 * cores} hogs")
               for part in ("n", "p50", "p99", "max")]  # fmt: skip
    table(["", *columns], rows.values())
    print("\nShare of dnstempo's samples with both stamps from the kernel (`clock=kernel`):\n")
    table(["", "no capture running", "capture running"], shares)


def one(name, measure, port):
    """The number of queries compared and the error's quantiles in microseconds."""
    try:
        with capture(port) as captured:
            reports = measure(port, QUERIES, RATE)
            errors = compare(reports, captured.round_trips(port))
    except clients.Unavailable as reason:
        print(f"{name}: {reason}\n")
        return ["–"] * 4
    if not errors:
        return ["0", "–", "–", "–"]
    figures = [quantile(errors, part) / 1000 for part in (0.5, 0.99, 1)]
    return [str(len(errors)), *(f"{figure:,.1f}" for figure in figures)]


def compare(reports, captured):
    """Absolute errors in nanoseconds of the reports that a captured round trip is found for."""
    if reports and reports[0].id is not None:
        by_id = {trip.id: trip for trip in captured}
        pairs = [(report, by_id.get(report.id)) for report in reports]
    elif reports and reports[0].sent is not None:
        captured = sorted(captured, key=lambda trip: trip.sent)
        pairs = [(report, nearest(captured, report.sent)) for report in reports]
    else:
        # Both are in the order of the answers, and mean the same only where none is missing.
        pairs = list(zip(reports, captured)) if len(reports) == len(captured) else []
    return [abs(report.time - trip.time) for report, trip in pairs if trip]


def nearest(captured, sent):
    """The round trip whose query left nearest to `sent`, within half the queries' distance."""
    index = bisect.bisect([trip.sent for trip in captured], sent)
    around = captured[max(0, index - 1) : index + 1]
    best = min(around, key=lambda trip: abs(trip.sent - sent), default=None)
    return best if best and abs(best.sent - sent) < 0.5e9 / RATE else None


def kernel_shares(port):
    """The share of `clock=kernel` without and with a capture running."""
    for context in (contextlib.nullcontext(), capture(port)):
        try:
            with context:
                clocks = [report.clock for report in clients.dnstempo(port, QUERIES, RATE)]
            yield f"{100 * clocks.count('kernel') / max(1, len(clocks)):.1f} %"
        except clients.Unavailable:
            yield "–"
