"""Cost of `--evidence`: processor time, round trips and size."""

import csv
import os
import statistics
import tempfile

from benchmarks import clients
from benchmarks.hosts import LOOPBACK
from benchmarks.servers import unbound
from benchmarks.table import table

RATE = 20_000
QUERIES = 1_000_000
PAIRS = 3


def evidence():
    """Prints the processor time per query with and without --evidence, in paired runs."""
    plain, kept, octets = [], [], 0
    with unbound() as port:
        for _ in range(PAIRS):
            plain.append(measured(port, None)[:2])
            with tempfile.TemporaryDirectory() as folder:
                *figures, octets = measured(port, f"{folder}/bundle")
            kept.append(figures)
    print(f"{QUERIES:,} queries over UDP at {RATE:,} queries/s. The runs write report and samples.")
    print(f"Medians of {PAIRS} pairs of runs.\n")
    rows = []
    for name, runs in (("without", plain), ("with --evidence", kept)):
        cost = statistics.median(run[0] for run in runs)
        trips = [statistics.median(run[1][place] for run in runs) for place in (0, 1)]
        rows.append([name, f"{cost:.1f}", f"{trips[0]:.3f}", f"{trips[1]:.3f}"])
    table(["", "µs/query", "median round trip, ms", "p99, ms"], rows)
    ratio = statistics.median(run[0] / other[0] for run, other in zip(kept, plain))
    print(f"\nThe median ratio of the pairs is {ratio:.2f}. The frames of a query and its answer ", end="")
    print(f"take {octets / QUERIES:.0f} bytes.")


def measured(port, bundle):
    """Returns microseconds per query, median and p99 of the round trips in ms, and bytes of frames."""
    with tempfile.TemporaryDirectory() as folder:
        samples = f"{folder}/samples.csv"
        more = ["-o", f"{folder}/report.json"]
        if bundle:
            more += ["--evidence", bundle]
        else:
            more += ["--samples", samples]
        finished = clients.compare(
            [f"{LOOPBACK.address}:{port}"], QUERIES, RATE, RATE, more=more, limit=900
        )
        with open(f"{bundle}/samples.csv" if bundle else samples, newline="") as file:
            trips = sorted(float(row["rtt_ms"]) for row in csv.DictReader(file) if row["rtt_ms"])
    frames = 0
    if bundle:
        names = [name for name in os.listdir(bundle) if name.endswith(".fstrm")]
        frames = sum(os.path.getsize(f"{bundle}/{name}") for name in names)
    quantiles = trips[len(trips) // 2], trips[len(trips) * 99 // 100]
    return finished.cpu / QUERIES * 1e6, quantiles, frames
