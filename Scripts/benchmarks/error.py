"""How far the reported round trips are from a packet capture of the same queries."""

import bisect
import contextlib
import functools
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks import clients
from benchmarks.capture import capture
from benchmarks.processes import hogs
from benchmarks.servers import delaying, encrypting
from benchmarks.table import quantile, table

QUERIES = 200
# Slow enough that one query is answered before the next, even where an answer waits for an
# acknowledgement that the system holds back for 40 ms.
RATE = 15
DELAY_MS = 20
# No two queries are sent within so short a time.
SAME_NS = 5_000_000
# Before an answer the server is silent for longer than this, and within one it is not.
QUIET_NS = 15_000_000


@dataclass
class Way:
    """A program that asks over a transport; `measure` takes the port and `place` the servers."""

    name: str
    transport: str
    measure: Callable

    def port(self, place):
        return place[self.transport][0]

    def reports(self, place, count, rate):
        return self.measure(*place[self.transport], count, rate)

    def captured(self, capture, port):
        if self.transport == "udp":
            return capture.round_trips(port)
        if self.transport in ("quic", "h3"):
            return capture.datagram_round_trips(port)
        return capture.streamed_round_trips(port, QUIET_NS)


WAYS = [
    Way("dnstempo", "udp", clients.dnstempo),
    Way("dig -u", "udp", clients.dig),
    Way("kdig", "udp", clients.kdig),
    Way("dnsperf -v", "udp", clients.dnsperf),
    Way("dnstempo tls", "tls", functools.partial(clients.dnstempo_encrypted, "tls")),
    Way("kdig +tls", "tls", functools.partial(clients.kdig_encrypted, "tls")),
    Way("dnstempo https", "https", functools.partial(clients.dnstempo_encrypted, "https")),
    Way("kdig +https", "https", functools.partial(clients.kdig_encrypted, "https")),
    Way("dnsping --tls", "tls", functools.partial(clients.dnsping_encrypted, "--tls")),
    Way("dnsping --doh", "https", functools.partial(clients.dnsping_encrypted, "--doh")),
    Way("dnstempo quic", "quic", functools.partial(clients.dnstempo_encrypted, "quic")),
    Way("dnsping --quic", "quic", functools.partial(clients.dnsping_encrypted, "--quic")),
    Way("dnstempo h3", "h3", functools.partial(clients.dnstempo_encrypted, "h3")),
    Way("dnsping --http3", "h3", functools.partial(clients.dnsping_encrypted, "--http3")),
]


def error():
    """Prints the errors of each program, idle and under load."""
    if os.geteuid() != 0:
        raise SystemExit("bench: error captures packets, which takes root: sudo Scripts/bench error")
    cores = os.cpu_count()
    loads = {"idle": 0, f"{2 * cores} hogs": 2 * cores}
    rows = {way.name: [way.name] for way in WAYS}
    medians = {way.name: [way.name] for way in WAYS}
    shares = []
    for load, count in loads.items():
        with servers() as place, hogs(count):
            for way in WAYS:
                errors, times = one(way, place)
                rows[way.name] += errors
                medians[way.name] += times
            for way in WAYS:
                if way.name.startswith("dnstempo"):
                    shares.append([f"{way.name}, {load}", *kernel_shares(way, place)])
    print(f"Error of the round trip in µs against a packet capture: {QUERIES} queries,")
    print(f"{RATE} a second, behind a {DELAY_MS} ms delay; {cores} cores, {platform.machine()}.\n")
    columns = [f"{load} {part}" for load in loads for part in ("n", "p50", "p99", "max")]
    table(["", *columns], rows.values())
    print("\nOn Linux's loopback a capture has UDP packets as they are sent, but TCP's, whose field for")
    print("the stamp holds the time of pacing, as their receiver comes to them: some µs later.")
    print("\nMedian round trip in ms, as reported and as captured:\n")
    columns = [f"{load} {part}" for load in loads for part in ("reported", "captured")]
    table(["", *columns], medians.values())
    print("\nShare of dnstempo's samples with both stamps from the kernel (`clock=kernel`):\n")
    table(["", "no capture running", "capture running"], shares)


@contextlib.contextmanager
def servers():
    """Where each transport is answered after the delay: a port, and the certificate to trust."""
    with delaying(DELAY_MS) as port, encrypting(port) as place:
        yield {
            "udp": (port,),
            "tls": (place.tls, place.certificate),
            "https": (place.https, place.certificate),
            "quic": (place.quic, place.certificate),
            "h3": (place.h3, place.certificate),
        }


def one(way, place):
    """The number of queries compared and the error's quantiles in microseconds; the medians."""
    port = way.port(place)
    try:
        with capture(port) as captured:
            reports = way.reports(place, QUERIES, RATE)
            trips = way.captured(captured, port)
    except clients.Unavailable as reason:
        print(f"{way.name}: {reason}\n")
        return ["–"] * 4, ["–"] * 2
    errors = compare(reports, trips)
    times = [f"{quantile([trip.time for trip in part], 0.5) / 1e6:.3f}" if part else "–"
             for part in (reports, trips)]  # fmt: skip
    if not errors:
        return ["0", "–", "–", "–"], times
    figures = [quantile(errors, part) / 1000 for part in (0.5, 0.99, 1)]
    return [str(len(errors)), *(f"{figure:,.1f}" for figure in figures)], times


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
    """The round trip whose query left nearest to `sent`, and so near that it is no other's."""
    index = bisect.bisect([trip.sent for trip in captured], sent)
    around = captured[max(0, index - 1) : index + 1]
    best = min(around, key=lambda trip: abs(trip.sent - sent), default=None)
    return best if best and abs(best.sent - sent) < SAME_NS else None


def kernel_shares(way, place):
    """The share of `clock=kernel` without and with a capture running."""
    for context in (contextlib.nullcontext(), capture(way.port(place))):
        try:
            with context:
                clocks = [report.clock for report in way.reports(place, QUERIES, RATE)]
            yield f"{100 * clocks.count('kernel') / max(1, len(clocks)):.1f} %"
        except clients.Unavailable:
            yield "–"
