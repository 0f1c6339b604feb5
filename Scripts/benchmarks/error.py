"""Errors of reported round trips, compared with a packet capture of the same queries."""

import bisect
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks import clients
from benchmarks.capture import capture
from benchmarks.encrypted_servers import delaying_everywhere
from benchmarks.hosts import Service
from benchmarks.link import link
from benchmarks.pairing import pair, pair_datagrams, pair_streamed
from benchmarks.processes import hogs
from benchmarks.servers import delaying
from benchmarks.table import quantile, table

QUERIES = 200
# Queries of a program that opens a connection per query. With 101 queries, p99 is not the maximum.
CONNECTIONS = 101
# Queries per second. Each query is answered before the next one starts, even if the answer waits for an
# acknowledgement that the system delays by 40 ms.
RATE = 15
DELAY_MS = 20
# Two queries are always sent further apart than this.
SAME_NS = 5_000_000
# The server's pause before an answer is longer than this. Pauses within an answer are shorter.
QUIET_NS = 15_000_000


@dataclass
class Way:
    """A program and its transport. `measure` takes a service, a number of queries and a rate."""

    name: str
    transport: str
    measure: Callable
    count: int = QUERIES

    @property
    def is_ours(self):
        return self.measure is clients.dnstempo

    def captured(self, packets, port):
        if self.transport == "udp":
            return pair(packets, port)
        if self.transport in ("quic", "h3"):
            return pair_datagrams(packets, port, QUIET_NS)
        return pair_streamed(packets, port, QUIET_NS)


PLAIN = [
    Way("dnstempo", "udp", clients.dnstempo),
    Way("dig -u", "udp", clients.dig),
    Way("kdig", "udp", clients.kdig),
    Way("dnsperf -v", "udp", clients.dnsperf),
]
ENCRYPTED = [
    Way("dnstempo tls", "tls", clients.dnstempo),
    Way("kdig +tls", "tls", clients.kdig, CONNECTIONS),
    Way("dnsping --tls", "tls", clients.dnsping, CONNECTIONS),
    Way("dnstempo https", "https", clients.dnstempo),
    Way("kdig +https", "https", clients.kdig, CONNECTIONS),
    Way("dnsping --doh", "https", clients.dnsping, CONNECTIONS),
    Way("dnstempo quic", "quic", clients.dnstempo),
    Way("dnsping --quic", "quic", clients.dnsping, CONNECTIONS),
    Way("dnstempo h3", "h3", clients.dnstempo),
    Way("dnsping --http3", "h3", clients.dnsping, CONNECTIONS),
]


def error():
    """Prints the errors of each program over UDP, idle and under load."""
    with link("error") as host, delaying(DELAY_MS, host) as port:
        _print(PLAIN, host, {"udp": Service("udp", host.address, port)})


def encrypted():
    """Prints the errors of each program over the encrypted transports, idle and under load."""
    with link("encrypted") as host, delaying_everywhere(DELAY_MS, host) as services:
        _print(ENCRYPTED, host, services)
    print(f"\nPrograms that open a connection per query sent {CONNECTIONS} queries, equally far apart.")
    print("The time of dnsping includes connect and handshake. Its queries are not padded, so the")
    print("capture recognises them only over HTTPS.")


def _print(ways, host, services):
    cores = os.cpu_count()
    loads = {"idle": 0, "busy": 2 * cores}
    rows = {way.name: [way.name] for way in ways}
    medians = {way.name: [way.name] for way in ways}
    shares = {way.name: [way.name] for way in ways if way.is_ours}
    open_ends = {way.name: [way.name] for way in ways if way.is_ours}
    for load, count in loads.items():
        with hogs(count):
            for way in ways:
                seen = one(way, host, services[way.transport])
                rows[way.name] += seen.errors
                medians[way.name] += seen.medians
                if way.is_ours:
                    shares[way.name] += [seen.share, alone(way, services[way.transport])]
                    open_ends[way.name] += seen.apart
    print(f"Error of the round trip in µs, compared with a packet capture. {QUERIES} queries with a")
    print(f"delay of {DELAY_MS} ms, {RATE} per second, over a link between two network namespaces.")
    print(f"{cores} cores, {platform.machine()}. Busy: {2 * cores} busy processes.\n")
    columns = [f"{load} {part}" for load in loads for part in ("n", "p50", "p99", "max")]
    table(["", *columns], rows.values())
    print("\nThe capture stamps each query at both ends of the link, and uses the middle. Time between")
    print("the two stamps in µs; the error of the capture may be half of it:\n")
    columns = [f"{load} {part}" for load in loads for part in ("p50", "p99")]
    table(["", *columns], open_ends.values())
    print("\nMedian round trip in ms, as reported and as captured:\n")
    columns = [f"{load} {part}" for load in loads for part in ("reported", "captured")]
    table(["", *columns], medians.values())
    print("\nShare of dnstempo's samples with both stamps from the kernel (`clock=kernel`), with the")
    print("capture running (captured) and without it (alone):\n")
    columns = [f"{load} {part}" for load in loads for part in ("captured", "alone")]
    table(["", *columns], shares.values())


@dataclass
class Seen:
    """The results of one program's run, as cells of tables.

    - `errors`: number of compared queries, and p50, p99 and maximum of the error in µs
    - `medians`: median round trip in ms, as reported and as captured
    - `share`: share of `clock=kernel`
    - `apart`: p50 and p99 of the time between the two stamps of a packet in µs
    """

    errors: list
    medians: list
    share: str
    apart: list


def one(way, host, service):
    """Runs a program while the capture runs."""
    try:
        with capture(host, service) as captured:
            reports = way.measure(service, way.count, RATE)
            trips = way.captured(captured.packets(), service.port)
            apart = captured.apart(service.port)
    except clients.Unavailable as reason:
        print(f"{way.name}: {reason}\n")
        return Seen(["–"] * 4, ["–"] * 2, "–", ["–"] * 2)
    errors = compare(reports, trips)
    return Seen(
        [str(len(errors)), *_microseconds(errors, 0.5, 0.99, 1)],
        [*_milliseconds(reports), *_milliseconds(trips)],
        kernel_share(reports),
        _microseconds(apart, 0.5, 0.99),
    )


def _microseconds(times, *parts):
    return [f"{quantile(times, part) / 1000:,.1f}" if times else "–" for part in parts]


def _milliseconds(trips):
    return [f"{quantile([trip.time for trip in trips], 0.5) / 1e6:.3f}" if trips else "–"]


def alone(way, service):
    """Returns the share of `clock=kernel` without a capture."""
    try:
        return kernel_share(way.measure(service, CONNECTIONS, RATE))
    except clients.Unavailable:
        return "–"


def kernel_share(reports):
    clocks = [report.clock for report in reports]
    return f"{100 * clocks.count('kernel') / max(1, len(clocks)):.1f} %"


def compare(reports, captured):
    """Returns the absolute errors in nanoseconds of the reports that have a captured round trip."""
    if reports and reports[0].id is not None:
        by_id = {trip.id: trip for trip in captured}
        pairs = [(report, by_id.get(report.id)) for report in reports]
    elif reports and reports[0].sent is not None:
        captured = sorted(captured, key=lambda trip: trip.sent)
        pairs = [(report, nearest(captured, report.sent)) for report in reports]
    else:
        # Both lists are in the order of the answers. They correspond only if both are complete.
        pairs = list(zip(reports, captured)) if len(reports) == len(captured) else []
    return [abs(report.time - trip.time) for report, trip in pairs if trip]


def nearest(captured, sent):
    """Returns the captured round trip whose query was sent closest to `sent`, or None beyond SAME_NS."""
    index = bisect.bisect([trip.sent for trip in captured], sent)
    around = captured[max(0, index - 1) : index + 1]
    best = min(around, key=lambda trip: abs(trip.sent - sent), default=None)
    return best if best and abs(best.sent - sent) < SAME_NS else None
