"""Connect, handshake and query of each transport, beside what its peers say of the same servers."""

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
# Queries a second: so far apart that processors sleep between them, and near one another.
FAR = 20
NEAR = 400
RATES = (FAR, NEAR)
# What the last digit of a program's figure leaves open, in nanoseconds.
KDIG_ROUNDING = 50_000
DNSPING_ROUNDING = 500

PLAIN = ("udp", "tcp")
STREAMS = ("tls", "https")
ENCRYPTED = (*STREAMS, "quic", "h3")


@dataclass
class Way:
    """A program that asks over some transports; `measure` takes the service and a rate. Where it
    shakes no hands between queries they can be told apart by their pauses."""

    name: str
    transports: tuple
    measure: Callable
    rate: int = FAR
    is_apart: bool = False


def _ours(connections, wanted):
    def measure(service, rate):
        # The first query opens what is kept, or brings the first ticket.
        reports = clients.dnstempo(service, QUERIES + 1, rate, connections)[1:]
        return [report for report in reports if report.connection in wanted]

    return measure


def _theirs(program):
    return lambda service, rate: program(service, QUERIES, rate)


OPEN, RESUMED, KEPT = "dnstempo, opened", "dnstempo, resumed", "dnstempo, kept"
PROCESS, KDIG, PING, AT_ONCE = "kdig, opened", "kdig, kept", "dnsping, opened", "kdig, at once"
# Over UDP there is no connection.
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
    """What is compared: our way, theirs, which of our times, and what theirs leave open."""

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
    """The mean of the middle half of a round's times, in nanoseconds, by their part, and of the
    queries as captured."""

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
    """Prints the times by transport, and ours beside theirs."""
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
    """One round's times; nothing where the program had none."""
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
    """Adds what the capture says, where it can tell queries apart."""
    for way in WAYS:
        for transport in way.transports if way.is_apart else ():
            port = services[transport].port
            for one in filter(None, rounds[transport, way.name, way.rate]):
                own = [packet for packet in packets if one.began <= packet.at <= one.ended]
                trips = pair_apart(own, port, 500_000_000 // way.rate)[-QUERIES:]
                one.captured = midmean([trip.time for trip in trips]) if trips else None


def _print_times(services, rounds):
    print(f"Times in ms, the median of {ROUNDS} rounds of {QUERIES} queries each, {FAR} a second,")
    print("in turn, over a link between two network namespaces, answered at once; dnsdist answers the")
    print("first four transports, aioquic the others. kdig says what a query took without its")
    print("connection, to 0.1 ms, dnsping what both took. ", end="")
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
    table(["", "connect", "handshake", "query", "all of it"], rows)


def _print_pairs(services, rounds):
    print(f"\nOurs beside theirs in each of the {ROUNDS} rounds, equally far apart: the median,")
    print("and between which two a half of the rounds lay; and the same by the packets, where")
    print("queries can be told apart. kdig's clock starts once its send has returned, when a")
    print("server so near may have answered, and stops once it has read the answer.\n")
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
    table(["", "ours / theirs", "half of them", "ours − theirs", "packets", "half of them"], rows)
    print("\nOurs above theirs in three quarters of the rounds, by more than theirs leave open:")
    print(f"{'; '.join(above) or 'none'}.")


def _print_rates(services, rounds):
    print("\nThe query alone in ms, as reported and as captured, and as kdig reports it where it")
    print("sends each as soon as the one before is answered:\n")
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
    """In milliseconds; nothing where there is none."""
    found = [one for one in rounds.get(key, []) if one] if part else []
    values = [getattr(one, part) for one in found if getattr(one, part) is not None]
    return f"{quantile(values, 0.5) / 1e6:.3f}" if values else ""


def _difference(pairs, part):
    return f"{quantile([ours - theirs for ours, theirs in pairs], part) / 1e6:.3f} ms"


def _ratios(pairs):
    """The median of the ratios, and their quartiles; kdig rounds to nothing at times."""
    if not pairs:
        return "", ""
    ratios = [ours / theirs if theirs else math.inf for ours, theirs in pairs]
    quartiles = [quantile(ratios, part) for part in (0.25, 0.5, 0.75)]
    low, middle, high = ("∞" if math.isinf(one) else f"{one:.2f}" for one in quartiles)
    return middle, f"{low} to {high}"
