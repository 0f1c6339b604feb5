"""The tables of papers, measured through a line that delays every packet."""

import contextlib
import statistics
import tempfile

from benchmarks import clients
from benchmarks.delayed import delayed_link
from benchmarks.paper_blocking import blocking
from benchmarks.paper_servers import paper_servers
from benchmarks.paper_sizes import sizes
from benchmarks.table import table

# The delay of each packet in ms, so that a round trip of the path takes twice as long.
DELAYS = (10, 50, 200)
ROUNDS = 9
# Rounds begin at this distance, in round trips of the path. No first answer takes as long.
APART = 5.5
CONNECTIONS = {"new": "fresh", "resumed": "resume", "early": "resume", "kept": "reuse"}
USES = {"new": "new", "resumed": "resumed", "early": "early", "kept": "reused"}
# The columns are: the name, the servers' rows for new, resumed, early and kept, and the round trips of the
# literature for each of them. An empty name has no such connection.
ROWS = [
    ("UDP", ("udp", "", "", "udp"), (1, None, None, 1)),
    ("TCP", ("tcp", "", "", "tcp"), (2, None, None, 1)),
    ("TLS 1.3", ("tls", "tls", "", "tls"), (3, 3, None, 1)),
    ("TLS 1.3, unbound", ("tls-unbound", "tls-unbound", "", "tls-unbound"), (3, 3, None, 1)),
    ("TLS 1.3, HAProxy", ("tls-early", "tls-named", "tls-early", ""), (3, 3, 2, None)),
    ("HTTPS (HTTP/2, TLS 1.3)", ("https", "https", "https-early", "https"), (3, 3, 2, 1)),
    ("TLS 1.2", ("tls-1.2", "tls-1.2", "", "tls-1.2"), (4, 3, None, 1)),
    ("HTTPS (HTTP/2, TLS 1.2)", ("https-1.2", "https-1.2", "", "https-1.2"), (4, 3, None, 1)),
    ("QUIC", ("quic", "quic-resumed", "quic", "quic"), (2, 2, 1, 1)),
    ("HTTP/3", ("h3", "h3-resumed", "h3", "h3"), (2, 2, 1, 1)),
    ("QUIC with Retry", ("quic-retry", "", "", ""), (3, None, None, None)),
    ("QUIC with a long certificate chain", ("quic-long", "", "", ""), (3, None, None, None)),
]
# The services of the rows, without the versions of TLS.
ASKED = {name.removesuffix("-1.2") for _, services, _ in ROWS for name in services}


def papers():
    """Prints the time to the first answer in round trips of the path, and the sizes of queries."""
    with delayed_link("papers") as (host, line), contextlib.ExitStack() as stack:
        with line.at(0):
            found, authority = stack.enter_context(paper_servers(host))
        _round_trips(line, found, authority)
        sizes(host, line, found, authority)
    blocking()


def _round_trips(line, found, authority):
    times = {}
    for delay in DELAYS:
        with line.at(delay):
            for name, time in _first_answers(found, authority, delay):
                times.setdefault(name, {}).setdefault(delay, []).append(time)
    print("Time to the first answer, in round trips of the path. The line delays each packet by")
    print(f"{', '.join(map(str, DELAYS))} ms. Each cell is the slope of the medians of {ROUNDS} queries, and")
    print("the value of the literature.\n")
    table(["", *CONNECTIONS], [_row(times, *row) for row in ROWS])


def _first_answers(found, authority, delay):
    """Yields the row's name with the use of the connection, and the time of each answered query in ms."""
    for policy in dict.fromkeys(CONNECTIONS.values()):
        for version in ("", "1.2"):
            services = {
                name + (f"-{version}" if version else ""): service
                for name, service in found.items()
                if name in ASKED and (not version or service.transport in ("tls", "https"))
            }
            for row in _samples(services, authority, delay, policy, version):
                parts = [row[part] for part in ("connect_ms", "handshake_ms", "rtt_ms")]
                use = row["connection"] or "new"
                # The first query over a kept connection is the one that opens it.
                if policy == "fresh" or use != "new":
                    yield (row["resolver"], use), sum(float(part) for part in parts if part)
                elif row["transport"] == "udp":
                    yield (row["resolver"], "reused"), float(row["rtt_ms"])


def _samples(services, authority, delay, policy, version):
    endpoints = [f"{name}={service.endpoint}" for name, service in services.items()]
    more = ["--ca", authority, "--connections", policy, "--interval", f"{APART * 2 * delay:g}ms"]
    more += ["--no-check"] + (["--tls-version", version] if version else [])
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/samples.csv"
        clients.compare(endpoints, ROUNDS, 100, 1000, samples=path, more=more)
        return clients.rows(path)


def _row(times, name, services, expected):
    cells = [name]
    for use, service, literature in zip(CONNECTIONS, services, expected):
        if not service:
            cells.append("–")
            continue
        found = times.get((service, USES[use]), {})
        if len(found) < len(DELAYS):
            cells.append(f"none ({literature})")
            continue
        medians = [statistics.median(found[delay]) for delay in DELAYS]
        slope = statistics.linear_regression([2 * delay for delay in DELAYS], medians).slope
        cells.append(f"{slope:.3f} ({literature})")
    return cells
