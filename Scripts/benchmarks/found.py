"""How often the interval of the share of cache hits contains the true share."""

import csv
import json
import os
import statistics
import tempfile

from benchmarks.clients import DNSTEMPO
from benchmarks.processes import run
from benchmarks.table import table

SHARES = [0.6, 0.95]
RUNS = 200
# The caches are simulated, so a high rate harms no server. The shares do not depend on the rate.
PACE = ["--rate", "500", "--total-rate", "1000"]


def found():
    """Prints how the reported share compares with the share of the simulated cache."""
    print(f"{RUNS} runs of 600 names. Each name is queried once. The caches hold this share of the names:\n")
    results = [_compare(seed) for seed in range(1, RUNS + 1)]
    rows = []
    for place, share in enumerate(SHARES):
        told = [result[place] for result in results]
        covered = sum(low <= share <= high for low, high, _ in told)
        errors = sum(not low <= real <= high for low, high, real in told)
        widths = statistics.median(high - low for low, high, _ in told)
        rows.append(
            [
                f"{100 * share:.0f} %",
                f"{covered} of {RUNS}",
                f"{RUNS - errors} of {RUNS}",
                f"{100 * widths:.1f} points",
            ]
        )
    table(["in the cache", "interval contains it", "contains that of the run", "median width"], rows)
    print(
        "\nA cache miss takes 20 to 90 ms longer. 'that of the run': the share of the run's 600 names "
        "that were in the cache. It varies around the share of the cache."
    )


def _compare(seed):
    """Returns both bounds of each interval, and the actual share of cache hits in the run."""
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "lab.toml")
        with open(profile, "w") as file:
            file.write(f'seed = {seed}\nbaseline = "a0"\n')
            for place, share in enumerate(SHARES):
                file.write(
                    f'[[resolver]]\nname = "a{place}"\nbase = "12ms"\njitter = "2ms"\n'
                    f'found = {share}\nrecursion = ["20ms", "90ms"]\n'
                )
        report = os.path.join(folder, "report.json")
        samples = os.path.join(folder, "samples.csv")
        words = ["compare", "--lab", profile, "--series", "as-found", *PACE, "--seed", str(seed)]
        finished = run([DNSTEMPO, *words, "--no-check", "-q", "-o", report, "--samples", samples])
        if finished.status != 0:
            raise RuntimeError(finished.errors)
        with open(report) as file:
            resolvers = {one["name"]: one for one in json.load(file)["resolvers"]}
        real = _real(samples)
        return [
            (*resolvers[f"a{place}"]["hit_share_ci"], real[f"a{place}"])
            for place in range(len(SHARES))
        ]


def _real(samples):
    """Returns the actual share of cache hits per resolver.

    A hit is an answer that is faster than 32 ms, so the simulated authority could not have answered yet.
    """
    hits, names = {}, {}
    with open(samples) as file:
        for row in csv.DictReader(file):
            if "again" in row["round_marks"]:
                continue
            names[row["resolver"]] = names.get(row["resolver"], 0) + 1
            hits[row["resolver"]] = hits.get(row["resolver"], 0) + (float(row["rtt_ms"]) < 32)
    return {name: hits[name] / names[name] for name in names}
