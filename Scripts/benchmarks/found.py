"""How often the interval of the share that was found in a cache holds the true one."""

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
# The caches are simulated, so the pace need not be polite; the shares do not depend on it.
PACE = ["--rate", "500", "--total-rate", "1000"]


def found():
    """Prints how the share told compares with the share of the simulated cache."""
    print(f"{RUNS} runs of 600 names, each asked once of caches that hold so much of them:\n")
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
    table(["in the cache", "interval holds it", "holds that of these names", "median width"], rows)
    print(
        "\nA miss takes 20 to 90 ms longer. 'that of these names': the share of the 600 names of the "
        "run that were in the cache, which scatters around the cache's own."
    )


def _compare(seed):
    """Both ends of each interval, and the share of the names that the hits and misses tell."""
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
    """Of each resolver the share of names that came before the simulated authority could answer."""
    hits, names = {}, {}
    with open(samples) as file:
        for row in csv.DictReader(file):
            if "again" in row["round_marks"]:
                continue
            names[row["resolver"]] = names.get(row["resolver"], 0) + 1
            hits[row["resolver"]] = hits.get(row["resolver"], 0) + (float(row["rtt_ms"]) < 32)
    return {name: hits[name] / names[name] for name in names}
