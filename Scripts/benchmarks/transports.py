"""Times of connect, handshake and query of each transport, compared with other tools."""

import math
import os
import platform
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks import clients, kept
from benchmarks.capture import capture
from benchmarks.encrypted_servers import answering_everywhere
from benchmarks.link import link
from benchmarks.pairing import pair_apart
from benchmarks.table import midmean, quantile, table

ROUNDS = 7
QUERIES = 20
# Queries per second. At FAR, processors sleep between queries. At NEAR, they stay awake.
FAR = 20
NEAR = 400
RATES = (FAR, NEAR)
# Rounding error of the last digit that a program prints, in nanoseconds.
KDIG_ROUNDING = 50_000
DNSPING_ROUNDING = 500

PLAIN = ("udp", "tcp")
STREAMS = ("tls", "https")
ENCRYPTED = (*STREAMS, "quic", "h3")


@dataclass
class Way:
    """A way to send queries over some transports. `measure` takes a service and a rate.

    With `is_apart`, there is no handshake between queries. The capture then separates them by pauses.
    """

    name: str
    transports: tuple
    measure: Callable
    rate: int = FAR
    is_apart: bool = False


def _ours(connections, wanted):
    def measure(service, rate):
        # Skip the first query: it opens the kept connection, or brings the first session ticket.
        reports = clients.dnstempo(service, QUERIES + 1, rate, connections)[1:]
        return [report for report in reports if report.connection in wanted]

    return measure


def _theirs(program):
    return lambda service, rate: program(service, QUERIES, rate)


OPEN, RESUMED, KEPT = "dnstempo, opened", "dnstempo, resumed", "dnstempo, kept"
PROCESS, KDIG, PING, AT_ONCE = "kdig, opened", "kdig, kept", "dnsping, opened", "kdig, at once"
# UDP has no connection, so the column is empty.
opening = _ours("fresh", ("new", ""))
keeping = _ours("reuse", ("reused",))
WAYS = [
    Way(OPEN, ENCRYPTED, opening),
    Way(RESUMED, ENCRYPTED, _ours("resume", ("resumed", "early"))),
    Way(KEPT, ("quic", "h3"), keeping, is_apart=True),
    Way(PROCESS, (*PLAIN, *STREAMS), _theirs(clients.kdig)),
    Way(PING, (*PLAIN, *ENCRYPTED), _theirs(clients.dnsping)),
    Way(AT_ONCE, (*PLAIN, *STREAMS), lambda service, _: kept.kdig_at_once(service, QUERIES)),
]
for rate in RATES:
    WAYS += [
        Way(OPEN, PLAIN, opening, rate, is_apart=True),
        Way(KEPT, STREAMS, keeping, rate, is_apart=True),
        Way(KDIG, (*PLAIN, *STREAMS), _theirs(kept.kdig), rate, is_apart=True),
    ]


@dataclass
class Pair:
    """A comparison of a way of dnstempo with a way of another tool.

    `part` is the compared time of dnstempo. `rounding` is the rounding error of the other tool.
    """

    ours: str
    theirs: str
    transports: tuple
    rate: int = FAR
    part: str = "query"
    rounding: int = KDIG_ROUNDING


PAIRS = [Pair(OPEN, PROCESS, (*PLAIN, *STREAMS))]
PAIRS += [Pair(OPEN, KDIG, PLAIN, rate) for rate in RATES]
PAIRS += [Pair(KEPT, KDIG, STREAMS, rate) for rate in RATES]
PAIRS += [Pair(OPEN, PING, (*PLAIN, *ENCRYPTED), part="total", rounding=DNSPING_ROUNDING)]


@dataclass
class Round:
    """The times of a round in nanoseconds. Each time is the mean of the middle half of its queries.

    `captured` is the time of the queries in the capture. `began` and `ended` are since 1970.
    """

    connect: float | None
    handshake: float | None
    query: float
    began: int
    ended: int
    captured: float | None = None

    @property
    def total(self):
        return (self.connect or 0) + (self.handshake or 0) + self.query


def transports():
    """Prints the times by transport, and the comparison with other tools."""
    draw = random.Random(2009)
    rounds = {}
    with link("transports") as host, answering_everywhere(host) as services:
        with capture(host, *services.values()) as captured:
            for _ in range(ROUNDS):
                for transport, service in services.items():
                    ways = [way for way in WAYS if transport in way.transports]
                    draw.shuffle(ways)
                    for way in ways:
                        found = rounds.setdefault((transport, way.name, way.rate), [])
                        found.append(_round(way, service))
            packets = captured.packets()
        _judge(rounds, services, packets)
    _print_times(services, rounds)
    _print_pairs(services, rounds)
    _print_rates(services, rounds)


def _round(way, service):
    """Returns the times of one round; None if the program reported no time."""
    began = time.time_ns()
    try:
        reports = way.measure(service, way.rate)
    except clients.Unavailable as reason:
        print(f"{service.transport}, {way.name}: {reason}\n")
        return None
    if not reports:
        return None
    parts = [[getattr(report, part) for report in reports] for part in ("connect", "handshake")]
    known = [[one for one in part if one is not None] for part in parts]
    means = [midmean(part) if part else None for part in known]
    query = midmean([report.time for report in reports])
    return Round(*means, query, began, time.time_ns())


def _judge(rounds, services, packets):
    """Adds the captured times to the ways whose queries the capture can separate."""
    for way in WAYS:
        for transport in way.transports if way.is_apart else ():
            port = services[transport].port
            for one in filter(None, rounds[transport, way.name, way.rate]):
                own = [packet for packet in packets if one.began <= packet.at <= one.ended]
                trips = pair_apart(own, port, 500_000_000 // way.rate)[-QUERIES:]
                one.captured = midmean([trip.time for trip in trips]) if trips else None


def _print_times(services, rounds):
    print(f"Times in ms: medians of {ROUNDS} alternating rounds of {QUERIES} queries each, {FAR} per second.")
    print("The link is between two network namespaces, and the servers answer at once. dnsdist answers")
    print("the first four transports, aioquic the others. kdig reports the query without its connection,")
    print("to 0.1 ms. dnsping reports both together. ", end="")
    print(f"{os.cpu_count()} cores, {platform.machine()}.\n")
    rows = []
    for transport in services:
        for name in (OPEN, RESUMED, KEPT, PROCESS, KDIG, PING):
            shown = ["connect", "handshake", "query", "total"]
            if name == PING:
                shown = ["", "", "", "query"]
            elif name in (KEPT, PROCESS, KDIG):
                shown = ["", "", "query", ""]
            cells = [_median(rounds, (transport, name, FAR), part) for part in shown]
            if any(cells):
                rows.append([f"{transport}, {name}", *cells])
    table(["", "connect", "handshake", "query", "total"], rows)


def _print_pairs(services, rounds):
    print(f"\ndnstempo compared with other tools in {ROUNDS} rounds, with queries equally far apart. The")
    print("columns are the median and the quartiles of the ratio, and the median difference. The last two")
    print("columns are the ratio in the capture, if it can separate the queries. kdig starts its clock after")
    print("its send has returned. A server this close may have answered already. kdig stops its clock after")
    print("it has read the answer.\n")
    rows, above = [], []
    for transport in services:
        for pair in PAIRS:
            keys = [(transport, name, pair.rate) for name in (pair.ours, pair.theirs)]
            sides = [rounds.get(key, []) for key in keys]
            both = [(ours, theirs) for ours, theirs in zip(*sides) if ours and theirs]
            if transport not in pair.transports or not both:
                continue
            said = [(getattr(ours, pair.part), theirs.query) for ours, theirs in both]
            seen = [(ours.captured, theirs.captured) for ours, theirs in both
                    if ours.captured and theirs.captured]  # fmt: skip
            name = f"{transport}, {pair.rate}/s: {pair.ours} / {pair.theirs}"
            rows.append([name, *_ratios(said), _difference(said, 0.5), *_ratios(seen)])
            if quantile([ours - theirs for ours, theirs in said], 0.25) > pair.rounding:
                above.append(name)
    table(["", "ratio", "quartiles", "difference", "captured ratio", "quartiles"], rows)
    print("\ndnstempo slower in three quarters of the rounds, by more than the other tool's rounding error:")
    print(f"{'; '.join(above) or 'none'}.")


def _print_rates(services, rounds):
    print("\nThe query alone in ms, as reported and as captured. The last column is kdig's report if it")
    print("sends each query as soon as the previous query is answered:\n")
    rows = []
    for transport in services:
        for name in (OPEN, KEPT, KDIG):
            cells = [_median(rounds, (transport, name, rate), part)
                     for rate in RATES for part in ("query", "captured")]  # fmt: skip
            if cells[1]:
                once = (transport, AT_ONCE if name == KDIG else "", FAR)
                rows.append([f"{transport}, {name}", *cells, _median(rounds, once, "query")])
    columns = [f"{rate}/s {part}" for rate in RATES for part in ("reported", "captured")]
    table(["", *columns, "at once"], rows)


def _median(rounds, key, part):
    """Returns the median of a part in milliseconds; an empty text without times."""
    found = [one for one in rounds.get(key, []) if one] if part else []
    values = [getattr(one, part) for one in found if getattr(one, part) is not None]
    return f"{quantile(values, 0.5) / 1e6:.3f}" if values else ""


def _difference(pairs, part):
    return f"{quantile([ours - theirs for ours, theirs in pairs], part) / 1e6:.3f} ms"


def _ratios(pairs):
    """Returns the median and the quartiles of the ratios.

    kdig may round a time to 0. The ratio is then infinite.
    """
    if not pairs:
        return "", ""
    ratios = [ours / theirs if theirs else math.inf for ours, theirs in pairs]
    quartiles = [quantile(ratios, part) for part in (0.25, 0.5, 0.75)]
    low, middle, high = ("∞" if math.isinf(one) else f"{one:.2f}" for one in quartiles)
    return middle, f"{low} to {high}"
