"""Head-of-line blocking: the queries that wait for an answer which a server holds back."""

import contextlib
import os
import sys
import tempfile

from benchmarks import clients
from benchmarks.encrypted_servers import certificate
from benchmarks.hosts import CERTIFIED, LOOPBACK
from benchmarks.processes import background
from benchmarks.servers import dnsdist, free_port, wait_until_ready
from benchmarks.table import table

# Böttger et al., "An Empirical Study of the Cost of DNS-over-HTTPS", IMC 2019, hold back one of 25 answers.
NAMES = 25
HELD_MS = 500
RATE = 20
ROUNDS = 100
# A query that waits longer than this waits for the held answer. Other answers need less than a millisecond.
SLOW_MS = 20
HELD = "held.example.com"

# With maxInFlight, dnsdist answers queries of one connection out of order (RFC 7766 §7).
FRONT = """
addTLSLocal("{address}:{ordered}", {proof}, {{{{maxInFlight=0}}}})
addTLSLocal("{address}:{free}", {proof}, {{{{maxInFlight=100}}}})
addDOHLocal("{address}:{https}", {proof}, "/dns-query")
"""


def blocking():
    """Prints the share of slow queries by transport."""
    ordered, free, https = (free_port() for _ in range(3))
    with certificate(LOOPBACK) as proof, _holding() as backend:
        settings = FRONT.format(
            address=LOOPBACK.address,
            ordered=ordered,
            free=free,
            https=https,
            proof=f'"{proof.path}", "{proof.key}"',
        )
        with dnsdist(settings, backend=backend) as udp:
            places = {
                "udp": f"{LOOPBACK.address}:{udp}",
                "https": f"https://{LOOPBACK.address}:{https}#{CERTIFIED}",
                "free": f"tls://{LOOPBACK.address}:{free}#{CERTIFIED}",
                "ordered": f"tls://{LOOPBACK.address}:{ordered}#{CERTIFIED}",
            }
            samples = _samples(places, proof.path)
    one = 100 / NAMES
    expected = {
        "udp": ("UDP", one),
        "https": ("HTTPS (HTTP/2)", one),
        "free": ("TLS, answers out of order", one),
        # A query that arrives in the last SLOW_MS of the time does not wait as long as that.
        "ordered": ("TLS, answers in order", one * (1 + (HELD_MS - SLOW_MS) / 1000 * RATE)),
    }
    print(f"\nShare of the queries that wait for a held answer. The server holds one of {NAMES} answers")
    print(f"for {HELD_MS} ms, and gets {RATE} queries per second on one connection.\n")
    rows = []
    for key, (name, share) in expected.items():
        times = [float(row["rtt_ms"]) for row in samples if row["resolver"] == key]
        slow = sum(time > SLOW_MS for time in times)
        rows.append([name, f"{share:.1f} %", f"{100 * slow / max(1, len(times)):.1f} %", str(len(times))])
    table(["", "expected", "measured", "queries"], rows)


@contextlib.contextmanager
def _holding():
    port = free_port()
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "holding.py")
    command = [sys.executable, "-B", script, f"{LOOPBACK.address}:{port}", HELD, str(HELD_MS)]
    with tempfile.TemporaryFile() as log, background(command, log=log) as child:
        wait_until_ready(LOOPBACK, port, child, log)
        yield port


def _samples(places, authority):
    names = [HELD, *(f"n{number}.example.com" for number in range(1, NAMES))]
    more = ["--ca", authority, "--connections", "reuse", "--no-check", "--timeout", "5s", "--keep-all"]
    # The number of queries in the time of a held answer is then that of a Poisson process.
    more += ["--sampling", "poisson"]
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/samples.csv"
        clients.compare(
            [f"{name}={place}" for name, place in places.items()],
            ROUNDS,
            RATE,
            RATE * len(places),
            names=names,
            samples=path,
            more=more,
        )
        return clients.rows(path)
