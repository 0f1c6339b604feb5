"""Effects on seven resolvers if an eighth resolver floods its clients."""

import contextlib
import os
import statistics
import sys
import tempfile

from benchmarks import clients, servers
from benchmarks.hosts import LOOPBACK
from benchmarks.processes import background
from benchmarks.table import quantile, table

RESPONDER = os.path.join(clients.ROOT, "Tests", "Servers", "flood-responder.py")
ROUNDS = 200
OTHERS = 7
# The label of the flood, the mode of the eighth resolver, and its transport.
FLOODS = [
    ("none", None, None),
    ("answers to other queries, UDP", "datagrams", "udp"),
    ("zeros, TCP", "zeros", "tcp"),
    ("answers to other queries, TCP", "messages", "tcp"),
    ("zeros, TLS", "zeros", "tls"),
    ("zeros, HTTPS", "zeros", "https"),
    ("random datagrams, QUIC", "noise", "quic"),
    ("random datagrams, HTTP/3", "noise", "h3"),
]


def flood():
    """Prints the results of the seven resolvers in three cases: without a flood, with a flood to another
    process, and with a flood to the same process.

    The first two cases differ by the load of the flooding program on the machine. The last two cases differ
    by the load of the flood on dnstempo.
    """
    print(f"{OTHERS} resolvers, {ROUNDS} queries to each at 50 queries/s, timeout 1 s. Times are in µs.")
    print("Apart: another process queries the flooding resolver. Within: the same process does.\n")
    with contextlib.ExitStack() as stack:
        ports = [stack.enter_context(servers.unbound()) for _ in range(OTHERS)]
        rows = []
        for words, mode, transport in FLOODS:
            for place in ["apart", "within"] if mode else [""]:
                samples = _samples(mode, transport, ports, place == "within")
                rows.append([words, place, *_figures(samples)])
    header = ["flood", "", "answered", "kernel", "rtt p50", "p99", "late p50", "p99", "flooding resolver"]
    table(header, rows)


def _figures(samples):
    others = [row for row in samples if row["resolver"].startswith("r")]
    flooded = {row["outcome"] for row in samples if row["resolver"] == "flood"}
    times = [float(row["rtt_ms"]) * 1e3 for row in others if row["rtt_ms"]]
    late = [float(row["late_ms"] or 0) * 1e3 for row in others]
    return [
        f"{sum(row['outcome'] == 'answered' for row in others)} of {len(others)}",
        f"{sum(row['clock'] == 'kernel' for row in others)}",
        f"{statistics.median(times):.0f}",
        f"{quantile(times, 0.99):.0f}",
        f"{statistics.median(late):.0f}",
        f"{quantile(late, 0.99):.0f}",
        ", ".join(sorted(flooded)) or "-",
    ]


def _samples(mode, transport, ports, within):
    endpoints = [f"r{number}=127.0.0.1:{port}" for number, port in enumerate(ports)]
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        more = ["--timeout", "1s"]
        if mode:
            port = servers.free_port()
            command = [sys.executable, RESPONDER, str(port), mode, f"{folder}/log"]
            log = stack.enter_context(tempfile.TemporaryFile())
            child = stack.enter_context(background(command, log=log))
            servers.wait_until_ready(LOOPBACK, port, child, log)
            prefix = "" if transport == "udp" else f"{transport}://"
            flooding = f"flood={prefix}127.0.0.1:{port}"
            if within:
                endpoints.append(flooding)
            else:
                other = clients.comparison([flooding], ROUNDS * 2, 50, 500, more=more)
                stack.enter_context(background(other, log=log))
        path = f"{folder}/samples.csv"
        clients.compare(endpoints, ROUNDS, 50, 500, samples=path, limit=120, more=more)
        return clients.all_rows(path)
